/** Forms with files, next to the runtime's own reader. */

import { assertEquals, assertRejects } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { boundaryOf, type PartHead, readMultipart } from "../../../src/http/multipart.ts";
import { seededRandom } from "../../support/random.ts";

interface Part extends PartHead {
  readonly text: string;
}

/** Reads a form that arrives in pieces of a size. */
async function read(bytes: Uint8Array, boundary: string, size: number): Promise<Part[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) {
        controller.enqueue(bytes.subarray(at, at + size));
      }
      controller.close();
    },
  });
  const parts: { head: PartHead; pieces: Uint8Array[] }[] = [];
  await readMultipart(body.getReader(), boundary, bytes.length, (head) => {
    const pieces: Uint8Array[] = [];
    parts.push({ head, pieces });
    return (piece) => pieces.push(piece.slice());
  });
  return await Promise.all(parts.map(async ({ head, pieces }) => ({
    ...head,
    text: await new Blob(pieces as Uint8Array<ArrayBuffer>[]).text(),
  })));
}

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("Forms of any words and pieces are read as a browser wrote them", async () => {
  const random = seededRandom(59);
  const words = [
    "",
    "a",
    "\r\n",
    "--",
    "\r\n--",
    "\r\n------",
    "ä€😀",
    `"`,
    "; name=x",
    "\0",
    "%22",
  ];
  const text = () => Array.from({ length: 6 }, () => random.pick(words)).join("");
  for (let round = 0; round < 15; round++) {
    const form = new FormData();
    form.set("title", text());
    form.set(`na"me;\r\n`, text());
    form.append("files", new File([text()], `f"${round}; name="x"`, { type: "text/plain" }));
    form.append("files", new File([text()], "ä.bin", { type: "image/png" }));
    const sent = new Response(form);
    const boundary = boundaryOf(sent.headers.get("Content-Type")) ?? "";
    const bytes = new Uint8Array(await sent.arrayBuffer());
    const expected = await Promise.all(
      Array.from(
        form,
        async ([name, value]) =>
          value instanceof File
            ? { name, filename: value.name, mediaType: value.type, text: await value.text() }
            : { name, filename: null, mediaType: "", text: value },
      ),
    );
    for (const size of [1, 7, bytes.length]) {
      const found = await read(bytes, boundary, size);
      assertEquals(found, expected, `${round} in pieces of ${size}`);
    }
  }
});

Deno.test("A form that is cut off at any byte, or malformed, is refused", async () => {
  const whole = `--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nWords\r\n--b--`;
  assertEquals((await read(encode(whole), "b", 9))[0]?.text, "Words");
  const malformed = [
    "",
    "Words",
    "--b\r\n\r\nWords\r\n--b--",
    "--b\r\nContent-Disposition: form-data\r\n\r\nWords\r\n--b--",
    `--b\r\nContent-Disposition: form-data; name="${"a".repeat(9_000)}"\r\n\r\nWords\r\n--b--`,
    ...Array.from({ length: whole.length }, (_, length) => whole.slice(0, length)),
  ];
  for (const text of malformed) {
    const error = await assertRejects(() => read(encode(text), "b", 5), ServiceError, "", text);
    assertEquals(error.code, "PAYLOAD_INVALID");
  }
});

Deno.test("Only a form with files has a boundary", () => {
  const named: readonly (readonly [string | null, string | null])[] = [
    ["multipart/form-data; boundary=abc", "abc"],
    [`Multipart/Form-Data; charset=utf-8; boundary="a b"`, "a b"],
    ["multipart/form-data", null],
    ["multipart/form-data; boundary=", null],
    [`multipart/form-data; boundary=${"a".repeat(71)}`, null],
    ["multipart/mixed; boundary=abc", null],
    ["application/x-www-form-urlencoded", null],
    ["application/json", null],
    [null, null],
  ];
  for (const [type, boundary] of named) assertEquals(boundaryOf(type), boundary, String(type));
});
