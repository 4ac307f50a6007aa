/**
 * 20,000 requests of the client package through a proxy that cuts, delays, doubles and reorders
 * them.
 */

import { assert } from "@std/assert";
import { writeThroughProxy } from "../../support/client_proxy.ts";
import { createWorld } from "../../support/world.ts";

Deno.test("20,000 requests through a bad proxy: each write once, none lost, order kept", async () => {
  await using world = await createWorld();
  const journey = await writeThroughProxy(world, await world.createCaller(), 13_500);
  assert(journey.requests >= 20_000, JSON.stringify(journey));
});
