/** People by the UIDs of cards. */

import type { Sql } from "../database/sql.ts";
import {
  comparedUid,
  findPeople,
  isSharedUid,
  MAX_UID_BYTES,
  MAX_UIDS,
  personOfUid,
} from "../families/relationship/import_port.ts";
import { utf8Length } from "../validate/canonical.ts";
import { isStorableText } from "../validate/text.ts";
import { hasUids } from "./converters/people.ts";
import type { DecisionContext } from "./decision.ts";
import { uidsOf } from "./earlier_people.ts";
import type { Item } from "./item.ts";
import { findOrigins } from "./origin_store.ts";
import { findByUid, isMadeKey, type PersonOrigins } from "./people_origins.ts";

/** The people of the UIDs of a batch. */
export interface UidPeople {
  /** A key, then the stored keys of the source that are equal to it in compared form. */
  readonly ownKeys: (key: string) => readonly string[];
  /** People here with a UID of an item. */
  readonly of: (item: Item) => readonly string[];
}

/** Finds the people whose UIDs items have. */
export async function findUidPeople(
  sql: Sql,
  { owner, source, reads }: DecisionContext,
  items: readonly Item[],
): Promise<UidPeople> {
  const keys = items.flatMap(({ key, target, people }) => [
    ...target === "community" ? [comparedUid(key)] : [],
    ...people?.repeats ? [comparedUid(people.repeats)] : [],
  ]);
  const uids = hasUids(source) ? [...new Set([...items.flatMap(uidsOf), ...keys])] : [];
  const { rowsOf, peopleOf } = await findPeopleOf(sql, owner, source, uids);
  const isCompared = reads.has("relationship.ledger.read");
  return {
    ownKeys: (key) => {
      const rows = rowsOf(comparedUid(key));
      return [key, ...rows.flatMap((row) => row.kind === "ITEM" ? row.key : [])];
    },
    of: (item) => isCompared ? [...new Set(uidsOf(item).flatMap(peopleOf))] : [],
  };
}

/**
 * The origins of the source by UID, and the people of a UID. A short one counts in its own source
 * only.
 */
async function findPeopleOf(sql: Sql, owner: string, source: string, uids: readonly string[]) {
  const rows = Map.groupBy(await findByUid(sql, owner, uids), ({ uid }) => uid);
  const exported = new Map(uids.map((uid) => [uid, personOfUid(uid)]));
  const ids = [...exported.values()].flatMap((id) => id ?? []);
  const present = await findPeople(sql, owner, ids, "ANY");
  const rowsOf = (uid: string) => (rows.get(uid) ?? []).filter((row) => row.source === source);
  const peopleOf = (uid: string) => {
    const person = exported.get(uid) ?? "";
    const isShared = isSharedUid(uid);
    const known = (rows.get(uid) ?? []).filter((row) =>
      row.target === "person" && (isShared || row.source === source)
    ).map(({ record_id }) => record_id);
    return [...new Set(present.has(person) ? [person, ...known] : known)];
  };
  return { rowsOf, peopleOf };
}

/** Finds the person whom an item of the source names by a key or UID. */
export type FindNamed = (keys: readonly string[]) => string | undefined;

/**
 * Finds the people whom links and members name: of the source, else the one open person here with
 * that UID.
 */
export async function findNamed(
  sql: Sql,
  { owner, source }: Pick<DecisionContext, "owner" | "source">,
  keys: readonly string[],
): Promise<FindNamed> {
  const known = await findOrigins(sql, owner, source, keys);
  const uids = hasUids(source) ? [...new Set(keys.map(comparedUid))] : [];
  const { rowsOf, peopleOf } = await findPeopleOf(sql, owner, source, uids);
  const open = await findPeople(sql, owner, uids.flatMap(peopleOf), "OPEN");
  const ofSource = (key: string) => {
    const origin = known.get(key);
    if (origin?.target === "person") return origin.record_id;
    return rowsOf(comparedUid(key)).find(({ target }) => target === "person")?.record_id;
  };
  const ofOthers = (key: string) => {
    const found = peopleOf(comparedUid(key)).filter((id) => open.has(id));
    return found.length === 1 ? found : [];
  };
  return (named) => {
    for (const key of named) {
      const own = ofSource(key);
      if (own !== undefined) return own;
    }
    return named.flatMap(ofOthers)[0];
  };
}

/** The UIDs of a card that its person gets, and how many are left out. */
export function newUids(
  { key, people }: Pick<Item, "key" | "people">,
  origins: PersonOrigins,
): { readonly uids: readonly string[]; readonly leftOut: readonly string[] } {
  const known = new Set(origins.uids);
  if (people?.isIdentified === true && !isMadeKey(key)) known.add(comparedUid(key));
  const stated = new Map((people?.uids ?? []).map((uid) => [comparedUid(uid), uid]));
  const further = [...stated].filter(([compared]) => compared !== "" && !known.has(compared));
  const room = Math.max(0, MAX_UIDS - known.size);
  const isStorable = (uid: string) => isStorableText(uid) && utf8Length(uid) <= MAX_UID_BYTES;
  const storable = further.filter(([, uid]) => isStorable(uid)).slice(0, room);
  return {
    uids: storable.map(([, uid]) => uid),
    leftOut: storable.length < further.length ? ["UID"] : [],
  };
}
