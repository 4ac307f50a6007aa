/**
 * One transaction of a run: a hundred items with their records, tags, attachments, origins, audit entries and
 * reports, or none of it. What is to come of each item is decided again behind the locks.
 */

import type { Attachment } from "../attachments/attachment.ts";
import { addAttachments } from "../attachments/known.ts";
import type { ReceivedObject } from "../attachments/object_store.ts";
import { auditEntries } from "../command/statements.ts";
import { idAfter, newId } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import { comparedForm } from "../families/taxonomy/name.ts";
import {
  addAssignments,
  findNamedTags,
  type NewAssignment,
} from "../families/taxonomy/imported_tags.ts";
import type { BatchContext, Judged } from "./judged.ts";
import type { ItemReport } from "./item_store.ts";
import { ownRevisions } from "./links.ts";
import type { Item } from "./item.ts";
import { contentOf, isUsable, judge, nothingComing } from "./judge.ts";
import { insertOrigins, listOriginsOfKey, type Origin } from "./origin_store.ts";
import { decideOutcome, isWithdrawn } from "./outcome.ts";
import { type Creation, idOf, lockObject, writeNew } from "./row_writer.ts";
import type { LockedObject, ObjectChange, WrittenRevision } from "./locked_object.ts";
import { writeTags } from "./tag_writer.ts";
import { type NewRow, roomOf } from "./targets.ts";

/** Items of one transaction. */
export const BATCH_ITEMS = 100;

/** A file from the archive whose bytes are in their place, and its description. */
export interface ReceivedFile {
  readonly object: ReceivedObject;
  readonly mediaType: string;
  readonly filename: string;
}

/** The files of a batch, by digest. */
export type ReceivedFiles = ReadonlyMap<string, ReceivedFile>;

/** A file that a batch needs was not received, because an item has changed since: the batch begins again. */
export class MissingFileError extends Error {
  override readonly name = "MissingFileError";
}

/** Writes a batch within a transaction that holds the import. Returns what came of each item. */
export async function writeBatch(
  sql: Sql,
  context: BatchContext,
  items: readonly Item[],
  received: ReceivedFiles,
): Promise<readonly ItemReport[]> {
  const batch = await judge(sql, context, items, nothingComing());
  const writer = new BatchWriter(sql, context, batch.known, received);
  return await writer.write(batch.items);
}

/** A locked object of the batch. */
interface Locked {
  readonly judged: Judged;
  readonly object: LockedObject | null;
}

class BatchWriter {
  readonly #sql: Sql;
  readonly #context: BatchContext;
  readonly #files: Map<string, string>;
  readonly #received: ReceivedFiles;
  readonly #attachments: Attachment[] = [];
  readonly #origins: Origin[] = [];
  readonly #written: WrittenRevision[] = [];
  readonly #reports: ItemReport[] = [];
  readonly #carrying: { judged: Judged; recordId: string }[] = [];

  constructor(
    sql: Sql,
    context: BatchContext,
    known: ReadonlyMap<string, string>,
    received: ReceivedFiles,
  ) {
    this.#sql = sql;
    this.#context = context;
    this.#files = new Map(known);
    this.#received = received;
  }

  async write(items: readonly Judged[]): Promise<readonly ItemReport[]> {
    const { owner, now } = this.#context;
    const locked = await this.#lock(items);
    for (const { judged } of locked) this.#addFiles(judged);
    await addAttachments(this.#sql, owner, this.#attachments);
    await this.#create(locked);
    await this.#change(locked);
    await this.#tag();
    const joined = await this.#findJoined(locked);
    for (const { judged } of locked) {
      const recordId = judged.recordId ?? joined.get(comparedForm(judged.item.title)) ?? null;
      this.#report({ ...judged, recordId });
    }
    await insertOrigins(this.#sql, owner, this.#origins, now);
    await this.#audit();
    const order = new Map(items.map(({ item: { place } }, index) => [place, index]));
    this.#reports.sort((one, other) => (order.get(one.place) ?? 0) - (order.get(other.place) ?? 0));
    return this.#reports;
  }

  /** Locks the records that change, in the order of identifiers, and decides changed ones again. */
  async #lock(items: readonly Judged[]): Promise<readonly Locked[]> {
    const { owner, catalog, targets } = this.#context;
    const objects = new Map<Judged, LockedObject | null>();
    const changing = items.filter(({ outcome }) => outcome === "CHANGED")
      .toSorted((one, other) => (one.recordId ?? "") < (other.recordId ?? "") ? -1 : 1);
    const moduleOf = (code: string) => catalog.module(code) ?? unknownModule();
    // Several items can join one person.
    const locked = new Map<string, LockedObject | null>();
    for (const judged of changing) {
      const room = roomOf(targets.get(judged.item.target ?? "").moduleCode);
      const id = judged.recordId ?? "";
      const object = locked.has(id)
        ? locked.get(id) ?? null
        : await lockObject(this.#sql, owner, moduleOf, { room, id });
      locked.set(id, object);
      objects.set(judged, object);
    }
    const decided: Locked[] = [];
    for (const judged of items) {
      const object = objects.get(judged) ?? null;
      if (judged.outcome !== "CHANGED" || object?.revision === judged.state?.revision) {
        decided.push({ judged: await this.#fitting(judged, object), object });
      } else decided.push({ judged: decideAgain(judged, object), object });
    }
    return decided;
  }

  /** Refuses a change that only the locked object can tell to be wrong. */
  async #fitting(judged: Judged, object: LockedObject | null): Promise<Judged> {
    if (judged.outcome !== "CHANGED" || object?.refusal === undefined) return judged;
    const rule = await object.refusal(await this.#changeOf(judged));
    if (rule === null) return judged;
    return { ...judged, outcome: "REFUSED", rules: [...judged.rules, rule] };
  }

  async #changeOf(judged: Judged): Promise<ObjectChange> {
    const { item, origin } = judged;
    const change = { content: this.#rowOf(judged), isArchived: item.archived };
    if (change.content.room !== "people") return change;
    const { owner, source } = this.#context;
    const own = origin === undefined
      ? null
      : ownRevisions(await listOriginsOfKey(this.#sql, owner, source, item.key));
    return { ...change, own, keepsLinks: item.people !== null };
  }

  #addFiles({ item, outcome }: Judged): void {
    if (outcome !== "NEW" && outcome !== "CHANGED") return;
    const { now, importId, source } = this.#context;
    for (const file of item.files) {
      const { sha256 = "" } = file;
      if (!isUsable(file) || this.#files.has(sha256)) continue;
      const received = this.#received.get(sha256);
      if (received === undefined) throw new MissingFileError();
      const attachmentId = newId(now);
      const { object: { size }, mediaType, filename } = received;
      const createdAt = now.toISOString();
      this.#attachments.push({ attachmentId, size, sha256, mediaType, filename, createdAt });
      this.#files.set(sha256, attachmentId);
      this.#origins.push({
        ...{ origin_id: newId(now), import_id: importId, kind: "FILE", source, key: attachmentId },
        ...{ target: "attachment", record_id: attachmentId, revision: null, digest: null },
        change: "NEW",
      });
    }
  }

  /** The identifiers of an item's files, by the names that the item has for them. */
  #filesOf({ files }: Item): ReadonlyMap<string, string> {
    return new Map(files.flatMap(({ name, sha256 = "" }) => {
      const id = this.#files.get(sha256);
      return id === undefined ? [] : [[name, id] as const];
    }));
  }

  #rowOf({ item }: Judged): NewRow {
    const { targets, now } = this.#context;
    const target = targets.get(item.target ?? "");
    return target.create(contentOf(item, target, this.#filesOf(item), now), now);
  }

  async #create(locked: readonly Locked[]): Promise<void> {
    const { owner, now, targets, catalog } = this.#context;
    const created: { judged: Judged; creation: Creation; id: string }[] = [];
    for (const { judged } of locked) {
      if (judged.outcome !== "NEW") continue;
      const row = this.#rowOf(judged);
      const { recordedAt } = judged.item;
      const creation = { row, recordedAt: recordedAt === null ? now : new Date(recordedAt) };
      created.push({ judged, creation, id: idOf(row) });
    }
    const all = await writeNew(this.#sql, owner, created.map(({ creation }) => creation));
    for (const { judged, id } of created) {
      const { moduleCode } = targets.get(judged.item.target ?? "");
      const revisions = (all.get(id) ?? []).map((revision) => {
        return { moduleCode, subjectId: id, revision };
      });
      if (judged.item.archived) {
        const moduleOf = (code: string) => catalog.module(code) ?? unknownModule();
        const name = { room: roomOf(moduleCode), id };
        const object = await lockObject(this.#sql, owner, moduleOf, name);
        revisions.push(...await object?.write({ content: null, isArchived: true }, now) ?? []);
      }
      this.#keep(judged, id, revisions, 1);
    }
  }

  async #change(locked: readonly Locked[]): Promise<void> {
    const { now } = this.#context;
    for (const { judged, object } of locked) {
      if (judged.outcome !== "CHANGED" || object === null || judged.recordId === null) continue;
      const before = object.revision;
      const revisions = await object.write(await this.#changeOf(judged), now);
      this.#keep(judged, judged.recordId, revisions, before);
    }
  }

  /** Keeps what came of a written item. */
  #keep(
    judged: Judged,
    recordId: string,
    revisions: readonly WrittenRevision[],
    before: number,
  ): void {
    const { now, importId, source } = this.#context;
    const { item, outcome, origin } = judged;
    this.#written.push(...revisions);
    this.#carrying.push({ judged, recordId });
    this.#origins.push({
      origin_id: idAfter(origin?.origin_id ?? null, now),
      import_id: importId,
      kind: "ITEM",
      source,
      key: item.key,
      target: item.target ?? "",
      record_id: recordId,
      revision: revisions.at(-1)?.revision ?? before,
      digest: item.digest,
      change: outcome === "NEW" ? "NEW" : "CHANGED",
    });
    this.#report(judged, recordId);
  }

  async #tag(): Promise<void> {
    const { owner, now, targets } = this.#context;
    const names = new Map<string, string>();
    for (const { judged: { item, tags } } of this.#carrying) {
      addSpellings(names, item.tags, tags);
    }
    if (names.size === 0) return;
    const tags = await writeTags(this.#sql, this.#context, names);
    this.#written.push(...tags.written);
    this.#origins.push(...tags.origins);
    const assignments: NewAssignment[] = this.#carrying.flatMap(({ judged, recordId }) => {
      const module_code = targets.get(judged.item.target ?? "").moduleCode;
      const ids = new Set(judged.tags.flatMap((name) => tags.ids.get(name) ?? []));
      return Array.from(ids, (term_id) => {
        return { assignment_id: newId(now), term_id, module_code, record_id: recordId };
      });
    });
    if (assignments.length > 0) await addAssignments(this.#sql, owner, assignments, now);
  }

  /** The tags that items joined and that this batch made, by name. */
  async #findJoined(locked: readonly Locked[]): Promise<ReadonlyMap<string, string>> {
    const names = locked.filter(({ judged: { item, outcome, recordId } }) =>
      item.target === "tag" && outcome === "UNCHANGED" && recordId === null
    ).map(({ judged: { item } }) => comparedForm(item.title));
    const tags = await findNamedTags(this.#sql, this.#context.owner, names);
    return new Map(tags.map(({ compared, term_id }) => [compared, term_id]));
  }

  /** Reports an item that nothing was written of, unless it was reported. */
  #report(judged: Judged, recordId: string | null = null): void {
    const { item: { place, key, target, unmapped }, item, outcome, rules } = judged;
    const isWritten = outcome === "NEW" || outcome === "CHANGED";
    if (isWritten && recordId === null) return;
    this.#reports.push({
      ...{ place, key, target, outcome, rules, unmapped },
      ...(item.people !== null && { matches: judged.matches }),
      recordId: outcome === "UNCHANGED" ? judged.recordId : recordId,
      attachmentIds: outcome === "REFUSED" || outcome === "POSSIBLE_DUPLICATE"
        ? []
        : [...new Set(this.#filesOf(item).values())],
    });
  }

  async #audit(): Promise<void> {
    const { command } = this.#context;
    const modules = Map.groupBy(this.#written, ({ moduleCode }) => moduleCode);
    for (const [moduleCode, subjects] of modules) {
      await auditEntries(this.#sql, { ...command, moduleCode }, subjects);
    }
  }
}

function unknownModule(): never {
  throw new Error("A record is of an unknown module");
}

/** Someone changed the record between the look at it and its lock. */
function decideAgain(judged: Judged, object: LockedObject | null): Judged {
  const { item, origin, state } = judged;
  // An item that joins a person only adds.
  if (object !== null && !object.isArchived && origin === undefined) return judged;
  if (object === null || state === undefined || origin === undefined) {
    return { ...judged, outcome: "REFUSED", rules: [...judged.rules, "import.edited_here"] };
  }
  const now = { ...state, revision: object.revision };
  const { outcome, rule } = isWithdrawn(origin, now)
    ? { outcome: "CHANGED" as const, rule: undefined }
    : decideOutcome(item, origin, now);
  return { ...judged, outcome, rules: rule === undefined ? judged.rules : [...judged.rules, rule] };
}

/** By compared form, the first spelling of each tag. */
function addSpellings(
  names: Map<string, string>,
  spellings: readonly string[],
  compared: readonly string[],
): void {
  const wanted = new Set(compared);
  for (const spelling of spellings) {
    const form = comparedForm(spelling);
    if (wanted.has(form) && !names.has(form)) names.set(form, spelling);
  }
}
