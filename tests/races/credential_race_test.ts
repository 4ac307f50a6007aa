/**
 * Credentials that end under concurrent requests, which are looked up together: no request after
 * the end may use an earlier look-up.
 */

import { assert, assertEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { assertRefused, AUTH } from "../http/access.ts";
import { COMMITMENTS } from "../http/kernel.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, sharedWorld, type TestResponse } from "../support/world.ts";

const world = sharedWorld();

/** A credential with its end. */
interface Mortal {
  readonly bearer: Caller;
  readonly end: () => Promise<void>;
}

const ENDINGS: Readonly<Record<string, () => Promise<Mortal>>> = {
  "A session that logs out": async () => {
    const bearer = await world().createCaller();
    return { bearer, end: () => succeed(bearer.call("POST", `${AUTH}/logout`)) };
  },
  "A token that is revoked": async () => {
    const { caller, bearer, tokenId } = await callerWithToken();
    return { bearer, end: () => succeed(caller.call("POST", `${AUTH}/tokens/${tokenId}/revoke`)) };
  },
  "A session whose account is disabled": async () => {
    const bearer = await world().createCaller();
    return { bearer, end: () => disable(bearer) };
  },
  "A token whose account is disabled": async () => {
    const { caller, bearer } = await callerWithToken();
    return { bearer, end: () => disable(caller) };
  },
};

async function callerWithToken(): Promise<{ caller: Caller; bearer: Caller; tokenId: string }> {
  const caller = await world().createCaller();
  const { token, tokenId } = await makeToken(world(), caller);
  return { caller, bearer: callerOf(world().app, { ...caller, secret: token }), tokenId };
}

async function disable({ accountId }: Caller): Promise<void> {
  await world().raw(`update accounts set disabled_at = now() where account_id = '${accountId}'`);
}

async function succeed(sent: Promise<TestResponse>): Promise<void> {
  const response = await sent;
  assertEquals(response.status, 200, response.text);
}

function visit(bearer: Caller): Promise<TestResponse> {
  return bearer.call("GET", `${AUTH}/session`);
}

/** Runs with the look-up, for the cached identity. */
function readAhead(bearer: Caller): Promise<TestResponse> {
  return bearer.call("GET", COMMITMENTS);
}

function assertAllRefused(answers: readonly TestResponse[]): void {
  assertEquals(answers.map(({ status }) => status), answers.map(() => 401));
  for (const response of answers) assertRefused(response, "AUTH_REQUIRED");
}

/** Once armed, its next read returns on release. */
function holdingReads(real: Database) {
  let next: PromiseWithResolvers<void> | null = null;
  let hold: Promise<void> | null = null;
  const database: Database = {
    ...real,
    async read(use) {
      const [held, reached] = [hold, next];
      [hold, next] = [null, null];
      const rows = await real.read(use);
      reached?.resolve();
      await held;
      return rows;
    },
  };
  return {
    database,
    /** Resolves when the read has its rows. */
    holdNext(): { readonly reached: Promise<void>; readonly letGo: () => void } {
      const release = Promise.withResolvers<void>();
      next = Promise.withResolvers();
      hold = release.promise;
      return { reached: next.promise, letGo: release.resolve };
    },
  };
}

for (const [name, make] of Object.entries(ENDINGS)) {
  Deno.test(`${name} is rejected after its end, also during its look-up`, async () => {
    const { bearer, end } = await make();
    const { database, holdNext } = holdingReads(world().database);
    const busy = callerOf(world().again({ database }), bearer);
    assertEquals((await readAhead(busy)).status, 200);
    const { reached, letGo } = holdNext();
    const before = visit(busy);
    await reached;
    await end();
    const behind = Array.from({ length: 10 }, () => [visit(busy), readAhead(busy)]).flat();
    letGo();
    assertEquals((await before).status, 200);
    assertAllRefused(await Promise.all(behind));
  });

  Deno.test(`${name} is rejected immediately in every process, under many requests`, async () => {
    const { bearer, end } = await make();
    const bearers = [bearer, callerOf(world().again(), bearer)];
    const storm = startStorm(bearers, 10);
    for (const each of bearers) assertEquals((await readAhead(each)).status, 200);
    await end();
    const behind = await Promise.all(
      Array.from({ length: 20 }, (_, index) => readAhead(bearers[index % 2] as Caller)),
    );
    assertAllRefused(behind);
    const statuses = await storm.stop();
    assert(statuses.includes(200));
    assertEquals(statuses.filter((status) => ![200, 401].includes(status)), []);
  });
}

/** Keeps requests running until stopped. */
function startStorm(bearers: readonly Caller[], width: number) {
  const statuses: number[] = [];
  let isOver = false;
  const send = async (bearer: Caller) => {
    while (!isOver) {
      for (const ask of [visit, readAhead]) statuses.push((await ask(bearer)).status);
    }
  };
  const sending = bearers.flatMap((bearer) => Array.from({ length: width }, () => send(bearer)));
  return {
    async stop(): Promise<number[]> {
      isOver = true;
      await Promise.all(sending);
      return statuses;
    },
  };
}

Deno.test("Credentials that are looked up together identify only their own callers", async () => {
  const callers = await Promise.all(Array.from({ length: 12 }, () => world().createCaller()));
  const tokens = await Promise.all(Array.from({ length: 4 }, () => callerWithToken()));
  const bearers = [...callers, ...tokens.map(({ bearer }) => bearer)];
  const unknown = bearers.map((bearer, index) =>
    callerOf(world().app, {
      ...bearer,
      secret: `${bearer.secret.slice(0, 6)}${`${index}`.padStart(43, "x")}`,
    })
  );
  for (let round = 0; round < 3; round++) {
    const [known, strange] = await Promise.all([
      Promise.all(bearers.map(visit)),
      Promise.all(unknown.map(visit)),
    ]);
    assertEquals(
      known.map(({ body }) => body.data.account.accountId),
      bearers.map(({ accountId }) => accountId),
    );
    assertAllRefused(strange);
  }
});
