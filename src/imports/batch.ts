/**
 * One transaction of a run: some items with their records, tags, attachments, origins and audit entries, or none
 * of it. What is to come of each item is decided again, by what the transaction has locked.
 */

import type { Attachment } from "../attachments/attachment.ts";
import { addAttachments } from "../attachments/known.ts";
import type { ReceivedObject } from "../attachments/object_store.ts";
import { idAfter, newId } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import { comparedForm } from "../families/taxonomy/name.ts";
import { addAssignments, findNamedTags } from "../families/taxonomy/imported_tags.ts";
import { type BatchContext, comesIn, type Judged } from "./judged.ts";
import type { ItemReport } from "./item_store.ts";
import { ownRevisions } from "./links.ts";
import type { Item } from "./item.ts";
import { contentOf, isUsable, judge, nothingComing } from "./judge.ts";
import { insertOrigins, listOriginsOfKey, type Origin } from "./origin_store.ts";
import { auditWritten, idOf, lockObject, moduleIn, writeNew } from "./row_writer.ts";
import type { LockedObject, ObjectChange, WrittenRevision } from "./locked_object.ts";
import { MAX_MATCHES } from "./people_judge.ts";
import { writeTags } from "./tag_writer.ts";
import { type NewRow, roomOf } from "./targets.ts";

/** A file from the archive whose bytes are in their place, and its description. */
export interface ReceivedFile {
  readonly object: ReceivedObject;
  readonly mediaType: string;
  readonly filename: string;
}

/** The files of a batch, by digest. */
export type ReceivedFiles = ReadonlyMap<string, ReceivedFile>;

/** Writes a batch within a transaction that holds the import. Returns what came of each item. */
export async function writeBatch(
  sql: Sql,
  context: BatchContext,
  items: readonly Item[],
  received: ReceivedFiles,
): Promise<readonly ItemReport[]> {
  const objects = new Map<string, LockedObject>();
  const { items: judged, known } = await judgeLocked(sql, context, items, objects);
  return await new BatchWriter(sql, context, objects, known, received).write(judged);
}

/**
 * Judges a batch, and locks the records that change in the order of their identifiers. If someone changed one
 * before its lock, the batch is judged again.
 */
async function judgeLocked(
  sql: Sql,
  context: BatchContext,
  items: readonly Item[],
  objects: Map<string, LockedObject>,
) {
  const { owner, catalog, targets } = context;
  while (true) {
    const batch = await judge(sql, context, items, nothingComing());
    const changing = batch.items
      .filter(({ outcome, joinedKey }) => outcome === "CHANGED" && joinedKey === null)
      .toSorted((one, other) => (one.recordId ?? "") < (other.recordId ?? "") ? -1 : 1);
    let isCurrent = true;
    for (const { item, recordId, state } of changing) {
      const id = recordId ?? "";
      const room = roomOf(targets.get(item.target ?? "").moduleCode);
      const object = objects.get(id) ??
        await lockObject(sql, owner, moduleIn(catalog), { room, id });
      if (object === null) throw new Error("The record of an item is not there");
      objects.set(id, object);
      isCurrent &&= object.revision === state?.revision;
    }
    if (isCurrent) return batch;
  }
}

class BatchWriter {
  readonly #sql: Sql;
  readonly #context: BatchContext;
  readonly #objects: Map<string, LockedObject>;
  /** The identifiers of files, by digest. */
  readonly #files: Map<string, string>;
  readonly #received: ReceivedFiles;
  readonly #origins: Origin[] = [];
  readonly #written: WrittenRevision[] = [];
  /** The records of the items that were written. */
  readonly #ids = new Map<Judged, string>();
  /** New records by the keys of their items. */
  readonly #made = new Map<string, string>();

  constructor(
    sql: Sql,
    context: BatchContext,
    objects: Map<string, LockedObject>,
    known: ReadonlyMap<string, string>,
    received: ReceivedFiles,
  ) {
    this.#sql = sql;
    this.#context = context;
    this.#objects = objects;
    this.#files = new Map(known);
    this.#received = received;
  }

  async write(items: readonly Judged[]): Promise<readonly ItemReport[]> {
    const { owner, now, command } = this.#context;
    const created = items.filter(({ outcome }) => outcome === "NEW");
    await this.#addFiles(created);
    await this.#create(created);
    const judged: Judged[] = [];
    for (const each of items) {
      judged.push(each.outcome === "CHANGED" ? await this.#change(each) : each);
    }
    await this.#tag();
    const joined = await this.#findJoined(judged);
    await insertOrigins(this.#sql, owner, this.#origins, now);
    await auditWritten(this.#sql, command, this.#written);
    return judged.map((each) => this.#report(each, joined));
  }

  async #changeOf(judged: Judged): Promise<ObjectChange> {
    const { item, origin } = judged;
    const change = { content: this.#rowOf(judged), isArchived: item.archived };
    if (change.content.room !== "people") return change;
    const { owner, source } = this.#context;
    const own = origin === undefined
      ? null
      : ownRevisions(await listOriginsOfKey(this.#sql, owner, source, item.key));
    const laterLinks = item.people?.links.length ?? 0;
    return { ...change, own, keepsLinks: item.people !== null, laterLinks };
  }

  async #addFiles(judged: readonly Judged[]): Promise<void> {
    const { owner, now, importId, source } = this.#context;
    const attachments: Attachment[] = [];
    for (const file of judged.flatMap(({ item }) => item.files)) {
      const { sha256 = "" } = file;
      const received = this.#received.get(sha256);
      if (received === undefined || this.#files.has(sha256)) continue;
      const attachmentId = newId(now);
      const { object: { size }, mediaType, filename } = received;
      const createdAt = now.toISOString();
      attachments.push({ attachmentId, size, sha256, mediaType, filename, createdAt });
      this.#files.set(sha256, attachmentId);
      this.#origins.push({
        ...{ origin_id: newId(now), import_id: importId, kind: "FILE", source, key: attachmentId },
        ...{ target: "attachment", record_id: attachmentId, revision: null, digest: null },
        change: "NEW",
      });
    }
    await addAttachments(this.#sql, owner, attachments);
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

  async #create(created: readonly Judged[]): Promise<void> {
    const { owner, now, targets, catalog } = this.#context;
    const rows = created.map((judged) => {
      const { recordedAt } = judged.item;
      return {
        row: this.#rowOf(judged),
        recordedAt: recordedAt === null ? now : new Date(recordedAt),
      };
    });
    const all = await writeNew(this.#sql, owner, rows);
    for (const [index, { row }] of rows.entries()) {
      const judged = created[index] as Judged;
      const id = idOf(row);
      const { moduleCode } = targets.get(judged.item.target ?? "");
      const revisions = (all.get(id) ?? []).map((revision) => {
        return { moduleCode, subjectId: id, revision };
      });
      if (judged.item.archived) {
        const name = { room: roomOf(moduleCode), id };
        const object = await lockObject(this.#sql, owner, moduleIn(catalog), name);
        revisions.push(...await object?.write({ content: null, isArchived: true }, now) ?? []);
      }
      this.#made.set(judged.item.key, id);
      this.#note(judged, id, revisions, 1);
    }
  }

  /**
   * Writes a change, and returns what came of the item: the room of a person for details may be gone, also by an
   * earlier item of the batch.
   */
  async #change(planned: Judged): Promise<Judged> {
    const recordId = planned.recordId ?? this.#made.get(planned.joinedKey ?? "");
    // The earlier item that it joins was refused.
    if (recordId === undefined) return { ...planned, outcome: "POSSIBLE_DUPLICATE" };
    const judged = { ...planned, recordId };
    const object = await this.#objectOf(judged);
    const rule = await object.refusal?.(await this.#changeOf(judged)) ?? null;
    if (rule !== null) return { ...judged, outcome: "REFUSED", rules: [...judged.rules, rule] };
    await this.#addFiles([judged]);
    const before = object.revision;
    const revisions = await object.write(await this.#changeOf(judged), this.#context.now);
    this.#note(judged, recordId, revisions, before);
    return judged;
  }

  /** Locks a person whom this batch made; all others are locked already. */
  async #objectOf({ recordId, joinedKey }: Judged): Promise<LockedObject> {
    const { owner, catalog } = this.#context;
    const id = recordId ?? "";
    const known = this.#objects.get(id);
    const object = known ??
      (joinedKey === null
        ? null
        : await lockObject(this.#sql, owner, moduleIn(catalog), { room: "people", id }));
    if (object === null) throw new Error("A record that changes is not locked");
    this.#objects.set(id, object);
    return object;
  }

  /** Notes what was written of an item. */
  #note(
    judged: Judged,
    recordId: string,
    revisions: readonly WrittenRevision[],
    before: number,
  ): void {
    const { now, importId, source } = this.#context;
    const { item, outcome, origin } = judged;
    this.#written.push(...revisions);
    this.#ids.set(judged, recordId);
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
  }

  async #tag(): Promise<void> {
    const { owner, now, targets } = this.#context;
    // The first spelling of each name.
    const names = new Map<string, string>();
    for (const { item, tags } of this.#ids.keys()) {
      for (const spelling of item.tags) {
        const form = comparedForm(spelling);
        if (tags.includes(form) && !names.has(form)) names.set(form, spelling);
      }
    }
    if (names.size === 0) return;
    const tags = await writeTags(this.#sql, this.#context, names);
    this.#written.push(...tags.written);
    this.#origins.push(...tags.origins);
    const assignments = Array.from(this.#ids).flatMap(([{ item, tags: named }, record_id]) => {
      const module_code = targets.get(item.target ?? "").moduleCode;
      const ids = new Set(named.flatMap((name) => tags.ids.get(name) ?? []));
      return Array.from(ids, (term_id) => {
        return { assignment_id: newId(now), term_id, module_code, record_id };
      });
    });
    if (assignments.length > 0) await addAssignments(this.#sql, owner, assignments, now);
  }

  /** The tags that items joined and that this batch made, by name. */
  async #findJoined(judged: readonly Judged[]): Promise<ReadonlyMap<string, string>> {
    const names = judged.filter(({ item, outcome, recordId }) =>
      item.target === "tag" && outcome === "UNCHANGED" && recordId === null
    ).map(({ item }) => comparedForm(item.title));
    const tags = await findNamedTags(this.#sql, this.#context.owner, names);
    return new Map(tags.map(({ compared, term_id }) => [compared, term_id]));
  }

  #report(judged: Judged, joined: ReadonlyMap<string, string>): ItemReport {
    const { item, outcome, rules } = judged;
    const { place, key, target, unmapped } = item;
    const isThere = comesIn(judged) || outcome === "UNCHANGED";
    const present = judged.recordId ?? joined.get(comparedForm(item.title)) ?? null;
    // A file that the plan did not need was not received.
    const lacks = comesIn(judged) &&
      item.files.some((file) => isUsable(file) && !this.#files.has(file.sha256 ?? ""));
    return {
      ...{ place, key, target, outcome, unmapped },
      rules: lacks ? [...rules, "attachment.missing"] : rules,
      ...(item.people !== null && { matches: this.#matchesOf(judged) }),
      recordId: isThere ? this.#ids.get(judged) ?? present : null,
      attachmentIds: isThere ? [...new Set(this.#filesOf(item).values())] : [],
    };
  }

  /** Also the people that earlier items of the batch became. */
  #matchesOf({ matches, shared }: Judged): readonly string[] {
    const made = shared.flatMap((key) => this.#made.get(key) ?? []);
    return [...new Set([...matches, ...made])].slice(0, MAX_MATCHES);
  }
}
