// engines: postgres
/** Changes of an identity that `identity_holds()` detects. */

import { assertEquals } from "@std/assert";
import { makeToken } from "../support/tokens.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();
const HOUR = 60 * 60 * 1000;

/** A recently used session and token. */
async function knownCredentials() {
  const caller = await world().createCaller();
  const { accountId, sessionId } = caller;
  const { tokenId } = await makeToken(world(), caller);
  const now = world().now();
  await world().raw(`
    update tokens set last_used_at = '${now.toISOString()}' where token_id = '${tokenId}'`);
  const base = { accountId, role: "OWNER", usedSince: new Date(now.getTime() - HOUR), now };
  return [{ ...base, credential: sessionId }, { ...base, credential: tokenId }] as const;
}

type Known = Awaited<ReturnType<typeof knownCredentials>>[number];

async function holds({ accountId, credential, role, usedSince, now }: Known): Promise<boolean> {
  const [row] = await world().database.read((sql) =>
    sql<{ holds: boolean }>`
      select identity_holds(${accountId}, ${credential}, ${role}, ${usedSince}, ${now}) as holds`
  );
  return row?.holds ?? false;
}

Deno.test("identity_holds() accepts an account's unchanged credential", async () => {
  const other = await world().createCaller();
  for (const known of await knownCredentials()) {
    assertEquals(await holds(known), true);
    assertEquals(await holds({ ...known, accountId: other.accountId }), false);
    assertEquals(await holds({ ...known, credential: other.sessionId }), false);
    assertEquals(await holds({ ...known, role: "VIEWER" }), false);
    assertEquals(await holds({ ...known, usedSince: known.now }), false);
    assertEquals(await holds({ ...known, now: new Date("2036-01-01T00:00:00.000Z") }), false);
  }
});

Deno.test("identity_holds() rejects what has ended or changed since", async () => {
  const changes: readonly ((known: Known) => string)[] = [
    ({ accountId }) => `update accounts set disabled_at = now() where account_id = '${accountId}'`,
    ({ accountId }) => `update accounts set role = null where account_id = '${accountId}'`,
    ({ accountId }) => `update accounts set role = 'VIEWER' where account_id = '${accountId}'`,
    ({ accountId, now }) => `
      update sessions set revoked_at = '${now.toISOString()}' where account_id = '${accountId}';
      update tokens set revoked_at = '${now.toISOString()}' where account_id = '${accountId}'`,
  ];
  for (const change of changes) {
    const both = await knownCredentials();
    await world().raw(change(both[0]));
    for (const known of both) assertEquals(await holds(known), false, change(known));
  }
});

Deno.test("identity_holds() is volatile: it sees what was committed while the claim waited", async () => {
  const rows = await world().rows(
    "select provolatile as volatility from pg_proc where proname = 'identity_holds'",
  );
  assertEquals(rows, [{ volatility: "v" }]);
});
