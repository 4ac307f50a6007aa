import type { Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Seal } from "./seal.ts";
import { type Trail, type TrailKind, type TrailRow, trailRows } from "./trail.ts";

const PAGE = 1_000;

/** Transactions from `below` (inclusive) to `until` (exclusive). */
export interface Span {
  readonly below: string;
  readonly until: string;
}

/** The unsealed transactions before the oldest running one. */
export async function readSpan(sql: Sql): Promise<Span> {
  const [span] = await sql<Span>`
    select sealed_below::text as below, pg_snapshot_xmin(pg_current_snapshot())::text as until
      from audit_sealing`;
  if (span === undefined) throw new Error("audit_sealing is empty");
  return span;
}

export interface WaitingTrail extends Trail {
  readonly firstId: string;
  readonly entries: number;
}

/**
 * Call it in a snapshot. The index of transactions needs a bitmap scan, which sessions otherwise
 * disable.
 */
export async function readWaitingTrails(
  sql: Sql,
  kind: TrailKind,
  { below, until }: Span,
): Promise<readonly WaitingTrail[]> {
  await sql`set local enable_bitmapscan = on`;
  await sql`set local enable_indexscan = off`;
  return await sql<WaitingTrail>`
    select account_id as "accountId", ${kind}::text as kind, min(id) as "firstId",
           count(*)::integer as entries
      from ${trailRows(sql, kind)} entry
     where transaction_id >= ${below}::bigint and transaction_id < ${until}::bigint
     group by account_id order by account_id`;
}

/** Entries by identifier, in pages. */
export async function* readWaiting(
  read: <T>(use: (sql: Sql) => Promise<T>) => Promise<T>,
  { accountId, kind, firstId }: WaitingTrail,
  { below, until }: Span,
): AsyncGenerator<readonly TrailRow[]> {
  const page = (from: Query<object>, sql: Sql) =>
    sql<TrailRow>`
      select * from ${trailRows(sql, kind)} entry
       where account_id = ${accountId} and ${from}
         and transaction_id >= ${below}::bigint and transaction_id < ${until}::bigint
       order by id limit ${PAGE}`;
  let rows = await read((sql) => page(sql`id >= ${firstId}`, sql));
  while (rows.length > 0) {
    yield rows;
    const last = rows.at(-1)?.id ?? "";
    rows = rows.length < PAGE ? [] : await read((sql) => page(sql`id > ${last}`, sql));
  }
}

export interface StoredSeal extends Seal {
  /** The trail's highest sealed identifier, including this seal. */
  readonly throughId: string;
}

async function selectSeals(
  sql: Sql,
  { accountId, kind }: Trail,
  clause: Query<object>,
): Promise<StoredSeal[]> {
  return await sql<StoredSeal>`
    select seal_id as "sealId", account_id as "accountId", kind, number, entries,
           first_id as "firstId", last_id as "lastId", through_id as "throughId",
           encode(root, 'hex') as root, encode(previous, 'hex') as previous,
           encode(digest, 'hex') as digest,
           to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"
      from audit_seals where account_id = ${accountId} and kind = ${kind} ${clause}`;
}

export function toSeal({ throughId: _, ...seal }: StoredSeal): Seal {
  return seal;
}

export async function readNewestSeal(sql: Sql, trail: Trail): Promise<StoredSeal | null> {
  return (await selectSeals(sql, trail, sql`order by number desc limit 1`))[0] ?? null;
}

export async function* readSeals(sql: Sql, trail: Trail): AsyncGenerator<StoredSeal> {
  let number: number | undefined = 0;
  while (number !== undefined) {
    const clause = sql`and number > ${number} order by number limit ${PAGE}`;
    const seals: StoredSeal[] = await selectSeals(sql, trail, clause);
    yield* seals;
    number = seals.at(-1)?.number;
  }
}

/** Seals before a given one, newest first. */
export async function readSealsBefore(
  sql: Sql,
  trail: Trail,
  sealId: string | null,
  limit: number,
): Promise<StoredSeal[]> {
  const before = sealId === null ? sql`` : sql`and seal_id < ${sealId}`;
  return await selectSeals(sql, trail, sql`${before} order by seal_id desc limit ${limit}`);
}

export function sealOfCursor(sql: Sql, { accountId, kind }: Trail, sealId: string): Query<object> {
  return sql`
    select from audit_seals
     where account_id = ${accountId} and kind = ${kind} and seal_id = ${sealId}`;
}

interface CoveringSeal {
  readonly seal: StoredSeal;
  /** The highest identifier in earlier seals, or empty. */
  readonly after: string;
}

/**
 * True for an entry that should be sealed: its transaction is below the sealed ones, or it was
 * restored with its seal. A row with a future transaction id is forged (it would never be sealed),
 * so it is included.
 */
function isBehindSeals(sql: Sql): Query<object> {
  return sql`(
    entry.transaction_id is null
    or entry.transaction_id < (select sealed_below from audit_sealing)
    or entry.transaction_id >= (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint))`;
}

/** Selects null if the restored row's seal is restored too, otherwise 0. */
export function restoredTransaction(sql: Sql, transaction: Query<object>): Query<object> {
  return sql`
    case when ${transaction} >= (select sealed_below from audit_sealing) then 0 end`;
}

/** Entries in the order of the seal's leaves, in pages. */
export async function* readCovered(
  sql: Sql,
  { seal: { accountId, kind, number, throughId }, after }: CoveringSeal,
): AsyncGenerator<TrailRow> {
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const rows: TrailRow[] = await sql<TrailRow>`
      (select * from ${trailRows(sql, kind)} entry
        where account_id = ${accountId} and id > ${cursor > after ? cursor : after}
          and id <= ${throughId} and ${isBehindSeals(sql)}
          and not exists (
            select from audit_late_entries late
             where late.account_id = ${accountId} and late.kind = ${kind}
               and late.entry_id = entry.id)
        order by id limit ${PAGE})
      union all
      (select entry.* from audit_late_entries late
         join ${trailRows(sql, kind)} entry
           on entry.account_id = late.account_id and entry.id = late.entry_id
        where late.account_id = ${accountId} and late.kind = ${kind} and late.number = ${number}
          and late.entry_id > ${cursor} and ${isBehindSeals(sql)}
        order by late.entry_id limit ${PAGE})
      order by id limit ${PAGE}`;
    yield* rows;
    cursor = rows.at(-1)?.id;
  }
}

/** An entry, with the number of the seal that covers it; null without one. */
type FoundEntry = TrailRow & { readonly number: number | null };

/** Null if there is no such entry. */
export async function findEntry(
  sql: Sql,
  { accountId, kind }: Trail,
  id: string,
): Promise<FoundEntry | null> {
  const [found] = await sql<FoundEntry>`
    select entry.*, case when ${isBehindSeals(sql)} then coalesce(
             (select number from audit_late_entries
               where account_id = ${accountId} and kind = ${kind} and entry_id = ${id}),
             (select number from audit_seals
               where account_id = ${accountId} and kind = ${kind} and through_id >= ${id}
               order by through_id, number limit 1)) end as number
      from ${trailRows(sql, kind)} entry where account_id = ${accountId} and id = ${id}`;
  return found ?? null;
}

/** Null if there is no such seal. */
export async function findSeal(
  sql: Sql,
  trail: Trail,
  number: number,
): Promise<CoveringSeal | null> {
  const seals = await selectSeals(
    sql,
    trail,
    sql`and number between ${number - 1} and ${number} order by number`,
  );
  const seal = seals.at(-1);
  if (seal?.number !== number) return null;
  return { seal, after: seals.length === 2 ? seals[0]?.throughId ?? "" : "" };
}

/** Reads seals, oldest first, each with the start of its entries. */
export async function readChainLinks(
  sql: Sql,
  trail: Trail,
  from: number,
  limit: number,
): Promise<CoveringSeal[]> {
  const seals = await selectSeals(
    sql,
    trail,
    sql`and number >= ${from - 1} order by number limit ${limit + 1}`,
  );
  return seals.map((seal, index) => ({ seal, after: seals[index - 1]?.throughId ?? "" }))
    .filter(({ seal }) => seal.number >= from).slice(0, limit);
}

/** True if entries should be sealed and are not. */
export async function hasStrays(
  sql: Sql,
  { accountId, kind }: Trail,
  newest: StoredSeal | null,
): Promise<boolean> {
  const { throughId = "", number = 0 } = newest ?? {};
  const [found] = await sql<{ strays: boolean }>`
    select exists (
             select from ${trailRows(sql, kind)} entry
              where account_id = ${accountId} and id > ${throughId} and ${isBehindSeals(sql)}
           ) or exists (
             select from audit_late_entries
              where account_id = ${accountId} and kind = ${kind}
                and number not between 1 and ${number}
           ) as strays`;
  return found?.strays ?? false;
}

/** Entries that wait for a seal: their number and lowest identifier. */
export async function countWaiting(
  sql: Sql,
  { accountId, kind }: Trail,
): Promise<{ readonly entries: number; readonly firstId: string | null }> {
  const [waiting] = await sql<{ entries: number; firstId: string | null }>`
    select count(*)::integer as entries, min(id) as "firstId"
      from ${trailRows(sql, kind)} entry
     where account_id = ${accountId} and not ${isBehindSeals(sql)}`;
  return waiting ?? { entries: 0, firstId: null };
}

/** The next account with entries or seals of the kind; null after the last. */
export async function nextAccount(
  sql: Sql,
  kind: TrailKind,
  after: string,
): Promise<string | null> {
  const [found] = await sql<{ accountId: string | null }>`
    select least(
             (select account_id from ${trailRows(sql, kind)} entry
               where account_id > ${after} order by account_id limit 1),
             (select account_id from audit_seals
               where account_id > ${after} and kind = ${kind} order by account_id limit 1)
           ) as "accountId"`;
  return found?.accountId ?? null;
}

/** An entry whose identifier an earlier seal already covers. */
export interface LateEntry extends Trail {
  readonly entryId: string;
  readonly number: number;
}

/** The trails to seal, up to the end of a span. */
export interface Batch {
  readonly seals: readonly StoredSeal[];
  readonly late: readonly LateEntry[];
}

/** Writes nothing and returns false if another process has sealed since. */
export async function writeBatch(
  { sql }: Tx,
  span: Span,
  { seals, late }: Batch,
): Promise<boolean> {
  const moved = await sql`
    update audit_sealing set sealed_below = ${span.until}::bigint
     where sealed_below = ${span.below}::bigint returning 1`;
  if (moved.length === 0) return false;
  await sql`
    insert into audit_seals (account_id, kind, number, seal_id, entries, first_id, last_id,
                             through_id, root, previous, digest, created_at)
    select "accountId", kind, number, "sealId", entries, "firstId", "lastId", "throughId",
           decode(root, 'hex'), decode(previous, 'hex'), decode(digest, 'hex'), "createdAt"
      from json_to_recordset(${JSON.stringify(seals)}::text::json) as seal (
        "accountId" text, kind text, number integer, "sealId" text, entries integer, "firstId" text,
        "lastId" text, "throughId" text, root text, previous text, digest text,
        "createdAt" timestamptz)`;
  if (late.length === 0) return true;
  await sql`
    insert into audit_late_entries (account_id, kind, entry_id, number)
    select "accountId", kind, "entryId", number
      from json_to_recordset(${JSON.stringify(late)}::text::json) as entry (
        "accountId" text, kind text, "entryId" text, number integer)`;
  return true;
}
