import { assertEquals, assertRejects } from "@std/assert";
import { sha256Hex } from "../../../src/core/digest.ts";
import type { Database } from "../../../src/database/database.ts";
import { migrate, MigrationError } from "../../../src/database/migrate.ts";
import { type Migration, MIGRATIONS } from "../../../src/database/migration_files.ts";
import type { Query, Sql } from "../../../src/database/sql.ts";

/** With a version and applied steps; counts transactions. */
function serverOf(
  version: number,
  applied: readonly Migration[] = [],
): { readonly database: Database; readonly begun: () => number } {
  let begun = 0;
  const steps = applied.map((step) => ({ ...step, checksum: sha256Hex(step.sql) }));
  const server = [{ version, migrated: applied.length > 0 }];
  const sql: Sql = <Row extends object>([text = ""]: TemplateStringsArray) =>
    Promise.resolve(text.includes("order by version") ? steps : server) as unknown as Query<Row>;
  const database: Database = {
    read: (use) => use(sql),
    write: async (statement) => await statement(sql),
    snapshot: (use) => use(sql),
    connections: () => ({ size: 1, busy: 0, waiting: 0 }),
    transaction: () => {
      begun++;
      return Promise.resolve([] as never);
    },
    close: () => Promise.resolve(),
    stopped: new Promise(() => {}),
  };
  return { database, begun: () => begun };
}

Deno.test("migrate() rejects a server older than PostgreSQL 15 before it writes", async () => {
  for (const version of [90_624, 140_019, 149_999]) {
    const { database, begun } = serverOf(version);
    await assertRejects(
      () => migrate(database),
      MigrationError,
      "PostgreSQL 15 or newer is needed",
    );
    assertEquals(begun(), 0);
  }
});

Deno.test("migrate() accepts PostgreSQL 15 and newer", async () => {
  for (const version of [150_000, 160_004, 180_000]) {
    const { database, begun } = serverOf(version);
    await migrate(database);
    assertEquals(begun(), 1);
  }
});

Deno.test("migrate() only reads if no step is missing, and rejects an unknown one likewise", async () => {
  const last = MIGRATIONS.length - 1;
  for (const [applied, begins] of [[MIGRATIONS, 0], [MIGRATIONS.slice(0, last), 1]] as const) {
    const { database, begun } = serverOf(180_000, applied);
    await migrate(database);
    assertEquals(begun(), begins);
  }
  const { database, begun } = serverOf(180_000, MIGRATIONS);
  await assertRejects(
    () => migrate(database, MIGRATIONS.slice(0, last)),
    MigrationError,
    "does not know",
  );
  assertEquals(begun(), 0);
});

/** The first six replaced steps, with old names. */
const REPLACED = ["guards", "access", "commands", "records", "attachments", "authorization"]
  .map((name, index): Migration => ({ version: index + 1, name, sql: "-- as it was" }));

Deno.test("migrate() rejects a database of the replaced steps and explains the upgrade", async () => {
  const { database, begun } = serverOf(180_000, REPLACED);
  const error = await assertRejects(() => migrate(database), MigrationError);
  assertEquals(
    error.message,
    "The database has the schema of an earlier revision, which this release cannot upgrade. With " +
      "that revision, run `admin account freeze` and `admin account export` for each account; with " +
      "this release, start on an empty database and run `admin account import` and `admin account " +
      "unfreeze` for each",
  );
  assertEquals(begun(), 0);
});

Deno.test("Migrations are numbered without a gap, and include every file", async () => {
  const folder = new URL("../../../sql/", import.meta.url);
  const files = await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name);
  const expected = MIGRATIONS.map(({ version, name }, index) => {
    assertEquals(version, index + 1);
    return `${String(version).padStart(4, "0")}_${name}.sql`;
  });
  assertEquals(files.filter((file) => file.endsWith(".sql")).sort(), expected);
  for (const [index, file] of expected.entries()) {
    assertEquals(MIGRATIONS[index]?.sql, await Deno.readTextFile(new URL(file, folder)));
  }
});
