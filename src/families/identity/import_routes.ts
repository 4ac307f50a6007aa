/** IDN-008: imports of export documents, as a whole or not at all, in one transaction. */

import { commandOf, type CommandResult, type PlannedWrite } from "../../command/command.ts";
import { newId } from "../../core/ids.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { ok, replying } from "../../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../../http/route.ts";
import { findExecution } from "../../records/port.ts";
import { readBody, refuseQuery } from "../../validate/schema.ts";
import { identityExecution } from "./execution.ts";
import {
  type DecidedImport,
  decideImport,
  IDENTITY_IMPORT_BODY,
  type IdentityImportBody,
  IMPORT_SCHEMA,
  type ImportedIdentity,
  type ImportResult,
  NOTHING_PRESENT,
  type PresentIdentity,
  readImport,
} from "./import.ts";
import { readPresent, writeImport } from "./import_store.ts";
import type { ProfileRow } from "./profile.ts";
import { PROFILES } from "./profile_store.ts";

export function createImportEndpoint(services: FamilyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Import a profile, stages, roles and snapshots",
      body: bodyOf(IDENTITY_IMPORT_BODY, {
        version: 1,
        conflictMode: "CREATE_SNAPSHOT",
        profile: { displayName: "Ada" },
        roles: [{ role: "Engineer", changedAt: "2020-04-01T08:00:00Z" }],
      }),
      responses: { 200: { data: IMPORT_SCHEMA } },
      errors: ["IDENTITY_STATE_CONFLICT"],
    },
    body: "json",
    parse: (call) => refuseQuery(call.query),
    async handle(call) {
      const body = readBody(IDENTITY_IMPORT_BODY, call.body);
      const { result, replayed } = await importIdentity(services, call, body);
      return replying(ok(result), replayed);
    },
  });
}

async function importIdentity(
  { commands, database }: FamilyServices,
  call: CheckedCall<void>,
  body: IdentityImportBody,
): Promise<CommandResult<ImportResult>> {
  const { caller, now } = call;
  const owner = caller.account.accountId;
  const { conflictMode } = body;
  let read: ImportedIdentity | undefined;
  const imported = () => read ??= readImport(body, now);
  const policy = "identity-import";
  const command = commandOf(call, { module: "identity", policy, target: "" });
  return await commands.run<ProfileRow, ImportResult, PresentIdentity>(command, {
    check: () => void imported(),
    lock: (sql) => PROFILES.lock(sql, owner, {}),
    related: async (sql, profile) =>
      profile === null ? NOTHING_PRESENT : await readPresent(sql, owner, profile, imported()),
    decide(profile, present) {
      const decided = decideImport(profile, imported(), present, now);
      return importWrite(owner, decided, conflictMode, now);
    },
    async replay({ executionId = "" }) {
      const [row] = await database.read((sql) => findExecution(sql, owner, executionId));
      if (row === undefined) throw new Error("An envelope names an import that does not exist");
      const createdAt = row.created_at.toISOString();
      return { executionId, conflictMode, ...JSON.parse(row.output), createdAt };
    },
    constraints: {
      one_profile_an_owner: "IDENTITY_STATE_CONFLICT",
      stages_do_not_overlap: "IDENTITY_STATE_CONFLICT",
    },
  });
}

function importWrite(
  owner: string,
  decided: DecidedImport,
  conflictMode: ImportedIdentity["conflictMode"],
  now: Date,
): PlannedWrite<ImportResult> {
  const { profile: { row: { profile_id, revision } }, created, skipped } = decided;
  const executionId = newId(now);
  const output = { revision, snapshotId: decided.frozenId, created, skipped };
  const execution = identityExecution("IDN-008", executionId, output, now);
  return {
    subjectId: profile_id,
    revision,
    executionId,
    result: { executionId, conflictMode, ...output, createdAt: now.toISOString() },
    statement: (sql, ledger) => writeImport(sql, ledger, owner, decided, execution),
  };
}
