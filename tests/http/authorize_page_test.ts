/** The page on which a person allows an assistant: its bytes and headers, without a browser. */

import { assert, assertEquals } from "@std/assert";
import { ORIGIN, sharedWorld } from "../support/world.ts";
import { LIMITS } from "./assistants.ts";

const LISTED = "https://app.example";
const PAGE = "/oauth/authorize";
const world = sharedWorld({ assistants: LIMITS, corsOrigins: [LISTED] });

const HOSTILE = [
  "https://evil.example/",
  "//evil.example",
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "\r\nLocation: https://evil.example\r\n\r\n<h1>",
  "%0d%0aSet-Cookie:%20a=b",
  "<script>alert(1)</script>",
  "'\"`>${1}{{7*7}}",
  "../../etc/passwd",
  "\u0000\u2028\uD800",
  "x".repeat(9_000),
  "%zz%",
];
const NAMES = ["redirect_uri", "client_id", "state", "response_type", "request", "__proto__", ""];

/** A thousand queries without two alike. */
function hostileQueries(): string[] {
  return Array.from({ length: 1_000 }, (_, index) => {
    const pairs = Array.from({ length: 1 + index % 3 }, (_, place) => {
      const name = NAMES[(index + place) % NAMES.length];
      const value = HOSTILE[(index * 7 + place * 5) % HOSTILE.length] ?? "";
      return `${name}=${index % 2 === 0 ? encodeURIComponent(value.toWellFormed()) : value}`;
    });
    return [...pairs, `n=${index}`].join("&");
  });
}

/** Differ with each request, or are of HEAD alone. */
const OWN = ["x-request-id", "content-length"];

async function ask(path: string, method = "GET", headers: Record<string, string> = {}) {
  const request = new Request(`${ORIGIN}${path}`, { method, redirect: "manual", headers });
  const response = await world().app.fetch(request);
  const shown = [...response.headers].filter(([name]) => !OWN.includes(name));
  return { status: response.status, headers: shown, text: await response.text() };
}

Deno.test("The page has the same bytes and headers for a thousand hostile queries", async () => {
  const plain = await ask(PAGE);
  assertEquals(plain.status, 200);
  for (const query of hostileQueries()) assertEquals(await ask(`${PAGE}?${query}`), plain, query);
  assertEquals(await ask(`${PAGE}?${HOSTILE[0]}`, "HEAD"), { ...plain, text: "" });
});

Deno.test("The page keeps its opener, and has the policy of the console otherwise", async () => {
  const of = async (path: string) => Object.fromEntries((await ask(path)).headers);
  const [{ link: _, etag, ...shown }, { "cross-origin-opener-policy": opener, ...other }] =
    await Promise.all([of(`${PAGE}?state=1`), of("/")]);
  assertEquals([{ ...shown, etag }, opener], [{ ...other, vary: shown.vary }, "same-origin"]);
  assert(shown["content-security-policy"]?.includes("form-action 'none'"));
});

Deno.test("No other origin may read the page", async () => {
  const asked = { Origin: LISTED, "Access-Control-Request-Method": "GET" };
  for (const [method, status] of [["GET", 200], ["OPTIONS", 405], ["POST", 405]] as const) {
    const { status: found, headers } = await ask(PAGE, method, asked);
    assertEquals(found, status, method);
    assertEquals(headers.filter(([name]) => name.startsWith("access-control-")), [], method);
  }
});
