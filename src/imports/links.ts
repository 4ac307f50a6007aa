/**
 * The end of a run: links between people, and members of communities, after all people of the file
 * have been written. Each item is compared with its record, so a repetition after a crash writes
 * nothing twice.
 */

import { isLink } from "../families/relationship/import_port.ts";
import type { ObjectChange } from "../kit/import_target.ts";
import { type FileMembers, findMembers, MAX_MEMBERS } from "./group_members.ts";
import type { TargetCounts } from "./import.ts";
import type { Item } from "./item.ts";
import { findOrigins, type Origin } from "./origin_store.ts";
import { findOriginsOf } from "./people_origins.ts";
import { findNamed, findUidPeople } from "./people_uids.ts";
import { detailsOf, linkDetails, linkedKeys } from "./person_changes.ts";
import type { Writing } from "./writing.ts";

/** True for the kinds of items that can name others. */
export function isLinkable({ people, target }: Item): boolean {
  return people !== null && (target === "person" || target === "community");
}

/**
 * True for an item that names others, may have named some before, or is archived after its links.
 *
 * @param counts The outcomes of the run.
 */
export function canLink(item: Item, counts: TargetCounts): boolean {
  const { people, target, archived } = item;
  const isNaming = people !== null && people.links.length + people.members.length > 0;
  const isChanged = (counts[target ?? ""]?.changed ?? 0) > 0;
  return isLinkable(item) && (archived || isNaming || isChanged);
}

/** Completes the items that this import wrote, and unchanged ones that name its people. */
export async function linkItems(
  writing: Writing,
  items: readonly Item[],
  cards: FileMembers,
): Promise<void> {
  const { sql, context } = writing;
  const { owner, source } = context;
  const { ownKeys } = await findUidPeople(sql, context, items);
  const keys = items.flatMap(({ key }) => ownKeys(key));
  const origins = await findOrigins(sql, owner, source, keys);
  const originOf = ({ key }: Item) => ownKeys(key).flatMap((each) => origins.get(each) ?? [])[0];
  const find = await findNamed(sql, context, items.flatMap(linkedKeys));
  const findMember = await findMembers(sql, context, items, cards);
  const namedBy = (item: Item) => [
    ...(item.people?.links ?? []).flatMap(({ keys }) => find(keys) ?? []),
    ...(item.people?.members ?? []).flatMap((member) => findMember(member) ?? []),
  ];
  const people = Array.from(origins.values(), ({ record_id }) => record_id);
  const originsOf = await findOriginsOf(sql, owner, [...people, ...items.flatMap(namedBy)]);
  const step = new LinkStep(writing, { originOf, originsOf, namedBy, find });
  for (const item of items) await step.link(item);
}

/** The stored rows of a batch. */
interface LinkRows {
  readonly originOf: (item: Item) => Origin | undefined;
  readonly originsOf: Awaited<ReturnType<typeof findOriginsOf>>;
  /** The people whom an item names. */
  readonly namedBy: (item: Item) => readonly string[];
  readonly find: Awaited<ReturnType<typeof findNamed>>;
}

class LinkStep {
  readonly #writing: Writing;
  readonly #rows: LinkRows;

  constructor(writing: Writing, rows: LinkRows) {
    this.#writing = writing;
    this.#rows = rows;
  }

  async link(item: Item): Promise<void> {
    const origin = this.#rows.originOf(item);
    if (origin === undefined || !this.#isDue(item, origin)) return;
    const object = await this.#writing.lock(item.target ?? "", origin.record_id);
    if (object === null) return;
    const isMade = origin.import_id === this.#writing.context.importId && origin.change === "NEW";
    // An archived person is restored for new links only if this import archives again.
    const isArchived = item.archived && (isMade || object.isArchived);
    if (object.isArchived && !isArchived) return;
    const isEdited = object.revision !== origin.revision;
    const change = item.target === "person"
      ? this.#linksChange(item, origin, isArchived)
      : isEdited
      ? null
      : this.#membersChange(item);
    if (change === null) return;
    const before = object.revision;
    await object.write(change);
    if (object.revision === before) return;
    for (let revision = before + 1, last = origin; revision <= object.revision; revision++) {
      last = this.#writing.addOrigin({ ...origin, revision, change: "CHANGED" }, last);
    }
  }

  #isDue(item: Item, { import_id, change, digest }: Origin): boolean {
    const { importId } = this.#writing.context;
    if (change === "WITHDRAWN") return false;
    const named = this.#rows.namedBy(item);
    const { links = [], members = [] } = item.people ?? {};
    // A changed item may have lost its links.
    if (import_id === importId) {
      return change === "CHANGED" || item.archived || links.length + members.length > 0;
    }
    const isNew = named.some((id) => this.#rows.originsOf(id).isWrittenBy(importId));
    return isNew && (item.target === "person" || digest === item.digest);
  }

  #membersChange(item: Item): ObjectChange | null {
    const { title, summary, payload } = item;
    const memberIds = [...new Set(this.#rows.namedBy(item))].slice(0, MAX_MEMBERS);
    if (memberIds.length === 0) return null;
    const content = { title, summary, payload: { ...payload, memberIds } };
    return { content, isArchived: false };
  }

  #linksChange(item: Item, { key, record_id }: Origin, isArchived: boolean): ObjectChange {
    const { source } = this.#writing.context;
    const { title, payload } = item;
    const stated = detailsOf(payload).filter(isLink);
    const details = [...stated, ...linkDetails(item, record_id, this.#rows.find)];
    const origins = this.#rows.originsOf(record_id);
    const isOwnCard = item.people?.isOwnCard === true;
    return {
      content: { title, summary: "", payload: { details } },
      isArchived,
      comparison: {
        own: origins.own(source, key),
        imported: origins.imported(),
        takes: !isOwnCard,
        isOwnCard,
        isWhole: false,
        part: "links",
      },
    };
  }
}
