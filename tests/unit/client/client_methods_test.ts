/** Lists, the feed, changes and files of the client package before a service that a test plays. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { type FollowEvent, Refusal, Unreachable } from "../../../src/client/mod.ts";
import { answer, CREATE, DETAIL, ID, LOST, play, refusal, waitsOf } from "./played_service.ts";

Deno.test("Each yields the items of all pages once, and asks for no page that is not needed", async () => {
  const pages = [
    { items: [{ recordId: "a" }, { recordId: "b" }], nextCursor: "one" },
    { items: [], nextCursor: "two" },
    { items: [{ recordId: "c" }], nextCursor: null },
  ];
  const { client, sent } = play(pages.map((page) => answer(page)));
  const options = {
    path: { moduleCode: "health" },
    query: { limit: 2, archived: "include" },
  } as const;
  const ids = [];
  for await (const { recordId } of client.each("record.list", options)) ids.push(recordId);
  assertEquals(ids, ["a", "b", "c"]);
  assertEquals(sent.map(({ url }) => new URL(url).search), [
    "?limit=2&archived=include",
    "?limit=2&archived=include&cursor=one",
    "?limit=2&archived=include&cursor=two",
  ]);
  const broken = play([answer(pages[0])]);
  for await (const _ of broken.client.each("search", { body: { q: "a" } })) break;
  assertEquals(broken.sent.length, 1);
  for (const operation of ["search", "relationship.person.find"] as const) {
    // A POST that reads is repeated like a GET.
    const played = play([refusal("HTTP_503", 503), ...pages.map((page) => answer(page))]);
    const each = played.client.each(operation, { body: { q: "a", limit: 2 } });
    await waitsOf(() => Array.fromAsync<unknown>(each));
    assertEquals(played.sent.map(({ body }) => JSON.parse(body)), [
      { q: "a", limit: 2 },
      { q: "a", limit: 2 },
      { q: "a", limit: 2, cursor: "one" },
      { q: "a", limit: 2, cursor: "two" },
    ]);
  }
  // deno-lint-ignore no-explicit-any -- calls that the types forbid
  await assertRejects(() => client.each("record.create" as any, CREATE as any).next(), RangeError);
});

Deno.test("Follow yields cursors that lose nothing, begins again, and ends with its signal", async () => {
  const change = (recordId: string) => ({
    moduleCode: "health",
    recordId,
    revision: 1,
    change: "CREATED" as const,
    at: "now",
  });
  const controller = new AbortController();
  const { client, sent } = play([
    answer({ items: [change("a"), change("b")], nextCursor: "one", hasMore: true }),
    answer({ items: [], nextCursor: "two", hasMore: false }),
    refusal("PAYLOAD_INVALID", 400, { rules: ["cursor.feed"] }),
    answer({ items: [change("a")], nextCursor: "three", hasMore: false }),
    () => new Promise<Response>(() => {}),
  ]);
  const events: FollowEvent[] = [];
  let waits: number[] = [];
  const { signal } = controller;
  const follow = async () => {
    for await (const event of client.follow({ after: "zero", signal })) {
      events.push(event);
      if (events.length === 4) setTimeout(() => controller.abort(), 0);
    }
  };
  waits = await waitsOf(follow);
  assertEquals(events, [
    { event: "change", cursor: "zero", ...change("a") },
    { event: "change", cursor: "one", ...change("b") },
    { event: "restarted", cursor: null },
    { event: "change", cursor: "three", ...change("a") },
  ]);
  assertEquals(waits.filter((wait) => wait === 30_000).length, 2);
  const afters = sent.map(({ url }) => new URL(url).searchParams.get("after"));
  assertEquals(afters.slice(0, 4), ["zero", "one", "two", null]);
});

Deno.test("Change sends the revision that it has read, and asks again after a conflict", async () => {
  let revision = 0;
  const read = () => answer({ title: "A", revision: ++revision });
  const conflict = refusal("REVISION_CONFLICT", 409);
  const { client, sent } = play([read, conflict, read, conflict, read, answer({ revision: 4 })]);
  const seen: number[] = [];
  const made = await client.change("record.modify", DETAIL, (present) => {
    seen.push(present.revision);
    return { title: `${present.title}!` };
  });
  assertEquals([made?.data.revision, seen], [4, [1, 2, 3]]);
  const writes = sent.filter(({ method }) => method === "PATCH");
  assertEquals(
    writes.map(({ body }) => JSON.parse(body)),
    [1, 2, 3].map((expectedRevision) => ({ title: "A!", expectedRevision })),
  );
  assertEquals(new Set(writes.map(({ headers }) => headers.get("Idempotency-Key"))).size, 3);
  const stubborn = play([(sent) => sent.method === "GET" ? read() : conflict.clone()]);
  const error = await assertRejects(
    () => stubborn.client.change("record.modify", DETAIL, () => ({ title: "B" })),
    Refusal,
  );
  assertEquals([error.code, stubborn.sent.length], ["REVISION_CONFLICT", 8]);
  const nothing = play([read]);
  assertEquals(await nothing.client.change("record.modify", DETAIL, () => null), null);
  assertEquals(nothing.sent.length, 1);
  // deno-lint-ignore no-explicit-any -- calls that the types forbid
  const change = nothing.client.change.bind(nothing.client) as any;
  await assertRejects(() => change("record.create", DETAIL, () => ({})), RangeError);
});

Deno.test("A file arrives as it was sent, or is a DIGEST_MISMATCH", async () => {
  const bytes = new Uint8Array(70_000).map((_, index) => index * 31);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  for (
    const form of [bytes, new Blob([bytes], { type: "text/plain" }), new Blob([bytes]).stream()]
  ) {
    const { client, sent } = play([answer({ attachmentId: ID, sha256 }, 201)]);
    const made = await client.upload(form, { filename: "für mich.txt" });
    assertEquals([made.attachmentId, sent.length], [ID, 1]);
    assertEquals(sent[0]?.headers.get("X-Filename"), "f%C3%BCr%20mich.txt");
  }
  const wrong = play([answer({ sha256: "0" }, 201)]);
  const error = await assertRejects(() => wrong.client.upload(bytes, { filename: "a" }), Refusal);
  assertEquals([error.code, error.status], ["DIGEST_MISMATCH", 201]);
  const lost = play([LOST]);
  await assertRejects(() => lost.client.upload(bytes, { filename: "a" }), Unreachable);
  assertEquals(lost.sent.length, 1);
  const read = play([answer({ sha256 }), new Response(bytes)]);
  const got = await new Response(await read.client.download(ID)).bytes();
  assertEquals(got, bytes);
  let sentBytes = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sentBytes += bytes.length;
      controller.enqueue(bytes);
    },
  });
  for (const body of [bytes.slice(1), bytes.toReversed(), endless]) {
    const damaged = play([answer({ size: bytes.length, sha256 }), new Response(body)]);
    const stream = await damaged.client.download(ID);
    const failure = await assertRejects(() => new Response(stream).bytes(), Refusal);
    assertEquals(failure.code, "DIGEST_MISMATCH");
  }
  assert(sentBytes < 10 * bytes.length);
});
