import { assert, assertEquals, assertThrows } from "@std/assert";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import type { MemoryRow } from "../../../../src/families/memory/memory.ts";
import {
  decideAdopt,
  decideCreate,
  decideDraftRevision,
  decidePrivacy,
  decideRecover,
  decideReject,
  decideRevise,
} from "../../../../src/families/memory/memory_rules.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const LATER = new Date("2026-11-20T13:00:00.000Z");

function made(changes: Partial<MemoryRow> = {}): MemoryRow {
  const body = { title: "A", memoryType: "EVENT", originalContent: "x", timeText: "then" };
  return { ...decideCreate(body, NOW), ...changes };
}

Deno.test("A next revision steps by one and keeps what the patch does not name", () => {
  const before = made();
  const { row, change } = decideRevise(before, { expectedRevision: 1, title: "B" }, LATER);
  const { revision_id } = row;
  assertEquals(row, { ...before, title: "B", revision: 2, revision_id, updated_at: LATER });
  assertEquals(change, "REVISED");
  assert(revision_id > before.revision_id);
});

Deno.test("A change without effect makes no revision", () => {
  const before = made({ occurred_at: new Date(NOW) });
  const same = { ...before, occurred_at: new Date(NOW) };
  const decided = [
    decideRevise(before, { expectedRevision: 1, title: "A" }, LATER),
    decidePrivacy(before, { expectedRevision: 1, privacyLevel: "PRIVATE" }, LATER),
    decideRecover(before, same, LATER),
    decideDraftRevision(before, {}, LATER),
  ];
  for (const { row, change } of decided) assertEquals([row, change], [before, null]);
});

Deno.test("A draft's commit keeps the time unless the draft states a part of it", () => {
  const before = made();
  const untimed = decideDraftRevision(before, { title: "B" }, LATER).row;
  assertEquals(untimed.time_text, "then");
  const timed = decideDraftRevision(before, { timePrecision: "UNKNOWN" }, LATER).row;
  assertEquals([timed.time_precision, timed.time_text], ["UNKNOWN", null]);
});

Deno.test("Without an AI draft there is nothing to adopt or reject", () => {
  const decisions = [
    () => decideAdopt(made(), { expectedRevision: 1, confirm: true }, LATER),
    () => decideReject(made(), { expectedRevision: 1 }, LATER),
  ];
  for (const decide of decisions) {
    assertEquals(assertThrows(decide, ServiceError).code, "MEMORY_STATE_CONFLICT");
  }
});
