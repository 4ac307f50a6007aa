/** `write` on both engines. */

import { assertEquals, assertRejects } from "@std/assert";
import { ulid } from "@std/ulid";
import { databaseFailure } from "../../src/database/failures.ts";
import { byteaArray } from "../../src/database/sql.ts";
import { asTemplate, fileWorld } from "../support/world.ts";
import { assertSqlstate, isNoted, makeNotes } from "./notes.ts";

// With the tables of notes.
const world = fileWorld({}, makeNotes);

Deno.test("write() returns its statement's rows and commits", async () => {
  const [first, second] = [ulid(), ulid()];
  const rows = await world().database.write((sql) =>
    sql`insert into notes values (${first}), (${second}) returning name`
  );
  assertEquals([...rows], [{ name: first }, { name: second }]);
  assertEquals([await isNoted(world(), first), await isNoted(world(), second)], [true, true]);
});

Deno.test("write() leaves nothing of a failing statement, and stays usable", async () => {
  const { database } = world();
  const [taken, name] = [ulid(), ulid()];
  // Twice the number of connections.
  for (let round = 0; round < 16; round++) {
    if (round === 0) await database.write((sql) => sql`insert into notes values (${taken})`);
    await assertSqlstate(
      () => database.write((sql) => sql`insert into notes values (${name}), (${taken})`),
      "23505",
    );
    await assertSqlstate(
      () =>
        database.write((sql) =>
          sql`
            with note as (insert into notes values (${name}) returning name)
            select 1 / (length(name) - length(name)) from note`
        ),
      "22012",
    );
  }
  assertEquals(await isNoted(world(), name), false);
  await database.write((sql) => sql`insert into notes values (${name})`);
  assertEquals(await isNoted(world(), name), true);
});

Deno.test("write() rejects and leaves nothing if a deferred constraint fails", async () => {
  const { database } = world();
  const name = ulid();
  const promise = (keeper: string) =>
    database.write((sql) =>
      sql`insert into promises values (${name}, ${keeper}) returning repeat(name, 1000)`
    );
  for (let round = 0; round < 2; round++) {
    const error = await assertRejects(() => promise("nobody"));
    assertEquals(databaseFailure(error)?.constraint, "promise_is_kept");
  }
  const found = () => database.read((sql) => sql`select 1 from promises where name = ${name}`);
  assertEquals((await found()).length, 0);
  await database.write((sql) => sql`insert into notes values (${name})`);
  await promise(name);
  assertEquals((await found()).length, 1);
});

Deno.test("write() runs two statements in separate transactions", async () => {
  const { database } = world();
  const names = Array.from({ length: 40 }, () => ulid());
  const outcomes = await Promise.allSettled(
    names.map((name, index) =>
      database.write((sql) =>
        index % 3 === 0
          ? sql`insert into notes values (${name}), (${name})`
          : sql`insert into notes values (${name})`
      )
    ),
  );
  for (const [index, name] of names.entries()) {
    const isKept = index % 3 !== 0;
    assertEquals([outcomes[index]?.status === "fulfilled", await isNoted(world(), name)], [
      isKept,
      isKept,
    ]);
  }
});

Deno.test("Statements of a read or transaction sent outside of it cannot write", async () => {
  const { database } = world();
  const ask = "select current_setting('default_transaction_read_only') as own, " +
    "current_setting('transaction_read_only') as present";
  // Before and after a write.
  for (let round = 0; round < 2; round++) {
    const asked = await Promise.all(
      Array.from({ length: 12 }, () => database.read(async (sql) => await sql(asTemplate(ask)))),
    );
    for (const [response] of asked) assertEquals(response, { own: "on", present: "on" });
    const begun = await Promise.all(
      Array.from({ length: 4 }, () => database.transaction((tx) => tx.sql(asTemplate(ask)))),
    );
    for (const [response] of begun) assertEquals(response, { own: "on", present: "off" });
    await Promise.all(
      Array.from({ length: 12 }, () => database.write((sql) => sql(asTemplate(ask)))),
    );
  }
});

Deno.test("byteaArray() reads back as its bytes", async () => {
  const { database } = world();
  const lists = [[], [""], ["00"], ["", "ff", "00ff5c22277b7d2c", "ff"], ["ab".repeat(32)]];
  for (const list of lists) {
    const rows = await database.read((sql) =>
      sql<{ digits: string }>`
        select encode(value, 'hex') as digits
          from unnest(${byteaArray(list)}::text::bytea[]) with ordinality listed (value, place)
         order by place`
    );
    assertEquals(rows.map(({ digits }) => digits), list);
  }
});
