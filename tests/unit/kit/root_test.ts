import { assert, assertEquals, assertThrows } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import {
  appendRevision,
  type ArchivableRow,
  archived,
  assertRevision,
  firstRevision,
  nextRevision,
  type NextRow,
  restored,
} from "../../../src/kit/root.ts";
import { type Random, seededRandom } from "../../support/random.ts";

interface Row extends ArchivableRow {
  readonly id: string;
  readonly word: string | null;
  readonly count: number;
  readonly at: Date | null;
}

const START = Date.parse("2026-11-20T12:00:00.000Z");

function made(): Row {
  const now = new Date(START);
  return { id: "a", ...firstRevision(now), archived_at: null, word: "A", count: 1, at: null };
}

/** Around the start; may go back. */
function someTime(random: Random): Date {
  return new Date(START + random.integer(-60_000, 60_000));
}

function somePatch(random: Random) {
  return {
    ...(random.chance(0.5) && { word: random.pick(["A", "B", null]) }),
    ...(random.chance(0.5) && { count: random.integer(1, 3) }),
    ...(random.chance(0.5) && { at: random.chance(0.5) ? null : new Date(START) }),
  };
}

function someStep(random: Random, row: Row): NextRow<Row, "REVISED"> {
  const now = someTime(random);
  return random.pick([
    () => nextRevision(row, "REVISED", now, somePatch(random)),
    () => archived(row, now),
    () => restored(row, now),
  ])();
}

/** Steps of several random lives. */
function* steps(seed: number): Generator<{ before: Row; next: NextRow<Row, "REVISED"> }> {
  const random = seededRandom(seed);
  for (let life = 0; life < 50; life++) {
    let before = made();
    for (let count = 0; count < 20; count++) {
      const next = someStep(random, before);
      yield { before, next };
      before = next.row;
    }
  }
}

Deno.test("A revision steps by one with a new identifier, or nothing is written", () => {
  const seen = new Set<string>();
  for (const { before, next: { row, change } } of steps(1)) {
    if (change === null) {
      assert(row === before);
      continue;
    }
    assertEquals(row.revision, before.revision + 1);
    assert(!seen.has(row.revision_id) && row.revision_id !== before.revision_id);
    seen.add(row.revision_id);
    assertEquals([row.id, row.created_at], [before.id, before.created_at]);
  }
});

Deno.test("A root's time never goes back, by any clock", () => {
  for (const { before, next: { row } } of steps(2)) {
    assert(row.updated_at >= before.updated_at);
    assert(row.updated_at >= row.created_at);
  }
});

Deno.test("A step is written exactly if it changes something", () => {
  for (const { before, next: { row, change } } of steps(3)) {
    const content = ({ word, count, at, archived_at }: Row) => ({ word, count, at, archived_at });
    const isSame = JSON.stringify(content(before)) === JSON.stringify(content(row));
    assertEquals(change === null, isSame);
  }
});

Deno.test("Archive and restore are idempotent, and change only the archival", () => {
  const random = seededRandom(4);
  for (const { next: { row } } of steps(4)) {
    const out = archived(row, someTime(random)).row;
    assertEquals(archived(out, someTime(random)), { row: out, change: null });
    if (row.archived_at === null) assertEquals(out.archived_at, out.updated_at);
    const back = restored(out, someTime(random)).row;
    assertEquals(restored(back, someTime(random)), { row: back, change: null });
    assertEquals(back.archived_at, null);
    assertEquals([back.word, back.count, back.at], [row.word, row.count, row.at]);
  }
});

Deno.test("Equal dates and absent members of a patch are no change", () => {
  const before: Row = { ...made(), at: new Date(START) };
  const now = new Date(START + 1);
  for (const patch of [{}, { at: new Date(START) }, { word: "A", count: 1 }]) {
    assertEquals(nextRevision(before, "REVISED", now, patch), { row: before, change: null });
  }
  assertEquals(nextRevision(before, "REVISED", now, { at: null }).change, "REVISED");
});

Deno.test("appendRevision() appends one even without a change", () => {
  for (const { before } of steps(5)) {
    const now = new Date(START);
    const { row, change } = appendRevision(before, "REVISED", now, { word: before.word });
    const { revision, revision_id, updated_at } = row;
    assertEquals(change, "REVISED");
    assertEquals(row, { ...before, revision, revision_id, updated_at });
    assertEquals(revision, before.revision + 1);
    assert(revision_id !== before.revision_id && updated_at >= before.updated_at);
  }
});

Deno.test("assertRevision() rejects an unexpected revision, and names both", () => {
  const row = made();
  assertRevision(row, undefined);
  assertRevision(row, 1);
  const error = assertThrows(() => assertRevision(row, 2), ServiceError);
  assertEquals(error.code, "REVISION_CONFLICT");
  assertEquals(error.details, { expectedRevision: 2, currentRevision: 1 });
});
