import { assertEquals, assertMatch } from "@std/assert";
import { readZoneData } from "../../src/operator/config/zone_data.ts";
import { chapter } from "../support/chapters.ts";
import type { TestResponse } from "../support/world.ts";
import { callApp, createWorld, sharedWorld } from "../support/world.ts";
import { assertFailure, COMMITMENTS } from "./kernel.ts";

const world = sharedWorld();

function told(response: TestResponse): [number, string | null, string] {
  return [response.status, response.headers.get("Content-Type"), response.text];
}

const PLAIN = "text/plain; charset=utf-8";

Deno.test("GET /healthz and /readyz answer anyone with one uncached word", async () => {
  const owner = await world().createCaller();
  for (const [path, word] of [["/healthz", "ok\n"], ["/readyz", "ready\n"]] as const) {
    for (const caller of [world(), owner]) {
      const response = await caller.call("GET", path);
      assertEquals(told(response), [200, PLAIN, word]);
      assertEquals(response.headers.get("Cache-Control"), "no-store");
    }
    const head = await world().call("HEAD", path);
    assertEquals(told(head), [200, PLAIN, ""]);
    assertEquals(head.headers.get("Content-Length"), String(word.length));
  }
});

Deno.test("GET /api/v2/version names the zone data, and has the version of deno.json like the document", async () => {
  const { version } = JSON.parse(chapter("deno.json"));
  const [newest] = await world().rows("select max(version)::int as schema from schema_migrations");
  const response = await world().call("GET", "/api/v2/version");
  const zoneData = readZoneData();
  assertEquals(zoneData.source, "RUNTIME");
  const expected = { version, schema: newest.schema, zoneData };
  assertEquals([response.status, response.body.data], [200, expected]);
  const document = await world().call("GET", "/api/v2/openapi.json");
  assertEquals(document.body.info.version, version);
});

Deno.test("Without a database GET /readyz answers 503, and /healthz 200", async () => {
  const away = () => Promise.reject(new Error("the server is away"));
  const app = world().again({ database: { ...world().database, read: away } });
  const response = await callApp(app, "GET", "/readyz");
  assertEquals(assertFailure(response, "HTTP_503"), undefined);
  assertEquals(response.headers.get("Retry-After"), "1");
  assertEquals((await callApp(app, "GET", "/healthz")).status, 200);
});

Deno.test("GET /readyz answers 200 on a newer release's schema, and 503 on an older one", async () => {
  await using own = await createWorld();
  await own.raw(
    "insert into schema_migrations (version, name, checksum) values (9999, 'newer', 'unknown')",
  );
  assertEquals((await own.call("GET", "/readyz")).status, 200);
  await own.raw("delete from schema_migrations where version = 9999");
  await own.raw(
    "delete from schema_migrations where version = (select max(version) from schema_migrations)",
  );
  assertFailure(await own.call("GET", "/readyz"), "HTTP_503");
});

Deno.test("A stopping service is alive but not ready, and accepts no other request", async () => {
  const caller = await world().createCaller();
  const app = world().again();
  const headers = { Authorization: `Bearer ${caller.secret}` };
  assertEquals((await callApp(app, "GET", COMMITMENTS, { headers })).status, 200);
  await app.drain();
  assertFailure(await callApp(app, "GET", "/readyz"), "HTTP_503");
  assertEquals((await callApp(app, "GET", "/healthz")).text, "ok\n");
  const refused = await callApp(app, "GET", COMMITMENTS, { headers });
  assertFailure(refused, "HTTP_503");
  assertEquals(refused.headers.get("Retry-After"), "1");
  assertEquals(refused.headers.get("Connection"), "close");
});

Deno.test("GET /readyz has no rate limit", async () => {
  const app = world().again({ limits: { perCredential: 1, perAddress: 1, inFlight: 1 } });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => callApp(app, "GET", "/readyz", { peer: "192.0.2.1" })),
  );
  assertEquals(new Set(answers.map(({ status }) => status)), new Set([200]));
  for (const { headers } of answers) assertEquals(headers.get("RateLimit"), null);
  assertMatch(answers[0]?.headers.get("X-Request-Id") ?? "", /^[0-9A-Z]{26}$/);
});
