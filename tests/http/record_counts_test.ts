import { assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, sharedWorld } from "../support/world.ts";
import { assertFailure, COMMITMENT, HEALTH, pathOf } from "./kernel.ts";

const world = sharedWorld();
const COUNTS = "/api/v2/record-counts";

async function countsOf(caller: Caller): Promise<Record<string, number>> {
  const { status, body } = await caller.call("GET", COUNTS);
  assertEquals(status, 200);
  const { items } = body.data as { items: { moduleCode: string; count: number }[] };
  return Object.fromEntries(items.map(({ moduleCode, count }) => [moduleCode, count]));
}

Deno.test("GET record-counts counts the caller's records that are not archived, by module", async () => {
  const caller = await world().createCaller();
  const none = Object.fromEntries(CATALOG.modules.map(({ code }) => [code, 0]));
  assertEquals(await countsOf(caller), none);
  const archived = await caller.create("commitment", COMMITMENT);
  await caller.create("commitment", COMMITMENT);
  await caller.create("health", HEALTH);
  assertEquals(await countsOf(caller), { ...none, commitment: 2, health: 1 });
  await caller.call("POST", `${pathOf(archived)}/archive`);
  assertEquals(await countsOf(caller), { ...none, commitment: 1, health: 1 });
  // The profile has no record.
  const profile = { key: "a-profile", body: { displayName: "Someone" } };
  assertEquals((await caller.call("POST", "/api/v2/identity/profile", profile)).status, 201);
  assertEquals(await countsOf(caller), { ...none, commitment: 1, health: 1, identity: 1 });
  assertEquals(await countsOf(await world().createCaller()), none);
});

Deno.test("GET record-counts has the modules that the caller may read, and no others", async () => {
  const caller = await world().createCaller();
  await caller.create("commitment", COMMITMENT);
  await caller.create("health", HEALTH);
  const reader = async (more: object) => {
    const { token } = await makeToken(world(), caller, { permissions: ["record.read"], ...more });
    return callerOf(world().app, { ...caller, secret: token });
  };
  assertEquals(await countsOf(await reader({ modules: ["health"] })), { health: 1 });
  assertEquals("identity" in await countsOf(await reader({})), false);
  const parameter = await caller.call("GET", `${COUNTS}?archived=only`);
  assertFailure(parameter, "PAYLOAD_INVALID");
});
