/**
 * The end of a run: links between people, and members of communities, once everybody of the file is there. What
 * was linked before a crash is compared, and not linked again.
 */

import type { JsonObject, JsonValue } from "../core/json.ts";
import { idAfter } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import { auditEntries } from "../command/statements.ts";
import type { BatchContext } from "./judged.ts";
import type { Item } from "./item.ts";
import { findOrigins, insertOrigins, listOriginsOfKey, type Origin } from "./origin_store.ts";
import { lockObject } from "./row_writer.ts";
import { roomOf } from "./targets.ts";

/** Whether an item of its kind can name others. */
export function canLink({ people, target }: Item): boolean {
  return people !== null && (target === "person" || target === "community");
}

function isLinked({ people }: Item): boolean {
  return people !== null && people.links.length + people.members.length > 0;
}

/** Completes the items that this import wrote and that are as it left them. */
export async function linkItems(
  sql: Sql,
  context: BatchContext,
  items: readonly Item[],
): Promise<void> {
  const { owner, source, importId, now, command, targets } = context;
  const named = items.flatMap(({ people }) => [
    ...(people?.links ?? []).flatMap(({ keys }) => keys),
    ...(people?.members ?? []).flat(),
  ]);
  const origins = await findOrigins(sql, owner, source, [
    ...new Set([...items.map(({ key }) => key), ...named]),
  ]);
  const written: Origin[] = [];
  for (const item of items) {
    const origin = origins.get(item.key);
    if (origin?.import_id !== importId || origin.change === "WITHDRAWN") continue;
    // A changed item may have lost its links.
    if (origin.change === "NEW" && !isLinked(item)) continue;
    const { moduleCode } = targets.get(item.target ?? "");
    const revisions = await linkItem(sql, context, item, origin, personOf(origins));
    const revision = revisions.at(-1)?.revision;
    if (revision === undefined) continue;
    await auditEntries(sql, { ...command, moduleCode }, revisions);
    const change = "CHANGED";
    written.push({ ...origin, origin_id: idAfter(origin.origin_id, now), revision, change });
  }
  await insertOrigins(sql, owner, written, now);
}

/** The person of the first key that is one. */
function personOf(origins: ReadonlyMap<string, Origin>) {
  return (keys: readonly string[]): string | undefined =>
    keys.flatMap((key) => {
      const origin = origins.get(key);
      return origin?.target === "person" ? [origin.record_id] : [];
    })[0];
}

async function linkItem(
  sql: Sql,
  { owner, source, now, targets, catalog }: BatchContext,
  item: Item,
  origin: Origin,
  find: (keys: readonly string[]) => string | undefined,
) {
  const target = targets.get(item.target ?? "");
  const name = { room: roomOf(target.moduleCode), id: origin.record_id };
  const moduleOf = (code: string) => {
    const module = catalog.module(code);
    if (module === undefined) throw new Error("A record is of an unknown module");
    return module;
  };
  const object = await lockObject(sql, owner, moduleOf, name);
  if (object === null || object.isArchived || object.revision !== origin.revision) return [];
  const { title, summary, payload } = item;
  if (name.room !== "people") {
    const members = (item.people?.members ?? []).flatMap((keys) => find(keys) ?? []);
    if (members.length === 0) return [];
    const memberIds = [...new Set(members)];
    const content = target.create({ title, summary, payload: { ...payload, memberIds } }, now);
    return await object.write({ content, isArchived: false }, now);
  }
  const made = await listOriginsOfKey(sql, owner, source, item.key);
  const own = ownRevisions(made);
  const links = (item.people?.links ?? []).flatMap((link) => {
    const personId = find(link.keys);
    if (personId === origin.record_id) return [];
    const value: JsonObject = personId === undefined
      ? { name: link.name, relation: link.relation }
      : { personId, relation: link.relation };
    return [{ kind: "LINK", value, ...link.detail } as JsonObject];
  });
  const before = Array.isArray(payload.details) ? payload.details as JsonValue[] : [];
  const stated = before.filter((detail) => (detail as JsonObject).kind === "LINK");
  const content = target.create({
    ...{ title, summary: "" },
    payload: { details: [...stated, ...links] },
  }, now);
  return await object.write({ content, isArchived: false, own, onlyLinks: true }, now);
}

/** A test for revisions of a person that the items of a key wrote. */
export function ownRevisions(origins: readonly Origin[]): (revision: number) => boolean {
  const written = new Set(origins.map(({ revision }) => revision));
  const made = origins.find(({ change }) => change === "NEW")?.revision ?? 0;
  return (revision) => revision <= made || written.has(revision);
}
