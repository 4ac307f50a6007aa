/** The owner's answers about possible duplicates. */

import { isJsonObject, type JsonObject } from "../core/json.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { findPeople } from "../families/relationship/import_port.ts";
import { UID_KNOWN } from "./decision.ts";
import { type Candidate, EarlierPeople } from "./earlier_people.ts";
import type { ImportRow } from "./import.ts";
import type { ImportServices } from "./work.ts";

/** The owner's answer by key; undefined without one. */
export function answerOf(mapping: JsonObject | null, key: string): string | undefined {
  const answers = mapping?.duplicates ?? null;
  const answer = isJsonObject(answers) && Object.hasOwn(answers, key) ? answers[key] : undefined;
  return typeof answer === "string" ? answer : undefined;
}

export function isJoin(answer: string | undefined): boolean {
  return answer?.startsWith("join") === true;
}

/** The person that an answer names; undefined if it names none. */
export function namedPerson(answer: string | undefined): string | undefined {
  return /^join:(.*)$/.exec(answer ?? "")?.[1];
}

/**
 * Keys are those of the last plan. Before the first plan of a table they are not known.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for an unknown key or person, a sealed person, or an
 * ambiguous join.
 */
export async function assertAnswers(
  { database, folder }: ImportServices,
  { owner_id, import_id, plan }: ImportRow,
  mapping: JsonObject,
): Promise<void> {
  const { duplicates = {} } = mapping;
  if (!isJsonObject(duplicates)) return;
  const unknown = new Set(Object.keys(duplicates));
  if (unknown.size === 0) return;
  const named = [...unknown].flatMap((key) => namedPerson(answerOf(mapping, key)) ?? []);
  let isRight = true;
  const earlier = new EarlierPeople();
  for await (const { item, planned } of folder.plan(import_id)) {
    unknown.delete(item.key);
    const { outcome, rules, matches: stored = [] } = planned;
    const { matches: [match], matches, keys } = earlier.compare(item, stored);
    const answer = answerOf(mapping, item.key);
    if (answer === "join") {
      isRight &&= matches.length + keys.length === 1;
      named.push(...matches);
    }
    const isJoining = answer === "join" || answer === undefined && rules.includes(UID_KNOWN);
    const personId = namedPerson(answer) ?? (isJoining ? match : undefined);
    let becomes: Candidate | null = null;
    if (personId !== undefined) becomes = { personId };
    else if (isJoining) becomes = { key: keys[0] ?? item.key };
    else if (answer === "new" || answer === undefined && outcome === "NEW") {
      becomes = { key: item.key };
    }
    earlier.add(item, becomes);
  }
  const present = await database.read((sql) => findPeople(sql, owner_id, named, "UNSEALED"));
  isRight &&= named.every((id) => present.has(id));
  const areKnown = plan === null || unknown.size === 0;
  if (!isRight || !areKnown) throw payloadInvalid(["import.answer"], ["duplicates"]);
}
