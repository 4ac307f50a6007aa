/**
 * The end of a run: links between people, and members of communities, once everybody of the file is there. Each
 * item is compared with what is stored, so a repetition after a crash writes nothing twice.
 */

import type { JsonObject, JsonValue } from "../core/json.ts";
import { idAfter } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import { auditEntries } from "../command/statements.ts";
import type { BatchContext } from "./judged.ts";
import type { Item } from "./item.ts";
import type { LockedObject, WrittenRevision } from "./locked_object.ts";
import { findOrigins, insertOrigins, listOriginsOfKey, type Origin } from "./origin_store.ts";
import { lockObject } from "./row_writer.ts";
import { roomOf } from "./targets.ts";

/** Whether an item of its kind can name others. */
export function canLink({ people, target }: Item): boolean {
  return people !== null && (target === "person" || target === "community");
}

/** Possible keys of the items that an item names. */
function namedBy({ people }: Item): string[] {
  return [
    ...(people?.links ?? []).flatMap(({ keys }) => keys),
    ...(people?.members ?? []).flat(),
  ];
}

/** Completes the items that this import wrote, and unchanged ones that name people whom it brought. */
export async function linkItems(
  sql: Sql,
  context: BatchContext,
  items: readonly Item[],
): Promise<void> {
  const { owner, source, now, command } = context;
  const keys = new Set(items.flatMap((item) => [item.key, ...namedBy(item)]));
  const step = new LinkStep(sql, context, await findOrigins(sql, owner, source, [...keys]));
  for (const item of items) await step.link(item);
  const modules = Map.groupBy(step.written, ({ moduleCode }) => moduleCode);
  for (const [moduleCode, revisions] of modules) {
    await auditEntries(sql, { ...command, moduleCode }, revisions);
  }
  await insertOrigins(sql, owner, step.origins, now);
}

class LinkStep {
  readonly written: WrittenRevision[] = [];
  readonly origins: Origin[] = [];
  readonly #sql: Sql;
  readonly #context: BatchContext;
  readonly #known: ReadonlyMap<string, Origin>;
  /** The last revision that an import left, by record: several items can be one person. */
  readonly #revisions: Map<string, number | null>;

  constructor(sql: Sql, context: BatchContext, known: ReadonlyMap<string, Origin>) {
    this.#sql = sql;
    this.#context = context;
    this.#known = known;
    this.#revisions = new Map(
      Array.from(known.values(), ({ record_id, revision }) => [record_id, revision]),
    );
  }

  async link(item: Item): Promise<void> {
    const origin = this.#known.get(item.key);
    if (origin === undefined || !this.#isDue(item, origin)) return;
    const { owner, targets, catalog, now } = this.#context;
    const { moduleCode } = targets.get(item.target ?? "");
    const name = { room: roomOf(moduleCode), id: origin.record_id };
    const moduleOf = (code: string) => {
      const module = catalog.module(code);
      if (module === undefined) throw new Error("A record is of an unknown module");
      return module;
    };
    const object = await lockObject(this.#sql, owner, moduleOf, name);
    if (object === null || object.isArchived) return;
    const revisions = name.room === "people"
      ? await this.#linkPerson(item, origin, object)
      : await this.#addMembers(item, origin, object);
    const revision = revisions.at(-1)?.revision;
    if (revision === undefined) return;
    this.written.push(...revisions);
    this.#revisions.set(origin.record_id, revision);
    this.origins.push({
      ...origin,
      origin_id: idAfter(origin.origin_id, now),
      import_id: this.#context.importId,
      revision,
      change: "CHANGED",
    });
  }

  #isDue(item: Item, { import_id, change, digest }: Origin): boolean {
    const { importId } = this.#context;
    if (change === "WITHDRAWN") return false;
    const named = namedBy(item);
    // A changed item may have lost its links.
    if (import_id === importId) return change === "CHANGED" || named.length > 0;
    const isNew = (key: string) => this.#known.get(key)?.import_id === importId;
    return digest === item.digest && named.some(isNew);
  }

  /** Whether the record was changed here since an import wrote it. */
  #isEdited({ record_id }: Origin, { revision }: LockedObject): boolean {
    return revision !== this.#revisions.get(record_id);
  }

  /** The person of the first key that is one. */
  #find(keys: readonly string[]): string | undefined {
    return keys.flatMap((key) => {
      const origin = this.#known.get(key);
      return origin?.target === "person" ? [origin.record_id] : [];
    })[0];
  }

  async #addMembers(
    item: Item,
    origin: Origin,
    object: LockedObject,
  ): Promise<readonly WrittenRevision[]> {
    const members = (item.people?.members ?? []).flatMap((keys) => this.#find(keys) ?? []);
    if (members.length === 0 || this.#isEdited(origin, object)) return [];
    const { targets, now } = this.#context;
    const { title, summary, payload } = item;
    const memberIds = [...new Set(members)];
    const content = targets.get("community")
      .create({ title, summary, payload: { ...payload, memberIds } }, now);
    return await object.write({ content, isArchived: false }, now);
  }

  /** Only adds links to a person who was changed here during the run. */
  async #linkPerson(
    item: Item,
    origin: Origin,
    object: LockedObject,
  ): Promise<readonly WrittenRevision[]> {
    const { owner, source, importId, targets, now } = this.#context;
    const isEdited = this.#isEdited(origin, object);
    if (isEdited && origin.import_id !== importId) return [];
    const own = isEdited
      ? null
      : ownRevisions(await listOriginsOfKey(this.#sql, owner, source, item.key));
    const { title, payload } = item;
    const before = Array.isArray(payload.details) ? payload.details as JsonValue[] : [];
    const stated = before.filter((detail) => (detail as JsonObject).kind === "LINK");
    const details = [...stated, ...this.#linksOf(item, origin.record_id)];
    const content = targets.get("person").create({ title, summary: "", payload: { details } }, now);
    const change = { content, isArchived: false, own, onlyLinks: true };
    // Other details may have taken the room.
    if ((await object.refusal?.(change) ?? null) !== null) return [];
    return await object.write(change, now);
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

/** A test for revisions of a person that the items of a key wrote. */
export function ownRevisions(origins: readonly Origin[]): (revision: number) => boolean {
  const written = new Set(origins.map(({ revision }) => revision));
  const made = origins.find(({ change }) => change === "NEW")?.revision ?? 0;
  return (revision) => revision <= made || written.has(revision);
}
