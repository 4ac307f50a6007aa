/**
 * The import of version 1 records: the whole file or nothing.
 *
 *   1. The file is checked line by line and compared with the owner's records, without locks.
 *   2. One transaction reads it again and inserts the new records. It commits only if the bytes are
 *      the ones that were checked.
 */

import { createHash } from "node:crypto";
import type { Caller } from "../access/identity.ts";
import { IDENTITY } from "../catalog/modules/identity.ts";
import { commandOf, type KeylessCommand } from "../command/command.ts";
import { CommandRunner } from "../command/runner.ts";
import { auditEntries } from "../command/statements.ts";
import type { WriteLimits } from "../command/write_limits.ts";
import { counted } from "../core/counted.ts";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { Report } from "../core/report.ts";
import type { Database, Tx } from "../database/database.ts";
import { databaseFailure } from "../database/failures.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { ServiceError } from "../errors/service_error.ts";
import { findIdentityIds } from "../families/identity/port.ts";
import { findPresentRecords, type ImportedRecord, insertImportedRecords } from "../records/port.ts";
import { type NumberedLine, readImportLines, refuseLine } from "./import_file.ts";
import { readImportedRecord } from "./import_rules.ts";

interface ImportServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: WriteLimits;
}

export interface ImportedCounts {
  readonly made: number;
  readonly present: number;
}

/** Bytes of lines that one statement compares or inserts. */
const BATCH_BYTES = 512 * 1024;

/** Violated if a record was created after the comparison. */
const KEYS: ReadonlySet<string> = new Set(["records_pkey", "record_revisions_pkey"]);

/**
 * Imports a file of legacy identity records for the operator's account.
 *
 * @throws OperatorError if the file is rejected; ServiceError `SYSTEM_MAINTENANCE`,
 *   `ACCOUNT_STORAGE_FULL`, `HTTP_503` if the disk is nearly full.
 */
export async function importLegacyRecords(
  { database, clock, limits }: ImportServices,
  operator: Caller,
  path: string,
  report: Report,
): Promise<ImportedCounts> {
  const commands = new CommandRunner(database, limits);
  const importing = new Import(database, commands, importCommand(operator, clock()), path);
  await importing.assertOpen();
  const { made, present, digest } = await importing.check(report);
  if (made > 0) await importing.write(present, digest, report);
  return { made, present: present.size };
}

/** Records are identified by the file, so no key is needed. */
function importCommand(caller: Caller, now: Date): KeylessCommand {
  const call = { operation: "legacy.import", caller, requestId: newId(now), now, key: null };
  return commandOf(call, { module: IDENTITY.code, policy: "legacy", frozen: true });
}

interface NumberedRecord extends ImportedRecord {
  readonly line: number;
}

interface CheckedFile {
  readonly made: number;
  /** Identifiers that already exist. */
  readonly present: ReadonlySet<string>;
  readonly digest: string;
}

class Import {
  readonly #database: Database;
  readonly #commands: CommandRunner;
  readonly #command: KeylessCommand;
  readonly #path: string;

  constructor(
    database: Database,
    commands: CommandRunner,
    command: KeylessCommand,
    path: string,
  ) {
    this.#database = database;
    this.#commands = commands;
    this.#command = command;
    this.#path = path;
  }

  /** Checked here, because an import without new records would not check it. */
  async assertOpen(): Promise<void> {
    await this.#commands.assertOpen(this.#command);
  }

  async check(report: Report): Promise<CheckedFile> {
    const hash = createHash("sha256");
    const ids = new Set<string>();
    const present = new Set<string>();
    for await (const batch of this.#batches(readImportLines(this.#path, hash))) {
      for (const { recordId, line } of batch) {
        if (ids.has(recordId)) refuseLine(line, ["record_id.repeated"]);
        ids.add(recordId);
      }
      for (const id of await this.#findPresent(batch)) present.add(id);
      report(`${counted(ids.size, "line")} checked`);
    }
    return { made: ids.size - present.size, present, digest: hash.digest("hex") };
  }

  async write(present: ReadonlySet<string>, digest: string, report: Report): Promise<void> {
    try {
      await this.#commands.runMany(this.#command, async (tx) => {
        const hash = createHash("sha256");
        let written = 0;
        for await (const batch of this.#batches(readImportLines(this.#path, hash))) {
          const records = batch.filter(({ recordId }) => !present.has(recordId));
          await this.#insert(tx, records);
          written += records.length;
          report(`${counted(written, "record")} written`);
        }
        if (hash.digest("hex") !== digest) {
          throw new OperatorError("Nothing was imported: the file changed during the import");
        }
      });
    } catch (error) {
      if (!KEYS.has(databaseFailure(error)?.constraint ?? "")) throw error;
      throw new OperatorError("Nothing was imported: another import created one of the records");
    }
  }

  async *#batches(lines: AsyncIterable<NumberedLine>): AsyncGenerator<readonly NumberedRecord[]> {
    let batch: NumberedRecord[] = [];
    let size = 0;
    for await (const { number, bytes } of lines) {
      batch.push({ ...this.#read(number, bytes), line: number });
      size += bytes.length;
      if (size < BATCH_BYTES) continue;
      yield batch;
      [batch, size] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  }

  #read(number: number, bytes: Uint8Array): ImportedRecord {
    try {
      return readImportedRecord(IDENTITY, bytes, this.#command.now);
    } catch (error) {
      const rules = error instanceof ServiceError ? error.details.rules : undefined;
      if (!Array.isArray(rules)) throw error;
      refuseLine(number, rules);
    }
  }

  /** Identifiers that exist with the same content. */
  async #findPresent(batch: readonly NumberedRecord[]): Promise<readonly string[]> {
    const owner = this.#command.caller.account.accountId;
    const ids = batch.map(({ recordId }) => recordId);
    const [rows, typed] = await this.#database.read((sql) =>
      Promise.all([
        findPresentRecords(sql, owner, IDENTITY.code, batch),
        findIdentityIds(sql, owner, ids),
      ])
    );
    const taken = new Set([
      ...rows.filter((row) => !row.is_equal).map((row) => row.record_id),
      ...typed.map((row) => row.id),
    ]);
    const first = batch.find(({ recordId }) => taken.has(recordId));
    if (first !== undefined) refuseLine(first.line, ["record_id.taken"]);
    return rows.map((row) => row.record_id);
  }

  async #insert({ sql }: Tx, records: readonly NumberedRecord[]): Promise<void> {
    if (records.length === 0) return;
    const { caller: { account }, now } = this.#command;
    const subjects = records.map(({ recordId, revisions }) => ({
      subjectId: recordId,
      revision: revisions.length,
    }));
    await Promise.all([
      insertImportedRecords(sql, account.accountId, IDENTITY, records, now),
      auditEntries(sql, this.#command, subjects),
    ]);
  }
}
