import { parseRecipients, recipientsProblem } from "../backup/age/keys.ts";
import { passphraseRecipient } from "../backup/age/passphrase.ts";
import type { Recipient } from "../backup/age/stanza.ts";
import { verifyTrails } from "../../audit/verify.ts";
import { BackupError } from "../backup/backup_error.ts";
import { backUp, describeBackup } from "../backup/installation.ts";
import { isMaintenance, setMaintenance } from "../../command/maintenance.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import { planErasure } from "../erasure/plan.ts";
import { readSubjects } from "../erasure/subjects.ts";
import { verifyErasures } from "../erasure/verify.ts";
import { anchorsOf, describeVerification } from "./audit_text.ts";
import type { CommandOf } from "./command.ts";
import { type Runners, unchanged } from "./runner.ts";

export const MAINTENANCE_COMMANDS = {
  "maintenance on": async ({ database }) =>
    await setMaintenance(database, true)
      ? ["Maintenance is on; ordinary writes are rejected until it is off"]
      : unchanged("maintenance is already on"),
  "maintenance off": async ({ database }) =>
    await setMaintenance(database, false)
      ? ["Maintenance is off; ordinary writes are accepted"]
      : unchanged("maintenance is already off"),
  "maintenance status": async ({ database }) => [
    await isMaintenance(database)
      ? "Maintenance is on: ordinary writes are rejected"
      : "Maintenance is off: ordinary writes are accepted",
  ],
  "backup": async (services, command, _context, report) => {
    const withSecret = command.secret === "include";
    const choices = { withSecret, recipient: recipientOf(command) };
    const backup = await backUp(services.config, services, choices, report)
      .catch(refuseBackup);
    return describeBackup(backup);
  },
  "erase plan": async ({ database, config, clock }, { email, subjects }, _context, report) => {
    const named = readSubjects(subjects) ?? [];
    return [JSON.stringify(await planErasure(database, config, email, named, clock(), report))];
  },
  "erase verify": async ({ database, config: { dataDir } }, _command, _context, report) => [
    JSON.stringify(await verifyErasures(database, dataDir, report).catch(refuseBackup)),
  ],
  "audit verify": async ({ database }, { anchor }, _context, report) =>
    describeVerification(await verifyTrails(database, anchorsOf(anchor), report)),
} satisfies Partial<Runners>;

/** Null without encryption. */
function recipientOf(
  { recipient, passphrase }: Pick<CommandOf<"backup">, "recipient" | "passphrase">,
): Recipient | null {
  if (passphrase !== undefined) return passphraseRecipient(passphrase);
  if (recipient === undefined) return null;
  const problem = recipientsProblem(recipient);
  if (problem !== null) throw new OperatorError(`--recipient: ${problem}`);
  return parseRecipients(recipient);
}

function refuseBackup(error: unknown): never {
  throw error instanceof BackupError ? new OperatorError(error.message) : error;
}
