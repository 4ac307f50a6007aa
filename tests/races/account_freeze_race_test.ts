/** Freezing an account during writes. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { createAccount } from "../../src/accounts/administration.ts";
import { freezeAccount, unfreezeAccount } from "../../src/accounts/moving.ts";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { purgeEnvelopes } from "../../src/command/retention.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database } from "../../src/database/database.ts";
import type { LeasedProposal } from "../../src/families/relationship/lease_store.ts";
import {
  extendLease,
  failAttempt,
  giveBack,
  leaseProposals,
} from "../../src/families/relationship/evaluation_work.ts";
import { AUTH, givePassword, PASSWORD } from "../http/access.ts";
import { claim, propose } from "../families/relationship/evaluation.ts";
import { type HeldDatabase, holdAfterWrite, holdBeforeCommit } from "../http/held_database.ts";
import { assertFailure, COMMITMENT, COMMITMENTS, pathOf } from "../http/kernel.ts";
import { createPerson } from "../families/relationship/api.ts";
import { begin, waitForBlocked } from "../storage/held.ts";
import { emailOf, eventContextOf, refusalOf } from "../storage/operator.ts";
import {
  callApp,
  type Caller,
  callerOf,
  CHEAP_COST,
  createWorld,
  ENGINE,
  fileWorld,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { assertNoneCommitsBehind, impatient } from "./closing.ts";

const shared = fileWorld();

/** Maximum wait per attempt, to observe waiting writes. */
const LONG_TURN_MS = 60_000;
const SHORT_TURN_MS = 50;

/** The embedded engine has no concurrent transactions. */
function onServer(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ignore: ENGINE === "embedded" });
}

function freeze(world: World, caller: Caller, turnMs = LONG_TURN_MS): Promise<boolean> {
  return freezeAccount(world.database, emailOf(caller), () => eventContextOf(world), turnMs);
}

function unfreeze(world: World, caller: Caller): Promise<boolean> {
  return unfreezeAccount(world.database, emailOf(caller), eventContextOf(world));
}

function assertFrozen(response: TestResponse): void {
  const details = assertFailure(response, "SYSTEM_MAINTENANCE");
  assertEquals(details.scope, "ACCOUNT_WRITES");
}

const CREATION = { title: "A", payload: COMMITMENT };

onServer(
  "Freezing waits for a write in flight, and the writes that come meanwhile are frozen",
  async () => {
    const world = shared();
    const identity = await world.createCaller();
    const neighbour = await world.createCaller();
    const path = pathOf(await identity.create("commitment", COMMITMENT));
    const held = holdAfterWrite(world.database);
    const caller = callerOf(world.again({ database: held.database }), identity);
    const write = caller.call("PATCH", path, { body: { title: "B" } });
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
  const world = shared();
  const caller = await world.createCaller();
  const path = pathOf(await caller.create("commitment", COMMITMENT));
  const release = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const blocker = world.database.transaction(async (tx) => {
    await tx.sql`select 1 from records where owner_id = ${caller.accountId} for update`;
    reached.resolve();
    await release.promise;
  });
  await reached.promise;
  const write = caller.call("PATCH", path, { body: { title: "B" } });
  await waitForBlocked(world, 1);
  const freezing = freeze(world, caller).then(async () => {
    const [row] = await world.rows(
      `select title from records where owner_id = '${caller.accountId}'`,
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
  const world = shared();
  const identity = await world.createCaller();
  await givePassword(world, identity);
  const change = (caller: Caller, currentPassword: string, newPassword: string) =>
    caller.call("POST", "/api/v2/auth/password", { body: { currentPassword, newPassword } });
  const held = holdBeforeCommit(world.database);
  const caller = callerOf(world.again({ database: held.database }), identity);
  const first = change(caller, PASSWORD, `${PASSWORD}, new`);
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
  const world = shared();
  await assertNoneCommitsBehind(world, {
    close: (world, caller) => freeze(world, caller),
    open: unfreeze,
    assertRefused: assertFrozen,
  });
});

onServer("Freezing that waits for a long write lets the others through meanwhile", async () => {
  const world = shared();
  const identity = await world.createCaller();
  const path = pathOf(await identity.create("commitment", COMMITMENT));
  const held = holdAfterWrite(world.database);
  const caller = callerOf(world.again({ database: held.database }), identity);
  const long = caller.call("PATCH", path, { body: { title: "B" } });
  await held.reached;
  const freezing = freeze(world, identity, SHORT_TURN_MS);
  // It retries its lock; these come in between.
  await waitForBlocked(world, 1);
  for (const key of ["one", "two", "three"]) {
    const { status } = await identity.call("POST", COMMITMENTS, { key, body: CREATION });
    assertEquals(status, 201);
  }
  held.letGo();
  assertEquals((await long).status, 200);
  assert(await freezing);
  assertFrozen(await identity.call("PATCH", path, { body: { title: "C" } }));
});

onServer(
  "Account is not made while another one is being imported, and the operator is told",
  async () => {
    await using world = await createWorld();
    const identity = await world.createCaller();
    const importing = await begin(world.database, (tx) =>
      tx.sql`
      insert into accounts (account_id, email, email_key, display_name, password_hash, created_at)
      select ${
        newId(world.now())
      }, 'a@example.org', 'a@example.org', 'A', password_hash, created_at from accounts`);
    const account = { email: "new@example.org", displayName: "N", passwordHash: "hash" };
    const make = (database: Database) => createAccount(database, account, eventContextOf(world));
    assertEquals(
      await refusalOf(make(impatient(world.database))),
      "Another account is being created or imported: try again later",
    );
    // Nothing else waits.
    assertEquals((await identity.call("GET", COMMITMENTS)).status, 200);
    await importing.rollBack();
    assertEquals((await make(world.database)).email, account.email);
  },
);

/** Writes without `claim_command`, which lock the account's row. */
interface Background {
  readonly name: string;
  /** Held after its change. */
  readonly hold: (real: Database) => HeldDatabase;
  /** Whether it waits for the account's row, or retries later. */
  readonly waits: boolean;
  /** Prepares the work, and returns a function that does it. */
  readonly prepare: (
    world: World,
    caller: Caller,
  ) => Promise<(database: Database) => Promise<unknown>>;
  /** The query that selects its changes. */
  readonly changed: string;
}

type EndOfClaim = (database: Database, claimed: LeasedProposal, now: Date) => Promise<unknown>;

function endOfClaim(name: string, end: EndOfClaim): Background {
  return {
    name,
    hold: holdAfterWrite,
    waits: true,
    async prepare(world, caller) {
      const claimed = await claim(world, await propose(caller, await createPerson(caller)));
      world.advance(1);
      return (database) => end(database, claimed, world.now());
    },
    changed: "select lease_id, claimable_at from person_proposals",
  };
}

const BACKGROUND: readonly Background[] = [
  {
    name: "the claim of a proposal",
    hold: holdAfterWrite,
    waits: false,
    async prepare(world, caller) {
      await propose(caller, await createPerson(caller));
      return (database) => leaseProposals(database, world.now());
    },
    changed: "select lease_id, attempts from person_proposals",
  },
  endOfClaim("the extension of a claim", extendLease),
  endOfClaim("the failure of an attempt", failAttempt),
  endOfClaim("a claim that is given back", giveBack),
  {
    name: "the purge of old envelopes",
    hold: holdBeforeCommit,
    waits: false,
    async prepare(world, { accountId }) {
      await world.raw(`
        insert into idempotency_envelopes (owner_id, operation, target, idempotency_key,
                                           fingerprint, fingerprint_key, envelope, created_at)
        values ('${accountId}', 'record.create', '', 'old', '\\x00', 'key', '{}',
                now() - interval '400 days')`);
      return (database) => purgeEnvelopes(database, 90, new Date());
    },
    changed: "select idempotency_key from idempotency_envelopes",
  },
  {
    name: "a sign-in that hashes the password anew",
    hold: holdBeforeCommit,
    waits: true,
    async prepare(world, caller) {
      const cheaper = new PasswordHasher({ cost: { ...CHEAP_COST, N: CHEAP_COST.N / 2 } });
      const hash = await cheaper.hash(PASSWORD, "known");
      await world.raw(
        `update accounts set password_hash = '${hash}' where account_id = '${caller.accountId}'`,
      );
      const body = { email: emailOf(caller), password: PASSWORD, transport: "bearer" };
      return async (database) => {
        const app = world.again({ database });
        const { status, text } = await callApp(app, "POST", `${AUTH}/login`, { body });
        assertEquals(status, 200, text);
      };
    },
    changed: "select password_hash from accounts",
  },
];

for (const { name, hold, waits, prepare, changed } of BACKGROUND) {
  onServer(`Freezing waits for ${name}, and the next one changes nothing`, async () => {
    const world = shared();
    const [first, second] = [await world.createCaller(), await world.createCaller()];
    const show = async ({ accountId }: Caller) => {
      const owner = changed.endsWith("accounts") ? "account_id" : "owner_id";
      return await world.rows(`${changed} where ${owner} = '${accountId}'`);
    };
    const run = await prepare(world, first);
    const before = await show(first);
    const held = hold(world.database);
    const running = run(held.database);
    await held.reached;
    const freezing = freeze(world, first).then(() => show(first));
    await waitForBlocked(world, 1);
    held.letGo();
    await running;
    const frozen = await freezing;
    assertNotEquals(frozen, before);
    assertEquals(await show(first), frozen);

    // Not yet committed.
    const late = await prepare(world, second);
    const untouched = await show(second);
    const slow = holdBeforeCommit(world.database);
    const slowFreezing = freeze({ ...world, database: slow.database }, second);
    await slow.reached;
    const ran = late(world.database);
    await (waits ? waitForBlocked(world, 1) : ran);
    slow.letGo();
    await Promise.all([ran, slowFreezing]);
    assertEquals(await show(second), untouched);
  });
}
