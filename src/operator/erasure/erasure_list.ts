/**
 * `DATA_DIR/erasures.jsonl`: a line for each certificate, with identifiers and times only. A
 * restore applies it, and the service does not start on a database with rows of an erased subject.
 */

import { ignoreNotFound, moveSynced, writeSynced } from "../../core/files.ts";
import { isUlid } from "../../core/ids.ts";
import { isJsonObject, type JsonValue } from "../../core/json.ts";
import type { Database } from "../../database/database.ts";
import { identifier, type Sql } from "../../database/sql.ts";
import { type Erasure, insertErasure, readErasures } from "../../erasure/erased_store.ts";
import { ErasedIds, SUBJECT_KINDS, type SubjectKind } from "../../erasure/erased_ids.ts";
import { BackupError } from "../backup/backup_error.ts";

export const ERASURE_REASONS = [
  "OWNER_REQUEST",
  "SUBJECT_REQUEST",
  "MISTAKE",
  "LAW",
  "OTHER",
] as const;

function listPath(dataDir: string): string {
  return `${dataDir}/erasures.jsonl`;
}

/**
 * The list of a data directory; empty if there is none.
 *
 * @throws BackupError for a line that is not an erasure.
 */
export async function readErasureList(dataDir: string): Promise<readonly Erasure[]> {
  const text = await Deno.readTextFile(listPath(dataDir)).catch(ignoreNotFound) ?? "";
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map(parseLine);
}

function parseLine(line: string): Erasure {
  const value = parseJson(line);
  if (!isErasure(value)) throw new BackupError("A line of erasures.jsonl is not an erasure");
  const { id, at, reason, accountId, scope } = value;
  return {
    id,
    at,
    reason,
    accountId,
    scope: scope.map(({ kind, id, moduleCode }) => ({ kind, id, moduleCode })),
  };
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isErasure(value: JsonValue): value is JsonValue & Erasure {
  return isJsonObject(value) && isId(value.id) && isId(value.accountId) &&
    typeof value.at === "string" && Number.isFinite(Date.parse(value.at)) &&
    ERASURE_REASONS.some((reason) => reason === value.reason) &&
    Array.isArray(value.scope) && value.scope.every(isSubject);
}

function isSubject(value: JsonValue): boolean {
  return isJsonObject(value) && SUBJECT_KINDS.includes(value.kind as SubjectKind) &&
    isId(value.id) && (value.moduleCode === null || typeof value.moduleCode === "string");
}

function isId(value: JsonValue | undefined): value is string {
  return typeof value === "string" && isUlid(value);
}

/** Writes and syncs a whole list, readable by its user only. */
export async function writeErasureList(
  dataDir: string,
  erasures: readonly Erasure[],
): Promise<void> {
  const lines = erasures.map(({ id, at, reason, accountId, scope }) =>
    `${JSON.stringify({ id, at, reason, accountId, scope })}\n`
  );
  const draft = `${listPath(dataDir)}.new`;
  await writeSynced(draft, new TextEncoder().encode(lines.join("")));
  await moveSynced(draft, listPath(dataDir));
}

/** Merges two lists, in the order of their identifiers. */
export function mergeErasures(
  one: readonly Erasure[],
  other: readonly Erasure[],
): readonly Erasure[] {
  const byId = new Map([...one, ...other].map((erasure) => [erasure.id, erasure]));
  return [...byId.values()].sort((left, right) => left.id < right.id ? -1 : 1);
}

export function erasedIdsOf(erasures: readonly Erasure[]): ErasedIds {
  const erased = new ErasedIds();
  for (const { accountId, scope } of erasures) {
    for (const subject of scope) erased.add(accountId, subject);
  }
  return erased;
}

/**
 * Adds the erasures that only the list of a data directory has to its database, and the other way
 * round.
 *
 * @throws BackupError if the database has rows of an erased subject.
 */
export async function reconcileErasures(database: Database, dataDir: string): Promise<void> {
  const listed = await readErasureList(dataDir);
  await database.read(async (sql) => {
    for (const erasure of listed) await assertAbsent(sql, erasure);
  });
  const stored = await database.read(readErasures);
  const known = new Set(stored.map(({ id }) => id));
  const missing = listed.filter(({ id }) => !known.has(id));
  if (missing.length > 0) {
    await database.transaction(async (tx) => {
      for (const erasure of missing) await insertErasure(tx, erasure, JSON.stringify(erasure));
    });
  }
  if (stored.some(({ id }) => !listed.some((erasure) => erasure.id === id))) {
    await writeErasureList(dataDir, mergeErasures(listed, stored));
  }
}

/** The table and the columns that identify the subjects of each kind. */
const PLACES: Readonly<Record<SubjectKind, readonly [table: string, owner: string, id: string]>> = {
  RECORD: ["records", "owner_id", "record_id"],
  PERSON: ["records", "owner_id", "record_id"],
  MEMORY: ["records", "owner_id", "record_id"],
  DRAFT: ["memory_drafts", "owner_id", "draft_id"],
  ATTACHMENT: ["attachments", "owner_id", "attachment_id"],
  ACCOUNT: ["accounts", "account_id", "account_id"],
};

async function assertAbsent(sql: Sql, { accountId, scope }: Erasure): Promise<void> {
  for (const [kind, subjects] of Map.groupBy(scope, ({ kind }) => kind)) {
    const [table, owner, id] = PLACES[kind];
    const ids = subjects.map((subject) => subject.id).join(" ");
    const found = await sql`
      select 1 from ${identifier(sql, table)}
       where ${identifier(sql, owner)} = ${accountId}
         and ${identifier(sql, id)} = any (string_to_array(${ids}, ' ')) limit 1`;
    if (found.length > 0) {
      throw new BackupError(
        "The database has rows that erasures.jsonl says are erased: restore a backup into an empty " +
          "database, with this file in DATA_DIR",
      );
    }
  }
}
