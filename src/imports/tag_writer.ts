/** The tags that the items of a batch name: found, used again, or made. */

import { idAfter } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import { findNamedTags } from "../families/taxonomy/imported_tags.ts";
import { lockNames } from "../families/taxonomy/name_store.ts";
import type { BatchContext } from "./judged.ts";
import { findOrigins, type Origin } from "./origin_store.ts";
import type { WrittenRevision } from "./locked_object.ts";
import { idOf, lockObject, moduleIn, writeNew } from "./row_writer.ts";

export interface WrittenTags {
  /** The identifiers by name, in compared form. */
  readonly ids: ReadonlyMap<string, string>;
  readonly written: readonly WrittenRevision[];
  readonly origins: readonly Origin[];
}

/**
 * Finds or makes the tags of some names. Those that a withdrawal deactivated are used again; other inactive ones
 * are left out.
 *
 * @param names The spellings of new ones, by their compared form.
 */
export async function writeTags(
  sql: Sql,
  context: BatchContext,
  names: ReadonlyMap<string, string>,
): Promise<WrittenTags> {
  const { owner, importId, source, catalog, targets, now } = context;
  const written: WrittenRevision[] = [];
  const origins: Origin[] = [];
  const addOrigin = (id: string, change: "NEW" | "CHANGED", revision: number, before?: Origin) =>
    origins.push({
      ...{ origin_id: idAfter(before?.origin_id ?? null, now), import_id: importId, kind: "TAG" },
      ...{ source, key: id, target: "tag", record_id: id, revision, digest: null, change },
    });
  const found = await findNamedTags(sql, owner, [...names.keys()]);
  const present = [...new Set(found.map(({ term_id }) => term_id))].sort();
  const before = await findOrigins(sql, owner, source, present, "TAG");
  const usable = new Set<string>();
  for (const id of present) {
    const tag = await lockObject(sql, owner, moduleIn(catalog), { room: "taxonomy", id });
    const origin = before.get(id);
    const isOurs = origin?.change === "WITHDRAWN" && origin.revision === tag?.revision;
    if (tag === null || tag.isArchived && !isOurs) continue;
    usable.add(id);
    if (!tag.isArchived) continue;
    const revisions = await tag.write({ content: null, isArchived: false }, now);
    written.push(...revisions);
    addOrigin(id, "CHANGED", revisions.at(-1)?.revision ?? tag.revision, origin);
  }
  // The lock of names comes after those of tags, as in every write of the taxonomy.
  await lockNames(sql, owner, "TAG");
  const known = new Set(found.map(({ compared }) => compared));
  const missing = [...names.keys()].filter((name) => !known.has(name));
  const taken = await findNamedTags(sql, owner, missing);
  for (const { term_id, deactivated_at } of taken) if (deactivated_at === null) usable.add(term_id);
  const ids = new Map(
    [...found, ...taken].filter(({ term_id }) => usable.has(term_id))
      .map(({ compared, term_id }) => [compared, term_id]),
  );
  for (const { compared } of taken) known.add(compared);
  const rows = missing.filter((name) => !known.has(name)).map((name) => {
    const title = names.get(name) ?? "";
    const row = targets.get("tag").create({ title, summary: "", payload: {} }, now);
    const id = idOf(row);
    ids.set(name, id);
    written.push({ moduleCode: "taxonomy", subjectId: id, revision: 1 });
    addOrigin(id, "NEW", 1);
    return { row, recordedAt: now };
  });
  await writeNew(sql, owner, rows);
  return { ids, written, origins };
}
