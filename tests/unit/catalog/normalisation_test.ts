import { assertEquals } from "@std/assert";
import type { CatalogModule } from "../../../src/catalog/module.ts";
import { DECISION } from "../../../src/catalog/modules/decision.ts";
import { MEMORY } from "../../../src/catalog/modules/memory.ts";
import { ROUTINE } from "../../../src/catalog/modules/routine.ts";
import { TIMELINE } from "../../../src/catalog/modules/timeline.ts";
import type { JsonObject } from "../../../src/core/json.ts";

const COMPLETED_AT = "2026-10-31T23:30:00.000Z";

/** As if the request set these fields. */
function normalise(
  module: CatalogModule,
  payload: JsonObject,
  set: readonly string[] = Object.keys(payload),
): JsonObject | undefined {
  const recordId = "01JD5A0000000000000000RECD";
  const now = new Date("2026-11-20T12:00:00.000Z");
  const before = structuredClone(payload);
  const normalised = module.normalise?.(payload, { now, recordId, set: new Set(set) });
  assertEquals(payload, before, "The argument must stay as it was");
  return normalised;
}

Deno.test("decision keeps the first of equal options as written", () => {
  const options = { items: [" café ", "tea", "cafe\u0301", "Tea", "tea"] };
  assertEquals(normalise(DECISION, { options }), {
    options: { items: [" café ", "tea", "Tea"] },
  });
});

Deno.test("decision stores the chosen option in the spelling of its item", () => {
  const options = { items: [" café ", "tea"] };
  assertEquals(normalise(DECISION, { options, chosenOption: "cafe\u0301" }), {
    options,
    chosenOption: " café ",
  });
});

Deno.test("decision leaves unreadable values unchanged", () => {
  const payloads: JsonObject[] = [
    {},
    { options: ["a", "a"], chosenOption: "a " },
    { options: { items: ["a", 1, "a"] } },
    { options: { items: ["a", "a"], more: 1 } },
    { options: { items: ["a", "b"] }, chosenOption: "c" },
    { options: { items: ["a", "b"] }, chosenOption: 7 },
  ];
  for (const payload of payloads) assertEquals(normalise(DECISION, payload), payload);
});

Deno.test("routine derives nextDueAt when its causes are set", () => {
  const payload = { lastCompletedAt: COMPLETED_AT, intervalDays: 30, active: true };
  const expected = { ...payload, nextDueAt: "2026-11-30T23:30:00.000Z" };
  assertEquals(normalise(ROUTINE, payload), expected);
  const stored = { ...payload, nextDueAt: "2026-11-01T00:00:00.000Z" };
  assertEquals(normalise(ROUTINE, stored, ["intervalDays"]), expected);
  assertEquals(normalise(ROUTINE, stored, ["lastCompletedAt", "area"]), expected);
});

Deno.test("routine keeps nextDueAt when the request sets it or none of its causes", () => {
  const payload = {
    lastCompletedAt: COMPLETED_AT,
    intervalDays: 30,
    active: true,
    nextDueAt: "2026-11-01T00:00:00.000Z",
  };
  assertEquals(normalise(ROUTINE, payload), payload);
  assertEquals(normalise(ROUTINE, payload, ["active"]), payload);
  assertEquals(normalise(ROUTINE, payload, ["intervalDays", "nextDueAt"]), payload);
});

Deno.test("routine derives nothing while inactive, incomplete or invalid", () => {
  const payloads: JsonObject[] = [
    { lastCompletedAt: COMPLETED_AT, intervalDays: 30, active: false },
    { lastCompletedAt: COMPLETED_AT, intervalDays: 30, active: "true" },
    { lastCompletedAt: COMPLETED_AT, intervalDays: "30", active: true },
    { lastCompletedAt: COMPLETED_AT, intervalDays: 1e9, active: true },
    { lastCompletedAt: "9999-12-31T00:00:00.000Z", intervalDays: 1, active: true },
    { lastCompletedAt: "yesterday", intervalDays: 1, active: true },
    { intervalDays: 30, active: true },
  ];
  for (const payload of payloads) assertEquals(normalise(ROUTINE, payload), payload);
});

Deno.test("memory treats a time without precision as exact", () => {
  assertEquals(normalise(MEMORY, { occurredAt: COMPLETED_AT }), {
    occurredAt: COMPLETED_AT,
    timePrecision: "EXACT",
  });
  const payloads: JsonObject[] = [
    {},
    { occurredAt: COMPLETED_AT, timePrecision: "YEAR" },
    { occurredAt: COMPLETED_AT, timePrecision: null },
    { occurredAt: "yesterday" },
  ];
  for (const payload of payloads) assertEquals(normalise(MEMORY, payload), payload);
});

Deno.test("timeline removes the start when the request makes the time unknown", () => {
  const payload = { timePrecision: "UNKNOWN", startAt: COMPLETED_AT, location: "sea" };
  assertEquals(normalise(TIMELINE, payload, ["timePrecision"]), {
    timePrecision: "UNKNOWN",
    location: "sea",
  });
  assertEquals(normalise(TIMELINE, payload), payload);
  assertEquals(normalise(TIMELINE, payload, ["location"]), payload);
});
