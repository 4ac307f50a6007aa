/** Helpers of the tests of cards: imports with answers, and the people whom they bring. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { card as cardOf } from "../families/relationship/cards.ts";
import type { Caller, Json } from "../support/world.ts";
import { IMPORTS, itemsOf, planned, ran, settled } from "./imports.ts";

export const PEOPLE = "/api/v2/relationship/people";

export function card(...lines: readonly string[]): string {
  return cardOf("VERSION:4.0", ...lines);
}

/** The outcomes and rules of an import's items, and their people. */
export interface Told {
  readonly importId: string;
  readonly told: readonly string[];
  readonly ids: readonly (string | undefined)[];
  readonly row: Json;
}

/** Imports cards; the outcomes are those of the plan. */
export async function bring(
  caller: Caller,
  cards: readonly string[],
  name = "One",
  answers: Json = null,
): Promise<Told> {
  let plan = await planned(caller, "vcard", cards.join(""), { name });
  const { importId } = plan;
  if (answers !== null) {
    const keys = (await itemsOf(caller, importId)).map(({ key }) => key);
    const duplicates = Object.fromEntries(
      Object.entries(answers).map(([place, answer]) => [keys[Number(place) - 1], answer]),
    );
    const put = await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, {
      body: { duplicates },
    });
    assertEquals(put.status, 200, put.text);
    plan = await settled(caller, importId);
  }
  const before = (await itemsOf(caller, importId)).map(toldOf);
  const row = await ran(caller, plan);
  const items = await itemsOf(caller, importId);
  assertEquals(items.map(toldOf), before, "the plan");
  assertEquals(row.state, "DONE");
  return { importId, told: before, ids: items.map(({ recordId }) => recordId), row };
}

export function toldOf({ outcome, rules }: Json): string {
  return [outcome, ...rules].join(" ");
}

export async function read(caller: Caller, path: string): Promise<Json> {
  const { status, body } = await caller.call("GET", path);
  assertEquals(status, 200, JSON.stringify(body));
  return body.data;
}

/** The live details of a person, sorted. */
export async function detailsOf(caller: Caller, personId: string | undefined): Promise<string[]> {
  const { items } = await read(caller, `${PEOPLE}/${personId}/details?limit=100`);
  return items.map(({ value }: Json) =>
    String(value.value ?? value.personId ?? value.name ?? JSON.stringify(value))
  ).toSorted();
}

export async function notesOf(caller: Caller, personId: string | undefined): Promise<string[]> {
  const { items } = await read(caller, `${PEOPLE}/${personId}/experiences`);
  return items.map(({ narrative }: Json) => narrative).toSorted();
}

export async function send(
  caller: Caller,
  method: string,
  path: string,
  body: Json,
): Promise<Json> {
  const answer = await caller.call(method, path, { body, key: ulid() });
  assert([200, 201].includes(answer.status), answer.text);
  return answer.body.data;
}

export async function rename(
  caller: Caller,
  personId: string | undefined,
  personName: string,
): Promise<void> {
  const { revision } = await read(caller, `${PEOPLE}/${personId}`);
  await send(caller, "PATCH", `${PEOPLE}/${personId}`, {
    set: { personName },
    expectedRevision: revision,
  });
}

export async function retract(
  caller: Caller,
  personId: string | undefined,
  text: string,
): Promise<void> {
  const { items } = await read(caller, `${PEOPLE}/${personId}/details?limit=100`);
  const { detailId } = items.find(({ value }: Json) => value.value === text);
  const path = `${PEOPLE}/${personId}/details/${detailId}/control`;
  await send(caller, "POST", path, { kind: "RETRACTED" });
}

export async function archive(caller: Caller, personId: string | undefined): Promise<void> {
  const { revision } = await read(caller, `${PEOPLE}/${personId}`);
  await send(caller, "POST", `${PEOPLE}/${personId}/archive`, { expectedRevision: revision });
}
