import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { Secret } from "../../src/operator/config/secrets.ts";
import { callApp, callerOf, createWorld, sharedWorld, type World } from "../support/world.ts";
import { assertFailure, COMMITMENT, COMMITMENTS, pathOf } from "./kernel.ts";

const TOKEN = "a-token-that-only-tests-know";
const metricsToken = new Secret(TOKEN);
const BEARER = { Authorization: `Bearer ${TOKEN}` };

const world = sharedWorld({ metricsToken });

/** Another process, which has counted nothing. */
function measured(): Pick<World, "call" | "createCaller"> {
  const app = world().again();
  return {
    call: (method, path, options) => callApp(app, method, path, options),
    createCaller: async () => callerOf(app, await world().createCaller()),
  };
}

const SAMPLE = /^([a-z_]+(?:\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})?) (-?[\d.e+-]+)$/;

/** Samples by name and labels; every line must be valid. */
async function scrape(world: Pick<World, "call">): Promise<Map<string, number>> {
  const { status, text } = await world.call("GET", "/metrics", { headers: BEARER });
  assertEquals(status, 200);
  assert(text.endsWith("\n"));
  const samples = new Map<string, number>();
  for (const line of text.slice(0, -1).split("\n")) {
    if (/^# (HELP \w+ \S.*|TYPE \w+ (counter|gauge|histogram))$/.test(line)) continue;
    const [, name = "", value = ""] = SAMPLE.exec(line) ?? [];
    assert(name !== "" && !samples.has(name), line);
    samples.set(name, Number(value));
  }
  return samples;
}

function requests(route: string, method: string, code: number, error = ""): string {
  const labels = `route="${route}",method="${method}",code="${code}",error="${error}"`;
  return `http_requests_total{${labels}}`;
}

Deno.test("Without METRICS_TOKEN GET /metrics does not exist", async () => {
  const without = world().again({ metricsToken: null });
  for (const headers of [{}, BEARER, { Authorization: "Bearer " }]) {
    assertFailure(await callApp(without, "GET", "/metrics", { headers }), "HTTP_404");
  }
});

Deno.test("GET /metrics accepts only its token", async () => {
  const caller = await world().createCaller();
  const refused = [
    {},
    { Authorization: "Bearer" },
    { Authorization: `Basic ${TOKEN}` },
    { Authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    { Authorization: `Bearer ${TOKEN}x` },
    { Authorization: `Bearer ${caller.secret}` },
    { Cookie: `__Host-prs_session=${TOKEN}` },
  ];
  for (const headers of refused) {
    assertFailure(await world().call("GET", "/metrics", { headers }), "AUTH_REQUIRED");
  }
  const response = await world().call("GET", "/metrics", { headers: BEARER });
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  assertEquals(response.headers.get("Cache-Control"), "no-store");
});

Deno.test("GET /metrics counts wrong tokens per address, and never blocks the right one", async () => {
  await using own = await createWorld({
    metricsToken,
    limits: { perCredential: 0, perAddress: 3, inFlight: 256 },
  });
  const guess = (peer: string, headers: Record<string, string>) =>
    own.call("GET", "/metrics", { headers, peer });
  const wrong = { Authorization: `Bearer ${TOKEN}x` };
  for (const headers of [wrong, {}, wrong]) {
    assertFailure(await guess("192.0.2.1", headers), "AUTH_REQUIRED");
  }
  const limited = await guess("192.0.2.1", wrong);
  assertEquals(assertFailure(limited, "HTTP_429"), undefined);
  assertEquals(limited.headers.get("Retry-After"), "20");
  assertEquals(limited.headers.get("RateLimit"), '"unauthenticated";r=0;t=60');
  // Unknown addresses share one series.
  const elsewhere = await own.call("GET", COMMITMENTS, { peer: "192.0.2.1" });
  assertFailure(elsewhere, "HTTP_429");
  assertFailure(await guess("192.0.2.2", wrong), "AUTH_REQUIRED");
  for (let times = 0; times < 5; times++) {
    const { status, headers } = await guess("192.0.2.1", BEARER);
    assertEquals([status, headers.has("RateLimit")], [200, false]);
  }
  assertEquals((await own.call("GET", "/healthz", { peer: "192.0.2.1" })).status, 200);
});

Deno.test("GET /metrics rejects an invalid query", async () => {
  const response = await world().call("GET", "/metrics?name=x", { headers: BEARER });
  assertFailure(response, "PAYLOAD_INVALID");
});

Deno.test("GET /metrics counts answers by pattern, method, status and code", async () => {
  const own = measured();
  const caller = await own.createCaller();
  const record = await caller.create("commitment", COMMITMENT);
  const key = ulid();
  const body = { title: "A", payload: COMMITMENT };
  for (let times = 0; times < 3; times++) await caller.call("POST", COMMITMENTS, { key, body });
  for (const expectedRevision of [1, 1, 1]) {
    const change = { title: `New ${expectedRevision}`, expectedRevision };
    await caller.call("PATCH", pathOf(record), { body: change });
  }
  await own.call("GET", COMMITMENTS);
  await caller.call("HEAD", COMMITMENTS);
  await caller.call("DELETE", COMMITMENTS);
  await caller.call("INVENTED", "/nowhere/1");
  await caller.call("INVENTED", "/nowhere/2");

  const samples = await scrape(own);
  const LIST = "/api/v2/records/:moduleCode";
  const DETAIL = `${LIST}/:recordId`;
  const counted = [...samples].filter(([name]) => name.startsWith("http_requests_total"));
  assertEquals(
    new Map(counted),
    new Map([
      [requests(LIST, "POST", 201), 4],
      [requests(DETAIL, "PATCH", 200), 1],
      [requests(DETAIL, "PATCH", 409, "REVISION_CONFLICT"), 2],
      [requests(LIST, "GET", 401, "AUTH_REQUIRED"), 1],
      [requests(LIST, "HEAD", 200), 1],
      [requests("none", "DELETE", 405, "HTTP_405"), 1],
      [requests("none", "OTHER", 404, "HTTP_404"), 2],
    ]),
  );
  assertEquals(samples.get("idempotency_replays_total"), 2);
  // A replay is not a write.
  const written = [...samples].filter(([name]) => name.startsWith("writes_total"));
  assertEquals(written, [
    ['writes_total{operation="record.create"}', 2],
    ['writes_total{operation="record.modify"}', 1],
  ]);
  assertEquals(samples.get("revision_conflicts_total"), 2);
  // The scrape is counted after its response.
  assertEquals((await scrape(own)).get(requests("/metrics", "GET", 200)), 1);
});

Deno.test("GET /metrics counts each response once in the histogram of its route", async () => {
  const own = measured();
  const caller = await own.createCaller();
  for (let times = 0; times < 5; times++) await caller.call("GET", COMMITMENTS);
  const samples = await scrape(own);
  const name = "http_request_duration_seconds";
  const route = `route="/api/v2/records/:moduleCode"`;
  const buckets = [...samples].filter(([key]) => key.startsWith(`${name}_bucket{${route}`));
  const bounds = buckets.map(([key]) => /le="([^"]+)"/.exec(key)?.[1] ?? "");
  assertEquals(bounds.at(-1), "+Inf");
  const finite = bounds.slice(0, -1).map(Number);
  assertEquals(finite, finite.toSorted((one, other) => one - other));
  const counts = buckets.map(([, count]) => count);
  assertEquals(counts, counts.toSorted((one, other) => one - other));
  assertEquals(counts.at(-1), 5);
  assertEquals(samples.get(`${name}_count{${route}}`), 5);
  assert((samples.get(`${name}_sum{${route}}`) ?? 0) > 0);
});

Deno.test("GET /metrics has the same number of series for any number of addresses", async () => {
  const own = measured();
  const caller = await own.createCaller();
  const visit = async (times: number) => {
    for (let index = 0; index < times; index++) {
      await caller.call("GET", `${COMMITMENTS}/${ulid()}`);
      await caller.call("GET", `/nothing/${ulid()}`);
    }
    return (await scrape(own)).size;
  };
  await visit(1);
  assertEquals(await visit(1), await visit(50));
});

Deno.test("GET /metrics shows the process, its requests and its connections", async () => {
  const samples = await scrape(world());
  assertEquals(samples.get("http_requests_in_flight"), 0);
  const busy = samples.get('database_connections{state="busy"}') ?? NaN;
  const idle = samples.get('database_connections{state="idle"}') ?? NaN;
  const { size } = world().database.connections();
  assertEquals([busy, idle], [0, size]);
  assertEquals(samples.get("database_connections_waiting"), 0);
  assert((samples.get("process_resident_memory_bytes") ?? 0) > 1_000_000);
  const started = samples.get("process_start_time_seconds") ?? 0;
  assertAlmostEquals(started, performance.timeOrigin / 1000, 1);
  const [info = ""] = [...samples.keys()].filter((name) => name.startsWith("build_info"));
  assertMatch(info, /^build_info\{version="\d+\.\d+\.\d+",deno="\d+\.\d+\.\d+",schema="\d+"\}$/);
});

Deno.test("GET /metrics shows running requests and their connections", async () => {
  await using own = await createWorld({ metricsToken });
  const { database } = own;
  const release = Promise.withResolvers<void>();
  const { size } = database.connections();
  const holders = Array.from(
    { length: size + 1 },
    () => database.transaction(() => release.promise),
  );
  const samples = await scrape(own);
  const busy = samples.get('database_connections{state="busy"}') ?? NaN;
  assert(busy > 0 && busy <= size);
  assertEquals(samples.get('database_connections{state="idle"}'), size - busy);
  assertEquals(samples.get("database_connections_waiting"), size + 1 - busy);
  release.resolve();
  await Promise.all(holders);
});
