/** The freezing of an account against writes that are under way. */

import { assert, assertEquals } from "@std/assert";
import { freezeAccount, unfreezeAccount } from "../../src/accounts/moving.ts";
import { givePassword, PASSWORD } from "../http/access.ts";
import { holdAfterWrite, holdBeforeCommit } from "../http/held_database.ts";
import { assertFailure, COMMITMENT, COMMITMENTS, pathOf } from "../http/kernel.ts";
import { waitForBlocked } from "../storage/held.ts";
import { emailOf, eventContextOf } from "../storage/operator.ts";
import {
  createWorld,
  ENGINE,
  type Person,
  personOf,
  type TestResponse,
  type World,
} from "../support/world.ts";

/** The embedded engine has one session: no transaction begins beside another. */
function onServer(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ignore: ENGINE === "embedded" });
}

function freeze(world: World, person: Person): Promise<boolean> {
  return freezeAccount(world.database, emailOf(person), () => eventContextOf(world));
}

function unfreeze(world: World, person: Person): Promise<boolean> {
  return unfreezeAccount(world.database, emailOf(person), eventContextOf(world));
}

function assertFrozen(response: TestResponse): void {
  const details = assertFailure(response, "SYSTEM_MAINTENANCE");
  assertEquals(details.scope, "ACCOUNT_WRITES");
}

const CREATION = { title: "A", payload: COMMITMENT };

onServer(
  "Freezing waits for a write in flight, and the writes that come meanwhile are frozen",
  async () => {
    await using world = await createWorld();
    const identity = await world.person();
    const neighbour = await world.person();
    const path = pathOf(await identity.create("commitment", COMMITMENT));
    const held = holdAfterWrite(world.database);
    const person = personOf(world.again({ database: held.database }), identity);
    const write = person.call("PATCH", path, { body: { title: "B" } });
    await held.reached;
    const freezing = freeze(world, identity);
    await waitForBlocked(world, 1);
    const late = identity.call("POST", COMMITMENTS, { key: "late", body: CREATION });
    await waitForBlocked(world, 2);
    await neighbour.create("commitment", COMMITMENT);
    held.letGo();
    assertEquals((await write).status, 200);
    assertEquals(await freezing, true);
    assertFrozen(await late);
    assertFrozen(await identity.call("PATCH", path, { body: { title: "C" } }));
    assertEquals((await identity.call("GET", path)).body.data.title, "B");
  },
);

onServer("Write that waits for a row's lock is committed before the freezing returns", async () => {
  await using world = await createWorld();
  const person = await world.person();
  const path = pathOf(await person.create("commitment", COMMITMENT));
  const release = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const blocker = world.database.transaction(async (tx) => {
    await tx.sql`select 1 from records where owner_id = ${person.accountId} for update`;
    reached.resolve();
    await release.promise;
  });
  await reached.promise;
  const write = person.call("PATCH", path, { body: { title: "B" } });
  await waitForBlocked(world, 1);
  const freezing = freeze(world, person).then(async () => {
    const [row] = await world.rows(
      `select title from records where owner_id = '${person.accountId}'`,
    );
    return row.title;
  });
  await waitForBlocked(world, 2);
  release.resolve();
  await blocker;
  assertEquals((await write).status, 200);
  assertEquals(await freezing, "B");
});

onServer("Freezing waits for a change of the password, and the next one is frozen", async () => {
  await using world = await createWorld();
  const identity = await world.person();
  await givePassword(world, identity);
  const change = (person: Person, currentPassword: string, newPassword: string) =>
    person.call("POST", "/api/v2/auth/password", { body: { currentPassword, newPassword } });
  const held = holdBeforeCommit(world.database);
  const person = personOf(world.again({ database: held.database }), identity);
  const first = change(person, PASSWORD, `${PASSWORD}, new`);
  await held.reached;
  const freezing = freeze(world, identity);
  await waitForBlocked(world, 1);
  const second = change(identity, PASSWORD, `${PASSWORD}, newer`);
  held.letGo();
  assertEquals((await first).status, 200);
  assert(await freezing);
  assert((await second).status !== 200);
  assertFrozen(await change(identity, `${PASSWORD}, new`, `${PASSWORD}, newest`));
});

Deno.test("No write of any process commits once the account is frozen", async () => {
  await using world = await createWorld();
  const person = await world.person();
  const processes = [person, personOf(world.again(), person)];
  const count = async () => {
    const [{ rows }] = await world.rows("select count(*)::integer as rows from record_revisions");
    return rows as number;
  };
  for (let round = 1; round <= 3; round++) {
    const before = await count();
    const writes = Array.from(
      { length: 40 },
      (_, index) =>
        (processes[index % 2] ?? person).call("POST", COMMITMENTS, {
          key: `${round}-${index}`,
          body: CREATION,
        }),
    );
    await Promise.any(writes);
    await freeze(world, person);
    const frozen = await count();
    const answers = await Promise.all(writes);
    assertEquals(await count(), frozen);
    const made = answers.filter(({ status }) => status === 201);
    assertEquals(made.length, frozen - before);
    for (const response of answers.filter(({ status }) => status !== 201)) assertFrozen(response);
    await unfreeze(world, person);
  }
});
