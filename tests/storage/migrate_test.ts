// engines: postgres
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describeSchema } from "../../scripts/schema_snapshot.ts";
import { migrate, MigrationError } from "../../src/database/migrate.ts";
import { type Migration, MIGRATIONS } from "../../src/database/migration_files.ts";
import { databaseFailure } from "../../src/database/failures.ts";
import { type EmptyDatabase, emptyDatabases } from "./empty_database.ts";

const openEmpty = emptyDatabases();

const FIRST: Migration = { version: 1, name: "first", sql: "create table first ()" };
const SECOND: Migration = { version: 2, name: "second", sql: "create table second ()" };
const THIRD: Migration = { version: 3, name: "third", sql: "create table third ()" };

async function tables(empty: EmptyDatabase): Promise<string[]> {
  const rows = await empty.rows(`
    select relname from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`);
  return rows.map(({ relname }) => relname);
}

async function applied(empty: EmptyDatabase): Promise<string[]> {
  const rows = await empty.rows(`
    select format('%s %s %s', version, applied_at, xmin) as step
      from schema_migrations order by version`);
  return rows.map(({ step }) => step);
}

Deno.test("migrate() applies every step once", async () => {
  await using empty = await openEmpty();
  await migrate(empty.database);
  const [schema, steps] = [await describeSchema(empty.rows), await applied(empty)];
  assertEquals(steps.length, MIGRATIONS.length);
  await migrate(empty.database);
  assertEquals([await describeSchema(empty.rows), await applied(empty)], [schema, steps]);
});

Deno.test("migrate() lets twenty processes start at once", async () => {
  await using empty = await openEmpty();
  const processes = Array.from({ length: 20 }, () => empty.another());
  await Promise.all(processes.map((database) => migrate(database)));
  assertEquals((await applied(empty)).length, MIGRATIONS.length);
});

Deno.test("migrate() applies only the steps that are missing", async () => {
  await using empty = await openEmpty();
  await migrate(empty.database, [FIRST]);
  const [first] = await applied(empty);
  await migrate(empty.database, [FIRST, SECOND, THIRD]);
  assertEquals(await tables(empty), ["first", "schema_migrations", "second", "third"]);
  const steps = await applied(empty);
  assertEquals([steps[0], steps.length], [first, 3]);
});

Deno.test("migrate() rejects a step that differs from the applied one", async () => {
  await using empty = await openEmpty();
  await migrate(empty.database, [FIRST, SECOND]);
  const before = [await tables(empty), await applied(empty)];
  const changed = { ...FIRST, sql: `${FIRST.sql} -- changed` };
  const error = await assertRejects(
    () => migrate(empty.database, [changed, SECOND, THIRD]),
    MigrationError,
  );
  assertEquals(error.message, "Schema version 1 differs from what was applied");
  assertEquals([await tables(empty), await applied(empty)], before);
});

Deno.test("migrate() rejects a schema newer than the release", async () => {
  await using empty = await openEmpty();
  await migrate(empty.database, [FIRST, SECOND, THIRD]);
  const before = [await tables(empty), await applied(empty)];
  for (const known of [[], [FIRST], [FIRST, SECOND], [FIRST, { ...SECOND, version: 9 }]]) {
    await assertRejects(() => migrate(empty.database, known), MigrationError, "does not know");
  }
  assertEquals([await tables(empty), await applied(empty)], before);
});

Deno.test("migrate() rejects a database of the replaced steps and explains the upgrade", async () => {
  await using empty = await openEmpty();
  await migrate(empty.database, MIGRATIONS.slice(0, 6));
  await empty.database.transaction((tx) =>
    tx.script("update schema_migrations set name = 'authorization' where version = 6")
  );
  const { message } = await assertRejects(() => migrate(empty.database), MigrationError);
  assert(message.includes("the schema of an earlier revision"), message);
  assert(message.includes("`admin account export` for each account; with this release"), message);
});

Deno.test("migrate() leaves nothing in an empty database if one of its steps fails", async () => {
  await using empty = await openEmpty();
  const broken = { ...THIRD, sql: "select 1 / 0" };
  const error = await migrate(empty.database, [FIRST, SECOND, broken]).catch((thrown) => thrown);
  assertEquals(databaseFailure(error)?.sqlstate, "22012");
  assertEquals(await tables(empty), []);
  await migrate(empty.database, [FIRST, SECOND, THIRD]);
  assertEquals(await tables(empty), ["first", "schema_migrations", "second", "third"]);
});

Deno.test("migrate() reports the steps that it committed, and no others", async () => {
  await using empty = await openEmpty();
  const reported: string[] = [];
  const report = (first: Migration, last: Migration) => reported.push(`${first.name} ${last.name}`);
  const run = (...steps: readonly Migration[]) => migrate(empty.database, steps, report);
  await run(FIRST, SECOND);
  assertEquals(reported.splice(0), [`${FIRST.name} ${SECOND.name}`]);
  await run(FIRST, SECOND);
  await run(FIRST, SECOND, { ...THIRD, sql: "select 1 / 0" }).catch(() => {});
  assertEquals(reported, []);
  await run(FIRST, SECOND, THIRD);
  assertEquals(reported, [`${THIRD.name} ${THIRD.name}`]);
});

Deno.test("migrate() keeps the steps of an older database before a failing one", async () => {
  await using empty = await openEmpty();
  await migrate(empty.database, [FIRST]);
  const broken = { ...THIRD, sql: `${THIRD.sql}; create table other (); select 1 / 0` };
  const error = await migrate(empty.database, [FIRST, SECOND, broken]).catch((thrown) => thrown);
  assertEquals(databaseFailure(error)?.sqlstate, "22012");
  assertEquals(await tables(empty), ["first", "schema_migrations", "second"]);
  assertEquals((await applied(empty)).length, 2);
  await migrate(empty.database, [FIRST, SECOND, THIRD]);
  assertEquals(await tables(empty), ["first", "schema_migrations", "second", "third"]);
});

Deno.test("migrate() fails for each of several processes when a step fails", async () => {
  await using empty = await openEmpty();
  await migrate(empty.database, [FIRST]);
  const broken = { ...SECOND, sql: "select 1 / 0" };
  const processes = Array.from({ length: 5 }, () => empty.another());
  const ends = await Promise.allSettled(
    processes.map((database) => migrate(database, [FIRST, broken])),
  );
  assertEquals(ends.map(({ status }) => status), processes.map(() => "rejected"));
  assertEquals((await applied(empty)).length, 1);
});
