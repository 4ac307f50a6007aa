import { assertEquals } from "@std/assert";
import type { Database } from "../../../../src/database/database.ts";
import { MIGRATIONS } from "../../../../src/database/migration_files.ts";
import type { Sql } from "../../../../src/database/sql.ts";
import { Readiness } from "../../../../src/operator/metrics/readiness.ts";

const NEWEST = MIGRATIONS.at(-1)?.version ?? 0;
const IN_FLIGHT = { isDraining: false };

/** Answered by the test; `asked` counts. */
function databaseOf(read: () => Promise<number>) {
  let asked = 0;
  const sql = async () => [{ exists: true, version: await read() }];
  const database = {
    read: (use: (sql: Sql) => Promise<unknown>) => {
      asked++;
      return use(sql as unknown as Sql);
    },
  } as unknown as Database;
  return { database, asked: () => asked };
}

Deno.test("Readiness requires this release's schema or a newer one", async () => {
  for (const [version, expected] of [[NEWEST, true], [NEWEST - 1, false], [NEWEST + 1, true]]) {
    const { database } = databaseOf(() => Promise.resolve(Number(version)));
    assertEquals(await new Readiness({ database, inFlight: IN_FLIGHT }).isReady(), expected);
  }
});

Deno.test("Readiness fails with the database, and returns with it", async () => {
  let isAway = true;
  const { database } = databaseOf(() =>
    isAway ? Promise.reject(new Error("away")) : Promise.resolve(NEWEST)
  );
  const readiness = new Readiness({ database, inFlight: IN_FLIGHT });
  assertEquals(await readiness.isReady(), false);
  isAway = false;
  assertEquals(await readiness.isReady(), true);
});

Deno.test("Readiness does not wait for an unresponsive database", async () => {
  const { database, asked } = databaseOf(() => new Promise(() => {}));
  const readiness = new Readiness({ database, inFlight: IN_FLIGHT }, 1);
  const answers = await Promise.all([1, 2, 3].map(() => readiness.isReady()));
  assertEquals([answers, asked()], [[false, false, false], 1]);
  assertEquals(await readiness.isReady(), false);
  assertEquals(asked(), 2);
});

Deno.test("Readiness fails as soon as the service stops, also for waiting callers", async () => {
  const held = Promise.withResolvers<number>();
  const inFlight = { isDraining: false };
  const { database, asked } = databaseOf(() => held.promise);
  const readiness = new Readiness({ database, inFlight });
  const early = readiness.isReady();
  inFlight.isDraining = true;
  held.resolve(NEWEST);
  assertEquals([await early, await readiness.isReady(), asked()], [false, false, 1]);
});
