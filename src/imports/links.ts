/**
 * The end of a run: links between people, and members of communities, after all people of the file
 * have been written. Each item is compared with its record, so a repetition after a crash writes
 * nothing twice.
 */

import type { JsonObject, JsonValue } from "../core/json.ts";
import type { ObjectChange } from "../kit/import_target.ts";
import type { TargetCounts } from "./import.ts";
import type { Item } from "./item.ts";
import { findOrigins, findOwnRevisions, type Origin } from "./origin_store.ts";
import type { Writing } from "./writing.ts";

/**
 * True for an item that names others, or may have named some before.
 *
 * @param counts The outcomes of the run.
 */
export function canLink(item: Item, counts: TargetCounts): boolean {
  const { people, target } = item;
  if (people === null || (target !== "person" && target !== "community")) return false;
  return namedBy(item).length > 0 || (counts[target]?.changed ?? 0) > 0;
}

/** Possible keys of the items that an item names. */
function namedBy({ people }: Item): string[] {
  return [
    ...(people?.links ?? []).flatMap(({ keys }) => keys),
    ...(people?.members ?? []).flat(),
  ];
}

/** Completes the items that this import wrote, and unchanged ones that name its people. */
export async function linkItems(writing: Writing, items: readonly Item[]): Promise<void> {
  const { sql, context: { owner, source } } = writing;
  const keys = new Set(items.flatMap((item) => [item.key, ...namedBy(item)]));
  const step = new LinkStep(writing, await findOrigins(sql, owner, source, [...keys]));
  for (const item of items) await step.link(item);
}

class LinkStep {
  readonly #writing: Writing;
  readonly #known: ReadonlyMap<string, Origin>;
  /** The last revision that an import left, by record: several items can be one person. */
  readonly #revisions: Map<string, number | null>;

  constructor(writing: Writing, known: ReadonlyMap<string, Origin>) {
    this.#writing = writing;
    this.#known = known;
    this.#revisions = new Map(
      Array.from(known.values(), ({ record_id, revision }) => [record_id, revision]),
    );
  }

  async link(item: Item): Promise<void> {
    const origin = this.#known.get(item.key);
    if (origin === undefined || !this.#isDue(item, origin)) return;
    const object = await this.#writing.lock(item.target ?? "", origin.record_id);
    if (object === null || object.isArchived) return;
    const isEdited = object.revision !== this.#revisions.get(origin.record_id);
    const change = item.target === "person"
      ? await this.#linksChange(item, origin, isEdited)
      : isEdited
      ? null
      : this.#membersChange(item);
    // The person may have too many details by now.
    if (change === null || (await object.refusal?.(change) ?? null) !== null) return;
    const before = object.revision;
    await object.write(change);
    if (object.revision === before) return;
    this.#revisions.set(origin.record_id, object.revision);
    this.#writing.addOrigin({ ...origin, revision: object.revision, change: "CHANGED" }, origin);
  }

  #isDue(item: Item, { import_id, change, digest }: Origin): boolean {
    const { importId } = this.#writing.context;
    if (change === "WITHDRAWN") return false;
    const named = namedBy(item);
    // A changed item may have lost its links.
    if (import_id === importId) return change === "CHANGED" || named.length > 0;
    const isNew = (key: string) => this.#known.get(key)?.import_id === importId;
    return digest === item.digest && named.some(isNew);
  }

  /** The person of the first key that is one. */
  #find(keys: readonly string[]): string | undefined {
    return keys.map((key) => this.#known.get(key)).find((origin) => origin?.target === "person")
      ?.record_id;
  }

  #membersChange({ title, summary, payload, people }: Item): ObjectChange | null {
    const memberIds = new Set((people?.members ?? []).flatMap((keys) => this.#find(keys) ?? []));
    if (memberIds.size === 0) return null;
    const content = { title, summary, payload: { ...payload, memberIds: [...memberIds] } };
    return { content, isArchived: false };
  }

  /** Only adds links to a person who was changed here during the run. */
  async #linksChange(
    item: Item,
    origin: Origin,
    isEdited: boolean,
  ): Promise<ObjectChange | null> {
    const { sql, context: { owner, source, importId } } = this.#writing;
    if (isEdited && origin.import_id !== importId) return null;
    const own = isEdited ? null : await findOwnRevisions(sql, owner, source, item.key);
    const { title, payload } = item;
    const before = Array.isArray(payload.details) ? payload.details as JsonValue[] : [];
    const stated = before.filter((detail) => (detail as JsonObject).kind === "LINK");
    const details = [...stated, ...this.#linksOf(item, origin.record_id)];
    const content = { title, summary: "", payload: { details } };
    return { content, isArchived: false, own, part: "links" };
  }

  #linksOf({ people }: Item, self: string): JsonObject[] {
    return (people?.links ?? []).flatMap(({ keys, relation, name, detail }) => {
      const personId = this.#find(keys);
      if (personId === self) return [];
      const value: JsonObject = personId === undefined
        ? { name, relation }
        : { personId, relation };
      return [{ kind: "LINK", value, ...detail }];
    });
  }
}
