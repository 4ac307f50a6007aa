import { assertEquals, assertRejects } from "@std/assert";
import type { Database } from "../../../src/database/database.ts";
import type { Query, Sql } from "../../../src/database/sql.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { ExaminedRows, readPieces } from "../../../src/insight/pieces.ts";

interface Row {
  readonly id: number;
}

/** Answers each look at the index as if it was built. */
const DATABASE: Pick<Database, "read"> = {
  read: (use) => use((() => Promise.resolve([{}])) as unknown as Sql),
};

/** The sizes of the pieces of a walk over `count` rows. */
async function sizesOf(count: number, limit?: number): Promise<number[]> {
  const pieces = readPieces<Row>(
    DATABASE as Database,
    new ExaminedRows(limit),
    (_sql, last, size) => {
      const first = last === null ? 0 : last.id + 1;
      const length = Math.min(size, count - first);
      const rows = Array.from({ length }, (_, index) => ({ id: first + index }));
      return Promise.resolve(rows) as unknown as Query<Row>;
    },
  );
  const sizes: number[] = [];
  for await (const rows of pieces) sizes.push(rows.length);
  return sizes;
}

Deno.test("a walk is read in pieces of 5,000 rows until one is not full", async () => {
  assertEquals(await sizesOf(0), [0]);
  assertEquals(await sizesOf(4_999), [4_999]);
  assertEquals(await sizesOf(5_000), [5_000, 0]);
  assertEquals(await sizesOf(12_000), [5_000, 5_000, 2_000]);
  assertEquals((await sizesOf(200_000)).length, 41);
});

Deno.test("a count examines at most 200,000 rows, in all its walks together", async () => {
  const refused = await assertRejects(() => sizesOf(200_001), ServiceError);
  assertEquals(refused.code, "PAYLOAD_INVALID");
  assertEquals(refused.details, { rules: ["insight.rows"], limit: 200_000 });
  const examined = new ExaminedRows(10);
  examined.add(6);
  examined.add(4);
  await assertRejects(async () => await examined.add(1), ServiceError);
});
