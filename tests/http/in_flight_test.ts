import { assertEquals } from "@std/assert";
import { Secret } from "../../src/operator/config/secrets.ts";
import { callApp, type Caller, callerOf, sharedWorld } from "../support/world.ts";
import { holdBeforeBegin } from "./held_database.ts";
import { assertFailure, COMMITMENT, COMMITMENTS } from "./kernel.ts";

const TOKEN = "a-token-that-only-tests-know";
const world = sharedWorld();

Deno.test("A request beyond MAX_IN_FLIGHT is answered 503 immediately, and running ones continue", async () => {
  const owner = await world().createCaller();
  const held = holdBeforeBegin(world().database);
  const app = world().again({
    database: held.database,
    limits: { perCredential: 0, perAddress: 0, inFlight: 1 },
    metricsToken: new Secret(TOKEN),
  });
  const caller = callerOf(app, owner);
  const running = caller.create("commitment", COMMITMENT);
  await held.reached;

  for (const [method, path] of [["GET", COMMITMENTS], ["POST", "/api/v2/auth/login"]] as const) {
    const refused = await caller.call(method, path);
    assertEquals(assertFailure(refused, "HTTP_503"), undefined);
    assertEquals(refused.headers.get("Retry-After"), "1");
  }
  // Other requests and monitoring still work.
  assertFailure(await caller.call("GET", "/api/v2/nothing"), "HTTP_404");
  assertFailure(await caller.call("DELETE", COMMITMENTS), "HTTP_405");
  assertEquals((await callApp(app, "GET", "/healthz")).status, 200);
  assertEquals((await callApp(app, "GET", "/readyz")).status, 200);
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const { text } = await callApp(app, "GET", "/metrics", { headers });
  assertEquals(/^http_requests_in_flight (\d+)$/m.exec(text)?.[1], "1");

  held.letGo();
  assertEquals((await running).title, "A title");
  assertEquals((await caller.call("GET", COMMITMENTS)).status, 200);
});

Deno.test("A new credential uses at most its share of the places", async () => {
  const [ada, ben] = [await world().createCaller(), await world().createCaller()];
  const { database } = world();
  const release = Promise.withResolvers<void>();
  const app = world().again({
    database: {
      ...database,
      read: async (use) => {
        await release.promise;
        return await database.read(use);
      },
    },
    limits: { perCredential: 0, perAddress: 0, inFlight: 64 },
  });
  const list = (caller: Caller) => callerOf(app, caller).call("GET", COMMITMENTS);
  const flood = Array.from({ length: 80 }, () => list(ada));
  const other = list(ben);
  release.resolve();
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  assertEquals((await other).status, 200);
  assertEquals(statuses.toSorted(), [...Array(24).fill(200), ...Array(56).fill(429)]);
});

Deno.test("A request that fails frees its place", async () => {
  const app = world().again({ limits: { perCredential: 0, perAddress: 0, inFlight: 1 } });
  for (let times = 0; times < 5; times++) {
    assertFailure(await callApp(app, "GET", COMMITMENTS), "AUTH_REQUIRED");
  }
});
