/** The console's pages and files as served. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { cookieName } from "../../src/access/credentials.ts";
import { FILES } from "../../src/console/joined.ts";
import { LIMITS } from "./assistants.ts";
import { createWorld, ORIGIN, sharedWorld } from "../support/world.ts";

const world = sharedWorld();
const COOKIE = `${cookieName(ORIGIN)}=x`;
const ASSETS = "/console/assets/";

/** The folder of the assets that browsers load. */
async function versioned(): Promise<string> {
  return /\/console\/assets\/[0-9a-f]+\//.exec(await (await get("/")).text())?.[0] ?? "";
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await world().app.fetch(new Request(`${ORIGIN}${path}`, { headers }));
}

Deno.test("Every page is the same shell, which may load only the console's files", async () => {
  const text = (FILES["index.html"] ?? "").replaceAll(ASSETS, await versioned());
  const paths = [
    "/",
    "/console/drafts",
    "/console/records/health",
    "/console/records/health/X/edit",
    "/console/memories/X/slices",
  ];
  for (const path of paths) {
    const response = await get(path);
    assertEquals([response.status, await response.text()], [200, text], path);
    assertEquals(response.headers.get("Cache-Control"), "no-cache");
    assertEquals(response.headers.get("Content-Type"), "text/html; charset=utf-8");
    assertEquals(
      response.headers.get("Content-Security-Policy"),
      `default-src 'none'; script-src ${ORIGIN}${ASSETS}; style-src ${ORIGIN}${ASSETS}; ` +
        `img-src ${ORIGIN}${ASSETS} ${ORIGIN}/api/v2/attachments/; ` +
        `media-src ${ORIGIN}/api/v2/attachments/ blob:; connect-src ${ORIGIN}/api/; ` +
        `manifest-src ${ORIGIN}/console/app.webmanifest; ` +
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    assertEquals(response.headers.get("Cross-Origin-Opener-Policy"), "same-origin");
    assertEquals(response.headers.get("Referrer-Policy"), "no-referrer");
  }
  assertEquals((await get("/")).headers.get("Link"), null);
  const links = (await get("/console/records/health")).headers.get("Link") ?? "";
  assert(links.includes(`<${await versioned()}pages/parts.js>;rel=modulepreload,`));
  assertEquals((await get("/console")).status, 404);
  assertEquals((await get(`${ASSETS}index.html`)).status, 404);
});

Deno.test("Every file is served byte for byte, compressed on request, and cached", async () => {
  for (const [name, text] of Object.entries(FILES)) {
    if (name === "index.html") continue;
    const plain = await get(`${ASSETS}${name}`);
    assertEquals([plain.status, await plain.text()], [200, text], name);
    assertEquals(plain.headers.get("Cache-Control"), "no-cache");
    const lasting = await get(`${await versioned()}${name}`);
    assertEquals([lasting.status, await lasting.text()], [200, text], name);
    assertEquals(lasting.headers.get("Cache-Control"), "public, max-age=31536000, immutable");
    assertEquals(plain.headers.get("X-Content-Type-Options"), "nosniff");
    assert(plain.headers.get("Content-Security-Policy")?.startsWith("default-src 'none'"));

    const compressed = await get(`${ASSETS}${name}`, { "Accept-Encoding": "br;q=1, gzip;q=0.8" });
    assertEquals(compressed.headers.get("Content-Encoding"), "gzip");
    const bytes = gunzipSync(new Uint8Array(await compressed.arrayBuffer()));
    assertEquals(new TextDecoder().decode(bytes), text);

    const tags = [plain, compressed].map(({ headers }) => headers.get("ETag") ?? "");
    assertNotEquals(tags[0], tags[1]);
    const again = await get(`${ASSETS}${name}`, { "If-None-Match": tags[0] ?? "" });
    assertEquals([again.status, await again.text()], [304, ""]);
  }
  const refused = await get(`${ASSETS}app.js`, { "Accept-Encoding": "gzip;q=0, identity" });
  assertEquals(refused.headers.get("Content-Encoding"), null);
  assertEquals((await get(`${ASSETS}0123456789ab/app.js`)).status, 404);
});

Deno.test("A page knows whether the service has assistants", async () => {
  const isTold = async (assistants: typeof LIMITS | null) => {
    const { app } = world();
    const served = assistants === null ? app : world().again({ assistants });
    const response = await served.fetch(new Request(ORIGIN));
    return (await response.text()).includes("<html data-assistants ");
  };
  assertEquals([await isTold(null), await isTold(LIMITS)], [false, true]);
});

Deno.test("A browser with a session cookie is told so, and gets the modules of Today", async () => {
  const signedOut = await get("/");
  const signedIn = await get("/", { Cookie: COOKIE });
  assert(!(await signedOut.text()).includes("data-session"));
  assert((await signedIn.text()).includes("<html data-session "));
  assertEquals(signedOut.headers.get("Link"), null);
  assert(signedIn.headers.get("Link")?.includes(">;rel=modulepreload,"));
  assertEquals(signedIn.headers.get("Vary"), "Accept-Encoding, Cookie");
  const tag = signedOut.headers.get("ETag") ?? "";
  const headers = { "If-None-Match": tag };
  assertEquals((await get("/", headers)).status, 304);
  assertEquals((await get("/", { ...headers, Cookie: COOKIE })).status, 200);
});

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

Deno.test("An unknown address shows a browser the console's page, outside the API", async () => {
  const shell = await (await get("/")).text();
  for (const path of ["/nowhere", "/console", "/console/records", `${ASSETS}nothing.js`]) {
    const page = await get(path, { Accept: BROWSER, "If-None-Match": "*" });
    assertEquals([page.status, await page.text()], [404, shell], path);
    assertEquals(page.headers.get("Content-Type"), "text/html; charset=utf-8");
    assert(page.headers.get("Content-Security-Policy")?.includes("trusted-types 'none'"));
    assertEquals(page.headers.get("Content-Disposition"), null);
  }
  const asked: readonly [path: string, accept: string][] = [
    ["/api/nowhere", BROWSER],
    ["/api/v2/nowhere", BROWSER],
    ["/nowhere", "*/*"],
    ["/nowhere", "application/json"],
    ["/nowhere", "text/html, application/json"],
    ["/nowhere", "text/html;q=0, */*"],
    ["/nowhere", "text/html;q=0.5, */*;q=0.8"],
  ];
  for (const [path, accept] of asked) {
    const failure = await get(path, { Accept: accept });
    assertEquals(failure.status, 404);
    assertEquals((await failure.json()).error.code, "HTTP_404", `${path} for ${accept}`);
  }
});

Deno.test("Pages and files do not count for the rate limit", async () => {
  await using limited = await createWorld({
    limits: { perCredential: 0, perAddress: 2, inFlight: 10 },
  });
  for (let count = 0; count < 20; count++) {
    assertEquals((await limited.call("GET", `${ASSETS}app.js`)).status, 200);
  }
  assertEquals((await limited.call("GET", "/api/v2/auth/setup")).body.data, { open: true });
});

Deno.test("CONSOLE=false serves everything except pages", async () => {
  await using without = await createWorld({ console: false });
  for (const path of ["/", "/console/drafts", `${ASSETS}app.js`]) {
    const { status, headers } = await without.call("GET", path, { headers: { Accept: BROWSER } });
    assertEquals([status, headers.get("Content-Type")], [404, "application/json; charset=utf-8"]);
  }
  assertEquals((await without.call("GET", "/healthz")).status, 200);
});

Deno.test("Pages are read-only, under the service's own names", async () => {
  assertEquals((await world().call("POST", "/")).status, 405);
  const foreign = new Request("http://elsewhere.example/");
  assertEquals((await world().app.fetch(foreign)).status, 421);
});

Deno.test("GET setup reports only whether the first account is missing", async () => {
  await using own = await createWorld();
  assertEquals((await own.call("GET", "/api/v2/auth/setup")).body.data, { open: true });
  const caller = await own.createCaller();
  assertEquals((await own.call("GET", "/api/v2/auth/setup")).body.data, { open: false });
  const { headers } = await caller.call("POST", "/api/v2/auth/logout");
  assertEquals(headers.get("Clear-Site-Data"), '"cache", "storage"');
});

Deno.test("GET catalog answers 304 for a matching entity tag", async () => {
  const caller = await world().createCaller();
  const first = await caller.call("GET", "/api/v2/catalog");
  const tag = first.headers.get("ETag") ?? "";
  assertEquals(first.headers.get("Cache-Control"), "private, no-cache");
  const headers = { "If-None-Match": tag };
  const second = await caller.call("GET", "/api/v2/catalog", { headers });
  assertEquals([second.status, second.text, second.headers.get("ETag")], [304, "", tag]);
  const other = await caller.call("GET", "/api/v2/catalog", {
    headers: { "If-None-Match": '"another"' },
  });
  assertEquals(other.status, 200);
});
