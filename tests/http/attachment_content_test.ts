import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { ObjectStore } from "../../src/attachments/object_store.ts";
import { download, placedWorld, upload, uploaded } from "../support/attachments.ts";
import { seededRandom } from "../support/random.ts";

const BYTES = new TextEncoder().encode("0123456789");
const TAG = `"${createHash("sha256").update(BYTES).digest("hex")}"`;

const world = placedWorld(import.meta.url);

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

Deno.test("GET attachment content offers a download that no browser runs", async () => {
  const caller = await world().createCaller();
  const type = "text/html; charset=utf-8";
  const { body } = await upload(caller, BYTES, { "Content-Type": type });
  const { status, headers, bytes } = await download(world(), caller, body.data.attachmentId);
  assertEquals([status, textOf(bytes)], [200, "0123456789"]);
  assertEquals(headers.get("Content-Type"), type);
  assertEquals(headers.get("Content-Length"), "10");
  assertEquals(headers.get("Accept-Ranges"), "bytes");
  assertEquals(headers.get("ETag"), TAG);
  assertEquals(headers.get("Content-Disposition"), "attachment; filename*=UTF-8''file");
  assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
  assertEquals(headers.get("Content-Security-Policy"), "sandbox");
  assertEquals(headers.get("Cache-Control"), "no-store");
  assert(headers.has("X-Request-Id"));
});

Deno.test("GET attachment content encodes unusual filenames for the header", async () => {
  const caller = await world().createCaller();
  const names: [string, string][] = [
    [`a";filename="b.exe`, "a%22%3Bfilename%3D%22b.exe"],
    ["it's (not) *this*!", "it%27s%20%28not%29%20%2Athis%2A%21"],
    ["100%.txt", "100%25.txt"],
    ["naïve 漢字 🙂", "na%C3%AFve%20%E6%BC%A2%E5%AD%97%20%F0%9F%99%82"],
  ];
  for (const [name, encoded] of names) {
    const sent = { "X-Filename": encodeURIComponent(name) };
    const { body } = await upload(caller, BYTES, sent);
    assertEquals(body.data.filename, name);
    const { headers } = await download(world(), caller, body.data.attachmentId);
    assertEquals(headers.get("Content-Disposition"), `attachment; filename*=UTF-8''${encoded}`);
  }
});

Deno.test("GET attachment content encodes filenames that are rejected today", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, BYTES);
  const names: [string, string][] = [
    ["../../etc/passwd", "..%2F..%2Fetc%2Fpasswd"],
    ["C:\\a\\b", "C%3A%5Ca%5Cb"],
    ["\u202egpj.exe", "%E2%80%AEgpj.exe"],
    ["a\u2066b\u061c", "a%E2%81%A6b%D8%9C"],
  ];
  for (const [index, [name, encoded]] of names.entries()) {
    const old = `01AZ${String(index).padStart(22, "0")}`;
    await world().raw(`
      insert into attachments
        select owner_id, '${old}', size, sha256, media_type, '${name}', created_at
          from attachments where attachment_id = '${id}'`);
    const { headers } = await download(world(), caller, old);
    assertEquals(headers.get("Content-Disposition"), `attachment; filename*=UTF-8''${encoded}`);
  }
});

Deno.test("GET attachment content sends the requested range", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, BYTES);
  const ranges: [string, string, string][] = [
    ["bytes=0-0", "0", "bytes 0-0/10"],
    ["bytes=2-5", "2345", "bytes 2-5/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-2", "89", "bytes 8-9/10"],
    ["bytes=-99", "0123456789", "bytes 0-9/10"],
    ["bytes=5-99", "56789", "bytes 5-9/10"],
  ];
  for (const [range, text, contentRange] of ranges) {
    const { status, headers, bytes } = await download(world(), caller, id, { Range: range });
    assertEquals([status, textOf(bytes)], [206, text], range);
    assertEquals(headers.get("Content-Range"), contentRange);
    assertEquals(headers.get("Content-Length"), String(text.length));
    assertEquals(headers.get("ETag"), TAG);
    assertEquals(headers.get("Content-Security-Policy"), "sandbox");
  }
});

Deno.test("GET attachment content answers 416 with the size beyond the end", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, BYTES);
  for (const range of ["bytes=10-", "bytes=99-100", "bytes=-0"]) {
    const answer = await caller.call("GET", `/api/v2/attachments/${id}/content`, {
      headers: { Range: range },
    });
    assertEquals([answer.status, answer.body.error.code], [416, "HTTP_416"], range);
    assertEquals(answer.headers.get("Content-Range"), "bytes */10");
    assertEquals(answer.headers.get("Content-Disposition"), 'attachment; filename="api.json"');
  }
});

Deno.test("GET attachment content sends everything for an unsupported range", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, BYTES);
  for (const range of ["bytes=0-1,4-5", "items=0-1", "bytes=5-2", "bytes=x", "0-1"]) {
    const { status, headers, bytes } = await download(world(), caller, id, { Range: range });
    assertEquals([status, bytes.length, headers.get("Content-Range")], [200, 10, null], range);
  }
});

Deno.test("GET attachment content honours If-Range for the exact content only", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, BYTES);
  const range = { Range: "bytes=2-5" };
  const same = await download(world(), caller, id, { ...range, "If-Range": TAG });
  assertEquals([same.status, textOf(same.bytes)], [206, "2345"]);
  const others = [`W/${TAG}`, `"other"`, TAG.slice(1, -1), "Fri, 20 Nov 2026 12:00:00 GMT", "*"];
  for (const condition of others) {
    const whole = await download(world(), caller, id, { ...range, "If-Range": condition });
    assertEquals([whole.status, whole.bytes.length], [200, 10], condition);
  }
  // A missing file cannot be unsatisfiable.
  const beyond = { Range: "bytes=99-", "If-Range": `"other"` };
  assertEquals((await download(world(), caller, id, beyond)).status, 200);
});

Deno.test("GET attachment content answers 304 for a matching entity tag", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, BYTES);
  for (const tags of [TAG, `W/${TAG}`, "*", `"other", ${TAG}`, `"other",W/${TAG}`]) {
    for (const method of ["GET", "HEAD"]) {
      const sent = { "If-None-Match": tags, Range: "bytes=99-" };
      const { status, headers, bytes } = await download(world(), caller, id, sent, method);
      assertEquals([status, bytes.length, headers.get("ETag")], [304, 0, TAG], tags);
    }
  }
  for (const tags of [`"other"`, "", TAG.slice(1, -1), `W/"other"`]) {
    const { status } = await download(world(), caller, id, { "If-None-Match": tags });
    assertEquals(status, 200, tags);
  }
});

Deno.test("HEAD attachment content answers GET's headers without a byte, and ignores a range", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, BYTES);
  const requestId = { "X-Request-Id": "the-same-request" };
  const get = await download(world(), caller, id, requestId);
  for (const range of ["bytes=2-5", "bytes=99-"]) {
    const head = await download(world(), caller, id, { ...requestId, Range: range }, "HEAD");
    assertEquals([head.status, head.bytes.length], [200, 0]);
    assertEquals([...head.headers], [...get.headers]);
  }
});

Deno.test("GET attachment content can be assembled from random ranges", async () => {
  const caller = await world().createCaller();
  const seed = 9;
  const random = seededRandom(seed);
  const bytes = Uint8Array.from({ length: 150_000 }, () => random.integer(0, 255));
  const id = await uploaded(caller, bytes);
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = Math.min(bytes.length - 1, start + random.integer(0, 40_000));
    const part = await download(world(), caller, id, { Range: `bytes=${start}-${end}` });
    assertEquals(part.status, 206, `seed ${seed}`);
    parts.push(part.bytes);
    start = end + 1;
  }
  assert(Buffer.compare(Buffer.concat(parts), bytes) === 0, `seed ${seed}`);
});

Deno.test("GET attachment content closes its file in every case", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, BYTES);
  const { objects, open } = countingStore(world().objects);
  const app = world().again({ objects });
  const asks: [string, Record<string, string>][] = [
    ["GET", {}],
    ["HEAD", {}],
    ["GET", { Range: "bytes=2-5" }],
    ["GET", { Range: "bytes=99-" }],
    ["GET", { "If-None-Match": TAG }],
  ];
  for (const [method, headers] of asks) {
    await download({ app }, caller, id, headers, method);
    assertEquals(open(), 0, `${method} ${JSON.stringify(headers)}`);
  }
  const request = new Request(`https://records.example/api/v2/attachments/${id}/content`, {
    headers: { Authorization: `Bearer ${caller.secret}` },
  });
  const response = await app.fetch(request);
  assertEquals(open(), 1);
  await response.body?.cancel();
  assertEquals(open(), 0);
});

/** Counts open streams. */
function countingStore(store: ObjectStore): { objects: ObjectStore; open: () => number } {
  const open = new Set<ReadableStreamDefaultReader>();
  const objects: ObjectStore = {
    ...store,
    async read(...slice) {
      const reader = (await store.read(...slice)).getReader();
      open.add(reader);
      return new ReadableStream({
        async pull(controller) {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          open.delete(reader);
          controller.close();
        },
        async cancel() {
          open.delete(reader);
          await reader.cancel();
        },
      });
    },
  };
  return { objects, open: () => open.size };
}
