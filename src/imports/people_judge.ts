/** Compares people of a batch with people who are there, and applies the owner's answers. */

import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import { findMatches, findPeople } from "../families/relationship/imported_people.ts";
import type { RecordState } from "../records/heads.ts";
import type { Item } from "./item.ts";
import type { JudgeContext } from "./judged.ts";
import type { Decision } from "./outcome.ts";

/** The decision about a new item, and the person whom it joins. */
export interface PersonDecision extends Decision {
  readonly joined?: RecordState;
}

/** The people of a batch. */
export interface ComparedPeople {
  /** Identifiers of people whose states the decisions need. */
  readonly ids: readonly string[];
  readonly matchesOf: (item: Item) => readonly string[];
  /** Decides about an item without an origin. Call it in the order of the file. */
  readonly decide: (item: Item, states: ReadonlyMap<string, RecordState>) => PersonDecision;
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

/** @param earlier Compared forms of earlier items of the file; the batch adds its own. */
export async function comparePeople(
  sql: Sql,
  { owner, mapping }: JudgeContext,
  items: readonly Item[],
  earlier: Set<string>,
): Promise<ComparedPeople> {
  const compared = new Set(items.flatMap(({ people }) => people?.compared ?? []));
  const matches = Map.groupBy(
    await findMatches(sql, owner, [...compared]),
    (match) => match.compared,
  );
  const named = items.flatMap(({ key, people }) =>
    people === null ? [] : namedPerson(answerOf(mapping, key)) ?? []
  );
  const known = await findPeople(sql, owner, named, true);
  const matchesOf = ({ people }: Item) => [
    ...new Set(
      (people?.compared ?? []).flatMap((form) =>
        (matches.get(form) ?? []).map(({ person_id }) => person_id)
      ),
    ),
  ];
  return {
    ids: [
      ...known,
      ...Array.from(matches.values(), (all) => all.map((each) => each.person_id)).flat(),
    ],
    matchesOf,
    decide(item, states) {
      if (item.people === null || item.target !== "person") return { outcome: "NEW" };
      const own = matchesOf(item);
      const answer = answerOf(mapping, item.key);
      const isShared = own.length > 0 || item.people.compared.some((form) => earlier.has(form));
      for (const form of item.people.compared) earlier.add(form);
      if (answer === "leave") return { outcome: "REFUSED", rule: "import.left" };
      if (answer === "new") return { outcome: "NEW" };
      if (answer !== undefined) {
        const joined = states.get(namedPerson(answer) ?? (own.length === 1 ? own[0] ?? "" : ""));
        return joined === undefined
          ? { outcome: "POSSIBLE_DUPLICATE" }
          : { outcome: "CHANGED", joined };
      }
      const isPossible = !item.people.isIdentified && isShared;
      return { outcome: isPossible ? "POSSIBLE_DUPLICATE" : "NEW" };
    },
  };
}
