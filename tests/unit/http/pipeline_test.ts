import { assertEquals } from "@std/assert";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import { createPipeline, type PipelineServices } from "../../../src/http/pipeline.ts";
import { CrossOrigin } from "../../../src/http/cross_origin.ts";
import { ok } from "../../../src/http/reply.ts";
import { AccountPlaces } from "../../../src/http/account_places.ts";
import { InFlightRequests } from "../../../src/http/in_flight_requests.ts";
import { KnownAddresses } from "../../../src/http/known_addresses.ts";
import { KnownCallers } from "../../../src/http/known_identities.ts";
import { createRateLimits } from "../../../src/http/rate_limit.ts";
import { endpoint, type ProtectedRoute, type PublicRoute } from "../../../src/http/route.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { Metrics } from "../../../src/operator/metrics/metrics.ts";

/** Returns the counted client. */
const WHO: PublicRoute = {
  method: "GET",
  path: "/who",
  access: "public",
  operation: "test",
  kind: "probe",
  endpoint: {
    contract: { summary: "Tell who asks", responses: {}, errors: [] },
    body: "none",
    parse: () => {},
    handle: ({ address }) => Promise.resolve(ok(address)),
  },
};

/** Through a proxy from `peer`. */
async function ask(trustedProxies: number, peer?: string): Promise<string> {
  // Everything a public route needs.
  const services: Partial<PipelineServices> = {
    clock: systemClock,
    log: createLog("silent"),
    origin: "https://records.example",
    trustedProxies,
    crossOrigin: new CrossOrigin([]),
    meter: new Metrics(),
  };
  const answer = createPipeline([WHO], services as PipelineServices);
  const headers = { "X-Forwarded-For": "198.51.100.7, 2001:DB8::1" };
  const response = await answer(new Request("https://records.example/who", { headers }), peer);
  return (await response.json()).data;
}

Deno.test("createPipeline() passes the connection's address to a handler", async () => {
  assertEquals(await ask(0, "::ffff:192.0.2.1"), "192.0.2.1");
  assertEquals(await ask(0), "unknown");
});

Deno.test("createPipeline() passes the trusted proxies' address to a handler", async () => {
  assertEquals(await ask(1, "10.0.0.1"), "2001:db8:0:0::/64");
  assertEquals(await ask(2, "10.0.0.1"), "198.51.100.7");
  assertEquals(await ask(3, "10.0.0.1"), "10.0.0.1");
});

const HEADERS = { Deprecation: "@1763596800", Link: '</new>; rel="successor-version"' };
const SECRET = `prs_s_${"a".repeat(43)}`;

/** Answered as the test requests. */
const OLD: ProtectedRoute = {
  method: "GET",
  path: "/old/:way",
  access: "credential",
  permission: null,
  module: null,
  operation: "old.read",
  idempotency: "none",
  headers: HEADERS,
  endpoint: endpoint({
    contract: { summary: "Answer in some way", responses: {}, errors: [] },
    body: "none",
    parse({ params }) {
      if (params.way === "refused") throw new ServiceError("RECORD_NOT_FOUND");
    },
    handle({ params }) {
      if (params.way === "broken") throw new Error("broken");
      return Promise.resolve(ok("found", { ETag: '"1"', Link: "</another>" }));
    },
  }),
};

/** `requests` is the account's limit per minute. */
function createOld(
  requests = 0,
): (method: string, path: string, secret?: string) => Promise<Response> {
  const at = "2026-11-20T12:00:00.000Z";
  const account = { accountId: "A", email: "", displayName: "", role: null, createdAt: at };
  const credential = { kind: "SESSION", id: "S", expiresAt: at } as const;
  const session = () => Promise.resolve({ account, credential, permissions: new Set<never>() });
  const origin = "https://records.example";
  const services: Partial<PipelineServices> = {
    authenticators: {
      session,
      token: () => Promise.resolve(null),
      assistant: () => Promise.resolve(null),
    },
    clock: systemClock,
    log: createLog("silent"),
    origin,
    trustedProxies: 0,
    crossOrigin: new CrossOrigin([]),
    inFlight: new InFlightRequests(10),
    bodies: new AccountPlaces(10),
    knownAddresses: new KnownAddresses(),
    knownIdentities: new KnownCallers(),
    limits: createRateLimits(requests, 0),
    isServedHost: (hostname) => hostname === "records.example",
    meter: new Metrics(),
  };
  const answer = createPipeline([OLD], services as PipelineServices);
  return (method, path, secret = SECRET) =>
    answer(
      new Request(new URL(path, origin), {
        method,
        headers: { Authorization: `Bearer ${secret}` },
      }),
    );
}

Deno.test("createPipeline() sends a route's headers with each of its responses", async () => {
  const ask = createOld();
  const cases: [string, string, number, string?][] = [
    ["GET", "/old/plain", 200],
    ["HEAD", "/old/plain", 200],
    ["GET", "/old/refused", 404],
    ["GET", "/old/broken", 500],
    ["GET", "/old/plain", 401, "no secret"],
  ];
  for (const [method, path, status, secret] of cases) {
    const { status: answered, headers } = await ask(method, path, secret);
    assertEquals(answered, status, `${method} ${path}`);
    assertEquals(headers.get("Deprecation"), HEADERS.Deprecation, `${method} ${path}`);
    assertEquals(headers.get("Link"), HEADERS.Link, `${method} ${path}`);
  }
  assertEquals((await ask("GET", "/old/plain")).headers.get("ETag"), '"1"');
});

Deno.test("createPipeline() sends a route's headers to a client that sends too much", async () => {
  const ask = createOld(1);
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent++) {
    const { status, headers } = await ask("GET", "/old/plain");
    statuses.push(status);
    assertEquals(headers.get("Deprecation"), HEADERS.Deprecation);
  }
  assertEquals(statuses.at(-1), 429);
});

Deno.test("createPipeline() sends no route's headers if no route is found", async () => {
  const ask = createOld();
  const cases: [string, string, number][] = [
    ["GET", "/old", 404],
    ["POST", "/old/plain", 405],
    ["GET", "https://another.example/old/plain", 421],
  ];
  for (const [method, path, status] of cases) {
    const { status: answered, headers } = await ask(method, path);
    assertEquals([answered, headers.has("Deprecation"), headers.has("Link")], [
      status,
      false,
      false,
    ]);
  }
});
