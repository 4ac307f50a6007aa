import { assertEquals } from "@std/assert";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import { createPipeline, type PipelineServices } from "../../../src/http/pipeline.ts";
import { CrossOrigin } from "../../../src/http/cross_origin.ts";
import { ok } from "../../../src/http/reply.ts";
import type { PublicRoute } from "../../../src/http/route.ts";
import { Metrics } from "../../../src/operations/metrics.ts";

/** A route that answers whom it counts the request for. */
const WHO: PublicRoute = {
  method: "GET",
  path: "/who",
  access: "public",
  isProbe: true,
  endpoint: {
    contract: { summary: "Tell who asks", responses: {}, errors: [] },
    body: "none",
    parse: () => {},
    handle: ({ address }) => Promise.resolve(ok(address)),
  },
};

/** What the route answers to a request that came through a proxy, from `peer`. */
async function ask(trustedProxies: number, peer?: string): Promise<string> {
  // All that a public route needs of the application.
  const services: Partial<PipelineServices> = {
    clock: systemClock,
    log: createLog("silent"),
    trustedProxies,
    crossOrigin: new CrossOrigin([]),
    meter: new Metrics(),
  };
  const answer = createPipeline([WHO], services as PipelineServices);
  const headers = { "X-Forwarded-For": "198.51.100.7, 2001:DB8::1" };
  const response = await answer(new Request("https://records.example/who", { headers }), peer);
  return (await response.json()).data;
}

Deno.test("createPipeline() tells a handler the address that the connection comes from", async () => {
  assertEquals(await ask(0, "::ffff:192.0.2.1"), "192.0.2.1");
  assertEquals(await ask(0), "unknown");
});

Deno.test("createPipeline() tells a handler the address that its trusted proxies add", async () => {
  assertEquals(await ask(1, "10.0.0.1"), "2001:db8:0:0::/64");
  assertEquals(await ask(2, "10.0.0.1"), "198.51.100.7");
  assertEquals(await ask(3, "10.0.0.1"), "10.0.0.1");
});
