import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { decrypt, isEncrypted } from "../../../../../src/operator/backup/age/encrypted_file.ts";
import {
  bytesOf,
  encryptBytes,
  identityOf,
  KEYS,
  recipientOf,
  refusalOf,
  streamOf,
} from "../../../../support/age.ts";

const BEGIN = "-----BEGIN AGE ENCRYPTED FILE-----";
const END = "-----END AGE ENCRYPTED FILE-----";
const DAMAGED = "The file's text form is damaged";
const identity = identityOf(KEYS);

/** The lines of a file in the text form, without the marks. */
async function armoredLines(content: Uint8Array): Promise<string[]> {
  const file = await encryptBytes(content, recipientOf(KEYS));
  return Buffer.from(file).toString("base64").match(/.{1,64}/g) ?? [];
}

Deno.test("A file in the text form is read, however its stream is cut", async () => {
  for (const length of [0, 1, 2, 3, 200_000]) {
    const content = Buffer.alloc(length, "a life ");
    const lines = [BEGIN, ...await armoredLines(content), END];
    for (const text of [lines.join("\n"), `\r\n \t\n${lines.join("\r\n")}\r\n\n `]) {
      const file = Buffer.from(text);
      assertEquals(isEncrypted(file), true);
      for (const size of [1, 1000, file.length]) {
        if (file.length / size > 10_000) continue;
        const parts = Array.from(
          { length: Math.ceil(file.length / size) },
          (_, index) => file.subarray(index * size, (index + 1) * size),
        );
        const read = Buffer.from(await bytesOf(decrypt(streamOf(...parts), identity)));
        assertEquals(read.equals(content), true, `${length} bytes in parts of ${size}`);
      }
    }
  }
});

Deno.test("A text form with anything added, lost or spelled differently is rejected", async () => {
  const lines = await armoredLines(Buffer.alloc(100));
  const [first = "", ...others] = lines;
  const padded = Buffer.alloc(48).toString("base64").slice(0, -1) + "=";
  const wrong: string[][] = [
    [BEGIN, ...lines],
    [BEGIN, ...lines, END, "more"],
    [BEGIN, ...lines, END, BEGIN],
    [BEGIN, ...lines, "", END],
    [BEGIN, "", ...lines, END],
    [BEGIN, ` ${first}`, ...others, END],
    [BEGIN, `${first} `, ...others, END],
    [BEGIN, first + others.join(""), END],
    [BEGIN, first.slice(0, 60), first.slice(60), ...others, END],
    [BEGIN, padded, ...lines, END],
    // Characters that are not base64.
    [BEGIN, ...lines.slice(0, -1), `${lines.at(-1)}!`, END],
    [BEGIN, ...lines, `${END} `],
    [BEGIN, ...lines, END, ...Array(3000).fill("")],
  ];
  for (const [index, changed] of wrong.entries()) {
    const text = Buffer.from(changed.join("\n"));
    assertEquals(await refusalOf(text, identity), DAMAGED, `${index}`);
  }
  const indented = Buffer.from([` ${BEGIN}`, ...lines, END].join("\n"));
  assertEquals(await refusalOf(indented, identity), DAMAGED);
});

Deno.test("A line that does not end is not read to the end of the stream", async () => {
  let parts = 0;
  const file = async function* () {
    yield Buffer.from(`${BEGIN}\n`);
    while (parts++ < 100) yield Buffer.alloc(64 * 1024, "A");
  };
  const refusal = await bytesOf(decrypt(file(), identity)).catch((error) => error.message);
  assertEquals([refusal, parts < 10], [DAMAGED, true]);
});
