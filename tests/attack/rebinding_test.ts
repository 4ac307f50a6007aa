/**
 * DNS rebinding: a foreign page resolves its name to this machine. Only the Host header shows it.
 */

import { assertEquals } from "@std/assert";
import { assertFailure, COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import type { App } from "../../src/app.ts";
import { callApp, type Caller, type CallOptions, sharedWorld } from "../support/world.ts";
import { exchange, lines } from "../support/wire.ts";

const world = sharedWorld();

const EVIL = "evil.example:8000";
const CREATION = { title: "A", payload: COMMITMENT };

/** Responses that could inform such a page. */
const ASKED: readonly [string, string, (caller: Caller) => CallOptions][] = [
  ["GET", "/api/v2/openapi.json", () => ({})],
  ["GET", "/", () => ({})],
  ["GET", "/api/v2/nothing", () => ({})],
  ["DELETE", COMMITMENTS, () => ({})],
  ["OPTIONS", COMMITMENTS, () => ({})],
  ["POST", "/healthz", () => ({})],
  ["GET", COMMITMENTS, () => ({})],
  ["GET", COMMITMENTS, ({ secret }) => ({ headers: { Authorization: `Bearer ${secret}` } })],
  ["POST", COMMITMENTS, ({ secret }) => ({
    headers: { Authorization: `Bearer ${secret}`, Origin: `http://${EVIL}` },
    key: "k",
    body: CREATION,
  })],
  ["POST", "/api/v2/auth/login", () => ({ body: { email: "a@example.org", password: "guess" } })],
];

Deno.test("A page under another host name learns only that the service is not served there", async () => {
  const caller = await world().createCaller();
  const attempts = async () => {
    const [row] = await world().rows("select count(*)::int from access_attempts");
    return row.count;
  };
  const before = await attempts();
  for (const name of [EVIL, "records.example.evil.example", "192.168.1.5:8000", "[fd00::1]"]) {
    const app = under(name);
    for (const [method, path, optionsOf] of ASKED) {
      const response = await callApp(app, method, path, {
        ...optionsOf(caller),
        peer: "127.0.0.1",
      });
      const label = `${method} ${path} at ${name}`;
      assertEquals(assertFailure(response, "HTTP_421", label), undefined);
      assertEquals(response.headers.has("RateLimit"), false, label);
    }
  }
  assertEquals(await attempts(), before);
  const { body } = await caller.call("GET", COMMITMENTS);
  assertEquals(body.data.items, []);
});

Deno.test("The health probes respond under any host name", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    assertEquals((await callApp(under("10.0.0.7:8000"), "GET", path)).status, 200, path);
  }
});

Deno.test("Names of this machine, of the public origin and of ALLOWED_HOSTS are served", async () => {
  const allowedHosts = ["records.lan"];
  const app = world().again({ allowedHosts });
  const names = [
    "records.example",
    "records.example:8443",
    "RECORDS.example",
    "records.lan:8000",
    "localhost:8000",
    "prs.localhost:8000",
    "127.0.0.1",
    "[::1]:8000",
  ];
  for (const name of names) {
    assertFailure(await callApp(under(name, app), "GET", COMMITMENTS), "AUTH_REQUIRED", name);
  }
});

Deno.test("Any other Host on the wire is rejected, in every spelling", async () => {
  const get = (target: string, ...headers: readonly string[]) =>
    exchange(
      world().again(),
      lines(`GET ${target} HTTP/1.1`, ...headers, "Connection: close", "", ""),
    );
  const path = "/api/v2/openapi.json";
  const answers = [
    await get(path, "Host: evil.example"),
    await get(path, "Host: evil.example:80"),
    await get(path, "Host: EVIL.example."),
    await get(`http://evil.example${path}`, "Host: evil.example"),
    await get(`http://evil.example${path}`, "Host: localhost"),
    await get(`http://localhost${path}`, "Host: evil.example"),
    await get(path, "Host: user@localhost"),
    await get(path, "Host:"),
    await get(path, "Host: localhost", "Host: evil.example"),
  ];
  assertEquals(answers.map(({ status }) => status), [421, 421, 421, 421, 400, 400, 400, 400, 400]);
  assertEquals((await get(path, "Host: LOCALHOST:1")).status, 200);
});

/** Calls the application under another host name. */
function under(name: string, app = world().app): Pick<App, "fetch"> {
  return {
    fetch(request, peer) {
      const { pathname } = new URL(request.url);
      return app.fetch(new Request(`http://${name}${pathname}`, request), peer);
    },
  };
}
