/**
 * Reads sent with their credential's look-up: used if it confirms the cached identity, dropped
 * otherwise.
 */

import { assertEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { AUTH } from "../http/access.ts";
import { assertFailure, COMMITMENT, COMMITMENTS, pathOf } from "../http/kernel.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, sharedWorld, type TestResponse } from "../support/world.ts";

const world = sharedWorld();

/**
 * Once armed, its next read waits for release; `passed` resolves when the following read has its
 * rows.
 */
function holdingLookUps(real: Database) {
  let hold: PromiseWithResolvers<void> | null = null;
  let passed: PromiseWithResolvers<void> | null = null;
  let count = 0;
  const database: Database = {
    ...real,
    async read(use) {
      count++;
      const held = hold;
      hold = null;
      await held?.promise;
      const rows = await real.read(use);
      if (held === null) passed?.resolve();
      return rows;
    },
  };
  return {
    database,
    reads: () => count,
    holdNext(): { readonly passed: Promise<void>; readonly letGo: () => void } {
      hold = Promise.withResolvers();
      passed = Promise.withResolvers();
      count = 0;
      return { passed: passed.promise, letGo: hold.resolve };
    },
  };
}

/** Cached by a process with holdable look-ups. */
async function knownCaller(bearerOf = (caller: Caller) => Promise.resolve(caller)) {
  const caller = await world().createCaller();
  const record = await caller.create("commitment", COMMITMENT);
  const holding = holdingLookUps(world().database);
  const bearer = callerOf(world().again({ database: holding.database }), await bearerOf(caller));
  const paths = [`${pathOf(record)}/revisions`, COMMITMENTS];
  assertEquals((await bearer.call("GET", paths[0] ?? "")).status, 200);
  return { caller, bearer, record, paths, ...holding };
}

async function withToken(caller: Caller): Promise<Caller> {
  const { token } = await makeToken(world(), caller);
  return callerOf(world().app, { ...caller, secret: token });
}

/** `change` happens between the rows and the look-up. */
async function readAround(
  { bearer, holdNext }: Awaited<ReturnType<typeof knownCaller>>,
  path: string,
  change: () => Promise<unknown>,
): Promise<TestResponse> {
  const { passed, letGo } = holdNext();
  const answer = bearer.call("GET", path);
  await passed;
  await change();
  letGo();
  return await answer;
}

Deno.test("A read runs together with the look-up of a known credential, and is its answer", async () => {
  for (const bearerOf of [undefined, withToken]) {
    const known = await knownCaller(bearerOf);
    for (const path of known.paths) {
      const expected = (await known.caller.call("GET", path)).body.data;
      const response = await readAround(known, path, async () => {});
      assertEquals(response.body.data, expected);
      assertEquals(known.reads(), 2, "look-up and read, once each");
    }
  }
});

Deno.test("A read-ahead result is dropped if the look-up rejects its credential", async () => {
  const changes = {
    AUTH_REQUIRED: [
      ({ accountId }: Caller) =>
        world().raw(`update accounts set disabled_at = now() where account_id = '${accountId}'`),
      (caller: Caller) => caller.call("POST", `${AUTH}/logout`),
    ],
    FORBIDDEN: [
      ({ accountId }: Caller) =>
        world().raw(`update accounts set role = null where account_id = '${accountId}'`),
      ({ accountId }: Caller) =>
        world().raw(`update accounts set role = 'SERVICE' where account_id = '${accountId}'`),
    ],
  } as const;
  for (const code of ["AUTH_REQUIRED", "FORBIDDEN"] as const) {
    for (const change of changes[code]) {
      for (const index of [0, 1]) {
        const known = await knownCaller();
        const path = known.paths[index] ?? "";
        assertFailure(await readAround(known, path, () => change(known.caller)), code, path);
        assertFailure(await known.bearer.call("GET", path), code, path);
      }
    }
  }
});

Deno.test("A read after a rejection is not sent ahead", async () => {
  const known = await knownCaller();
  const { bearer, caller, paths: [path = ""], holdNext, reads } = known;
  await readAround(known, path, () => caller.call("POST", `${AUTH}/logout`));
  const { letGo } = holdNext();
  letGo();
  assertFailure(await bearer.call("GET", path), "AUTH_REQUIRED");
  assertEquals(reads(), 1);
});

Deno.test("A read ahead sees what was acknowledged before its request", async () => {
  const { bearer, record, paths: [, list = ""], caller } = await knownCaller();
  for (let round = 0; round < 20; round++) {
    const title = `Title ${round}`;
    const changed = await caller.call("PATCH", pathOf(record), { body: { title } });
    assertEquals(changed.status, 200, changed.text);
    assertEquals((await bearer.call("GET", list)).body.data.items[0].title, title);
  }
});
