/** Compares people of a batch with stored people, and applies the owner's answers. */

import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { findMatches, findPeople } from "../families/relationship/import_port.ts";
import type { RecordState } from "../records/import_port.ts";
import type { ImportRow } from "./import.ts";
import type { Item } from "./item.ts";
import type { DecisionContext, ItemOutcome } from "./decision.ts";
import type { ImportServices } from "./work.ts";

/** The decision about an item, and the person whom it joins. */
interface PersonOutcome extends ItemOutcome {
  /** A stored person. */
  readonly joined?: RecordState;
  /** The key of an earlier item of the file. */
  readonly joinedKey?: string;
}

/** The owner's answer by key; undefined without one. */
function answerOf(mapping: JsonObject | null, key: string): string | undefined {
  const answers = mapping?.duplicates ?? null;
  const answer = isJsonObject(answers) && Object.hasOwn(answers, key) ? answers[key] : undefined;
  return typeof answer === "string" ? answer : undefined;
}

/** The person that an answer names; undefined if it names none. */
function namedPerson(answer: string | undefined): string | undefined {
  return /^join:(.*)$/.exec(answer ?? "")?.[1];
}

/** A stored person, or the item of the file that becomes one. */
type Candidate = { readonly personId: string } | { readonly key: string };

/** Maximum listed people that share an email or number. */
export const MAX_MATCHES = 100;

/** Earlier items of a file by emails and numbers in compared form. */
export class EarlierPeople {
  /** Most forms have one key, and a set costs much more than a text. */
  readonly #keys = new Map<string, string | Set<string>>();
  /** Candidates of items that do not become people of their own. */
  readonly #becomes = new Map<string, Candidate | null>();

  /** @param becomes Null for an item that is left out. */
  add({ key, people }: Item, becomes: Candidate | null): void {
    const isItself = becomes !== null && "key" in becomes && becomes.key === key;
    if (!isItself) this.#becomes.set(key, becomes);
    for (const form of people?.compared ?? []) {
      const keys = this.#keys.get(form);
      if (keys === undefined) this.#keys.set(form, key);
      else if (typeof keys === "string") this.#keys.set(form, new Set([keys, key]));
      else if (keys.size <= MAX_MATCHES) keys.add(key);
    }
  }

  /**
   * Finds the people with whom an item shares an email or number: stored people, and earlier items.
   *
   * @param stored The stored people among them.
   */
  compare({ people }: Item, stored: readonly string[], self = ""): PersonMatches {
    const forms = people?.compared ?? [];
    const shared = [...new Set(forms.flatMap((form) => this.#keysOf(form)))];
    const candidates = shared.flatMap((key) =>
      this.#becomes.has(key) ? this.#becomes.get(key) ?? [] : { key }
    );
    const matches = new Set([
      ...stored,
      ...candidates.flatMap((each) => "personId" in each ? [each.personId] : []),
    ]);
    matches.delete(self);
    const keys = new Set(candidates.flatMap((each) => "key" in each ? [each.key] : []));
    return { matches: [...matches].slice(0, MAX_MATCHES), shared, keys: [...keys] };
  }

  #keysOf(form: string): readonly string[] {
    const keys = this.#keys.get(form) ?? [];
    return typeof keys === "string" ? [keys] : [...keys];
  }
}

interface PersonMatches {
  /** Stored people. */
  readonly matches: readonly string[];
  /** Keys of earlier items. */
  readonly shared: readonly string[];
  /** The earlier cards that become new people. */
  readonly keys: readonly string[];
}

const NO_MATCHES: PersonMatches = { matches: [], shared: [], keys: [] };

/** Finds the stored people who share an email or number with each item of a batch. */
export async function findStored(
  sql: Sql,
  owner: string,
  items: readonly Item[],
): Promise<(item: Item) => readonly string[]> {
  const compared = new Set(
    items.flatMap(({ people }) => people?.compared ?? []).filter((form) =>
      form.isWellFormed() && !form.includes("\0")
    ),
  );
  const stored = Map.groupBy(
    await findMatches(sql, owner, [...compared], MAX_MATCHES + 1),
    (match) => match.compared,
  );
  return ({ people }) =>
    (people?.compared ?? []).flatMap((form) =>
      (stored.get(form) ?? []).map(({ person_id }) => person_id)
    );
}

export interface ComparedPeople {
  /** People whose states the decisions need. */
  readonly ids: readonly string[];
  /**
   * Decides about an item. Call it in the order of the file.
   *
   * @param self The item's own person; undefined without an origin.
   */
  readonly decide: (
    item: Item,
    self: string | undefined,
    states: ReadonlyMap<string, RecordState>,
  ) => PersonOutcome & Pick<PersonMatches, "matches" | "shared">;
}

/** @param earlier The batch adds its own items. */
export async function comparePeople(
  sql: Sql,
  { owner, mapping, reads }: DecisionContext,
  items: readonly Item[],
  earlier: EarlierPeople,
): Promise<ComparedPeople> {
  const isCompared = reads.has("relationship.ledger.read");
  const storedOf = isCompared ? await findStored(sql, owner, items) : () => [];
  const named = items.flatMap(({ key, people }) =>
    people === null ? [] : namedPerson(answerOf(mapping, key)) ?? []
  );
  const known = await findPeople(sql, owner, named, true);
  const decide: ComparedPeople["decide"] = (item, self, states) => {
    if (item.people === null || item.target !== "person") {
      return { outcome: "NEW", matches: [], shared: [] };
    }
    const found = isCompared ? earlier.compare(item, storedOf(item), self) : NO_MATCHES;
    const { matches, shared } = found;
    const decision: PersonOutcome = self === undefined
      ? decideNew(item, answerOf(mapping, item.key), found, states)
      : { outcome: "NEW" };
    earlier.add(item, self === undefined ? becomes(item, decision) : { personId: self });
    return { ...decision, matches, shared };
  };
  return { ids: [...known, ...items.flatMap(storedOf)], decide };
}

function decideNew(
  { people }: Item,
  answer: string | undefined,
  { matches, shared, keys }: PersonMatches,
  states: ReadonlyMap<string, RecordState>,
): PersonOutcome {
  if (answer === "leave") return { outcome: "REFUSED", rule: "import.left" };
  if (answer === "new") return { outcome: "NEW" };
  if (answer === undefined) {
    const isPossible = !people?.isIdentified && matches.length + shared.length > 0;
    return { outcome: isPossible ? "POSSIBLE_DUPLICATE" : "NEW" };
  }
  const isOne = matches.length + keys.length === 1;
  const personId = namedPerson(answer) ?? (isOne ? matches[0] : undefined);
  const [joinedKey] = keys;
  if (personId === undefined && isOne && joinedKey !== undefined) {
    return { outcome: "CHANGED", joinedKey };
  }
  const joined = states.get(personId ?? "");
  return joined === undefined ? { outcome: "POSSIBLE_DUPLICATE" } : { outcome: "CHANGED", joined };
}

/** The person that a new item becomes; null for an item that is left out. */
function becomes(
  { key }: Item,
  { outcome, joined, joinedKey = key }: PersonOutcome,
): Candidate | null {
  if (outcome !== "NEW" && outcome !== "CHANGED") return null;
  return joined === undefined ? { key: joinedKey } : { personId: joined.record_id };
}

/** @throws ServiceError `PAYLOAD_INVALID` for an unknown key or person, or an ambiguous join. */
export async function assertAnswers(
  { database, folder }: ImportServices,
  { owner_id, import_id }: ImportRow,
  mapping: JsonObject,
): Promise<void> {
  const { duplicates = {} } = mapping;
  if (!isJsonObject(duplicates)) return;
  const unknown = new Set(Object.keys(duplicates));
  if (unknown.size === 0) return;
  const named = [...unknown].flatMap((key) => namedPerson(answerOf(mapping, key)) ?? []);
  const present = await database.read((sql) => findPeople(sql, owner_id, named, true));
  let isRight = named.every((id) => present.has(id));
  const earlier = new EarlierPeople();
  for await (const { item, planned: { outcome, matches: stored = [] } } of folder.plan(import_id)) {
    unknown.delete(item.key);
    const { matches: [match], matches, keys } = earlier.compare(item, stored);
    const answer = answerOf(mapping, item.key) ?? (outcome === "NEW" ? "new" : "leave");
    if (answer === "join") isRight &&= matches.length + keys.length === 1;
    const personId = namedPerson(answer) ?? (answer === "join" ? match : undefined);
    let becomes: Candidate | null = null;
    if (personId !== undefined) becomes = { personId };
    else if (answer !== "leave") {
      becomes = { key: answer === "new" ? item.key : keys[0] ?? item.key };
    }
    earlier.add(item, becomes);
  }
  if (!isRight || unknown.size > 0) throw payloadInvalid(["import.answer"], ["duplicates"]);
}
