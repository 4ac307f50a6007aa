import { assertEquals } from "@std/assert";
import { cutPart, PART } from "../../../src/kit/export.ts";

function rowsOf(...sizes: readonly number[]): { bytes: number }[] {
  return sizes.map((bytes) => ({ bytes }));
}

Deno.test("cutPart() keeps as many rows as a part may have", () => {
  const rows = rowsOf(...Array.from({ length: PART.rows + 1 }, () => 0));
  assertEquals(cutPart(rows).length, PART.rows);
  assertEquals(cutPart(rows.slice(1)).length, PART.rows);
  assertEquals(cutPart([]), []);
});

Deno.test("cutPart() ends before too many bytes, but has at least one row", () => {
  const half = PART.bytes / 2;
  assertEquals(cutPart(rowsOf(half, half, 0, 1, 0)), rowsOf(half, half, 0));
  assertEquals(cutPart(rowsOf(PART.bytes + 1, 0)), rowsOf(PART.bytes + 1));
  assertEquals(cutPart(rowsOf(1, PART.bytes)), rowsOf(1));
});
