// engines: postgres
/** The six fields of a person that the routine module gets. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { findContactRhythm } from "../../src/families/relationship/port.ts";
import { contact, control, createPerson, move } from "../families/relationship/api.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";

const world = sharedWorld();

async function rhythmOf({ accountId }: Caller, personId: string): Promise<Json[]> {
  return [...await world().database.read((sql) => findContactRhythm(sql, accountId, personId))];
}

Deno.test("A person's contact rhythm is current, in any status", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, {
    desiredContactIntervalDays: 14,
    lastContactAt: "2026-05-01T00:00:00Z",
    opinion: "Kind.",
  });
  const { personId, personName, relationshipType, importance } = known;
  const rhythm = (lastContactAt: string | null) => ({
    personId,
    personName,
    relationshipType,
    importance,
    desiredContactIntervalDays: 14,
    lastContactAt: lastContactAt === null ? null : new Date(lastContactAt),
  });
  assertEquals(await rhythmOf(caller, personId), [rhythm("2026-05-01T00:00:00Z")]);
  const newer = await contact(caller, known, { contactedAt: "2026-06-01T00:00:00Z" });
  assertEquals(await rhythmOf(caller, personId), [rhythm("2026-06-01T00:00:00Z")]);
  await control(caller, newer, { kind: "RETRACTED" });
  await move(caller, known, "SEALED");
  assertEquals(await rhythmOf(caller, personId), [rhythm("2026-05-01T00:00:00Z")]);
});

Deno.test("A person without contacts has no rhythm, and other owners' people are not found", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const { personId } = await createPerson(caller);
  const [{ lastContactAt, desiredContactIntervalDays }] = await rhythmOf(caller, personId);
  assertEquals([lastContactAt, desiredContactIntervalDays], [null, null]);
  for (const id of [personId, ulid()]) assertEquals(await rhythmOf(stranger, id), []);
});
