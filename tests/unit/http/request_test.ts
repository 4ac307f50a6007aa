import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import {
  idempotencyKeyOf,
  MAX_BODY_BYTES,
  PUBLIC_BODY,
  readJsonBody,
  requestIdOf,
  SIGNED_IN_BODY,
  uploadStream,
} from "../../../src/http/request.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const JSON_TYPE = { "Content-Type": "application/json" };

function requestWith(headers: HeadersInit, body: BodyInit | null = null): Request {
  return new Request("https://records.example/", { method: "POST", headers, body });
}

/** Sends the chunks, then stalls. */
function stalling(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
    },
  });
}

/** Made on demand; counts bytes. */
function counted(count: number): { stream: ReadableStream<Uint8Array>; made: () => number } {
  let made = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = Math.min(65_536, count - made);
      if (size === 0) return controller.close();
      made += size;
      controller.enqueue(new Uint8Array(size).fill(0x20));
    },
  });
  return { stream, made: () => made };
}

/** A clock that stands still. */
const STANDING = () => 0;
const VALID = () => Promise.resolve();

async function assertCode(promise: Promise<unknown>, code: string): Promise<void> {
  const error = await assertRejects(() => promise, ServiceError);
  assertEquals(error.code, code);
}

Deno.test("requestIdOf() keeps a valid id and replaces any other", () => {
  for (const id of ["12345678", "a-b_c-D9", "x".repeat(64)]) {
    assertEquals(requestIdOf(requestWith({ "X-Request-Id": id }), NOW), id);
  }
  for (const id of ["1234567", "x".repeat(65), "has space", "<script>", "a,b,c,d,e"]) {
    const given = requestIdOf(requestWith({ "X-Request-Id": id }), NOW);
    assertMatch(given, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, id);
  }
  const [one, two] = [requestIdOf(requestWith({}), NOW), requestIdOf(requestWith({}), NOW)];
  assertEquals(one === two, false);
});

Deno.test("idempotencyKeyOf() removes one pair of quotes and keeps every visible character", () => {
  const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join(
    "",
  );
  const keys = [["k", "k"], ['"k"', "k"], ['""k""', '"k"'], ['"', '"'], [visible, visible]];
  for (const [sent = "", key] of keys) {
    assertEquals(idempotencyKeyOf(requestWith({ "Idempotency-Key": sent })), key, sent);
  }
  assertEquals(idempotencyKeyOf(requestWith({})), null);
});

Deno.test("idempotencyKeyOf() rejects other characters and lengths", () => {
  for (const sent of ["", '""', "a b", "a\tb", "é", "a\u007f", "k".repeat(256)]) {
    const read = () => idempotencyKeyOf(requestWith({ "Idempotency-Key": sent }));
    const error = assertThrows(read, ServiceError);
    assertEquals(error.details, { rules: ["idempotency_key.format"] }, sent);
  }
});

Deno.test("readJsonBody() reads JSON that arrives in pieces", async () => {
  const text = '{"title":"漢字 🙂"}';
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.enqueue(new Uint8Array());
      controller.close();
    },
  });
  assertEquals(await readJsonBody(requestWith(JSON_TYPE, body), false), JSON.parse(text));
});

Deno.test("readJsonBody() accepts only application/json, with parameters", async () => {
  for (
    const type of ["application/json", "APPLICATION/JSON ; charset=utf-8", "application/json;"]
  ) {
    assertEquals(await readJsonBody(requestWith({ "Content-Type": type }, "[]"), false), []);
  }
  const others = ["text/json", "application/json5", "application/jsonx;", "text/plain", "*/*"];
  for (const type of others) {
    await assertCode(readJsonBody(requestWith({ "Content-Type": type }, "[]"), false), "HTTP_415");
  }
  await assertCode(readJsonBody(requestWith({}, stalling()), false), "HTTP_415");
  await assertCode(readJsonBody(requestWith({}), false), "HTTP_415");
});

Deno.test("readJsonBody() treats a missing optional body as an empty object", async () => {
  const empty = () => new Blob([]).stream();
  for (
    const request of [
      requestWith({}),
      requestWith(JSON_TYPE),
      requestWith({}, empty()),
      requestWith(JSON_TYPE, empty()),
      requestWith({ "Content-Type": "text/plain" }, empty()),
    ]
  ) {
    assertEquals(await readJsonBody(request, true), {});
  }
  await assertCode(readJsonBody(requestWith(JSON_TYPE, empty()), false), "PAYLOAD_INVALID");
  assertEquals(await readJsonBody(requestWith(JSON_TYPE, "null"), true), null);
});

Deno.test("readJsonBody() rejects another media type after at most one chunk", async () => {
  const { stream, made } = counted(8 * MAX_BODY_BYTES);
  const request = requestWith({ "Content-Type": "text/plain" }, stream);
  await assertCode(readJsonBody(request, true), "HTTP_415");
  assertEquals(made() < MAX_BODY_BYTES, true);
});

Deno.test("readJsonBody() reads two MiB and rejects one byte more", async () => {
  const whole = `"${"a".repeat(MAX_BODY_BYTES - 2)}"`;
  const text = await readJsonBody(requestWith(JSON_TYPE, whole), false);
  assertEquals(String(text).length, MAX_BODY_BYTES - 2);
  const more = readJsonBody(requestWith(JSON_TYPE, whole + " "), false);
  const error = await assertRejects(() => more, ServiceError);
  assertEquals([error.code, error.details], ["HTTP_413", { limit: MAX_BODY_BYTES }]);
});

Deno.test("readJsonBody() reads 16 KiB from a stranger within five seconds, and rejects more", async () => {
  assertEquals(PUBLIC_BODY, { bytes: 16_384, timeoutMs: 5_000 });
  const whole = `"${"a".repeat(PUBLIC_BODY.bytes - 2)}"`;
  const text = await readJsonBody(requestWith(JSON_TYPE, whole), false, PUBLIC_BODY);
  assertEquals(String(text).length, PUBLIC_BODY.bytes - 2);
  const more = readJsonBody(requestWith(JSON_TYPE, whole + " "), false, PUBLIC_BODY);
  const error = await assertRejects(() => more, ServiceError);
  assertEquals([error.code, error.details], ["HTTP_413", { limit: PUBLIC_BODY.bytes }]);
});

Deno.test("readJsonBody() counts arriving bytes, with any Content-Length", async () => {
  for (const length of ["0", "5", String(10 * MAX_BODY_BYTES), "many"]) {
    const headers = { ...JSON_TYPE, "Content-Length": length };
    assertEquals(await readJsonBody(requestWith(headers, "[1,2]"), false), [1, 2], length);
    const { stream, made } = counted(4 * MAX_BODY_BYTES);
    await assertCode(readJsonBody(requestWith(headers, stream), false), "HTTP_413");
    // Not read beyond the limit.
    assertEquals(made() <= MAX_BODY_BYTES + 2 * 65_536, true, length);
  }
});

Deno.test("readJsonBody() answers 408 for a body that stalls", async () => {
  const briefly = { ...SIGNED_IN_BODY, timeoutMs: 1 };
  for (
    const request of [
      requestWith(JSON_TYPE, stalling()),
      requestWith(JSON_TYPE, stalling('{"a":', "1")),
    ]
  ) {
    await assertCode(readJsonBody(request, false, briefly), "HTTP_408");
  }
  await assertCode(readJsonBody(requestWith({}, stalling()), true, briefly), "HTTP_408");
});

Deno.test("readJsonBody() answers 408 for a body that breaks off", async () => {
  const broken = new ReadableStream({ start: (body) => body.error(new Error("reset")) });
  await assertCode(readJsonBody(requestWith(JSON_TYPE, broken), false), "HTTP_408");
});

Deno.test("readJsonBody() releases a body that it rejects", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel() {
      cancelled = true;
    },
  });
  await assertCode(readJsonBody(requestWith(JSON_TYPE, endless), false), "HTTP_413");
  assertEquals(cancelled, true);
});

Deno.test("uploadStream() passes a body on unchanged", async () => {
  assertEquals(
    await new Response(uploadStream(requestWith({}, "some bytes"), STANDING, VALID)).text(),
    "some bytes",
  );
  assertEquals(await new Response(uploadStream(requestWith({}), STANDING, VALID)).text(), "");
});

Deno.test("uploadStream() fails with 408 when the client disconnects", async () => {
  const broken = new ReadableStream({ start: (body) => body.error(new Error("reset")) });
  await assertCode(
    new Response(uploadStream(requestWith({}, broken), STANDING, VALID)).bytes(),
    "HTTP_408",
  );
});

Deno.test("uploadStream() cancels the client's body when its reader stops", async () => {
  let reason: unknown;
  const body = new ReadableStream({
    cancel(given) {
      reason = given;
    },
  });
  await uploadStream(requestWith({}, body), STANDING, VALID).cancel("enough");
  assertEquals(reason, "enough");
});

/** One piece per `milliseconds`; returns the bytes received. */
async function readPieces(bytes: number, milliseconds: number, pieces: number): Promise<number> {
  let [now, sent, read] = [0, 0, 0];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ === pieces) return controller.close();
      now += milliseconds;
      controller.enqueue(new Uint8Array(bytes));
    },
  }, { highWaterMark: 0 });
  for await (const piece of uploadStream(requestWith({}, body), () => now, VALID)) {
    read += piece.length;
  }
  return read;
}

Deno.test("uploadStream() accepts any rate for a minute, and then at least 1 KiB a second", async () => {
  assertEquals(await readPieces(1, 12_000, 4), 4);
  await assertCode(readPieces(1, 12_000, 6), "HTTP_408");
  // Just fast enough for the largest upload.
  assertEquals(await readPieces(16_384, 16_000, 4096), 64 * 1024 * 1024);
  await assertCode(readPieces(16_384, 16_100, 4096), "HTTP_408");
});
