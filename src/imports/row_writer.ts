/**
 * Writes the rows of a batch through the stores of their rooms: new ones in one statement a room, changed ones
 * each by itself.
 */

import type { Catalog } from "../catalog/catalog.ts";
import type { Command } from "../command/command.ts";
import { auditEntries } from "../command/statements.ts";
import type { Sql } from "../database/sql.ts";
import { archived, nextRevision, type NextRow, restored } from "../families/kit/root.ts";
import { claimed } from "./claimed.ts";
import { createPerson, lockPerson } from "./person_writer.ts";
import { type ImportedMemory, manyMemoryEntries } from "../families/memory/many_store.ts";
import type { MemoryRow } from "../families/memory/memory.ts";
import { MEMORIES, memoryEntries } from "../families/memory/memory_store.ts";
import { manyTermEntries } from "../families/taxonomy/many_store.ts";
import { renewNames } from "../families/taxonomy/name_store.ts";
import { type TermChange, termNamesOf, type TermRow } from "../families/taxonomy/term.ts";
import { decideDeactivate, decideReactivate } from "../families/taxonomy/term_rules.ts";
import { STORED_TAGS, TAGS } from "../families/taxonomy/term_store.ts";
import { manyProjectionEntries, type Projection } from "../records/port.ts";
import type { RecordRow } from "../records/record.ts";
import type { NextRecord } from "../records/record_rules.ts";
import { lockRecord, recordEntries } from "../records/record_store.ts";
import { searchedTexts } from "../records/search_index/texts.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { canonicalJson } from "../validate/canonical.ts";
import type { LockedObject, WrittenRevision } from "./locked_object.ts";
import type { NewRow } from "./targets.ts";

export function idOf(row: NewRow): string {
  switch (row.room) {
    case "records":
      return row.next.row.record_id;
    case "memory":
      return row.row.memory_id;
    case "taxonomy":
      return row.row.term_id;
    case "people":
      return row.person.row.person_id;
  }
}

/** A new object, and when its source recorded it. */
export interface Creation {
  readonly row: NewRow;
  readonly recordedAt: Date;
}

/** Writes new objects. Returns their revisions: the first of each, and further ones of people. */
export async function writeNew(
  sql: Sql,
  owner: string,
  creations: readonly Creation[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const records: Projection[] = [];
  const memories: ImportedMemory[] = [];
  const terms: TermRow[] = [];
  const recordedAt = new Map<string, Date>();
  for (const { row, recordedAt: moment } of creations) {
    if (row.room === "records") records.push(toProjection(row.module, row.next, moment));
    else if (row.room === "memory") memories.push({ row: row.row, recordedAt: moment });
    else if (row.room === "taxonomy") terms.push(row.row);
    recordedAt.set(idOf(row), moment);
  }
  if (terms.length > 0) {
    await claimed(sql, manyTermEntries(sql, owner, terms, "IMPORT", recordedAt));
  }
  if (records.length > 0) await claimed(sql, manyProjectionEntries(sql, owner, records));
  if (memories.length > 0) await claimed(sql, manyMemoryEntries(sql, owner, memories));
  const revisions = new Map(creations.map(({ row }) => [idOf(row), [1]]));
  for (const { row, recordedAt: moment } of creations) {
    if (row.room !== "people") continue;
    const written = await createPerson(sql, owner, row.person, moment);
    revisions.set(idOf(row), written.map(({ revision }) => revision));
  }
  return revisions;
}

function toProjection(module: CatalogModule, { row }: NextRecord, recordedAt: Date): Projection {
  return {
    recordId: row.record_id,
    module,
    sourceType: "IMPORT",
    change: "CREATED",
    revision: row.revision,
    revisionId: row.revision_id,
    recordedAt,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    title: row.title,
    summary: row.summary,
    payload: JSON.parse(row.payload),
    unshown: {},
    guard: null,
  };
}

/** The modules of a catalog by their codes. */
export function moduleIn(catalog: Catalog): (code: string) => CatalogModule {
  return (code) => {
    const module = catalog.module(code);
    if (module === undefined) throw new Error("A record is of an unknown module");
    return module;
  };
}

/** Adds the audit entries of revisions that were written. */
export async function auditWritten(
  sql: Sql,
  command: Command,
  written: readonly WrittenRevision[],
): Promise<void> {
  const modules = Map.groupBy(written, ({ moduleCode }) => moduleCode);
  for (const [moduleCode, subjects] of modules) {
    await auditEntries(sql, { ...command, moduleCode }, subjects);
  }
}

/** Locks an object of a room; null if it is not there. */
export async function lockObject(
  sql: Sql,
  owner: string,
  moduleOf: (code: string) => CatalogModule,
  { room, id }: { readonly room: NewRow["room"]; readonly id: string },
): Promise<LockedObject | null> {
  if (room === "people") return await lockPerson(sql, owner, id);
  if (room === "memory") {
    const [row] = await MEMORIES.lock(sql, owner, { memoryId: id });
    return row === undefined ? null : lockedMemory(sql, owner, row);
  }
  if (room === "taxonomy") {
    const [row] = await TAGS.lock(sql, owner, { tagId: id });
    return row === undefined ? null : lockedTag(sql, owner, row);
  }
  const [row] = await lockRecord(sql, owner, id);
  return row === undefined ? null : lockedRecord(sql, owner, moduleOf(row.module_code), row);
}

function lockedRecord(sql: Sql, owner: string, module: CatalogModule, locked: RecordRow) {
  return lockedObject<RecordRow, "MODIFIED">(locked, {
    name: { moduleCode: module.code, subjectId: locked.record_id },
    isArchived: (row) => row.archived_at !== null,
    revise(row, content, now) {
      if (content.room !== "records") throw new TypeError("The content is of another room");
      const { title, summary, payload } = content.next.row;
      // Another order of members is not a change.
      const isSame = canonicalJson(JSON.parse(payload)) === canonicalJson(JSON.parse(row.payload));
      const patch = { title, summary, payload: isSame ? row.payload : payload };
      return nextRevision(row, "MODIFIED", now, patch);
    },
    archive: archived,
    restore: restored,
    write(row, change) {
      const fields = JSON.parse(row.payload);
      const texts = searchedTexts(module, { title: row.title, summary: row.summary, fields });
      return claimed(sql, recordEntries(sql, owner, row, change, texts));
    },
  });
}

/** The original text and the privacy level stay. */
function lockedMemory(sql: Sql, owner: string, locked: MemoryRow) {
  return lockedObject<MemoryRow, "REVISED">(locked, {
    name: { moduleCode: "memory", subjectId: locked.memory_id },
    isArchived: (row) => row.archived_at !== null,
    revise(row, content, now) {
      if (content.room !== "memory") throw new TypeError("The content is of another room");
      const { title, summary, current_content } = content.row;
      const { occurred_at, time_precision, time_text, time_from, time_to } = content.row;
      return nextRevision(row, "REVISED", now, {
        ...{ title, summary, current_content },
        ...{ occurred_at, time_precision, time_text, time_from, time_to },
      });
    },
    archive: archived,
    restore: restored,
    write: (row, change) => claimed(sql, memoryEntries(sql, owner, row, change)),
  });
}

function lockedTag(sql: Sql, owner: string, locked: TermRow) {
  return lockedObject<TermRow, TermChange>(locked, {
    name: { moduleCode: "taxonomy", subjectId: locked.term_id },
    isArchived: (row) => row.deactivated_at !== null,
    revise(row, content, now) {
      if (content.room !== "taxonomy") throw new TypeError("The content is of another room");
      const { name, aliases, description, color, sort_order } = content.row;
      return nextRevision(row, "CHANGED", now, { name, aliases, description, color, sort_order });
    },
    archive: (row, now) => decideDeactivate(row, false, now),
    restore: (row, now) => decideReactivate(row, [], now),
    async write(row, change, before) {
      const hasNewNames = JSON.stringify(termNamesOf(before)) !== JSON.stringify(termNamesOf(row));
      if (hasNewNames) { for (const each of renewNames(sql, owner, "TAG", [row])) await each; }
      await claimed(sql, STORED_TAGS.entries(sql, owner, row, change));
    },
  });
}

/** The revisions of an object of a room. */
interface Revisions<Row, Change extends string> {
  readonly name: Omit<WrittenRevision, "revision">;
  readonly isArchived: (row: Row) => boolean;
  readonly revise: (row: Row, content: NewRow, now: Date) => NextRow<Row, Change>;
  readonly archive: (row: Row, now: Date) => NextRow<Row, Change>;
  readonly restore: (row: Row, now: Date) => NextRow<Row, Change>;
  readonly write: (
    row: Row,
    change: NonNullable<NextRow<Row, Change>["change"]>,
    before: Row,
  ) => PromiseLike<unknown>;
}

/** An object whose change is up to three revisions: out of the archive, the new content, into the archive. */
function lockedObject<Row extends { readonly revision: number }, Change extends string>(
  locked: Row,
  { name, isArchived, revise, archive, restore, write }: Revisions<Row, Change>,
): LockedObject {
  return {
    revision: locked.revision,
    isArchived: isArchived(locked),
    async write({ content, isArchived: isToBeArchived }, now) {
      const written: WrittenRevision[] = [];
      let row = locked;
      const take = async ({ row: next, change }: NextRow<Row, Change>) => {
        if (change === null) return;
        await write(next, change, row);
        row = next;
        written.push({ ...name, revision: row.revision });
      };
      if (isArchived(row) && !isToBeArchived) await take(restore(row, now));
      if (content !== null) await take(revise(row, content, now));
      if (!isArchived(row) && isToBeArchived) await take(archive(row, now));
      return written;
    },
  };
}
