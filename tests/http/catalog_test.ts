import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { type Json, ORIGIN, sharedWorld } from "../support/world.ts";

const world = sharedWorld();

Deno.test("GET catalog returns every module with everything that forms need", async () => {
  const caller = await world().createCaller();
  const { status, body } = await caller.call("GET", "/api/v2/catalog");
  assertEquals(status, 200);
  const { modules } = body.data;
  assertEquals(modules.map((module: Json) => module.code), CATALOG.modules.map(({ code }) => code));
  for (const module of modules) {
    assertEquals([module.fields.length, module.features.length], [8, 8], module.code);
    for (const field of module.fields) {
      assertEquals(field.edit === "select", Array.isArray(field.options), field.name);
      assertEquals(field.edit === "number", "minimum" in field && "integer" in field, field.name);
    }
  }
});

Deno.test("GET catalog returns rules as names and sentences, and annotations of features", async () => {
  const caller = await world().createCaller();
  const { body } = await caller.call("GET", "/api/v2/catalog");
  const health = body.data.modules.find((module: Json) => module.code === "health");
  assertEquals(health.rules[0], {
    name: "health.measured_at_not_in_the_future",
    statement: "measuredAt is at most 5 minutes in the future",
    fields: ["measuredAt"],
  });
  const sleepImport = health.features.find((feature: Json) => feature.id === "HLT-002");
  assertEquals(sleepImport, {
    id: "HLT-002",
    title: "sleep import",
    strategy: "import",
    plannedVersion: "V1.0",
    status: "partial",
    annotations: ["EXTERNAL_BLOCKER"],
  });
});

Deno.test("GET catalog requires a credential with platform.operate only", async () => {
  assertEquals((await world().call("GET", "/api/v2/catalog")).status, 401);
  const route = world().app.routes.find(({ path }) => path === "/api/v2/catalog");
  assert(route !== undefined && route.access !== "public");
  assertEquals(route.permission, "platform.operate");
});

Deno.test("GET catalog is compressed for clients that accept it, with a tag of its own", async () => {
  const caller = await world().createCaller();
  const get = (headers: Record<string, string>) =>
    caller.call("GET", "/api/v2/catalog", { headers });
  const plain = await get({});
  const accepted = { "Accept-Encoding": "br, gzip;q=0.5" };
  const headers = { ...accepted, Authorization: `Bearer ${caller.secret}` };
  const compressed = await world().app.fetch(
    new Request(`${ORIGIN}/api/v2/catalog`, { headers }),
  );
  assertEquals(compressed.headers.get("Content-Encoding"), "gzip");
  const unpacked = compressed.body?.pipeThrough(new DecompressionStream("gzip"));
  const { data } = await new Response(unpacked).json();
  assertEquals(data, plain.body.data);
  const tag = compressed.headers.get("ETag") ?? "";
  assert(tag !== plain.headers.get("ETag"));
  assertEquals((await get({ ...accepted, "If-None-Match": tag })).status, 304);
  assertEquals((await get({ "If-None-Match": tag })).status, 200);
  const refused = await get({ "Accept-Encoding": "gzip;q=0" });
  assertEquals(refused.headers.get("Content-Encoding"), null);
});
