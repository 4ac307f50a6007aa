/** Compares people of a batch with people who are there, and applies the owner's answers. */

import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import { findMatches, findPeople } from "../families/relationship/imported_people.ts";
import type { RecordState } from "../records/heads.ts";
import type { Item } from "./item.ts";
import type { JudgeContext } from "./judged.ts";
import type { Decision } from "./outcome.ts";

/** The decision about an item, and the person whom it joins. */
export interface PersonDecision extends Decision {
  /** A person who is there. */
  readonly joined?: RecordState;
  /** The key of an earlier item of the file. */
  readonly joinedKey?: string;
  /** People who share an email or number with the item. */
  readonly matches: readonly string[];
  /** Keys of earlier items of the file that do. */
  readonly shared: readonly string[];
}

/** The people of a batch. */
export interface ComparedPeople {
  /** Identifiers of people whose states the decisions need. */
  readonly ids: readonly string[];
  /**
   * Decides about an item. Call it in the order of the file.
   *
   * @param known The person that the item is already; undefined without an origin.
   */
  readonly decide: (
    item: Item,
    known: string | undefined,
    states: ReadonlyMap<string, RecordState>,
  ) => PersonDecision;
}

/** The owner's answer by key; undefined without one. */
export function answerOf(mapping: JsonObject | null, key: string): string | undefined {
  const answers = mapping?.duplicates ?? null;
  const answer = isJsonObject(answers) && Object.hasOwn(answers, key) ? answers[key] : undefined;
  return typeof answer === "string" ? answer : undefined;
}

/** The person that an answer names; undefined if it names none. */
export function namedPerson(answer: string | undefined): string | undefined {
  return /^join:(.*)$/.exec(answer ?? "")?.[1];
}

/** A person who is there, or the item of the file that becomes one. */
export type Candidate = { readonly personId: string } | { readonly key: string };

/** People that share an email or number; more are not listed. */
export const MAX_MATCHES = 100;

/** Earlier items of a file by emails and numbers in compared form. */
export class EarlierPeople {
  readonly #keys = new Map<string, Set<string>>();
  readonly #becomes = new Map<string, Candidate | null>();

  /** @param becomes Null for an item that stays out. */
  add({ key, people }: Item, becomes: Candidate | null): void {
    this.#becomes.set(key, becomes);
    for (const form of people?.compared ?? []) {
      const keys = this.#keys.get(form);
      if (keys === undefined) this.#keys.set(form, new Set([key]));
      else if (keys.size <= MAX_MATCHES) keys.add(key);
    }
  }

  /** Keys of items that share an email or number with this one. */
  sharing({ people }: Item): string[] {
    return [
      ...new Set((people?.compared ?? []).flatMap((form) => [...this.#keys.get(form) ?? []])),
    ];
  }

  /** The distinct people that items become. */
  candidates(keys: readonly string[]): Candidate[] {
    return keys.flatMap((key) => this.#becomes.get(key) ?? []);
  }
}

/** Finds the stored people who share an email or number with each item of a batch. */
export async function findStored(
  sql: Sql,
  owner: string,
  items: readonly Item[],
): Promise<(item: Item) => readonly string[]> {
  const compared = new Set(items.flatMap(({ people }) => people?.compared ?? []));
  const stored = Map.groupBy(
    await findMatches(sql, owner, [...compared], MAX_MATCHES + 1),
    (match) => match.compared,
  );
  return ({ people }) =>
    (people?.compared ?? []).flatMap((form) =>
      (stored.get(form) ?? []).map(({ person_id }) => person_id)
    );
}

/** @param earlier The batch adds its own items. */
export async function comparePeople(
  sql: Sql,
  { owner, mapping }: JudgeContext,
  items: readonly Item[],
  earlier: EarlierPeople,
): Promise<ComparedPeople> {
  const storedOf = await findStored(sql, owner, items);
  const named = items.flatMap(({ key, people }) =>
    people === null ? [] : namedPerson(answerOf(mapping, key)) ?? []
  );
  const known = await findPeople(sql, owner, named, true);

  /** The people that an item may be, and what it shares with. */
  const compare = (item: Item, self: string | undefined) => {
    const shared = earlier.sharing(item);
    const candidates = earlier.candidates(shared);
    const people = new Set([
      ...storedOf(item),
      ...candidates.flatMap((each) => "personId" in each ? [each.personId] : []),
    ]);
    people.delete(self ?? "");
    const keys = new Set(candidates.flatMap((each) => "key" in each ? [each.key] : []));
    return { matches: [...people].slice(0, MAX_MATCHES), shared, keys: [...keys] };
  };
  return {
    ids: [...known, ...items.flatMap(storedOf)],
    decide(item, self, states) {
      if (item.people === null || item.target !== "person") {
        return { outcome: "NEW", matches: [], shared: [] };
      }
      const { matches, shared, keys } = compare(item, self);
      const decision = self === undefined
        ? decideNew(item, { matches, keys, isShared: matches.length + shared.length > 0 }, states)
        : { outcome: "NEW" as const };
      earlier.add(item, self === undefined ? becomes(item, decision) : { personId: self });
      return { ...decision, matches, shared };
    },
  };

  function decideNew(
    item: Item,
    { matches, keys, isShared }: {
      readonly matches: readonly string[];
      readonly keys: readonly string[];
      readonly isShared: boolean;
    },
    states: ReadonlyMap<string, RecordState>,
  ): Omit<PersonDecision, "matches" | "shared"> {
    const answer = answerOf(mapping, item.key);
    if (answer === "leave") return { outcome: "REFUSED", rule: "import.left" };
    if (answer === "new") return { outcome: "NEW" };
    if (answer !== undefined) {
      const [joinedKey] = keys;
      const isOne = matches.length + keys.length === 1;
      const isNamed = namedPerson(answer) !== undefined;
      if (!isNamed && isOne && joinedKey !== undefined) return { outcome: "CHANGED", joinedKey };
      const joined = states.get(namedPerson(answer) ?? (isOne ? matches[0] ?? "" : ""));
      return joined === undefined
        ? { outcome: "POSSIBLE_DUPLICATE" }
        : { outcome: "CHANGED", joined };
    }
    const isPossible = !item.people?.isIdentified && isShared;
    return { outcome: isPossible ? "POSSIBLE_DUPLICATE" : "NEW" };
  }
}

/** The person that a new item becomes; null for an item that stays out. */
function becomes(
  { key }: Item,
  { outcome, joined, joinedKey = key }: Omit<PersonDecision, "matches" | "shared">,
): Candidate | null {
  if (outcome !== "NEW" && outcome !== "CHANGED") return null;
  return joined === undefined ? { key: joinedKey } : { personId: joined.record_id };
}
