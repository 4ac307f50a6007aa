/** The client package on a bad connection; `attack/long/client_proxy` has 20,000 requests. */

import { assert } from "@std/assert";
import { writeThroughProxy } from "../support/client_proxy.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();

Deno.test("Writes through a bad proxy are done once, none is lost, and their order is kept", async () => {
  const journey = await writeThroughProxy(world(), await world().createCaller(), 300);
  assert(journey.requests > 400 && journey.doubled > 50, JSON.stringify(journey));
});
