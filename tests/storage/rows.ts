/** Rows written past the application, as somebody with a console would. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { databaseFailure } from "../../src/database/failures.ts";
import type { Caller, World } from "../support/world.ts";

/** A row by column. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Statements that a constraint must refuse. `caller` owns `root`, which is stored. */
export type Offences = (caller: Caller, root: Row) => readonly string[];

/** A statement that inserts a row. */
export function insertInto(table: string, row: Row): string {
  const columns = Object.keys(row).join(", ");
  const values = Object.values(row).map(literal).join(", ");
  return `insert into ${table} (${columns}) values (${values});`;
}

/** A value as SQL. */
export function literal(value: Row[string]): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** When rows were written, unless they say otherwise. */
export const AT = "2026-11-20T12:00:00.000Z";

/** An account that nobody signs in to. */
export function newAccount(columns: Row = {}): Row {
  const id = ulid();
  return {
    account_id: id,
    email: `${id}@example.org`,
    email_key: id,
    display_name: "Name",
    password_hash: "none",
    created_at: AT,
    ...columns,
  };
}

/** A record's root at its first revision. */
export function newRoot(owner: string, columns: Row = {}): Row {
  return {
    owner_id: owner,
    record_id: ulid(),
    module_code: "commitment",
    revision: 1,
    revision_id: ulid(),
    source_type: "USER_INPUT",
    recorded_at: AT,
    created_at: AT,
    updated_at: AT,
    archived_at: null,
    title: "A title",
    summary: "",
    payload: `{"content":"x"}`,
    ...columns,
  };
}

/** The ledger row that a root must have. */
export function revisionOf(root: Row, columns: Row = {}): Row {
  const { owner_id, record_id, module_code, revision, revision_id } = root;
  const { title, summary, payload, archived_at, updated_at } = root;
  const row = { owner_id, record_id, module_code, revision, revision_id, title, summary, payload };
  const change = revision === 1 ? "CREATED" : "MODIFIED";
  return { ...row, archived_at, created_at: updated_at, change, ...columns } as Row;
}

/** A root and its ledger row, which the database accepts. */
export function insertRecord(root: Row): string {
  return insertInto("records", root) + insertInto("record_revisions", revisionOf(root));
}

/** The root that follows, with other columns and a revision of its own. */
export function nextRoot(root: Row, columns: Row = {}): Row {
  return { ...root, revision: Number(root.revision) + 1, revision_id: ulid(), ...columns };
}

/** A statement that changes a record's root from one state to another. */
export function updateRoot(root: Row, next: Row): string {
  return updateRow("records", "record_id", root, next);
}

/** A statement that changes an owner's row from one state to another; `id` names its identifier. */
export function updateRow(table: string, id: string, row: Row, next: Row): string {
  const changed = Object.keys(next).filter((column) => next[column] !== row[column]);
  const assignments = changed.map((column) => `${column} = ${literal(next[column] ?? null)}`);
  return `update ${table} set ${assignments.join(", ")} where ${isRow(id, row)};`;
}

/** The condition that an owner's row meets; `id` names its identifier. */
export function isRow(id: string, row: Row): string {
  return `owner_id = ${literal(row.owner_id ?? null)} and ${id} = ${literal(row[id] ?? null)}`;
}

/**
 * Runs a script in a transaction of its own.
 *
 * @returns what refused it: SQLSTATE and, where there is one, the constraint; null where it passed.
 */
export async function refusal(
  world: Pick<World, "raw">,
  script: string,
): Promise<string | null> {
  try {
    await world.raw(script);
    return null;
  } catch (error) {
    const failure = databaseFailure(error);
    if (failure === null) throw error;
    return [failure.sqlstate, failure.constraint].filter((part) => part !== null).join(" ");
  }
}

/** The roles that a session can replicate in; ordinary triggers keep quiet for `replica`. */
export const ROLES = ["origin", "replica", "local"];

/** Asserts what refuses a script in each of `ROLES`, as `refusal` tells it. */
export async function assertRefusedToAll(
  world: World,
  script: string,
  expected: string,
): Promise<void> {
  for (const role of ROLES) {
    const attack = `set local session_replication_role = ${role}; ${script}`;
    assertEquals(await refusal(world, attack), expected, attack);
  }
}
