/** Compares people of a batch with stored people, and applies the owner's answers. */

import type { Sql } from "../database/sql.ts";
import { findPeople, findSharing } from "../families/relationship/import_port.ts";
import { isStorableText } from "../validate/text.ts";
import type { RecordState } from "../records/import_port.ts";
import { hasUids } from "./converters/people.ts";
import type { DecisionContext, ItemOutcome } from "./decision.ts";
import {
  type Candidate,
  type EarlierPeople,
  MAX_MATCHES,
  NO_MATCHES,
  type PersonMatches,
} from "./earlier_people.ts";
import type { Item } from "./item.ts";
import { answerOf, isJoin, namedPerson } from "./people_answers.ts";
import { findOriginsOf, type PersonOrigin } from "./people_origins.ts";

/** The decision about an item, and the person whom it joins. */
interface PersonOutcome extends ItemOutcome {
  /** A stored person. */
  readonly joined?: RecordState;
  /** The key of an earlier item of the file. */
  readonly joinedKey?: string;
  /** True if a UID decides, and not the owner. */
  readonly isUidKnown?: boolean;
}

type FindStored = (item: Item) => readonly string[];

/**
 * Finds the stored people who share an email or number with each item of a batch. For a card with a
 * UID, people of the same source do not count, unless only an answer of this import joined them.
 */
export async function findStored(
  sql: Sql,
  { owner, source, importId, mapping }: DecisionContext,
  items: readonly Item[],
): Promise<FindStored> {
  const forms = items.flatMap(({ people }) => people?.compared ?? []).filter(isStorableText);
  const peopleOf = await findSharing(sql, owner, forms, MAX_MATCHES + 1);
  const sharing: FindStored = ({ people }) => (people?.compared ?? []).flatMap(peopleOf);
  const identified = items.filter(({ people }) => people?.isIdentified === true);
  const originsOf = await findOriginsOf(sql, owner, identified.flatMap(sharing));
  const isAnswered = (origin: PersonOrigin) =>
    origin.import_id === importId && isJoin(answerOf(mapping, origin.key));
  return (item) =>
    item.people?.isIdentified === true
      ? sharing(item).filter((id) => !originsOf(id).isOf(source, isAnswered))
      : sharing(item);
}

export interface ComparedPeople {
  /** People whose states the decisions need. */
  readonly ids: readonly string[];
  /**
   * Decides about an item. Call it in the order of the file.
   *
   * @param self The item's own person; undefined without an origin.
   * @param states States of the people who can be changed.
   */
  readonly decide: (
    item: Item,
    self: string | undefined,
    states: ReadonlyMap<string, RecordState>,
  ) => PersonOutcome & Pick<PersonMatches, "matches" | "shared">;
}

/** People here by the UIDs of an item, and by a key of its source. */
interface KnownPeople {
  readonly ofUids: FindStored;
  readonly ofKey: (key: string) => string | undefined;
}

/** @param earlier The batch adds its own items. */
export async function comparePeople(
  sql: Sql,
  context: DecisionContext,
  items: readonly Item[],
  { ofUids, ofKey }: KnownPeople,
  earlier: EarlierPeople,
): Promise<ComparedPeople> {
  const { owner, source, mapping, reads } = context;
  const isCompared = reads.has("relationship.ledger.read");
  const storedOf = isCompared ? await findStored(sql, context, items) : () => [];
  const named = items.flatMap(({ key, people }) =>
    people === null ? [] : namedPerson(answerOf(mapping, key)) ?? []
  );
  const withUids = items.flatMap(ofUids);
  const open = await findPeople(sql, owner, withUids, "OPEN");
  const decide: ComparedPeople["decide"] = (item, self, states) => {
    if (item.people === null || item.target !== "person") {
      return { ...decideOther(item, answerOf(mapping, item.key)), matches: [], shared: [] };
    }
    const { isIdentified, repeats = null } = item.people;
    const repeated = repeats === null ? [] : ofKey(repeats) ?? [];
    const sharing = storedOf(item).filter((id) => !(isIdentified && earlier.hasJoined(id)));
    const stored = [repeated, sharing].flat();
    const answer = answerOf(mapping, item.key);
    const found = isCompared ? earlier.compare(item, stored, self) : NO_MATCHES;
    const ofUid = self === undefined && repeats === null && hasUids(source)
      ? withUid(ofUids(item), earlier.ofUid(item), open)
      : null;
    const compared: PersonMatches = ofUid ?? found;
    const decision: PersonOutcome = self === undefined
      ? decideNew(answer, compared, states, repeats === null ? ofUid?.isOne ?? null : false)
      : { outcome: "NEW" };
    const person = self === undefined ? becomes(item, decision) : { personId: self };
    earlier.add(item, person);
    if (person !== null && "personId" in person && !isJoin(answer)) {
      earlier.addJoined(person.personId);
    }
    return { ...decision, matches: compared.matches, shared: compared.shared };
  };
  return { ids: [...named, ...withUids, ...items.flatMap(storedOf)], decide };
}

/** The people with a UID of an item; null if there are none. */
function withUid(
  ids: readonly string[],
  earlier: Candidate | null,
  openPeople: ReadonlySet<string>,
): PersonMatches & { readonly isOne: boolean } | null {
  const open = ids.filter((id) => openPeople.has(id));
  if (open.length === 0 && earlier !== null) {
    const [matches, keys] = "key" in earlier ? [[], [earlier.key]] : [[earlier.personId], []];
    return { matches, keys, shared: keys, isOne: true };
  }
  if (ids.length === 0) return null;
  const matches = open.length > 0 ? open : ids;
  return { matches, keys: [], shared: [], isOne: open.length === 1 };
}

/** Decides about an item that is not a person. A group can repeat the key of another one. */
function decideOther({ target, people }: Item, answer: string | undefined): PersonOutcome {
  if (target !== "community" || (people?.repeats ?? null) === null) return { outcome: "NEW" };
  if (answer === "leave") return { outcome: "REFUSED", rule: "import.left" };
  return { outcome: answer === "new" ? "NEW" : "POSSIBLE_DUPLICATE" };
}

/**
 * @param isOneByUid Whether one open person has a UID of the item; false if the item repeats a key,
 * and null if no person has one.
 */
function decideNew(
  answer: string | undefined,
  { matches, shared, keys }: PersonMatches,
  states: ReadonlyMap<string, RecordState>,
  isOneByUid: boolean | null,
): PersonOutcome {
  if (answer === "leave") return { outcome: "REFUSED", rule: "import.left" };
  if (answer === "new") return { outcome: "NEW" };
  if (answer === undefined && isOneByUid !== true) {
    const isPossible = matches.length + shared.length > 0 || isOneByUid === false;
    return { outcome: isPossible ? "POSSIBLE_DUPLICATE" : "NEW" };
  }
  const isUidKnown = answer === undefined;
  const isOne = matches.length + keys.length === 1;
  const personId = namedPerson(answer) ?? (isOne ? matches[0] : undefined);
  const [joinedKey] = keys;
  if (personId === undefined && isOne && joinedKey !== undefined) {
    return { outcome: "CHANGED", joinedKey, isUidKnown };
  }
  const joined = states.get(personId ?? "");
  return joined === undefined
    ? { outcome: "POSSIBLE_DUPLICATE" }
    : { outcome: "CHANGED", joined, isUidKnown };
}

/** The person that a new item becomes; null for an item that is left out. */
function becomes(
  { key }: Item,
  { outcome, joined, joinedKey = key }: PersonOutcome,
): Candidate | null {
  if (outcome !== "NEW" && outcome !== "CHANGED") return null;
  return joined === undefined ? { key: joinedKey } : { personId: joined.record_id };
}
