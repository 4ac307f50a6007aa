/** Tags that the items of a batch name: finds stored ones and writes new ones. */

import type { Sql } from "../database/sql.ts";
import {
  comparedForm,
  findNamedTags,
  lockNames,
  type NamedTag,
} from "../families/taxonomy/import_port.ts";
import type { ItemContent } from "../kit/import_target.ts";
import { isLongerThan, isStorableText } from "../validate/text.ts";
import { type DecisionContext, type ItemDecision, willBeWritten } from "./decision.ts";
import { findOrigins, type Origin } from "./origin_store.ts";
import type { Writing } from "./writing.ts";

/** More code points than any name has; longer ones are not compared. */
const MAX_NAME = 64;

/** Stored tags with the names of a batch. */
interface KnownNames {
  readonly found: ReadonlyMap<string, NamedTag>;
  /** The newest origin of each inactive tag that an import of the source made. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Names that earlier items will have written. */
  readonly earlier: Set<string>;
}

/** The decisions of a batch with tags, and with the outcomes and rules that these cause. */
export async function withTags(
  sql: Sql,
  context: DecisionContext,
  batch: readonly ItemDecision[],
  earlier: Set<string>,
): Promise<ItemDecision[]> {
  const { owner, source } = context;
  const compared = new Set(
    batch.flatMap(namesOf).filter(isStorable).map(comparedForm),
  );
  const isCompared = context.reads.has("taxonomy.read");
  const tags = isCompared ? await findNamedTags(sql, owner, [...compared]) : [];
  const inactive = tags.filter(({ deactivated_at }) => deactivated_at !== null);
  const ids = [...new Set(inactive.map(({ term_id }) => term_id))];
  const known = {
    found: new Map(tags.map((tag) => [tag.compared, tag])),
    origins: await findOrigins(sql, owner, source, ids, "TAG"),
    earlier,
  };
  return batch.map((decision) => {
    if (!willBeWritten(decision)) return decision;
    const own = decision.item.target === "tag" ? joinTag(decision, known) : decision;
    return willBeWritten(own) ? addTags(own, known, context) : own;
  });
}

/** An item that is a tag joins the stored tag with its name. */
function joinTag(decision: ItemDecision, { found, earlier }: KnownNames): ItemDecision {
  const [name = "", ...aliases] = namesOf(decision).map(comparedForm);
  const takenBy = (compared: string) => {
    const tag = found.get(compared);
    if (tag !== undefined && tag.term_id !== decision.recordId) return tag.term_id;
    return earlier.has(compared) && tag === undefined ? "" : null;
  };
  const owner = takenBy(name);
  if (decision.outcome === "NEW" && owner !== null) {
    const rules = [...decision.rules, "tag.joined"];
    return { ...decision, outcome: "UNCHANGED", rules, recordId: owner === "" ? null : owner };
  }
  if ([name, ...aliases].some((compared) => takenBy(compared) !== null)) {
    return { ...decision, outcome: "REFUSED", rules: [...decision.rules, "tag.name_taken"] };
  }
  for (const compared of [name, ...aliases]) earlier.add(compared);
  return decision;
}

function addTags(
  decision: ItemDecision,
  known: KnownNames,
  context: DecisionContext,
): ItemDecision {
  const rules = new Set(decision.rules);
  const tags = new Set<string>();
  for (const name of decision.item.tags) {
    // A tag does not have tags.
    if (decision.item.target === "tag" || !isName(name, context)) rules.add("tag.invalid");
    else if (isUsable(comparedForm(name), known)) tags.add(comparedForm(name));
    else rules.add("tag.inactive");
  }
  for (const compared of tags) known.earlier.add(compared);
  return { ...decision, rules: [...rules], tags: [...tags] };
}

function isName(name: string, { targets, now }: DecisionContext): boolean {
  if (!isStorable(name)) return false;
  try {
    targets.get("tag").check(tagContent(name), now);
    return true;
  } catch {
    return false;
  }
}

function tagContent(title: string): ItemContent {
  return { title, summary: "", payload: {} };
}

/** True for a name that can be a parameter of a statement. */
function isStorable(name: string): boolean {
  return !isLongerThan(name, MAX_NAME) && isStorableText(name);
}

/** False for an inactive tag, unless only a withdrawal deactivated it. */
function isUsable(compared: string, { found, origins }: KnownNames): boolean {
  const tag = found.get(compared);
  if (tag === undefined || tag.deactivated_at === null) return true;
  const origin = origins.get(tag.term_id);
  return origin?.change === "WITHDRAWN" && origin.revision === tag.revision;
}

/** The tags of an item; for a tag its own names. */
function namesOf(
  { item: { target, title, tags, payload: { aliases } } }: ItemDecision,
): readonly string[] {
  if (target !== "tag") return tags;
  const texts = Array.isArray(aliases) ? aliases.filter((name) => typeof name === "string") : [];
  return [title, ...texts];
}

/**
 * Finds or inserts the tags of some names. Tags that a withdrawal deactivated are restored; other
 * inactive ones are left out.
 *
 * @param names The spellings of new ones, by their compared form.
 * @returns The identifiers by name, in compared form.
 */
export async function writeTags(
  writing: Writing,
  names: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const { sql, context: { owner } } = writing;
  const found = await findNamedTags(sql, owner, [...names.keys()]);
  const usable = await lockUsable(writing, new Set(found.map(({ term_id }) => term_id)));
  // The lock of names comes after those of tags, as in every write of the taxonomy.
  await lockNames(sql, owner, "TAG");
  const known = new Set(found.map(({ compared }) => compared));
  const missing = [...names.keys()].filter((name) => !known.has(name));
  const taken = await findNamedTags(sql, owner, missing);
  for (const { term_id, deactivated_at } of taken) if (deactivated_at === null) usable.add(term_id);
  for (const { compared } of taken) known.add(compared);
  const absent = missing.filter((name) => !known.has(name));
  return new Map([
    ...[...found, ...taken].filter(({ term_id }) => usable.has(term_id))
      .map(({ compared, term_id }) => [compared, term_id] as const),
    ...await insertTags(writing, absent.map((name) => [name, names.get(name) ?? ""])),
  ]);
}

/** Locks tags; returns the active ones, and those that it restores after a withdrawal. */
async function lockUsable(writing: Writing, ids: ReadonlySet<string>): Promise<Set<string>> {
  const { sql, context: { owner, source } } = writing;
  const present = [...ids].sort();
  const before = await findOrigins(sql, owner, source, present, "TAG");
  const usable = new Set<string>();
  for (const id of present) {
    const tag = await writing.lock("tag", id);
    const origin = before.get(id);
    const isOurs = origin?.change === "WITHDRAWN" && origin.revision === tag?.revision;
    if (tag === null || tag.isArchived && !isOurs) continue;
    usable.add(id);
    if (!tag.isArchived) continue;
    await tag.write({ content: null, isArchived: false });
    addTagOrigin(writing, { id, revision: tag.revision, change: "CHANGED" }, origin);
  }
  return usable;
}

/** @param names The compared form and the spelling of each name. */
async function insertTags(
  writing: Writing,
  names: readonly (readonly [compared: string, spelling: string])[],
): Promise<readonly (readonly [compared: string, id: string])[]> {
  const { targets, now: recordedAt } = writing.context;
  const target = "tag";
  const objects = names.map(([, name]) => ({ target, content: tagContent(name), recordedAt }));
  const inserted = await writing.insert(targets.get(target).insert, objects);
  for (const { id, revision } of inserted) addTagOrigin(writing, { id, revision, change: "NEW" });
  return names.map(([compared], index) => [compared, inserted[index]?.id ?? ""]);
}

function addTagOrigin(
  writing: Writing,
  { id, revision, change }: Pick<Origin, "revision" | "change"> & { readonly id: string },
  before?: Origin,
): void {
  const about = { kind: "TAG", key: id, target: "tag", record_id: id, digest: null } as const;
  writing.addOrigin({ ...about, revision, change }, before);
}
