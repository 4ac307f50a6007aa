/** Rows written past the application. */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { ulid } from "@std/ulid";
import { databaseFailure } from "../../src/database/failures.ts";
import { png } from "../support/picture_headers.ts";
import type { Caller, World } from "../support/world.ts";

/** Keyed by column. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Statements that a constraint must reject. `caller` owns the stored `root`. */
export type Offences = (caller: Caller, root: Row) => readonly string[];

export function insertInto(table: string, row: Row): string {
  const columns = Object.keys(row).join(", ");
  const values = Object.values(row).map(literal).join(", ");
  return `insert into ${table} (${columns}) values (${values});`;
}

export function literal(value: Row[string]): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** The default time of rows. */
export const AT = "2026-11-20T12:00:00.000Z";

/** An account that cannot sign in. */
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

/** The thumbnail of an attachment that `columns` name. */
export function newThumbnail({ accountId }: Pick<Caller, "accountId">, columns: Row): Row {
  const bytes = `\\x${Buffer.from(png(2, 2)).toString("hex")}`;
  const own = { owner_id: accountId, attachment_id: ulid(), created_at: AT };
  return { ...own, media_type: "image/png", width: 2, height: 2, bytes, ...columns };
}

/** A record at its first revision. */
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

/** Required for a root. */
export function revisionOf(root: Row, columns: Row = {}): Row {
  const { owner_id, record_id, module_code, revision, revision_id } = root;
  const { title, summary, payload, archived_at, updated_at } = root;
  const row = { owner_id, record_id, module_code, revision, revision_id, title, summary, payload };
  const change = revision === 1 ? "CREATED" : "MODIFIED";
  return { ...row, archived_at, created_at: updated_at, change, ...columns } as Row;
}

export function insertRecord(root: Row): string {
  return insertInto("records", root) + insertInto("record_revisions", revisionOf(root));
}

export function nextRoot(root: Row, columns: Row = {}): Row {
  return { ...root, revision: Number(root.revision) + 1, revision_id: ulid(), ...columns };
}

export function updateRoot(root: Row, next: Row): string {
  return updateRow("records", "record_id", root, next);
}

/** `id` names the identifier's column. */
export function updateRow(table: string, id: string, row: Row, next: Row): string {
  const changed = Object.keys(next).filter((column) => next[column] !== row[column]);
  const assignments = changed.map((column) => `${column} = ${literal(next[column] ?? null)}`);
  return `update ${table} set ${assignments.join(", ")} where ${isRow(id, row)};`;
}

/** `id` names the identifier's column. */
export function isRow(id: string, row: Row): string {
  return `owner_id = ${literal(row.owner_id ?? null)} and ${id} = ${literal(row[id] ?? null)}`;
}

/**
 * Runs a script in its own transaction.
 *
 * @returns SQLSTATE and constraint of the error; null on success.
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

/** Values of `session_replication_role`; ordinary triggers do not fire for `replica`. */
export const ROLES = ["origin", "replica", "local"];

/** Compares `refusal` in each of `ROLES`. */
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
