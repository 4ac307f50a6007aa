/** Round trips and all kinds of damage. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  beginEncryption,
  decrypt,
  isEncrypted,
} from "../../../../../src/operator/backup/age/encrypted_file.ts";
import {
  bytesOf,
  decryptBytes,
  encryptBytes,
  identityOf,
  KEYS,
  OTHER_KEYS,
  recipientOf,
  refusalOf,
  streamOf,
} from "../../../../support/age.ts";
import { type Random, seededRandom } from "../../../../support/random.ts";

const BLOCK = 64 * 1024;
const SEALED_BLOCK = BLOCK + 16;
const [recipient, identity] = [recipientOf(KEYS), identityOf(KEYS)];

function content(random: Random, length: number): Uint8Array {
  return new Uint8Array(length).map(() => random.integer(0, 255));
}

/** Cuts at random; parts may be empty. */
function parts(random: Random, bytes: Uint8Array): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const length = random.pick([0, 1, 100, 20_000, BLOCK, 3 * BLOCK]);
    cut.push(rest.slice(0, length));
    rest = rest.subarray(length);
  }
  return cut;
}

/** At the ends of header, nonce and blocks. */
function cutFile(file: Uint8Array): { head: Uint8Array; nonce: Uint8Array; blocks: Uint8Array[] } {
  const end = Buffer.from(file).indexOf("\n", Buffer.from(file).indexOf("\n--- ") + 1) + 1;
  const blocks: Uint8Array[] = [];
  for (let at = end + 16; at < file.length; at += SEALED_BLOCK) {
    blocks.push(file.slice(at, at + SEALED_BLOCK));
  }
  return { head: file.slice(0, end), nonce: file.slice(end, end + 16), blocks };
}

Deno.test("Files of any length are encrypted and decrypted, however their streams are cut", async () => {
  const random = seededRandom(20);
  const lengths = [0, 1, 15, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 1000];
  for (const length of lengths) {
    const text = content(random, length);
    const { encrypt } = await beginEncryption(recipient);
    const file = await bytesOf(encrypt(streamOf(...parts(random, text))));
    assert(isEncrypted(file));
    const { blocks } = cutFile(file);
    assertEquals(blocks.length, Math.max(1, Math.ceil(length / BLOCK)));
    const read = await bytesOf(decrypt(streamOf(...parts(random, file)), identity));
    assert(Buffer.from(text).equals(read), `${length} bytes`);
  }
});

Deno.test("Two files of one content have nothing in common", async () => {
  const [one, other] = [
    await encryptBytes(Buffer.alloc(100), recipient),
    await encryptBytes(Buffer.alloc(100), recipient),
  ].map(cutFile);
  assert(one !== undefined && other !== undefined);
  assertEquals(Buffer.compare(one.nonce, other.nonce) === 0, false);
  const [mine = "", theirs = ""] = [one, other].map(({ head }) => Buffer.from(head).toString());
  const words = mine.split(/\s/).filter((word) => word.length > 30);
  assertEquals(words.length, 3);
  for (const word of words) assertEquals(theirs.includes(word), false);
});

Deno.test("A file opens for its recipient and its writer only", async () => {
  const { identity: writer, encrypt } = await beginEncryption(recipient);
  const file = await bytesOf(encrypt(streamOf(Buffer.from("text"))));
  assertEquals(Buffer.from(await decryptBytes(file, writer)).toString(), "text");
  assertEquals(Buffer.from(await decryptBytes(file, identity)).toString(), "text");
  assertEquals(
    await refusalOf(file, identityOf(OTHER_KEYS)),
    "The file is encrypted with another key",
  );
  const others = (await beginEncryption(recipient)).identity;
  assertEquals(await refusalOf(file, others), "The file's header is damaged");
});

Deno.test("A file with any changed bit is rejected", async () => {
  const file = await encryptBytes(Buffer.from("A small backup"), recipient);
  for (let at = 0; at < file.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = file.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      assert(await refusalOf(changed, identity) !== null, `bit ${bit} of byte ${at}`);
    }
  }
});

Deno.test("A header with any byte changed, added or removed is rejected", async () => {
  const file = await encryptBytes(Buffer.alloc(0), recipient);
  const { head } = cutFile(file);
  for (let at = 0; at < head.length; at++) {
    const [before, behind] = [file.slice(0, at), file.slice(at + 1)];
    for (const byte of Buffer.from("\0\n\r Aa1+/=-\x7f\xff", "latin1")) {
      if (byte !== file[at]) {
        const changed = Buffer.concat([before, Buffer.of(byte), behind]);
        assert(await refusalOf(changed, identity) !== null, `byte ${at} as ${byte}`);
      }
      const added = Buffer.concat([before, Buffer.of(byte), file.slice(at)]);
      assert(await refusalOf(added, identity) !== null, `${byte} before byte ${at}`);
    }
    assert(await refusalOf(Buffer.concat([before, behind]), identity) !== null, `without ${at}`);
  }
});

Deno.test("A truncated or extended file is rejected", async () => {
  const random = seededRandom(21);
  const file = await encryptBytes(Buffer.from("A small backup"), recipient);
  for (let length = 0; length < file.length; length++) {
    assert(await refusalOf(file.slice(0, length), identity) !== null, `${length} bytes`);
  }
  for (const length of [1, 16, 17, BLOCK, SEALED_BLOCK]) {
    const longer = Buffer.concat([file, content(random, length)]);
    assertEquals(await refusalOf(longer, identity), "The file is damaged or incomplete");
  }
  assert(await refusalOf(Buffer.concat([file, file]), identity) !== null);
});

Deno.test("A long file with a block removed, moved, repeated or replaced is rejected", async () => {
  const random = seededRandom(22);
  for (const length of [3 * BLOCK, 3 * BLOCK + 100]) {
    const file = await encryptBytes(content(random, length), recipient);
    const { head, nonce, blocks } = cutFile(file);
    const other = cutFile(await encryptBytes(content(random, length), recipient));
    const [a, b, c, ...rest] = blocks as [Uint8Array, Uint8Array, Uint8Array];
    const wrong: Uint8Array[][] = [
      [],
      [a],
      [a, b],
      blocks.slice(0, -1),
      blocks.slice(1),
      [a, c, ...rest],
      [b, a, c, ...rest],
      [a, c, b, ...rest],
      [a, a, b, c, ...rest],
      [...blocks, a],
      [...blocks, blocks.at(-1) as Uint8Array],
      [a, b, c.slice(0, -1)],
      [a, b.slice(1), c],
      [other.blocks[0] as Uint8Array, b, c, ...rest],
      [a, b, ...other.blocks.slice(2)],
    ];
    for (const [index, arranged] of wrong.entries()) {
      const changed = Buffer.concat([head, nonce, ...arranged]);
      const refusal = await refusalOf(changed, identity);
      assertEquals(refusal, "The file is damaged or incomplete", `${length}, ${index}`);
    }
    const foreign = Buffer.concat([head, other.nonce, ...other.blocks]);
    assert(await refusalOf(foreign, identity) !== null);
    assertEquals(await refusalOf(Buffer.concat([head, nonce, ...blocks]), identity), null);
  }
});

Deno.test("Reading ends its source stream, also if it breaks off", async () => {
  const file = await encryptBytes(new Uint8Array(3 * BLOCK), recipient);
  let ended = 0;
  const source = async function* (bytes: Uint8Array) {
    try {
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.slice(at, at + 1000);
    } finally {
      ended++;
    }
  };
  for await (const _block of decrypt(source(file), identity)) break;
  assertEquals(ended, 1);
  await bytesOf(decrypt(source(file.slice(10)), identity)).catch(() => {});
  assertEquals(ended, 2);
});

Deno.test("Errors of a stream are passed on, in both directions", async () => {
  const failing = async function* () {
    yield new Uint8Array(10);
    throw new RangeError("The disk has gone");
  };
  const { encrypt } = await beginEncryption(recipient);
  for (const stream of [encrypt(failing()), decrypt(failing(), identity)]) {
    const thrown = await bytesOf(stream).catch((error) => error);
    assertEquals(thrown.message, "The disk has gone");
  }
});

Deno.test("Both directions read no more from their stream than they deliver", async () => {
  const taken = { count: 0 };
  const counted = async function* (part: Uint8Array): AsyncGenerator<Uint8Array> {
    for (; taken.count < 1000; taken.count++) yield part;
  };
  const { encrypt } = await beginEncryption(recipient);
  const sealed = encrypt(counted(new Uint8Array(BLOCK)));
  for (const part of ["header", "nonce", "block", "block"]) {
    assertEquals((await sealed.next()).done, false, part);
  }
  assertEquals(taken.count, 2);
  await sealed.return(undefined);

  const file = await encryptBytes(new Uint8Array(4 * BLOCK), recipient);
  let read = 0;
  const source = async function* () {
    for (; read < file.length; read += 1000) yield file.subarray(read, read + 1000);
  };
  const opened = decrypt(source(), identity);
  await opened.next();
  assert(read < BLOCK + 3000, `${read} bytes`);
  await opened.return(undefined);
});
