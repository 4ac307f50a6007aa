/**
 * One transaction of a run: writes some items with their records, tags, attachments, origins and
 * audit entries, or nothing. The outcome of each item is decided again, by the locked rows.
 */

import { addAttachments, type StoredAttachment } from "../attachments/import_port.ts";
import { newId } from "../core/ids.ts";
import { addAssignments, comparedForm, findNamedTags } from "../families/taxonomy/import_port.ts";
import type { ItemContent, LockedObject, ObjectChange } from "../kit/import_target.ts";
import type { ReceivedFiles } from "./files.ts";
import type { Item } from "./item.ts";
import { isUsable } from "./item_files.ts";
import { type ItemReport, reportOf } from "./reports.ts";
import { decideItems } from "./decide_items.ts";
import { contentOf } from "./item_content.ts";
import { isAnswered, type ItemDecision, willBeWritten } from "./decision.ts";
import { MAX_MATCHES } from "./earlier_people.ts";
import { writeTags } from "./tags.ts";
import { isLinkable } from "./links.ts";
import type { Writing } from "./writing.ts";

export async function writeBatch(
  writing: Writing,
  items: readonly Item[],
  received: ReceivedFiles,
): Promise<readonly ItemReport[]> {
  const { items: decisions, known } = await decideLocked(writing, items);
  return await new BatchWriter(writing, known, received).write(decisions);
}

/**
 * Decides a batch and locks the changing records in the order of their identifiers. If a record was
 * changed before its lock, the batch is decided again.
 */
async function decideLocked(writing: Writing, items: readonly Item[]) {
  while (true) {
    const batch = await decideItems(writing.sql, writing.context, items);
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
  if (object === null) throw new Error("The record of an item does not exist");
  return object;
}

const NOTHING_LEFT_OUT = { rules: [], unmapped: [] };

/** The revision of an origin whose item wrote nothing. */
const NOT_WRITTEN = 0;
/** A new name, retracted details, new ones and an archival are a revision each, in this order. */
const LAST_REVISIONS = 4;

/** The revisions that are noted of a person: those that can own a name or details. */
function noted(before: number, after: number): readonly number[] {
  if (after === before) return [NOT_WRITTEN];
  const count = Math.min(after - before, LAST_REVISIONS);
  return Array.from({ length: count }, (_, index) => after - count + index + 1);
}

class BatchWriter {
  readonly #writing: Writing;
  /** The identifiers of files, by digest. */
  readonly #files: Map<string, string>;
  readonly #received: ReceivedFiles;
  /** The records of the items that were written. */
  readonly #ids = new Map<ItemDecision, string>();
  /** New records by the keys of their items. */
  readonly #made = new Map<string, string>();

  constructor(writing: Writing, known: ReadonlyMap<string, string>, received: ReceivedFiles) {
    this.#writing = writing;
    this.#files = new Map(known);
    this.#received = received;
  }

  async write(items: readonly ItemDecision[]): Promise<readonly ItemReport[]> {
    const created = items.filter(({ outcome }) => outcome === "NEW");
    await this.#addFiles(created);
    await this.#create(created);
    const written: ItemDecision[] = [];
    for (const each of items) {
      this.#noteKnown(each);
      written.push(each.outcome === "CHANGED" ? await this.#change(each) : each);
    }
    await this.#tag();
    const joined = await this.#findJoined(written);
    return written.map((each) => this.#report(each, joined));
  }

  /** A person who was changed here stays active. */
  #changeOf({ item, origin, state, comparison }: ItemDecision): ObjectChange {
    const content = this.#contentOf(item);
    if (comparison === null) return { content, isArchived: item.archived };
    if (item.people === null) return { content, isArchived: item.archived, comparison };
    const isAsLeft = origin !== undefined && origin.revision === state?.revision;
    const isArchived = item.archived && isAsLeft;
    return { content, isArchived, comparison: { ...comparison, part: "others" } };
  }

  async #addFiles(decisions: readonly ItemDecision[]): Promise<void> {
    const { sql, context: { owner, now } } = this.#writing;
    const createdAt = now.toISOString();
    const attachments: StoredAttachment[] = [];
    for (const { sha256 = "" } of decisions.flatMap(({ item }) => item.files)) {
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

  /** The identifiers of an item's files, by their names in the item. */
  #filesOf({ files }: Item): ReadonlyMap<string, string> {
    return new Map(files.flatMap(({ name, sha256 = "" }) => {
      const id = this.#files.get(sha256);
      return id === undefined ? [] : [[name, id] as const];
    }));
  }

  #contentOf(item: Item): ItemContent {
    const { targets, now } = this.#writing.context;
    return contentOf(item, targets.get(item.target ?? ""), this.#filesOf(item), now);
  }

  async #create(created: readonly ItemDecision[]): Promise<void> {
    const { now, targets } = this.#writing.context;
    const byInsert = Map.groupBy(created, ({ item }) => targets.get(item.target ?? "").insert);
    for (const [insert, decisions] of byInsert) {
      const objects = decisions.map(({ item }) => {
        const recordedAt = item.recordedAt === null ? now : new Date(item.recordedAt);
        return { target: item.target ?? "", content: this.#contentOf(item), recordedAt };
      });
      const inserted = await this.#writing.insert(insert, objects);
      for (const [index, { id, revision }] of inserted.entries()) {
        const decision = decisions[index];
        if (decision === undefined) throw new Error("A target inserted more than its objects");
        this.#made.set(decision.item.key, id);
        this.#note(decision, id, await this.#archive(decision.item, id) ?? revision);
      }
    }
  }

  /**
   * Archives the new record of an archived item; returns its revision, or null for any other item.
   * A person who can have links is archived after them.
   */
  async #archive(item: Item, id: string): Promise<number | null> {
    if (!item.archived || isLinkable(item)) return null;
    const object = await lockRecord(this.#writing, item, id);
    await object.write({ content: null, isArchived: true });
    return object.revision;
  }

  /** Writes a change. Returns the decision with its final outcome. */
  async #change(planned: ItemDecision): Promise<ItemDecision> {
    const recordId = planned.recordId ?? this.#made.get(planned.joinedKey ?? "");
    // The earlier item to join was refused.
    if (recordId === undefined) return { ...planned, outcome: "POSSIBLE_DUPLICATE" };
    const decision = { ...planned, recordId };
    const object = await lockRecord(this.#writing, decision.item, recordId);
    await this.#addFiles([decision]);
    const before = object.revision;
    const { rules, unmapped } = await object.write(this.#changeOf(decision)) ?? NOTHING_LEFT_OUT;
    const written = {
      ...decision,
      rules: [...new Set([...decision.rules, ...rules])],
      leftOut: [...new Set([...decision.leftOut, ...unmapped])],
    };
    const revisions = decision.comparison === null
      ? [object.revision]
      : noted(before, object.revision);
    this.#note(written, recordId, ...revisions);
    return written;
  }

  /** Notes the origins of an item that was written, and the further UIDs of its card. */
  #note(decision: ItemDecision, record_id: string, ...revisions: readonly number[]): void {
    const { item: { target, digest }, key, outcome, uids } = decision;
    let { origin } = decision;
    this.#ids.set(decision, record_id);
    const change = outcome === "NEW" ? "NEW" : "CHANGED";
    const about = { target: target ?? "", record_id, change } as const;
    for (const revision of revisions) {
      origin = this.#writing.addOrigin({ ...about, kind: "ITEM", key, revision, digest }, origin);
    }
    for (const uid of uids) {
      const further = { ...about, change: "CHANGED", kind: "UID", key: uid } as const;
      this.#writing.addOrigin({ ...further, revision: NOT_WRITTEN, digest: null });
    }
  }

  /** Notes the keys and UIDs of items that change nothing about a person. */
  #noteKnown(decision: ItemDecision): void {
    const { outcome, recordId, origin, comparison } = decision;
    if (outcome !== "UNCHANGED" || comparison === null || recordId === null) return;
    this.#note(decision, recordId, ...origin === undefined ? [NOT_WRITTEN] : []);
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
    const assignments = Array.from(this.#ids).flatMap(([decision, record_id]) => {
      const { item, tags: named } = decision;
      const module_code = targets.get(item.target ?? "").moduleCode;
      const is_wanted = isAnswered(decision);
      const ids = new Set(named.flatMap((name) => tags.get(name) ?? []));
      return Array.from(ids, (term_id) => {
        return { assignment_id: newId(now), term_id, module_code, record_id, is_wanted };
      });
    });
    if (assignments.length > 0) await addAssignments(sql, owner, assignments, now);
  }

  /** The tags that this batch made and items joined, by name. */
  async #findJoined(decisions: readonly ItemDecision[]): Promise<ReadonlyMap<string, string>> {
    const names = decisions.filter(({ item, outcome, recordId }) =>
      item.target === "tag" && outcome === "UNCHANGED" && recordId === null
    ).map(({ item }) => comparedForm(item.title));
    const { sql, context: { owner } } = this.#writing;
    const tags = await findNamedTags(sql, owner, names);
    return new Map(tags.map(({ compared, term_id }) => [compared, term_id]));
  }

  #report(decision: ItemDecision, joined: ReadonlyMap<string, string>): ItemReport {
    const { item, outcome, rules } = decision;
    const isPresent = willBeWritten(decision) || outcome === "UNCHANGED";
    const present = decision.recordId ?? joined.get(comparedForm(item.title)) ?? null;
    // Files that the plan did not need were not received.
    const lacks = willBeWritten(decision) &&
      item.files.some((file) => isUsable(file) && !this.#files.has(file.sha256 ?? ""));
    return {
      ...reportOf({ ...decision, matches: this.#matchesOf(decision) }),
      rules: lacks ? [...rules, "attachment.missing"] : rules,
      recordId: isPresent ? this.#ids.get(decision) ?? present : null,
      attachmentIds: isPresent ? [...new Set(this.#filesOf(item).values())] : [],
    };
  }

  /** Includes people of earlier items of the batch. */
  #matchesOf({ matches, shared }: ItemDecision): readonly string[] {
    const made = shared.flatMap((key) => this.#made.get(key) ?? []);
    return [...new Set([...matches, ...made])].slice(0, MAX_MATCHES);
  }
}
