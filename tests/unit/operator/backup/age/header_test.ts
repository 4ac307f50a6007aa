/** Unusual headers with valid codes. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { passphraseIdentity } from "../../../../../src/operator/backup/age/passphrase.ts";
import { type KeyPair, newKeyPair } from "../../../../../src/operator/backup/age/keys.ts";
import type { Stanza } from "../../../../../src/operator/backup/age/stanza.ts";
import { writeHeader } from "../../../../../src/operator/backup/age/header.ts";
import {
  CONTENT,
  decryptBytes,
  FILE_KEY,
  fileWith,
  identityOf,
  KEYS,
  passphraseStanza,
  recipientOf,
  refusalOf,
  unpadded,
} from "../../../../support/age.ts";

const VERSION = "age-encryption.org/v1";
const PASSPHRASE = "correct horse";
const byPassphrase = passphraseIdentity(PASSPHRASE);
const byKey = identityOf(KEYS);
/** A stanza of an unknown kind. */
const UNKNOWN = `-> joint-oil-hush\nBody`;

/** For the common file key. */
async function keyStanza(): Promise<string> {
  return stanzaText(await wrapped(FILE_KEY));
}

async function wrapped(fileKey: Uint8Array, keys: KeyPair = KEYS): Promise<Stanza> {
  const [stanza] = await recipientOf(keys).wrap(fileKey);
  assert(stanza !== undefined);
  return stanza;
}

function stanzaText({ type, args, body }: Stanza): string {
  return [["->", type, ...args].join(" "), unpadded(body)].join("\n");
}

function lines(...texts: readonly string[]): Uint8Array {
  return fileWith([VERSION, ...texts, "---"].join("\n"));
}

Deno.test("A file written from the format's description alone is read", async () => {
  const files = [
    [lines(passphraseStanza(PASSPHRASE, 10)), byPassphrase],
    [lines(await keyStanza()), byKey],
    [lines(UNKNOWN, await keyStanza(), ...Array(2000).fill(UNKNOWN)), byKey],
    [lines(stanzaText(await wrapped(new Uint8Array(16))), await keyStanza()), byKey],
  ] as const;
  const [known, other, among, second] = files;
  for (const [file, identity] of [known, other, among]) {
    assertEquals(Buffer.from(await decryptBytes(file, identity)), CONTENT);
  }
  // The first stanza opens too, with another key.
  assertEquals(await refusalOf(...second), "The file's header is damaged");
});

Deno.test("A file that does not begin like an age file of version 1 is called so", async () => {
  const stanza = await keyStanza();
  const texts = [
    `age-encryption.org/v2\n${stanza}\n---`,
    `age-encryption.org/v1 \n${stanza}\n---`,
    `age-encryption.org/v1\r\n${stanza.replaceAll("\n", "\r\n")}\r\n---`,
    `\n${VERSION}\n${stanza}\n---`,
  ];
  for (const text of texts) {
    const refusal = await refusalOf(fileWith(text), byKey);
    assertEquals(refusal, "The file is not an age file (age-encryption.org/v1)", text);
  }
});

Deno.test("A header in another form is rejected, even with a valid code", async () => {
  const stanza = await keyStanza();
  const [first = "", body = ""] = stanza.split("\n");
  const wrong: Uint8Array[] = [
    fileWith(`${VERSION}\n---`),
    lines("", stanza),
    lines(stanza, ""),
    lines(`${first} `, body),
    lines(first.replace(" ", "  "), body),
    lines(first.replace("-> ", "->"), body),
    lines(`${first} é`, body),
    lines(`${first}\x01`, body),
    lines(first, `${body}=`),
    lines(first, `${body} `),
    lines(first, ` ${body}`),
    lines(first, body.slice(0, 20), body.slice(20)),
    lines(first, body, ""),
    lines("->", body),
    lines("-> ", body),
    lines(stanza, "-> full", "A".repeat(64)),
    lines(stanza, "-> long", "A".repeat(68)),
    lines(stanza, "-> spare", "QUJ"),
    lines(...Array(5000).fill(UNKNOWN), stanza),
  ];
  for (const [index, file] of wrong.entries()) {
    assertEquals(await refusalOf(file, byKey), "The file's header is damaged", `${index}`);
  }
  const file = Buffer.from(lines(stanza));
  const text = file.toString("latin1");
  const code = /--- (.{43})\n/.exec(text)?.[1] ?? "";
  for (const other of [`${code}=`, ` ${code}`, `${code} `, code.slice(1), "", `${code}\r`]) {
    const changed = Buffer.from(text.replace(code, other), "latin1");
    assertEquals(await refusalOf(changed, byKey), "The file's header is damaged", other);
  }
});

Deno.test("A body that fills its last line is followed by an empty one, and read back", async () => {
  for (const length of [0, 1, 47, 48, 49, 96]) {
    const extra = { type: "extra", args: ["one", "two"], body: Buffer.alloc(length, 5) };
    const header = writeHeader([extra, await wrapped(FILE_KEY)], FILE_KEY);
    const text = Buffer.from(header).toString();
    const covered = text.slice(0, text.indexOf("\n--- ") + 4);
    const file = fileWith(covered);
    assertEquals(Buffer.from(file).toString("latin1").startsWith(text), true);
    assertEquals(Buffer.from(await decryptBytes(file, byKey)), CONTENT, `${length}`);
  }
});

Deno.test("Blocks are full except the last, which is empty only in an empty file", async () => {
  const header = [VERSION, await keyStanza(), "---"].join("\n");
  const full = Buffer.alloc(64 * 1024, 3);
  const empty = Buffer.alloc(0);
  for (const blocks of [[empty], [CONTENT], [full], [full, CONTENT], [full, full]]) {
    const read = await decryptBytes(fileWith(header, blocks), byKey);
    assert(Buffer.concat(blocks).equals(read));
  }
  const long = Buffer.alloc(64 * 1024 + 1);
  for (const blocks of [[full, empty], [CONTENT, CONTENT], [empty, CONTENT], [long], []]) {
    const refusal = await refusalOf(fileWith(header, blocks), byKey);
    assertEquals(refusal, "The file is damaged or incomplete", `${blocks.map((b) => b.length)}`);
  }
});

Deno.test("A malformed key stanza of each kind is rejected", async () => {
  for (const keys of [KEYS, await newKeyPair("hybrid")]) {
    const stanza = await wrapped(FILE_KEY, keys);
    const [share = ""] = stanza.args;
    // The point on the curve is the end of a hybrid share.
    const before = Buffer.from(share, "base64").subarray(0, -32);
    const ending = (point: string) => unpadded(Buffer.concat([before, Buffer.from(point, "hex")]));
    const wrong: Stanza[] = [
      { ...stanza, args: [] },
      { ...stanza, args: [share, "more"] },
      { ...stanza, args: [share.slice(0, -1)] },
      { ...stanza, args: [`${share}=`] },
      // Equal bytes with other trailing bits.
      { ...stanza, args: [share.slice(0, -1) + nextLetter(share.at(-1) ?? "")] },
      { ...stanza, body: stanza.body.slice(1) },
      { ...stanza, body: Buffer.concat([stanza.body, Buffer.of(0)]) },
      { ...stanza, body: new Uint8Array() },
      // Low-order shares give everybody the same secret.
      ...LOW_ORDER.map((point) => ({ ...stanza, args: [ending(point)] })),
    ];
    for (const [index, changed] of wrong.entries()) {
      const refusal = await refusalOf(lines(stanzaText(changed)), identityOf(keys));
      assertEquals(refusal, "The file's header is damaged", `${stanza.type} ${index}`);
    }
    for (const type of [stanza.type.slice(1), `${stanza.type} `, stanza.type.slice(0, -1)]) {
      const refusal = await refusalOf(lines(stanzaText({ ...stanza, type })), identityOf(keys));
      assert(refusal !== null, type);
    }
  }
  const stanza = { ...await wrapped(FILE_KEY), type: "x25519" };
  assert(await refusalOf(lines(stanzaText(stanza)), byKey) !== null);
});

/** Points of low order on Curve25519. */
const LOW_ORDER = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
];

function nextLetter(letter: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return letters[letters.indexOf(letter) + 1] ?? "";
}

Deno.test("A malformed passphrase stanza is rejected before any work", async () => {
  const stanza = passphraseStanza(PASSPHRASE, 10);
  const [, salt = "", body = ""] = /^-> scrypt (\S+) 10\n(.*)$/.exec(stanza) ?? [];
  const wrong = [
    ...["0", "010", "+10", "-10", "0xa", "1e1", "10x", "", "10 10"].map((factor) =>
      `-> scrypt ${salt} ${factor}\n${body}`
    ),
    `-> scrypt\n${body}`,
    `-> scrypt ${salt}\n${body}`,
    `-> scrypt ${salt.slice(0, -4)} 10\n${body}`,
    `-> scrypt ${salt}AAAA 10\n${body}`,
    `-> scrypt ${salt}== 10\n${body}`,
    `-> scrypt ${salt} 10\n${body.slice(0, -4)}`,
    `-> scrypt ${salt} 10\n${unpadded(new Uint8Array(48))}\n`,
  ];
  for (const text of wrong) {
    assertEquals(await refusalOf(lines(text), byPassphrase), "The file's header is damaged", text);
  }
  for (const factor of ["23", "64", "1".repeat(400)]) {
    assertEquals(
      await refusalOf(lines(`-> scrypt ${salt} ${factor}\n${body}`), byPassphrase),
      "The file's passphrase requires more work than allowed (2^22)",
    );
  }
});

Deno.test("A passphrase stanza must be the only one", async () => {
  const stanza = passphraseStanza(PASSPHRASE, 10);
  for (const others of [[stanza, stanza], [stanza, UNKNOWN], [await keyStanza(), stanza]]) {
    for (const identity of [byPassphrase, byKey]) {
      const refusal = await refusalOf(lines(...others), identity);
      assertEquals(refusal, "The file's header is damaged");
    }
  }
});

Deno.test("Neither another passphrase nor a key opens a file", async () => {
  const file = lines(passphraseStanza(PASSPHRASE, 10));
  for (const passphrase of ["", "correct", "correct horse ", "Correct horse"]) {
    const refusal = await refusalOf(file, passphraseIdentity(passphrase));
    assertEquals(refusal, "The file is encrypted with another key");
  }
  assertEquals(await refusalOf(file, byKey), "The file is encrypted with another key");
  const other = lines(await keyStanza());
  assertEquals(await refusalOf(other, byPassphrase), "The file is encrypted with another key");
});
