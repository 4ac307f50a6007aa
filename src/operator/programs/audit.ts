import { anchorsOf, describeVerification, isAnchors } from "../admin/audit_text.ts";
import { executeCommand } from "../admin/execute.ts";
import { type BackupToRead, verifyTrailsOfBackup } from "../backup/installation.ts";
import { KEY_OPTIONS, keyReader, parseWords, readSource } from "./backup_options.ts";
import { type BackupProgram, runBackupProgram } from "./backup_program.ts";

const VERIFY: BackupProgram = {
  usage: "deno task audit:verify [--file BACKUP [--passphrase-file FILE | --identity-file FILE]] " +
    "[--anchor DIGEST,…]",
  cannot: "Cannot verify the audit trail",
  parse: (words) => {
    const given = parseWords(words, { flags: [], options: ["--file", "--anchor", ...KEY_OPTIONS] });
    const anchor = given?.options.get("--anchor");
    if (given === null || given.others.length > 0) return null;
    if (anchor !== undefined && !isAnchors(anchor)) return null;
    const file = given.options.get("--file");
    return file === undefined
      ? verifyDatabase(given.options, anchor)
      : verifyFile(keyReader(file, given.options), anchor);
  },
};

type Verifying = ReturnType<BackupProgram["parse"]>;

function verifyDatabase(options: ReadonlyMap<string, string>, anchor?: string): Verifying {
  // A key is allowed only with a file.
  if (KEY_OPTIONS.some((name) => options.has(name))) return null;
  const command = { command: "audit verify", ...(anchor !== undefined && { anchor }) } as const;
  return async (config, report) => await executeCommand(config, command, report);
}

function verifyFile(read: (() => Promise<BackupToRead>) | null, anchor?: string): Verifying {
  if (read === null) return null;
  return async (config, report) =>
    describeVerification(
      await verifyTrailsOfBackup(config, await readSource(read), anchorsOf(anchor), report),
    );
}

/** Recomputes every seal, reports invalid ones, and whether the seals of `--anchor` exist. */
export async function runVerifyAudit(words: readonly string[]): Promise<number> {
  return await runBackupProgram(VERIFY, words);
}
