/** The tags that the items of a batch name: found, used again, or made. */

import { idAfter } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import { findNamedTags, type NamedTag } from "../families/taxonomy/imported_tags.ts";
import { lockNames } from "../families/taxonomy/name_store.ts";
import type { BatchContext } from "./judged.ts";
import { findOrigins, type Origin } from "./origin_store.ts";
import type { WrittenRevision } from "./locked_object.ts";
import { lockObject, writeNew } from "./row_writer.ts";

/** The tags of a batch. */
export interface WrittenTags {
  /** The identifiers by name, in compared form. */
  readonly ids: ReadonlyMap<string, string>;
  readonly written: readonly WrittenRevision[];
  readonly origins: readonly Origin[];
}

/**
 * Finds or makes the tags of some names.
 *
 * @param names The spellings of new ones, by their compared form.
 */
export async function writeTags(
  sql: Sql,
  context: BatchContext,
  names: ReadonlyMap<string, string>,
): Promise<WrittenTags> {
  const tags = new TagWriter(sql, context);
  await tags.find([...names.keys()]);
  // The lock of names comes after those of tags, as in every write of the taxonomy.
  await lockNames(sql, context.owner, "TAG");
  await tags.make(names);
  return tags;
}

class TagWriter implements WrittenTags {
  readonly ids = new Map<string, string>();
  readonly written: WrittenRevision[] = [];
  readonly origins: Origin[] = [];
  readonly #sql: Sql;
  readonly #context: BatchContext;
  readonly #left = new Set<string>();

  constructor(sql: Sql, context: BatchContext) {
    this.#sql = sql;
    this.#context = context;
  }

  /** Locks the tags that are there, and uses those again that a withdrawal deactivated. */
  async find(names: readonly string[]): Promise<void> {
    const { owner, source } = this.#context;
    const found = await findNamedTags(this.#sql, owner, names);
    const ids = [...new Set(found.map(({ term_id }) => term_id))].sort();
    const origins = await findOrigins(this.#sql, owner, source, ids, "TAG");
    const usable = new Set<string>();
    for (const id of ids) {
      if (await this.#use(id, origins.get(id))) usable.add(id);
    }
    for (const { compared, term_id } of found) this.#take(compared, term_id, usable.has(term_id));
  }

  #take(compared: string, id: string, isUsable: boolean): void {
    if (isUsable) this.ids.set(compared, id);
    else this.#left.add(compared);
  }

  async #use(id: string, origin: Origin | undefined): Promise<boolean> {
    const { owner, now } = this.#context;
    const name = { room: "taxonomy", id } as const;
    const tag = await lockObject(this.#sql, owner, unknownModule, name);
    if (tag === null) return false;
    if (!tag.isArchived) return true;
    if (origin?.change !== "WITHDRAWN" || origin.revision !== tag.revision) return false;
    const revisions = await tag.write({ content: null, isArchived: false }, now);
    this.written.push(...revisions);
    this.#addOrigin(id, "CHANGED", revisions.at(-1)?.revision ?? tag.revision, origin);
    return true;
  }

  /** Makes the tags whose names are free. */
  async make(names: ReadonlyMap<string, string>): Promise<void> {
    const { owner, targets, now } = this.#context;
    const missing = [...names.keys()].filter((name) =>
      !this.ids.has(name) && !this.#left.has(name)
    );
    if (missing.length === 0) return;
    const taken = await findNamedTags(this.#sql, owner, missing);
    taken.forEach((tag: NamedTag) =>
      this.#take(tag.compared, tag.term_id, tag.deactivated_at === null)
    );
    const rows = missing.filter((name) => !this.ids.has(name) && !this.#left.has(name))
      .map((name) => {
        const title = names.get(name) ?? "";
        const row = targets.get("tag").create({ title, summary: "", payload: {} }, now);
        if (row.room !== "taxonomy") throw new TypeError("A tag is of the taxonomy");
        this.ids.set(name, row.row.term_id);
        this.written.push({ moduleCode: "taxonomy", subjectId: row.row.term_id, revision: 1 });
        this.#addOrigin(row.row.term_id, "NEW", 1);
        return row;
      });
    await writeNew(this.#sql, owner, rows.map((row) => ({ row, recordedAt: now })));
  }

  #addOrigin(id: string, change: "NEW" | "CHANGED", revision: number, before?: Origin): void {
    const { importId, source, now } = this.#context;
    const origin_id = idAfter(before?.origin_id ?? null, now);
    this.origins.push({
      ...{ origin_id, import_id: importId, kind: "TAG", source, key: id },
      ...{ target: "tag", record_id: id, revision, digest: null, change },
    });
  }
}

function unknownModule(): never {
  throw new Error("A tag is of no module of records");
}
