/** The endpoint of assistants: credentials, messages and codes of errors. */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import { makeToken } from "../support/tokens.ts";
import { callerOf, createWorld, fileWorld, type Json, ORIGIN } from "../support/world.ts";
import { assertRefused, COOKIE } from "./access.ts";
import {
  askForAssistant,
  ASSISTANTS,
  createAssistant,
  LIMITS,
  NEWEST,
  PROPOSALS,
  send,
  sendNewest,
} from "./assistants.ts";
import { assertInvalid } from "./kernel.ts";
import { addProgram, allow, opens, signIn } from "./sign_in_tokens.ts";

const world = fileWorld({ assistants: LIMITS, corsOrigins: ["https://app.example"] });
const errorOf = ({ status, body }: Json) => [status, body.error.code, body.error.data];

Deno.test("Without ASSISTANTS the addresses do not exist, and the document lacks them", async () => {
  await using off = await createWorld();
  const caller = await off.createCaller();
  for (const path of ["/mcp", ASSISTANTS, PROPOSALS]) {
    assertRefused(await caller.call("POST", path, { body: {} }), "HTTP_404");
  }
  const names = (document: Json) =>
    Object.keys(document.paths).filter((path) => /mcp|assistants|v2\/proposals/.test(path));
  assertEquals(names((await off.call("GET", "/api/v2/openapi.json")).body), []);
  const on = names((await world().call("GET", "/api/v2/openapi.json")).body);
  assert(["/mcp", ASSISTANTS, PROPOSALS].every((path) => on.includes(path)), on.join(" "));
});

Deno.test("An assistant is shown with its secret once, listed, revoked, and bounded", async () => {
  const owner = await world().createCaller();
  const response = await askForAssistant(world(), owner, { modules: ["memory", "commitment"] });
  const { token, ...shown } = response.body.data;
  const path = `${ASSISTANTS}/${shown.assistantId}`;
  assertEquals(response.headers.get("Location"), path);
  assert(/^prs_a_[A-Za-z0-9_-]{43}$/.test(token));
  assertEquals(shown, {
    assistantId: shown.assistantId,
    name: "Helper",
    modules: ["commitment", "memory"],
    mayPropose: false,
    sensitive: "HIDDEN",
    createdAt: world().now().toISOString(),
    until: new Date(world().now().getTime() + 90 * DAY_MS).toISOString(),
    revokedAt: null,
    lastUsedAt: null,
  });
  assertEquals((await owner.call("GET", ASSISTANTS)).body.data.items, [shown]);
  const stranger = await world().createCaller();
  assertRefused(await stranger.call("GET", path), "RECORD_NOT_FOUND");
  assertRefused(await stranger.call("POST", `${path}/revoke`), "RECORD_NOT_FOUND");
  const ended = (await owner.call("POST", `${path}/revoke`)).body.data;
  assertEquals(ended, { ...shown, revokedAt: world().now().toISOString() });
  assertEquals((await owner.call("POST", `${path}/revoke`)).body.data, ended);
  assertEquals((await owner.call("GET", path)).body.data, ended);
  assertEquals((await owner.call("GET", ASSISTANTS)).body.data.items, []);
  const lent = callerOf(world().app, { ...owner, secret: token });
  assertRefused(await send(lent, "ping"), "AUTH_REQUIRED");
  const events = (await owner.call("GET", "/api/v2/audit?kind=access")).body.data.items;
  const made = events.filter(({ event }: Json) => event.startsWith("ASSISTANT"));
  assertEquals(
    made.map((
      { event, credentialKind, credentialId, tool }: Json,
    ) => [event, credentialKind, credentialId, tool]).sort(),
    ["ASSISTANT_CREATED", "ASSISTANT_REVOKED"].map((
      event,
    ) => [event, "SESSION", owner.sessionId, undefined]),
  );
  for (let count = 0; count < 10; count++) {
    await createAssistant(world(), owner, { modules: ["memory"] });
  }
  const eleventh = await askForAssistant(world(), owner, { modules: ["memory"] });
  assertEquals(eleventh.body.error.details, { rules: ["assistant.count"], limit: 10 });
});

Deno.test("The body of an assistant is checked before the proof", async () => {
  const owner = await world().createCaller();
  const at = (ms: number) => new Date(world().now().getTime() + ms).toISOString();
  const wrong: readonly [Json, string, string[]][] = [
    [{ modules: [] }, "field.length", ["modules"]],
    [{ modules: ["memory", "memory"] }, "field.repeated", ["modules"]],
    [{ modules: ["none"] }, "field.option", ["modules"]],
    [{ name: "n".repeat(101) }, "field.length", ["name"]],
    [{ name: " " }, "field.blank", ["name"]],
    [{ until: at(0) }, "field.range", ["until"]],
    [{ until: at(90 * DAY_MS + 1) }, "field.range", ["until"]],
    [{ sensitive: "SOME" }, "field.option", ["sensitive"]],
    [{ mayPropose: "yes" }, "field.type", ["mayPropose"]],
    [{ more: 1 }, "undeclared_field", []],
  ];
  for (const [part, rule, fields] of wrong) {
    const body = { name: "Helper", modules: ["memory"], ...part };
    assertInvalid(await owner.call("POST", ASSISTANTS, { body }), [rule], fields);
  }
  const good = { name: "Helper", modules: ["memory"], until: at(90 * DAY_MS) };
  assertRefused(await owner.call("POST", ASSISTANTS, { body: good }), "STEP_UP_REQUIRED");
});

Deno.test("The credential and the secrets of a sign-in open /mcp alone, and nothing else opens it", async () => {
  const owner = await world().createCaller();
  const { token } = await createAssistant(world(), owner, { modules: ["commitment"] });
  const program = await addProgram(world(), owner.accountId);
  const { access, refresh } = await signIn(world(), program);
  const code = await allow(world(), program);
  for (const secret of [token, access, refresh, code, program.assistantId]) {
    for (const { access, method, path } of world().app.routes) {
      if (access === "public" || access === "assistant") continue;
      const called = `${path.replace(/:\w+/g, "x")}?access_token=${secret}`;
      const bearer = { Authorization: `Bearer ${secret}` };
      const cookie = { Cookie: `${COOKIE}=${secret}`, Origin: ORIGIN };
      for (const headers of [bearer, cookie]) {
        assertRefused(await world().call(method, called, { headers }), "AUTH_REQUIRED");
      }
    }
  }
  for (const secret of [refresh, code, program.assistantId]) {
    assertEquals(await opens(world(), secret), false);
  }
  const personal = (await makeToken(world(), owner)).token;
  for (const secret of [owner.secret, personal, `${token}x`, token.toLowerCase(), ""]) {
    const other = callerOf(world().app, { ...owner, secret });
    assertRefused(await send(other, "ping"), "AUTH_REQUIRED");
  }
  const body = { jsonrpc: "2.0", id: 1, method: "ping" };
  for (const secret of [token, access]) {
    const headers = { Cookie: `${COOKIE}=${secret}`, Origin: ORIGIN };
    assertRefused(await world().call("POST", "/mcp", { headers, body }), "AUTH_REQUIRED");
    const path = `/mcp?access_token=${secret}`;
    assertRefused(await world().call("POST", path, { body }), "AUTH_REQUIRED");
  }
});

Deno.test("Ordinary failures come in their order, in the common envelope", async () => {
  const owner = await world().createCaller();
  const { caller, token } = await createAssistant(world(), owner, { modules: ["commitment"] });
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const response = await caller.call(method, "/mcp");
    assertRefused(response, "HTTP_405");
    assertEquals(response.headers.get("Allow"), "POST");
  }
  const url = "https://other.example/mcp";
  const wrongHost = (method: string) =>
    world().app.fetch(new Request(url, { method, headers: { Authorization: `Bearer ${token}` } }));
  assertEquals((await wrongHost("GET")).status, 405);
  assertEquals((await wrongHost("POST")).status, 421);
  const body = { jsonrpc: "2.0", id: 1, method: "ping" };
  const from = (Origin: string) => caller.call("POST", "/mcp", { body, headers: { Origin } });
  for (const origin of ["https://evil.example", "null"]) {
    assertRefused(await from(origin), "FORBIDDEN");
  }
  for (const origin of [ORIGIN, "https://app.example"]) {
    assertEquals((await from(origin)).status, 200);
  }
  assertInvalid(await caller.call("POST", "/mcp?x=1", { body }), ["undeclared_field"], [
    "x",
  ]);
  const typed = (raw: string, type: string) =>
    caller.call("POST", "/mcp", { raw, headers: { "Content-Type": type } });
  assertRefused(await typed("{}", "text/plain"), "HTTP_415");
  const large = await typed(" ".repeat(64 * 1024 + 1), "application/json");
  assertEquals([large.status, large.body.error.code], [413, "HTTP_413"]);
});

Deno.test("A body that is no request has its number, and no value of it comes back", async () => {
  const owner = await world().createCaller();
  const { caller } = await createAssistant(world(), owner, { modules: ["commitment"] });
  const raw = (text: string) =>
    caller.call("POST", "/mcp", { raw: text, headers: { "Content-Type": "application/json" } });
  for (const text of ["", "{", '{"a":1,"a":2}', '{"__proto__":1}', "[".repeat(40)]) {
    const response = await raw(text);
    assertEquals(errorOf(response), [400, -32700, undefined]);
    assertEquals(response.body.id, null);
  }
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const wrong: readonly Json[] = [
    [ping],
    [],
    null,
    "ping",
    {},
    { ...ping, jsonrpc: "1.0" },
    { ...ping, id: null },
    { ...ping, id: 1.5 },
    { ...ping, id: {} },
    { ...ping, method: 1 },
    { jsonrpc: "2.0", id: 1, result: {} },
  ];
  for (const body of wrong) {
    const response = await caller.call("POST", "/mcp", { body });
    assertEquals(errorOf(response), [400, -32600, undefined]);
  }
  const note = { jsonrpc: "2.0", method: "notifications/initialized" };
  const noted = await caller.call("POST", "/mcp", { body: note });
  assertEquals([noted.status, noted.text], [202, ""]);
});

Deno.test("The older revisions know initialize, ping and tools", async () => {
  const owner = await world().createCaller();
  const { caller } = await createAssistant(world(), owner, { modules: ["commitment"] });
  for (
    const [asked, answered] of [
      ["2025-06-18", "2025-06-18"],
      ["2025-11-25", "2025-11-25"],
      ["2024-11-05", "2025-11-25"],
    ]
  ) {
    const response = await send(caller, "initialize", { protocolVersion: asked });
    const { instructions, ...result } = response.body.result;
    assert(instructions.length > 0);
    const { serverInfo: { name, version } } = result;
    assertEquals([name, typeof version], ["personal-records", "string"]);
    assertEquals(result.protocolVersion, answered);
    assertEquals(result.capabilities, { tools: {} });
    assertEquals(response.headers.get("Mcp-Session-Id"), null);
    assertEquals(response.headers.get("Set-Cookie"), null);
    assertEquals(response.headers.get("Content-Type"), "application/json");
    assertEquals(response.headers.get("Cache-Control"), "no-store");
  }
  assertEquals((await send(caller, "ping")).body.result, {});
  for (const method of ["server/discover", "resources/list", "prompts/list", "toString"]) {
    assertEquals(errorOf(await send(caller, method)), [200, -32601, undefined]);
  }
  const params = { cursor: "x" };
  const paged = await send(caller, "tools/list", params);
  assertEquals([paged.status, paged.body.error.code], [200, -32602]);
  assertEquals(paged.body.error.data.fields, ["cursor"]);
  const headers = { "MCP-Protocol-Version": "2025-06-18" };
  const body = { jsonrpc: "2.0", id: 7, method: "ping" };
  assertEquals((await caller.call("POST", "/mcp", { body, headers })).body.id, 7);
});

Deno.test("The newest revision needs its headers and _meta, in their order", async () => {
  const owner = await world().createCaller();
  const { caller } = await createAssistant(world(), owner, { modules: ["commitment"] });
  const found = (await sendNewest(caller, "server/discover")).body;
  const { instructions: _, ...result } = found.result;
  const info = result._meta["io.modelcontextprotocol/serverInfo"];
  assertEquals(result, {
    resultType: "complete",
    supportedVersions: [NEWEST, "2025-11-25", "2025-06-18"],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": info },
  });
  assertEquals(found.id, "x");
  const listed = (await sendNewest(caller, "tools/list")).body.result;
  assertEquals([listed.ttlMs, listed.cacheScope, listed.tools.length], [0, "private", 6]);
  const called = (await sendNewest(caller, "tools/call", { name: "list_modules" })).body.result;
  assertEquals([called.resultType, called.ttlMs], ["complete", undefined]);
  assertEquals(called._meta["io.modelcontextprotocol/serverInfo"], info);
  const version = "io.modelcontextprotocol/protocolVersion";
  const capabilities = "io.modelcontextprotocol/clientCapabilities";
  const call = { name: "list_modules" };
  const supported = [NEWEST, "2025-11-25", "2025-06-18"];
  const wrong: readonly [string, Json, Record<string, string | undefined>, number, number][] = [
    ["ping", {}, {}, 404, -32601],
    ["tools/list", { _meta: null }, {}, 400, -32602],
    ["tools/list", { _meta: { [capabilities]: {} } }, {}, 400, -32602],
    ["tools/list", { _meta: { [version]: NEWEST } }, {}, 400, -32602],
    ["tools/list", { _meta: { [version]: NEWEST, [capabilities]: 1 } }, {}, 400, -32602],
    ["tools/list", {}, { "MCP-Protocol-Version": undefined }, 400, -32020],
    ["tools/list", {}, { "MCP-Protocol-Version": "2025-11-25" }, 400, -32020],
    ["tools/list", {}, { "Mcp-Method": undefined }, 400, -32020],
    ["tools/list", {}, { "Mcp-Method": "tools/call" }, 400, -32020],
    ["tools/call", call, { "Mcp-Name": undefined }, 400, -32020],
    ["tools/call", call, { "Mcp-Name": "search" }, 400, -32020],
    ["tools/list", {}, { "MCP-Protocol-Version": "2027-01-01" }, 400, -32022],
  ];
  for (const [method, params, headers, status, code] of wrong) {
    const response = await sendNewest(caller, method, params, headers);
    assertEquals(errorOf(response).slice(0, 2), [status, code], JSON.stringify([params, headers]));
  }
  const long = "2".repeat(40);
  const unknown = await sendNewest(caller, "tools/list", {}, { "MCP-Protocol-Version": long });
  assertEquals(unknown.body.error.data, { supported, requested: "2".repeat(32) });
  const stated = { _meta: { [version]: "2020-01-01" } };
  const older = await send(caller, "ping", stated);
  assertEquals(errorOf(older), [400, -32022, { supported, requested: "2020-01-01" }]);
});

Deno.test("What ends tokens ends assistants, and the log has neither tool nor token", async () => {
  const owner = await world().createCaller();
  const { caller, token, call } = await createAssistant(world(), owner, {
    modules: ["commitment"],
    until: new Date(world().now().getTime() + 60_000).toISOString(),
  });
  await call("search", { q: "zanzibar" });
  const lines = world().log.filter(({ route }) => route === "/mcp");
  assertEquals(lines.at(-1).ownerId, owner.accountId);
  const text = JSON.stringify(lines);
  assert(!text.includes("zanzibar") && !text.includes(token) && !text.includes("search"));
  const other = world().again();
  world().advance(60_000);
  assertRefused(await send(caller, "ping"), "AUTH_REQUIRED");
  assertRefused(await send(callerOf(other, caller), "ping"), "AUTH_REQUIRED");
});
