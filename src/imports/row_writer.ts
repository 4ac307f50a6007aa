/**
 * Writes the rows of a batch through the stores of their rooms: new ones in one statement a room, changed ones
 * each by itself.
 */

import type { CatalogModule } from "../catalog/module.ts";
import { archived, nextRevision, type NextRow, restored, type RootRow } from "../kit/root.ts";
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
import { indexedTexts } from "../records/search_index/texts.ts";
import { canonicalJson } from "../validate/canonical.ts";
import {
  claimed,
  type LockedObject,
  type OwnerWrite,
  type WrittenRevision,
} from "./locked_object.ts";
import { createPerson, lockPerson } from "./person_writer.ts";
import type { NewRow, Target } from "./targets.ts";

/** A new object, and when its source recorded it. */
export interface Creation {
  readonly row: NewRow;
  readonly recordedAt: Date;
}

/** Writes new objects, and returns their revisions: of people several. */
export async function writeNew(
  at: OwnerWrite,
  creations: readonly Creation[],
): Promise<readonly WrittenRevision[]> {
  const { sql, owner } = at;
  const records: Projection[] = [];
  const memories: ImportedMemory[] = [];
  const terms: TermRow[] = [];
  const written: WrittenRevision[] = [];
  for (const { row, recordedAt } of creations) {
    const first = (moduleCode: string) => ({ moduleCode, subjectId: row.id, revision: 1 });
    if (row.target === "records") {
      records.push(toProjection(row.module, row.next, recordedAt));
      written.push(first(row.module.code));
    } else if (row.target === "memory") {
      memories.push({ row: row.row, recordedAt });
      written.push(first("memory"));
    } else if (row.target === "taxonomy") {
      terms.push(row.row);
      written.push(first("taxonomy"));
    }
  }
  if (terms.length > 0) {
    const recordedAt = new Map(creations.map((each) => [each.row.id, each.recordedAt]));
    await claimed(sql, manyTermEntries(sql, owner, terms, "IMPORT", recordedAt));
  }
  if (records.length > 0) await claimed(sql, manyProjectionEntries(sql, owner, records));
  if (memories.length > 0) await claimed(sql, manyMemoryEntries(sql, owner, memories));
  for (const { row, recordedAt } of creations) {
    if (row.target === "people") written.push(...await createPerson(at, row.person, recordedAt));
  }
  return written;
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

/** Locks an object of a target; null if it is not there. */
export async function lockObject(
  at: OwnerWrite,
  { moduleCode, module }: Target,
  id: string,
): Promise<LockedObject | null> {
  const { sql, owner } = at;
  if (moduleCode === "relationship") return await lockPerson(at, id);
  if (moduleCode === "memory") {
    const [row] = await MEMORIES.lock(sql, owner, { memoryId: id });
    return row === undefined ? null : lockedMemory(at, row);
  }
  if (moduleCode === "taxonomy") {
    const [row] = await TAGS.lock(sql, owner, { tagId: id });
    return row === undefined ? null : lockedTag(at, row);
  }
  const [row] = await lockRecord(sql, owner, id);
  return row === undefined || module === null ? null : lockedRecord(at, module, row);
}

function lockedRecord(at: OwnerWrite, module: CatalogModule, locked: RecordRow) {
  const { sql, owner } = at;
  return lockedObject<RecordRow, "MODIFIED", "records">(at, locked, {
    name: { moduleCode: module.code, subjectId: locked.record_id },
    target: "records",
    isArchived: (row) => row.archived_at !== null,
    change: "MODIFIED",
    revised(row, { next: { row: { title, summary, payload } } }) {
      // Another order of members is not a change.
      const isSame = canonicalJson(JSON.parse(payload)) === canonicalJson(JSON.parse(row.payload));
      return { title, summary, payload: isSame ? row.payload : payload };
    },
    archive: archived,
    restore: restored,
    write(row, change) {
      const fields = JSON.parse(row.payload);
      const texts = indexedTexts(module, { title: row.title, summary: row.summary, fields });
      return claimed(sql, recordEntries(sql, owner, row, change, texts));
    },
  });
}

/** The original text and the privacy level stay. */
function lockedMemory(at: OwnerWrite, locked: MemoryRow) {
  const { sql, owner } = at;
  return lockedObject<MemoryRow, "REVISED", "memory">(at, locked, {
    name: { moduleCode: "memory", subjectId: locked.memory_id },
    target: "memory",
    isArchived: (row) => row.archived_at !== null,
    change: "REVISED",
    revised(_row, { row: { title, summary, current_content, ...row } }) {
      const { occurred_at, time_precision, time_text, time_from, time_to } = row;
      const time = { occurred_at, time_precision, time_text, time_from, time_to };
      return { title, summary, current_content, ...time };
    },
    archive: archived,
    restore: restored,
    write: (row, change) => claimed(sql, memoryEntries(sql, owner, row, change)),
  });
}

function lockedTag(at: OwnerWrite, locked: TermRow) {
  const { sql, owner } = at;
  return lockedObject<TermRow, TermChange, "taxonomy">(at, locked, {
    name: { moduleCode: "taxonomy", subjectId: locked.term_id },
    target: "taxonomy",
    isArchived: (row) => row.deactivated_at !== null,
    change: "CHANGED",
    revised: (_row, { row: { name, aliases, description, color, sort_order } }) => {
      return { name, aliases, description, color, sort_order };
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
interface Revisions<Row extends RootRow, Change extends string, Stored extends NewRow["target"]> {
  readonly name: Omit<WrittenRevision, "revision">;
  readonly target: Stored;
  readonly isArchived: (row: Row) => boolean;
  readonly change: Change;
  /** The columns that an item changes. */
  readonly revised: (
    row: Row,
    content: Extract<NewRow, { target: Stored }>,
  ) => Partial<Omit<Row, keyof RootRow>>;
  readonly archive: (row: Row, now: Date) => NextRow<Row, Change>;
  readonly restore: (row: Row, now: Date) => NextRow<Row, Change>;
  readonly write: (
    row: Row,
    change: NonNullable<NextRow<Row, Change>["change"]>,
    before: Row,
  ) => PromiseLike<unknown>;
}

/** An object whose change is up to three revisions: out of the archive, the new content, into the archive. */
function lockedObject<
  Row extends RootRow,
  Change extends string,
  Stored extends NewRow["target"],
>({ now }: OwnerWrite, locked: Row, parts: Revisions<Row, Change, Stored>): LockedObject {
  const { name, target, isArchived, archive, restore } = parts;
  const isOwn = (content: NewRow): content is Extract<NewRow, { target: Stored }> =>
    content.target === target;
  let row = locked;
  return {
    get revision() {
      return row.revision;
    },
    get isArchived() {
      return isArchived(row);
    },
    async write({ content, isArchived: isToBeArchived }) {
      const written: WrittenRevision[] = [];
      const take = async ({ row: next, change }: NextRow<Row, Change>) => {
        if (change === null) return;
        await parts.write(next, change, row);
        row = next;
        written.push({ ...name, revision: row.revision });
      };
      if (isArchived(row) && !isToBeArchived) await take(restore(row, now));
      if (content !== null) {
        if (!isOwn(content)) throw new TypeError("The content is of another room");
        await take(nextRevision(row, parts.change, now, parts.revised(row, content)));
      }
      if (!isArchived(row) && isToBeArchived) await take(archive(row, now));
      return written;
    },
  };
}
