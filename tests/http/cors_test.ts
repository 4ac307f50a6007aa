import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { TestResponse } from "../support/world.ts";
import { ORIGIN, sharedWorld } from "../support/world.ts";
import { COOKIE } from "./access.ts";
import { assertFailure, COMMITMENT, COMMITMENTS } from "./kernel.ts";

const LISTED = "https://app.example";
const ALSO_LISTED = "http://localhost:5173";
const FOREIGN = [
  "https://elsewhere.example",
  "https://app.example.elsewhere.example",
  "https://sub.app.example",
  "http://app.example",
  "https://app.example:8443",
  "HTTPS://APP.EXAMPLE",
  "null",
  "",
];

const closed = sharedWorld();
const open = sharedWorld({ corsOrigins: [LISTED, ALSO_LISTED] });

/** CORS headers. */
function grantOf({ headers }: TestResponse): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"),
  );
}

function ask(method: string, origin: string): Record<string, string> {
  return { "Origin": origin, "Access-Control-Request-Method": method };
}

Deno.test("No page of another origin may read anything unless its origin is listed", async () => {
  const caller = await closed().createCaller();
  for (const origin of [LISTED, ORIGIN, ...FOREIGN]) {
    const headers = ask("GET", origin);
    assertEquals(grantOf(await caller.call("GET", COMMITMENTS, { headers })), {});
    const preflight = await closed().call("OPTIONS", COMMITMENTS, { headers });
    assertFailure(preflight, "HTTP_405");
    assertEquals(grantOf(preflight), {});
  }
});

Deno.test("A page of a listed origin may read every response, also an error", async () => {
  const caller = await open().createCaller();
  for (const origin of [LISTED, ALSO_LISTED]) {
    const headers = { Origin: origin };
    const answers = [
      await caller.call("GET", COMMITMENTS, { headers }),
      await open().call("GET", COMMITMENTS, { headers }),
      await open().call("GET", "/api/v2/nothing", { headers }),
      await caller.call("DELETE", COMMITMENTS, { headers }),
      await caller.call("HEAD", COMMITMENTS, { headers }),
    ];
    assertEquals(answers.map(({ status }) => status), [200, 401, 404, 405, 200]);
    for (const response of answers) {
      const { "access-control-expose-headers": exposed = "", ...grant } = grantOf(response);
      assertEquals(grant, {
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        "vary": "Origin",
      });
      const names = exposed.split(", ");
      const readable = ["Accept-Ranges", "Deprecation", "ETag", "Link", "Location", "RateLimit"];
      for (const name of [...readable, "Retry-After", "WWW-Authenticate"]) {
        assert(names.includes(name), name);
      }
      assert(!names.includes("Set-Cookie"));
    }
  }
});

Deno.test("A page of another origin gets no grant, and caches keep the two apart", async () => {
  const caller = await open().createCaller();
  for (const origin of FOREIGN) {
    const headers = ask("GET", origin);
    assertEquals(grantOf(await caller.call("GET", COMMITMENTS, { headers })), { vary: "Origin" });
    const preflight = await open().call("OPTIONS", COMMITMENTS, { headers });
    assertFailure(preflight, "HTTP_405");
    assertEquals(grantOf(preflight), { vary: "Origin" });
  }
  assertEquals(grantOf(await caller.call("GET", COMMITMENTS)), { vary: "Origin" });
});

Deno.test("A preflight of a listed origin gets the methods of the path and the headers", async () => {
  const headers = ask("PATCH", LISTED);
  const response = await open().call("OPTIONS", `${COMMITMENTS}/${ulid()}`, { headers });
  assertEquals([response.status, response.text], [204, ""]);
  const grant = grantOf(response);
  assertEquals(grant["access-control-allow-origin"], LISTED);
  assertEquals(grant["access-control-allow-credentials"], "true");
  assertEquals(grant["access-control-allow-methods"], "GET, HEAD, PATCH");
  assertEquals(grant["access-control-max-age"], "600");
  const allowed = grant["access-control-allow-headers"]?.split(", ") ?? [];
  assertEquals(allowed.toSorted(), [
    "Authorization",
    "Content-Digest",
    "Content-Type",
    "Idempotency-Key",
    "If-None-Match",
    "If-Range",
    "Range",
    "Step-Up-Proof",
    "X-Filename",
    "X-Request-Id",
  ]);
  assertEquals(response.headers.get("Cache-Control"), "no-store");
  assertEquals(response.headers.get("X-Content-Type-Options"), "nosniff");
  assert(response.headers.has("X-Request-Id"));
});

Deno.test("OPTIONS that is not a preflight of a route is rejected", async () => {
  const headers = { Origin: LISTED };
  assertFailure(await open().call("OPTIONS", COMMITMENTS, { headers }), "HTTP_405");
  const preflight = ask("GET", LISTED);
  assertFailure(await open().call("OPTIONS", "/nothing", { headers: preflight }), "HTTP_404");
});

Deno.test("With a cookie a page of a listed origin may read but not write", async () => {
  const caller = await open().createCaller();
  const headers = { Cookie: `${COOKIE}=${caller.secret}`, Origin: LISTED };
  assertEquals((await open().call("GET", COMMITMENTS, { headers })).status, 200);
  const body = { title: "A", payload: COMMITMENT };
  const write = { headers, body, key: ulid() };
  const refused = await open().call("POST", COMMITMENTS, write);
  assertFailure(refused, "FORBIDDEN");
  // The page may read the rejection.
  assertEquals(grantOf(refused)["access-control-allow-origin"], LISTED);
  const bearer = { Authorization: `Bearer ${caller.secret}`, Origin: LISTED };
  const written = await open().call("POST", COMMITMENTS, { ...write, headers: bearer });
  assertEquals(written.status, 201);
});
