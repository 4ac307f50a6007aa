/** Checks the owner's answers for possible duplicates against the plan and the people who are there. */

import type { JsonObject } from "../core/json.ts";
import { isJsonObject } from "../core/json.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { findPeople } from "../families/relationship/imported_people.ts";
import type { ImportRow } from "./import.ts";
import type { ItemReport } from "./item_store.ts";
import { readValues } from "./line_reader.ts";
import { answerOf, namedPerson } from "./people_judge.ts";
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
  const matches = new Map<string, number>();
  if (await folder.has(import_id, "plan")) {
    for await (const { value } of readValues<ItemReport>(folder.path(import_id, "plan"))) {
      matches.set(value.key, value.matches?.length ?? 0);
    }
  }
  const isKnown = keys.every((key) =>
    matches.has(key) && (answerOf(mapping, key) !== "join" || matches.get(key) === 1)
  );
  const named = keys.flatMap((key) => namedPerson(answerOf(mapping, key)) ?? []);
  const present = await database.read((sql) => findPeople(sql, owner_id, named, true));
  if (!isKnown || !named.every((id) => present.has(id))) {
    throw payloadInvalid(["import.answer"], ["duplicates"]);
  }
}
