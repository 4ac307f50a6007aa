/**
 * A test family: entries with a state, a unique name and links, written through `CommandRunner`.
 */

import { ulid } from "@std/ulid";
import type { Caller } from "../../src/access/identity.ts";
import type {
  ChangeWork,
  Command,
  PlannedRefusal,
  PlannedWrite,
} from "../../src/command/command.ts";
import type { Envelope } from "../../src/command/envelope.ts";
import type { ClaimRow, Ledger } from "../../src/command/ledger.ts";
import type { Query, Sql } from "../../src/database/sql.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import type { Json, World } from "../support/world.ts";

export interface EntryRow {
  readonly entry_id: string;
  readonly revision: number;
  readonly state: string;
  readonly name: string;
}

export const ENTRY_TABLES = `
  create table entries (
    owner_id text,
    entry_id text,
    revision integer not null,
    state text not null,
    name text not null constraint entry_name_unique unique,
    primary key (owner_id, entry_id)
  );
  create table entry_links (
    owner_id text,
    entry_id text,
    linked_id text,
    constraint linked_entry_exists foreign key (owner_id, linked_id) references entries
      deferrable initially deferred
  )`;

/** A command with a new key by default. */
export function newCommand(parts: Partial<Command> & { owner?: string } = {}): Command {
  const { owner = ulid(), ...others } = parts;
  return {
    operation: "entry.write",
    moduleCode: null,
    scope: "entry.write",
    target: "",
    policy: "entry",
    caller: newIdentity(owner),
    requestId: ulid(),
    now: new Date("2026-11-20T12:00:00.000Z"),
    key: newKey(),
    frozen: false,
    ...others,
  };
}

/** Makes a name that nothing else has. */
export function newKey(): Command["key"] & object {
  return { key: ulid(), fingerprint: new Uint8Array([1]), fingerprintKey: "key 1" };
}

export function newIdentity(accountId: string): Caller {
  const at = "2026-11-20T12:00:00.000Z";
  return {
    account: { accountId, email: "a@example.org", displayName: "A", role: null, createdAt: at },
    credential: { kind: "SESSION", id: ulid(), expiresAt: at },
    permissions: new Set(),
  };
}

/** Its first revision. */
export function createEntry(owner: string, row: EntryRow): PlannedWrite<EntryRow> {
  return {
    subjectId: row.entry_id,
    revision: row.revision,
    result: row,
    statement: (sql, ledger) => insertEntry(sql, ledger, owner, row),
  };
}

export function newEntry(parts: Partial<EntryRow> = {}): EntryRow {
  return { entry_id: ulid(), revision: 1, state: "OPEN", name: ulid(), ...parts };
}

function insertEntry(sql: Sql, ledger: Ledger, owner: string, row: EntryRow): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim}, entry as (
      insert into entries (owner_id, entry_id, revision, state, name)
      select ${owner}, ${row.entry_id}, ${row.revision}::integer, ${row.state}, ${row.name}
        from claim where verdict = 'GO'
    ), ${ledger.ctes}
    select verdict, envelope from claim`;
}

export function moveEntry(owner: string, before: EntryRow, state: string): PlannedWrite<EntryRow> {
  const row = { ...before, revision: before.revision + 1, state };
  return {
    subjectId: row.entry_id,
    revision: row.revision,
    result: row,
    statement: (sql, ledger) => updateEntry(sql, ledger, owner, row),
  };
}

/** The service's own write, before a refusal. */
export function expireEntry(
  owner: string,
  before: EntryRow,
  refusal: ServiceError,
): PlannedRefusal {
  const { subjectId, revision, result } = moveEntry(owner, before, "EXPIRED");
  return {
    operation: "entry.expire",
    subjectId,
    revision,
    statement: (sql, ledger) => updateEntry(sql, ledger, owner, result),
    refusal,
  };
}

function updateEntry(sql: Sql, ledger: Ledger, owner: string, row: EntryRow): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim}, entry as (
      update entries set revision = ${row.revision}::integer, state = ${row.state}
        from claim
       where entries.owner_id = ${owner} and entry_id = ${row.entry_id} and claim.verdict = 'GO'
    ), ${ledger.ctes}
    select verdict, envelope from claim`;
}

export function changeOf(
  owner: string,
  entryId: string,
): Pick<ChangeWork<EntryRow, EntryRow>, "check" | "lock"> & {
  readonly replay: (envelope: Envelope) => Promise<EntryRow>;
} {
  return {
    check: () => {},
    lock: (sql) =>
      sql<EntryRow>`
        select entry_id, revision, state, name from entries
         where owner_id = ${owner} and entry_id = ${entryId} for no key update`,
    replay: ({ recordId, revision }) =>
      Promise.resolve({ ...newEntry({ entry_id: recordId }), revision: revision ?? 0 }),
  };
}

export function found(row: EntryRow | null): EntryRow {
  if (row === null) throw new ServiceError("RECORD_NOT_FOUND");
  return row;
}

/** States of entries, audit entries, and the number of envelopes. */
export async function storedOf(
  { rows }: Pick<World, "rows">,
  owner: string,
): Promise<{ states: string[]; audit: Json[]; envelopes: number }> {
  const [entries, audit, envelopes] = await Promise.all([
    rows(`select state from entries where owner_id = '${owner}' order by entry_id`),
    rows(`
      select operation, actor_id, credential_kind, credential_id, subject_id, revision
        from audit_entries where owner_id = '${owner}' order by audit_id`),
    rows(`select 1 from idempotency_envelopes where owner_id = '${owner}'`),
  ]);
  return { states: entries.map(({ state }) => state), audit, envelopes: envelopes.length };
}
