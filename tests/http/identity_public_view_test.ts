/** IDN-006: the public view. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { anotherProcess, sharedWorld, type TestResponse } from "../support/world.ts";
import { assertFailure, assertInvalid } from "./kernel.ts";
import { changed, PROFILE } from "../families/identity/api.ts";
import {
  assertNothing,
  look,
  newSlug,
  PUBLIC,
  publicCaller,
  REFRESH,
  setEnabled,
} from "../families/identity/public.ts";
import { done, read } from "../families/memory/api.ts";

const world = sharedWorld();

Deno.test("The view has an entity tag, is revalidated each time, and is not indexed", async () => {
  const { caller, slug } = await publicCaller(world());
  const response = await look(world(), slug);
  const tag = response.headers.get("ETag") ?? "";
  const told = (answer: TestResponse) =>
    ["ETag", "Cache-Control", "X-Robots-Tag"].map((name) => answer.headers.get(name));
  assertEquals([response.status, told(response)], [200, [tag, "no-cache", "noindex"]]);
  for (const sent of [tag, `W/${tag}`, "*", `"other", ${tag}`]) {
    const known = await look(world(), slug, { "If-None-Match": sent });
    assertEquals([known.status, known.text], [304, ""], sent);
    assertEquals(told(known), told(response), sent);
  }
  assertEquals((await look(world(), slug, { "If-None-Match": '"other"' })).status, 200);
  const head = await world().call("HEAD", `${PUBLIC}/${slug}`);
  assertEquals([head.status, head.text, told(head)], [200, "", told(response)]);
  await changed(caller, PROFILE, { expectedRevision: 1, set: { displayName: "Eda" } });
  await done(caller, REFRESH, {});
  const fresh = await look(world(), slug, { "If-None-Match": tag });
  assertEquals([fresh.status, fresh.body.data.displayName], [200, "Eda"]);
  assertNotEquals(fresh.headers.get("ETag"), tag);
});

Deno.test("The view ignores credentials, even invalid ones, and accepts no query", async () => {
  const { caller, slug } = await publicCaller(world());
  const { body: { data } } = await look(world(), slug);
  const other = await world().createCaller();
  const wrong = [
    { Authorization: "Bearer prs_s_nothing" },
    { Authorization: "Basic x" },
    { Cookie: "__Host-prs_session=nothing" },
    { Cookie: `__Host-prs_session=${caller.secret}`, Authorization: `Bearer ${other.secret}` },
    { Origin: "https://evil.example" },
  ];
  for (const headers of wrong) {
    const response = await look(world(), slug, headers);
    assertEquals([response.status, response.body.data], [200, data], JSON.stringify(headers));
  }
  for (const [query, name] of [["?a=1", "a"], ["?a", "a"], [`?slug=${slug}`, "slug"]] as const) {
    const response = await world().call("GET", `${PUBLIC}/${slug}${query}`);
    assertInvalid(response, ["undeclared_field"], [name], query);
  }
});

Deno.test("The view is a copy that changes only with a refresh or publication", async () => {
  const { caller, slug } = await publicCaller(world(), ["displayName", "publicSummary"]);
  const before = (await look(world(), slug)).body.data;
  world().advance(1000);
  const set = { displayName: "Eda", biography: "Another life" };
  await changed(caller, PROFILE, { expectedRevision: 1, set, remove: ["publicSummary"] });
  assertEquals((await look(world(), slug)).body.data, before);
  const first = await read(caller, PUBLIC);
  world().advance(1000);
  const refreshed = await done(caller, REFRESH, {});
  const updatedAt = world().now().toISOString();
  const view = { slug, displayName: "Eda", publicSummary: null, updatedAt };
  assertEquals(refreshed, { ...first, view, profileRevision: 2, revision: 2, updatedAt });
  assertEquals((await look(world(), slug)).body.data, view);
  assertEquals(await read(caller, PUBLIC), refreshed);
});

Deno.test("A slug that shows nothing does not reveal why", async () => {
  const { caller, slug } = await publicCaller(world());
  const malformed = [
    "ab",
    "x".repeat(65),
    "Ada",
    "a_b",
    "ada.",
    "%61da",
    "ad%00",
    "%C3%A4da",
    "a+b",
  ];
  for (const text of [newSlug(), "---", ...malformed]) {
    assertNothing(await look(world(), text), text);
  }
  for (const reserved of ["publish", "refresh", "revoke"]) {
    const response = await look(world(), reserved);
    assertFailure(response, "HTTP_405", reserved);
    assertEquals(response.headers.get("Allow"), "POST", reserved);
  }
  await setEnabled(world(), caller, false);
  assertNothing(await look(world(), slug), "of a disabled account");
  await setEnabled(world(), caller, true);
  assertEquals((await look(world(), slug)).status, 200);
});

Deno.test("Views by strangers have the address's rate limit", async () => {
  const limited = anotherProcess(world(), {
    limits: { perCredential: 0, perAddress: 2, inFlight: 256 },
  });
  const { slug } = await publicCaller(limited);
  const from = (peer: string, path: string) => limited.call("GET", `${PUBLIC}/${path}`, { peer });
  const first = await from("192.0.2.1", slug);
  assertEquals([first.status, first.headers.get("RateLimit-Policy")], [
    200,
    '"unauthenticated";q=2;w=60',
  ]);
  assertFailure(await from("192.0.2.1", newSlug()), "RECORD_NOT_FOUND");
  assertFailure(await from("192.0.2.1", slug), "HTTP_429");
  assertEquals((await from("192.0.2.2", slug)).status, 200);
});
