/** Checks the owner's answers for possible duplicates against the plan and the people who are there. */

import type { JsonObject } from "../core/json.ts";
import { isJsonObject } from "../core/json.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { findPeople } from "../families/relationship/imported_people.ts";
import type { ImportRow } from "./import.ts";
import type { ItemReport } from "./item_store.ts";
import { readValues } from "./line_reader.ts";
import { answerOf, namedPerson } from "./people_judge.ts";
import type { SharedItem } from "./planning.ts";
import type { ImportServices } from "./services.ts";

/** @throws ServiceError `PAYLOAD_INVALID` for an unknown key or person, or a join of none or several. */
export async function assertAnswers(
  { database, folder }: ImportServices,
  { owner_id, import_id }: ImportRow,
  mapping: JsonObject,
): Promise<void> {
  const { duplicates = {} } = mapping;
  if (!isJsonObject(duplicates)) return;
  const keys = Object.keys(duplicates);
  if (keys.length === 0) return;
  const planned = new Map<string, ItemReport>();
  if (await folder.has(import_id, "plan")) {
    for await (const { value } of readValues<ItemReport>(folder.path(import_id, "plan"))) {
      planned.set(value.key, value);
    }
  }
  const shared: readonly SharedItem[] = JSON.parse(await folder.read(import_id, "shared") ?? "[]");
  const people = new JoinedPeople(mapping, planned, shared);
  const isKnown = keys.every((key) =>
    planned.has(key) && (answerOf(mapping, key) !== "join" || people.countOf(key) === 1)
  );
  const named = keys.flatMap((key) => namedPerson(answerOf(mapping, key)) ?? []);
  const present = await database.read((sql) => findPeople(sql, owner_id, named, true));
  if (!isKnown || !named.every((id) => present.has(id))) {
    throw payloadInvalid(["import.answer"], ["duplicates"]);
  }
}

/** The people that `join` can mean, if the answers are as in the mapping. */
class JoinedPeople {
  readonly #mapping: JsonObject;
  readonly #planned: ReadonlyMap<string, ItemReport>;
  readonly #shared: ReadonlyMap<string, readonly string[]>;
  /** By key; names of people and keys of items. */
  readonly #found = new Map<string, ReadonlySet<string>>();

  constructor(
    mapping: JsonObject,
    planned: ReadonlyMap<string, ItemReport>,
    shared: readonly SharedItem[],
  ) {
    this.#mapping = mapping;
    this.#planned = planned;
    this.#shared = new Map(shared.map((item) => [item.key, item.with]));
    // In the order of the file, so that none has to wait for many before it.
    for (const { key } of shared) this.#peopleOf(key);
  }

  countOf(key: string): number {
    return this.#peopleOf(key).size;
  }

  /** Earlier items only, so it ends. */
  #peopleOf(key: string): ReadonlySet<string> {
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = new Set(this.#planned.get(key)?.matches ?? []);
    for (const earlier of this.#shared.get(key) ?? []) {
      for (const each of this.#becomes(earlier)) found.add(each);
    }
    this.#found.set(key, found);
    return found;
  }

  #becomes(key: string): Iterable<string> {
    const answer = answerOf(this.#mapping, key);
    const person = namedPerson(answer);
    if (person !== undefined) return [person];
    if (answer === "join") return this.#peopleOf(key);
    const isNew = answer === undefined && this.#planned.get(key)?.outcome === "NEW";
    return isNew || answer === "new" ? [`key:${key}`] : [];
  }
}
