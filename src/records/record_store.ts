import type { AttachmentReferences } from "../attachments/port.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { Command, CommandResult, PlannedWrite, SharedKind } from "../command/command.ts";
import type { Envelope } from "../command/envelope.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Database } from "../database/database.ts";
import type { LongColumns } from "../database/page_bytes.ts";
import type { Query, Sql } from "../database/sql.ts";
import { entryStatement } from "../kit/write.ts";
import { type Change, type PublicRecord, type RecordRow, showRecord } from "./record.ts";
import type { NextRecord } from "./record_rules.ts";
import type { TypedCounts, TypedIds } from "./typed_ids.ts";
import {
  indexColumns,
  type IndexContent,
  indexEntries,
  indexTypes,
} from "./search_index/index_store.ts";

export interface WriteServices {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly commands: CommandRunner;
  readonly attachments: AttachmentReferences;
}

export interface ReadServices {
  readonly database: Database;
  readonly catalog: Catalog;
}

export interface ListServices extends ReadServices {
  /** Signs cursors. */
  readonly serverSecret: Uint8Array;
}

export interface RecordServices extends WriteServices, ListServices {
  readonly typedIds: TypedIds;
  readonly typedCounts: TypedCounts;
}

/**
 * Creates a record, or returns the replay.
 *
 * @throws errors of `decide` and `CommandRunner.run`; ServiceError `PAYLOAD_INVALID` for a
 *   reference to an attachment that the owner does not have.
 */
export async function createRecord(
  services: WriteServices,
  command: Command,
  decide: () => NextRecord,
): Promise<CommandResult<PublicRecord>> {
  return await services.commands.run(command, {
    decide: () => toWrite(services, command, decide()),
    replay: (envelope) => replayRecord(services, command, envelope),
  });
}

interface RecordChange {
  readonly check: () => void;
  readonly decide: (root: RecordRow | null) => NextRecord;
}

/**
 * Changes a record.
 *
 * @param recordId By default the command's target.
 * @throws errors of `createRecord`.
 */
export async function changeRecord(
  services: WriteServices,
  command: Command,
  { check, decide }: RecordChange,
  recordId: string = command.target,
): Promise<CommandResult<PublicRecord>> {
  const owner = command.caller.account.accountId;
  return await services.commands.run<RecordRow, PublicRecord>(command, {
    check,
    lock: (sql) => lockRecord(sql, owner, recordId),
    optimistic: {
      read: (sql) => findRecord(sql, owner, recordId),
      lockIfUnchanged: (sql) => lockSent(sql, owner),
    },
    decide: (root) => toWrite(services, command, decide(root)),
    replay: (envelope) => replayRecord(services, command, envelope),
  });
}

function toWrite(
  { attachments, catalog }: WriteServices,
  { caller }: Command,
  { row, change, indexed, references }: NextRecord,
): PlannedWrite<PublicRecord> {
  const owner = caller.account.accountId;
  return {
    subjectId: row.record_id,
    revision: row.revision,
    result: showRecord(row, caller, moduleOf(catalog, row)),
    ...(references.length === 0
      ? {}
      : { verify: (sql) => attachments.assertExist(sql, owner, references) }),
    ...(change === null ? { statement: null } : sharedWrite(owner, { row, change, indexed })),
  };
}

function sharedWrite(
  owner: string,
  write: RecordWrite,
): Pick<PlannedWrite<unknown>, "statement" | "shared"> {
  const kind = write.change === "CREATED" ? CREATIONS : CHANGES;
  return {
    statement: (sql, ledger) => kind.statement(sql, ledger, owner, [write]),
    shared: { kind, row: write, bytes: write.row.payload.length },
  };
}

const CREATIONS = recordWrites("creation of records");
const CHANGES = recordWrites("change of records");

function recordWrites(name: string): SharedKind {
  return {
    name,
    statement(sql, ledger, owner, writes: readonly RecordWrite[]) {
      return entryStatement(sql, ledger, recordEntries(sql, owner, writes));
    },
  };
}

/** The record as in the first response, regardless of later changes. */
async function replayRecord(
  services: WriteServices,
  command: Command,
  envelope: Envelope,
): Promise<PublicRecord> {
  const owner = command.caller.account.accountId;
  const [row] = await services.database.read((sql) =>
    findRecordAt(sql, owner, envelope.recordId, envelope.revision ?? 0)
  );
  if (row === undefined || row.module_code !== command.moduleCode) {
    throw new Error("An idempotency envelope names a record that does not exist");
  }
  return showRecord(row, command.caller, moduleOf(services.catalog, row));
}

function moduleOf(catalog: Catalog, { module_code }: RecordRow): CatalogModule {
  const module = catalog.module(module_code);
  if (module === undefined) throw new Error("A stored record's module is not in the catalog");
  return module;
}

/** A record's next state, or its first one. */
export interface RecordWrite {
  readonly row: RecordRow;
  readonly change: Change;
  /** The record's words and order, for search and lists. */
  readonly indexed: IndexContent;
}

/**
 * Returns the CTEs of creations or next revisions, conditional on the claim, between
 * `${ledger.claim}` and `${ledger.ctes}`: `record_row`, `record_root`, `record_revision`, `indexed`
 * and `ordered`.
 *
 * @param writes Distinct records in the order of their commands, all new or all next revisions.
 */
export function recordEntries(
  sql: Sql,
  owner: string,
  writes: readonly RecordWrite[],
): Query<object> {
  const areNew = writes[0]?.change === "CREATED";
  return sql`
    record_row as (${writtenRows(sql, writes)}),
    ${areNew ? newRoots(sql, owner) : nextRoots(sql, owner)},
    record_revision as (
      insert into record_revisions (owner_id, record_id, revision, revision_id, module_code, change,
                                    title, summary, payload, clocks, archived_at, created_at)
      select ${owner}, record_id, revision, revision_id, module_code, change, title, summary,
             payload::json, clocks::json, archived_at, updated_at
        from record_row
    ),
    ${indexEntries(sql, owner, areNew)}`;
}

/** The rows as one parameter: their number does not change the statement, which stays prepared. */
function writtenRows(sql: Sql, writes: readonly RecordWrite[]): Query<object> {
  const rows = writes.map(({ row, change, indexed }, number) => ({
    number,
    ...row,
    change,
    ...indexColumns(indexed),
  }));
  return sql`
    select record.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as record (
      number integer, record_id text, module_code text, revision integer, revision_id text,
      source_type text, recorded_at timestamptz, created_at timestamptz, updated_at timestamptz,
      archived_at timestamptz, title text, summary text, payload text, clocks text, guard text,
      change text, ${indexTypes(sql)})
      join claim using (number) where verdict = 'GO'`;
}

function newRoots(sql: Sql, owner: string): Query<object> {
  return sql`
    record_root as (
      insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                           recorded_at, created_at, updated_at, archived_at, title, summary, payload,
                           clocks, guard)
      select ${owner}, record_id, module_code, revision, revision_id, source_type, recorded_at,
             created_at, updated_at, archived_at, title, summary, payload::json, clocks::json, guard
        from record_row
    )`;
}

/**
 * `offset 0` and the row's place lead each record to its key: in a plan made while the table is
 * small, a scan of all records of the owner would look as good.
 */
function nextRoots(sql: Sql, owner: string): Query<object> {
  return sql`
    record_root as (
      update records
         set revision = record_row.revision, revision_id = record_row.revision_id,
             updated_at = record_row.updated_at, archived_at = record_row.archived_at,
             title = record_row.title, summary = record_row.summary,
             payload = record_row.payload::json, clocks = record_row.clocks::json,
             clocks_revision = record_row.revision, guard = record_row.guard
        from record_row cross join lateral (
          select r.ctid from records r
           where r.owner_id = ${owner} and r.record_id = record_row.record_id offset 0
        ) found
       where records.ctid = found.ctid
    )`;
}

/** Locks a record against other changes. The caller must check the module. */
export function lockRecord(sql: Sql, owner: string, recordId: string): Query<RecordRow> {
  return sql<RecordRow>`
    select ${recordColumns(sql)} from records
     where owner_id = ${owner} and record_id = ${recordId} for no key update`;
}

/** Locks the record that a command changes, if its new revision is the next one. */
function lockSent(sql: Sql, owner: string): Query<object> {
  return sql`
    select 1 from records
     where owner_id = ${owner} and record_id = sent.audit_subject
       and revision = sent.audit_revision - 1
       for no key update`;
}

/** The caller must check the module. */
export function findRecord(sql: Sql, owner: string, recordId: string): Query<RecordRow> {
  return sql<RecordRow>`
    select ${recordColumns(sql)} from records
     where owner_id = ${owner} and record_id = ${recordId}`;
}

/** Finds a record at a revision. The caller must check the module. */
export function findRecordAt(
  sql: Sql,
  owner: string,
  recordId: string,
  revision: number,
): Query<RecordRow> {
  return sql<RecordRow>`
    select r.record_id, r.module_code, v.revision, v.revision_id, r.source_type, r.recorded_at,
           r.created_at, v.created_at as updated_at, v.archived_at, v.title, v.summary,
           v.payload::text as payload, v.clocks::text as clocks, r.guard
      from records r join record_revisions v using (owner_id, record_id)
     where r.owner_id = ${owner} and r.record_id = ${recordId} and v.revision = ${revision}`;
}

function recordColumns(sql: Sql): Query<object> {
  return sql`${shortRecordColumns(sql)}, payload::text as payload`;
}

export function shortRecordColumns(sql: Sql): Query<object> {
  return sql`record_id, module_code, revision, revision_id, source_type, recorded_at, created_at,
    updated_at, archived_at, title, summary, clocks::text as clocks, guard`;
}

/**
 * The column that can make a page too large. It counts even if hidden: a guarded record is a
 * projection, whose payload is always small.
 */
export function longRecordColumns(sql: Sql): LongColumns {
  return { kind: "json", columns: { payload: sql`payload` }, hidden: null };
}
