/**
 * One transaction of a run: some items with their records, tags, attachments, origins and audit entries, or none
 * of it. What is to come of each item is decided again, by what the transaction has locked.
 */

import type { Attachment } from "../attachments/attachment.ts";
import { addAttachments } from "../attachments/known.ts";
import { newId } from "../core/ids.ts";
import { comparedForm } from "../families/taxonomy/name.ts";
import { addAssignments, findNamedTags } from "../families/taxonomy/imported_tags.ts";
import type { ReceivedFiles } from "./files.ts";
import type { Item } from "./item.ts";
import { type ItemReport, reportOf } from "./reports.ts";
import { contentOf, isUsable, judge } from "./judge.ts";
import { comesIn, type Judged } from "./judged.ts";
import type { LockedObject, ObjectChange } from "./locked_object.ts";
import { findOwnRevisions } from "./origin_store.ts";
import { MAX_MATCHES } from "./people_judge.ts";
import { writeTags } from "./tags.ts";
import type { NewRow } from "./targets.ts";
import type { Writing } from "./writing.ts";

/** Writes a batch. Returns what came of each item. */
export async function writeBatch(
  writing: Writing,
  items: readonly Item[],
  received: ReceivedFiles,
): Promise<readonly ItemReport[]> {
  const { items: judged, known } = await judgeLocked(writing, items);
  return await new BatchWriter(writing, known, received).write(judged);
}

/**
 * Judges a batch, and locks the records that change in the order of their identifiers. If someone changed one
 * before its lock, the batch is judged again.
 */
async function judgeLocked(writing: Writing, items: readonly Item[]) {
  while (true) {
    const batch = await judge(writing.sql, writing.context, items);
    const changing = batch.items
      .filter(({ outcome, joinedKey }) => outcome === "CHANGED" && joinedKey === null)
      .toSorted((one, other) => (one.recordId ?? "") < (other.recordId ?? "") ? -1 : 1);
    let isCurrent = true;
    for (const { item, recordId, state } of changing) {
      const object = await lockRecord(writing, item, recordId ?? "");
      isCurrent &&= object.revision === state?.revision;
    }
    if (isCurrent) return batch;
  }
}

async function lockRecord(writing: Writing, { target }: Item, id: string): Promise<LockedObject> {
  const object = await writing.lock(target ?? "", id);
  if (object === null) throw new Error("The record of an item is not there");
  return object;
}

class BatchWriter {
  readonly #writing: Writing;
  /** The identifiers of files, by digest. */
  readonly #files: Map<string, string>;
  readonly #received: ReceivedFiles;
  /** The records of the items that were written. */
  readonly #ids = new Map<Judged, string>();
  /** New records by the keys of their items. */
  readonly #made = new Map<string, string>();

  constructor(writing: Writing, known: ReadonlyMap<string, string>, received: ReceivedFiles) {
    this.#writing = writing;
    this.#files = new Map(known);
    this.#received = received;
  }

  async write(items: readonly Judged[]): Promise<readonly ItemReport[]> {
    const created = items.filter(({ outcome }) => outcome === "NEW");
    await this.#addFiles(created);
    await this.#create(created);
    const judged: Judged[] = [];
    for (const each of items) {
      judged.push(each.outcome === "CHANGED" ? await this.#change(each) : each);
    }
    await this.#tag();
    const joined = await this.#findJoined(judged);
    return judged.map((each) => this.#report(each, joined));
  }

  async #changeOf(judged: Judged): Promise<ObjectChange> {
    const { item, origin } = judged;
    const change = { content: this.#rowOf(judged), isArchived: item.archived };
    if (change.content.room !== "people") return change;
    const { sql, context: { owner, source } } = this.#writing;
    const own = origin === undefined ? null : await findOwnRevisions(sql, owner, source, item.key);
    if (item.people === null) return { ...change, own };
    return { ...change, own, part: "others", laterLinks: item.people.links.length };
  }

  async #addFiles(judged: readonly Judged[]): Promise<void> {
    const { sql, context: { owner, now } } = this.#writing;
    const createdAt = now.toISOString();
    const attachments: Attachment[] = [];
    for (const { sha256 = "" } of judged.flatMap(({ item }) => item.files)) {
      const file = this.#received.get(sha256);
      if (file === undefined || this.#files.has(sha256)) continue;
      const attachmentId = newId(now);
      attachments.push({ ...file, attachmentId, createdAt });
      this.#files.set(sha256, attachmentId);
      this.#writing.addOrigin({
        kind: "FILE",
        key: attachmentId,
        target: "attachment",
        record_id: attachmentId,
        revision: null,
        digest: null,
        change: "NEW",
      });
    }
    await addAttachments(sql, owner, attachments);
  }

  /** The identifiers of an item's files, by the names that the item has for them. */
  #filesOf({ files }: Item): ReadonlyMap<string, string> {
    return new Map(files.flatMap(({ name, sha256 = "" }) => {
      const id = this.#files.get(sha256);
      return id === undefined ? [] : [[name, id] as const];
    }));
  }

  #rowOf({ item }: Judged): NewRow {
    const { targets, now } = this.#writing.context;
    const target = targets.get(item.target ?? "");
    return target.create(contentOf(item, target, this.#filesOf(item), now), now);
  }

  async #create(created: readonly Judged[]): Promise<void> {
    const { now } = this.#writing.context;
    const made = created.map((judged) => {
      const { recordedAt } = judged.item;
      const row = this.#rowOf(judged);
      return { judged, row, recordedAt: recordedAt === null ? now : new Date(recordedAt) };
    });
    const revisions = await this.#writing.create(made);
    for (const { judged, row } of made) {
      const { id } = row;
      let revision = revisions.get(id) ?? 1;
      if (judged.item.archived) {
        const object = await lockRecord(this.#writing, judged.item, id);
        await this.#writing.change(object, { content: null, isArchived: true });
        ({ revision } = object);
      }
      this.#made.set(judged.item.key, id);
      this.#note(judged, id, revision);
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
    const object = await lockRecord(this.#writing, judged.item, recordId);
    const rule = await object.refusal?.(await this.#changeOf(judged)) ?? null;
    if (rule !== null) return { ...judged, outcome: "REFUSED", rules: [...judged.rules, rule] };
    await this.#addFiles([judged]);
    await this.#writing.change(object, await this.#changeOf(judged));
    this.#note(judged, recordId, object.revision);
    return judged;
  }

  /** Notes what was written of an item. */
  #note(judged: Judged, record_id: string, revision: number): void {
    const { item: { key, target, digest }, outcome, origin } = judged;
    this.#ids.set(judged, record_id);
    const change = outcome === "NEW" ? "NEW" : "CHANGED";
    const about = { kind: "ITEM", key, target: target ?? "", record_id, revision } as const;
    this.#writing.addOrigin({ ...about, digest, change }, origin);
  }

  async #tag(): Promise<void> {
    const { sql, context: { owner, now, targets } } = this.#writing;
    // The first spelling of each name.
    const names = new Map<string, string>();
    for (const { item, tags } of this.#ids.keys()) {
      for (const spelling of item.tags) {
        const form = comparedForm(spelling);
        if (tags.includes(form) && !names.has(form)) names.set(form, spelling);
      }
    }
    if (names.size === 0) return;
    const tags = await writeTags(this.#writing, names);
    const assignments = Array.from(this.#ids).flatMap(([{ item, tags: named }, record_id]) => {
      const module_code = targets.get(item.target ?? "").moduleCode;
      const ids = new Set(named.flatMap((name) => tags.get(name) ?? []));
      return Array.from(ids, (term_id) => {
        return { assignment_id: newId(now), term_id, module_code, record_id };
      });
    });
    if (assignments.length > 0) await addAssignments(sql, owner, assignments, now);
  }

  /** The tags that items joined and that this batch made, by name. */
  async #findJoined(judged: readonly Judged[]): Promise<ReadonlyMap<string, string>> {
    const names = judged.filter(({ item, outcome, recordId }) =>
      item.target === "tag" && outcome === "UNCHANGED" && recordId === null
    ).map(({ item }) => comparedForm(item.title));
    const { sql, context: { owner } } = this.#writing;
    const tags = await findNamedTags(sql, owner, names);
    return new Map(tags.map(({ compared, term_id }) => [compared, term_id]));
  }

  #report(judged: Judged, joined: ReadonlyMap<string, string>): ItemReport {
    const { item, outcome, rules } = judged;
    const isThere = comesIn(judged) || outcome === "UNCHANGED";
    const present = judged.recordId ?? joined.get(comparedForm(item.title)) ?? null;
    // A file that the plan did not need was not received.
    const lacks = comesIn(judged) &&
      item.files.some((file) => isUsable(file) && !this.#files.has(file.sha256 ?? ""));
    return {
      ...reportOf({ ...judged, matches: this.#matchesOf(judged) }),
      rules: lacks ? [...rules, "attachment.missing"] : rules,
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
