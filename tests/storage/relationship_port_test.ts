/** What relationship offers to the routine module: six fields of a person, and no more. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { findContactRhythm } from "../../src/relationship/port.ts";
import { contact, control, meet, move } from "../http/relationship.ts";
import { type Json, type Person, sharedWorld } from "../support/world.ts";

const world = sharedWorld();

async function rhythmOf({ accountId }: Person, personId: string): Promise<Json[]> {
  return [...await world().database.read((sql) => findContactRhythm(sql, accountId, personId))];
}

Deno.test("A person's rhythm of contacts is read as it is now, whatever its status", async () => {
  const person = await world().person();
  const known = await meet(person, {
    desiredContactIntervalDays: 14,
    lastContactAt: "2026-05-01T00:00:00Z",
    opinion: "Kind.",
  });
  const { personId, personName, relationshipType, importance } = known;
  const rhythm = (lastContactAt: string | null) => ({
    ...{ personId, personName, relationshipType, importance, desiredContactIntervalDays: 14 },
    lastContactAt: lastContactAt === null ? null : new Date(lastContactAt),
  });
  assertEquals(await rhythmOf(person, personId), [rhythm("2026-05-01T00:00:00Z")]);
  const newer = await contact(person, known, { contactedAt: "2026-06-01T00:00:00Z" });
  assertEquals(await rhythmOf(person, personId), [rhythm("2026-06-01T00:00:00Z")]);
  await control(person, newer, { kind: "RETRACTED" });
  await move(person, known, "SEALED");
  assertEquals(await rhythmOf(person, personId), [rhythm("2026-05-01T00:00:00Z")]);
});

Deno.test("A person without contacts has none, and nobody else's is found", async () => {
  const [person, stranger] = [await world().person(), await world().person()];
  const { personId } = await meet(person);
  const [{ lastContactAt, desiredContactIntervalDays }] = await rhythmOf(person, personId);
  assertEquals([lastContactAt, desiredContactIntervalDays], [null, null]);
  for (const id of [personId, ulid()]) assertEquals(await rhythmOf(stranger, id), []);
});
