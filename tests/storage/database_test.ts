/** Operations of the database on both engines. */

import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { ulid } from "@std/ulid";
import { databaseFailure } from "../../src/database/failures.ts";
import type { Query, Sql } from "../../src/database/sql.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { asTemplate, createWorld, fileWorld } from "../support/world.ts";
import { assertSqlstate, isNoted, makeNotes } from "./notes.ts";

// With the tables of notes.
const world = fileWorld({}, makeNotes);

Deno.test("read() cannot write", async () => {
  const writes = [
    "insert into notes values ('written by a read')",
    "update maintenance_window set active = true",
    "delete from sessions",
    "truncate sessions",
    "create table more ()",
    "with note as (insert into notes values ('x') returning name) select name from note",
    "select name from notes for update",
    "comment on table notes is 'x'",
  ];
  for (const write of writes) {
    const attempt = () => world().database.read(async (sql) => await sql(asTemplate(write)));
    await assertSqlstate(attempt, "25006");
  }
  // The session is read-only again.
  await world().database.transaction((tx) => tx.commitWith(tx.sql`select 1`));
  await assertSqlstate(
    () => world().database.read(async (sql) => await sql`insert into notes values ('x')`),
    "25006",
  );
});

Deno.test("A nested operation throws and leaves the outer one usable", async () => {
  const { database } = world();
  const outer = {
    read: (use: () => Promise<unknown>) => database.read(use),
    write: async (use: () => Promise<unknown>) => {
      const opened: Promise<unknown>[] = [];
      await database.write((sql) => {
        const inner = use();
        inner.catch(() => {});
        opened.push(inner);
        return sql`select 1`;
      });
      return await opened[0];
    },
    transaction: (use: () => Promise<unknown>) => database.transaction(use),
  };
  const inner = {
    read: () => database.read((sql) => sql`select 1`),
    write: () => database.write((sql) => sql`select 1`),
    transaction: () => database.transaction((tx) => tx.sql`select 1`),
  };
  for (const [outside, open] of Object.entries(outer)) {
    for (const [inside, enter] of Object.entries(inner)) {
      const expected = `${inside}() cannot be called inside ${outside}()`;
      const message = await open(() => enter().catch((error) => error.message));
      assertEquals(message, expected);
      await assertRejects(() => open(enter), Error, expected);
    }
  }
  // The inner operation works after the outer one.
  await database.transaction((tx) => tx.sql`select 1`);
  await database.read((sql) => sql`select 1`);
});

Deno.test("transaction() stores its writes once it returns", async () => {
  const [first, second] = [ulid(), ulid()];
  const response = await world().database.transaction(async (tx) => {
    await tx.sql`insert into notes values (${first})`;
    await tx.sql`insert into notes values (${second})`;
    return "response";
  });
  assertEquals([response, await isNoted(world(), first), await isNoted(world(), second)], [
    "response",
    true,
    true,
  ]);
});

Deno.test("transaction() rolls back its writes if it throws, and throws the same", async () => {
  const name = ulid();
  const thrown = new ServiceError("RECORD_NOT_FOUND");
  const error = await assertRejects(() =>
    world().database.transaction(async (tx) => {
      await tx.sql`insert into notes values (${name})`;
      throw thrown;
    })
  );
  assertStrictEquals(error, thrown);
  assertEquals(await isNoted(world(), name), false);
});

Deno.test("transaction() rolls back everything when a statement fails", async () => {
  const name = ulid();
  await assertSqlstate(() =>
    world().database.transaction(async (tx) => {
      await tx.sql`insert into notes values (${name})`;
      await tx.sql`insert into notes values (${name})`;
    }), "23505");
  assertEquals(await isNoted(world(), name), false);
});

Deno.test("A statement awaited after its transaction's end throws and is not sent", async () => {
  const { database } = world();
  const name = ulid();
  const late: Query<object>[] = [];
  await database.transaction((tx) => {
    late.push(tx.sql`insert into notes values (${name})`);
    return Promise.resolve();
  });
  await database.transaction(async (tx) => {
    late.push(tx.sql`insert into notes values (${name})`);
    await tx.commitWith(tx.sql`select 1`);
  });
  await assertRejects(() =>
    database.transaction((tx) => {
      late.push(tx.sql`insert into notes values (${name})`);
      throw new Error("rolled back");
    })
  );
  await database.read((sql) => {
    late.push(sql`select ${name}`);
    return Promise.resolve();
  });
  await database.write((sql) => {
    late.push(sql`insert into notes values (${name})`);
    return sql`select 1`;
  });
  await assertRejects(() =>
    database.write((sql) => {
      late.push(sql`insert into notes values (${name})`);
      return sql`select 1 / 0`;
    })
  );
  assertEquals(late.length, 6);
  for (const statement of late) {
    await assertRejects(async () => await statement, Error, "has ended");
  }
  assertEquals(await isNoted(world(), name), false);
});

Deno.test("A statement cannot be written after its transaction's end", async () => {
  const { database } = world();
  const ended = await database.transaction((tx) => Promise.resolve(tx));
  assertThrows(() => ended.sql`select 1`, Error, "has ended");
  await assertRejects(() => ended.script("select 1"), Error, "has ended");
  const read = await database.read((sql) => Promise.resolve(sql));
  assertThrows(() => read`select 1`, Error, "has ended");
  let written = read;
  await database.write((sql) => {
    written = sql;
    return sql`select 1`;
  });
  assert(written !== read);
  assertThrows(() => written`select 1`, Error, "has ended");
});

Deno.test("A branch that continues after its transaction threw sends nothing", async () => {
  const name = ulid();
  const branches: Promise<unknown>[] = [];
  await assertRejects(() =>
    world().database.transaction(async (tx) => {
      const branch = async () => {
        await tx.sql`select pg_sleep(0.01)`;
        await tx.sql`insert into notes values (${name})`;
      };
      branches.push(branch());
      await Promise.all([branches[0], Promise.reject(new Error("thrown"))]);
    })
  );
  const [branch] = await Promise.allSettled(branches);
  assertEquals(branch?.status, "rejected");
  assertEquals(await isNoted(world(), name), false);
});

Deno.test("A transaction whose connection is abandoned stores nothing and blocks nobody", async () => {
  const name = ulid();
  // The driver throws while writing the parameter: out of step with the server, the connection is
  // abandoned.
  const notADate = 5 as unknown as Date;
  await assertRejects(() =>
    world().database.transaction(async (tx) => {
      await tx.sql`insert into notes values (${name})`;
      await tx.sql`select ${notADate}::timestamptz`;
    })
  );
  assertEquals(await isNoted(world(), name), false);
  const other = ulid();
  await world().database.transaction((tx) => tx.sql`insert into notes values (${other})`);
  assertEquals([await isNoted(world(), name), await isNoted(world(), other)], [false, true]);
});

Deno.test("A failing statement that is not awaited makes COMMIT fail", async () => {
  const name = ulid();
  for (
    const end of ["return", "commitWith"] as const
  ) {
    const error = await assertRejects(() =>
      world().database.transaction(async (tx) => {
        await tx.sql`insert into notes values (${name})`;
        tx.sql`select 1 / 0`.execute();
        if (end === "commitWith") await tx.commitWith(tx.sql`select 1`);
      })
    );
    // commitWith's statement fails because the transaction had failed.
    const expected = end === "return" ? undefined : "25P02";
    assertEquals(databaseFailure(error)?.sqlstate, expected);
    assertEquals(await isNoted(world(), name), false, end);
  }
});

Deno.test("A constraint checked at COMMIT fails the transaction, however it ends", async () => {
  const name = ulid();
  const { database } = world();
  await assertSqlstate(() =>
    database.transaction(async (tx) => {
      await tx.sql`insert into promises values (${name}, 'nobody')`;
    }), "23503");
  const error = await assertRejects(() =>
    database.transaction((tx) =>
      tx.commitWith(tx.sql`insert into promises values (${name}, 'nobody') returning name`)
    )
  );
  assertEquals(databaseFailure(error)?.constraint, "promise_is_kept");
  const found = await database.read((sql) => sql`select 1 from promises where name = ${name}`);
  assertEquals(found.length, 0);
});

Deno.test("commitWith() returns its statement's rows and commits everything before it", async () => {
  const [first, second] = [ulid(), ulid()];
  const rows = await world().database.transaction(async (tx) => {
    await tx.sql`insert into notes values (${first})`;
    return await tx.commitWith(tx.sql`insert into notes values (${second}) returning name`);
  });
  assertEquals([...rows], [{ name: second }]);
  assertEquals([await isNoted(world(), first), await isNoted(world(), second)], [true, true]);
});

Deno.test("commitWith() throws its statement's failure and rolls back everything before it", async () => {
  const name = ulid();
  await assertSqlstate(() =>
    world().database.transaction(async (tx) => {
      await tx.sql`insert into notes values (${name})`;
      await tx.commitWith(tx.sql`insert into notes values (${name})`);
    }), "23505");
  assertEquals(await isNoted(world(), name), false);
});

Deno.test("A connection is usable after every kind of end", async () => {
  const { database } = world();
  // More than connections, so that each met a failure.
  for (let round = 0; round < 10; round++) {
    await database.transaction((tx) => tx.sql`select 1 / 0`).catch(() => {});
    await database.transaction(() => Promise.reject(new Error("thrown"))).catch(() => {});
    await database.transaction((tx) => tx.commitWith(tx.sql`select 1 / 0`)).catch(() => {});
    await database.transaction(async (tx) => void await tx.script("commit; select 1 / 0")).catch(
      () => {},
    );
  }
  const names = Array.from({ length: 20 }, () => ulid());
  await Promise.all(
    names.map((name) =>
      database.transaction((tx) => tx.commitWith(tx.sql`insert into notes values (${name})`))
    ),
  );
  for (const name of names) assert(await isNoted(world(), name));
});

Deno.test("close() waits for running operations, and rejects later ones", async () => {
  for (const operation of ["read", "transaction"] as const) {
    await using own = await createWorld();
    const { database } = own;
    const halfway = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const pause = async (sql: Sql) => {
      await sql`select 1`;
      halfway.resolve();
      await goOn.promise;
      return [...await sql`select 2 as second`];
    };
    const running = operation === "read"
      ? database.read(pause)
      : database.transaction((tx) => pause(tx.sql));
    await halfway.promise;
    const closing = database.close();
    const write = () => database.write((sql) => sql`select 1`);
    for (const enter of [database.read, write, database.transaction]) {
      const refused = await assertRejects(() => enter(() => Promise.resolve()), ServiceError);
      assertEquals(refused.code, "HTTP_503");
    }
    goOn.resolve();
    assertEquals(await running, [{ second: 2 }], operation);
    await closing;
  }
});
