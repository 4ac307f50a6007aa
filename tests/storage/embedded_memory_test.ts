// engines: embedded
/** The built-in engine out of memory: 503, then recovery. */

import { PGlite } from "@electric-sql/pglite";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import { databaseFailure, EngineRecoveryError } from "../../src/database/failures.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { copyTemplate } from "../support/template.ts";
import { asTemplate, ENGINE } from "../support/world.ts";

type Create = (options: object) => Promise<PGlite>;

/** Its memory cannot grow. */
async function openFull(path: string): Promise<Database> {
  const original = PGlite.create;
  let engine: PGlite | undefined;
  const create: Create = async (options) =>
    engine = await (original.bind(PGlite) as Create)(options);
  Object.assign(PGlite, { create });
  try {
    const database = await openEmbedded(path);
    const { wasmMemory } = engine?.Module as unknown as { wasmMemory: WebAssembly.Memory };
    wasmMemory.grow = () => {
      throw new RangeError("The memory has reached its limit");
    };
    return database;
  } finally {
    Object.assign(PGlite, { create: original });
  }
}

function fullTest(name: string, test: (database: Database) => Promise<void>): void {
  Deno.test({
    name,
    ignore: ENGINE !== "embedded",
    fn: async () => {
      const path = await Deno.makeTempDir({ prefix: "prs-memory-" });
      copyTemplate(path);
      const database = await openFull(path);
      try {
        await test(database);
      } finally {
        await database.close();
        await Deno.remove(path, { recursive: true });
      }
    },
  });
}

async function assertOutOfMemory(action: () => Promise<unknown>): Promise<void> {
  const error = await assertRejects(action, ServiceError);
  assertEquals(error.code, "HTTP_503");
  // Possibly too little even to clean up.
  const isKnown = error.cause instanceof EngineRecoveryError ||
    databaseFailure(error.cause)?.sqlstate === "53200";
  assert(isKnown, String(error.cause));
}

/** More than available. */
function takeTooMuch(database: Database): Promise<unknown> {
  return database.read((sql) =>
    sql`select length(string_agg(repeat('x', 1000000), '')) from generate_series(1, 400)`
  );
}

/** Prepares statements until memory is full. */
async function prepareUntilFull(database: Database): Promise<void> {
  const columns = Array.from({ length: 100 }, (_, n) => `$1::integer + ${n} as c${n}`).join();
  for (let n = 0; n < 10_000; n++) {
    await database.transaction((tx) =>
      tx.script(`prepare statement_${n} as select ${columns}; explain execute statement_${n}(1)`)
    );
  }
}

async function assertServing(database: Database): Promise<void> {
  const rows = await database.read((sql) =>
    sql<{ n: number }>`select count(*)::integer as n
    from pg_prepared_statements where name like ${"statement_%"}`
  );
  assertEquals(rows.map(({ n }) => n), [0]);
}

fullTest("A session that ran out of memory frees what it held", async (database) => {
  await assertOutOfMemory(() => prepareUntilFull(database));
  await assertServing(database);
});

fullTest("A statement that needs too much memory leaves the engine usable", async (database) => {
  for (let failure = 0; failure < 3; failure++) {
    await assertOutOfMemory(() => takeTooMuch(database));
    for (let success = 0; success < 3; success++) await assertServing(database);
  }
  assertEquals(await Promise.race([database.stopped, "serving"]), "serving");
});

fullTest("An engine that stays out of memory is stopped", async (database) => {
  for (let failure = 0; failure < 3; failure++) {
    await assertOutOfMemory(() => takeTooMuch(database));
  }
  assertEquals(await database.stopped, { error: "PostgresError", code: "53200" });
  const error = await assertRejects(
    () => database.read((sql) => sql(asTemplate("select 1"))),
    ServiceError,
  );
  assert(error.code === "HTTP_503");
});
