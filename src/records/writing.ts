/** How the kernel writes: its own routes, and whoever else makes records, go through here. */

import type { AttachmentReferences } from "../attachments/port.ts";
import type { Command, Outcome, Write } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Envelope } from "../command/envelope.ts";
import type { Database } from "../database/database.ts";
import type { NextState } from "./commands.ts";
import { type PublicRecord, type RecordRow, toPublicRecord } from "./record.ts";
import {
  findRecord,
  findRecordAt,
  insertRecord,
  lockRecord,
  lockRevision,
  updateRecord,
} from "./store.ts";

/** What a write of a record stands on. */
export interface WriteServices {
  readonly database: Database;
  readonly commands: CommandRunner;
  readonly attachments: AttachmentReferences;
}

/**
 * Makes the record that `decide` decides, or answers the replay of the command.
 *
 * @throws what `decide` and `CommandRunner.run` throw; ServiceError `PAYLOAD_INVALID` for a reference
 * to an attachment that the owner does not have.
 */
export async function createRecord(
  services: WriteServices,
  command: Command,
  decide: () => NextState,
): Promise<Outcome<PublicRecord>> {
  return await services.commands.run(command, {
    decide: () => toWrite(services, command, decide()),
    replay: (envelope) => replayRecord(services, command, envelope),
  });
}

/** What a change of a record decides, before and after its row is locked. */
export interface RecordChange {
  readonly check: () => void;
  readonly decide: (root: RecordRow | null) => NextState;
}

/** Changes the record that is the command's target. Throws as `createRecord` does. */
export async function changeRecord(
  services: WriteServices,
  command: Command,
  { check, decide }: RecordChange,
): Promise<Outcome<PublicRecord>> {
  const owner = command.identity.account.accountId;
  return await services.commands.run<RecordRow, PublicRecord>(command, {
    check,
    lock: (sql) => lockRecord(sql, owner, command.target),
    optimistic: {
      read: (sql) => findRecord(sql, owner, command.target),
      lockIfUnchanged: (sql, { revision }) => lockRevision(sql, owner, command.target, revision),
    },
    decide: (root) => toWrite(services, command, decide(root)),
    replay: (envelope) => replayRecord(services, command, envelope),
  });
}

function toWrite(
  { attachments }: WriteServices,
  { identity }: Command,
  { row, change, references }: NextState,
): Write<PublicRecord> {
  const owner = identity.account.accountId;
  return {
    subjectId: row.record_id,
    revision: row.revision,
    answer: toPublicRecord(row, identity.permissions),
    ...(references.length === 0
      ? {}
      : { verify: (sql) => attachments.assertExist(sql, owner, references) }),
    statement: change === null
      ? null
      : (sql, ledger) =>
        change === "CREATED"
          ? insertRecord(sql, ledger, owner, row)
          : updateRecord(sql, ledger, owner, row, change),
  };
}

/** The record exactly as the first answer showed it, whatever came later. */
async function replayRecord(
  services: WriteServices,
  command: Command,
  envelope: Envelope,
): Promise<PublicRecord> {
  const owner = command.identity.account.accountId;
  const [row] = await services.database.read((sql) =>
    findRecordAt(sql, owner, envelope.recordId, envelope.revision ?? 0)
  );
  if (row === undefined || row.module_code !== command.moduleCode) {
    throw new Error("An idempotency envelope names a record that is not there");
  }
  return toPublicRecord(row, command.identity.permissions);
}
