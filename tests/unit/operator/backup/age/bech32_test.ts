import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { decodeBech32, encodeBech32 } from "../../../../../src/operator/backup/age/bech32.ts";
import { KEYS } from "../../../../support/age.ts";

/** Valid strings of BIP 173 with whole bytes. */
const VALID: readonly [text: string, prefix: string, bytes: number][] = [
  ["A12UEL5L", "a", 0],
  ["a12uel5l", "a", 0],
  ["a1qy089ch6", "a", 1],
  ["?1ezyfcl", "?", 0],
  ["abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", "abcdef", 20],
  ["split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w", "split", 30],
  [`11${"q".repeat(82)}c8247j`, "1", 51],
  [
    "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
    "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio",
    0,
  ],
];

/** Invalid for any length by BIP 173, and with wrong trailing bits. */
const INVALID = [
  "\x201nwldj5",
  "\x7f1axkwrx",
  "\x801eym55h",
  "pzry9x0s0muk",
  "1pzry9x0s0muk",
  "x1b4n0q5v",
  "li1dgmt3",
  "de1lg7wt\xff",
  "A1G7SGD8",
  "10a06t8",
  "1qzzfhee",
  "a12UEL5L",
  "",
  "1",
  "a1qpamnt9j",
  "a1q3g6mn3",
];

Deno.test("Bech32 follows its specification's vectors", () => {
  for (const [text, prefix, length] of VALID) {
    const decoded = decodeBech32(text);
    assertEquals([decoded?.prefix, decoded?.bytes.length], [prefix, length], text);
    assertEquals(encodeBech32(prefix, decoded?.bytes ?? new Uint8Array()), text.toLowerCase());
  }
  for (const text of INVALID) assertEquals(decodeBech32(text), null, text);
});

Deno.test("Bech32 decodes the format's own example", () => {
  const example = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
  const decoded = decodeBech32(example);
  assertEquals(decoded?.prefix, "age-secret-key-");
  assertEquals(Buffer.from(decoded?.bytes ?? []).toString("hex"), "42".repeat(32));
});

Deno.test("Bech32 detects each changed letter and each swapped pair", () => {
  const key = KEYS.publicKey;
  for (let at = 0; at < key.length; at++) {
    for (const letter of "qpzry9x8gf2tvdw0s3jn54khce6mua7lb1-") {
      const changed = key.slice(0, at) + letter + key.slice(at + 1);
      if (changed !== key) assertEquals(decodeBech32(changed), null, changed);
    }
    const swapped = key.slice(0, at) + (key[at + 1] ?? "") + key[at] + key.slice(at + 2);
    if (swapped !== key) assertEquals(decodeBech32(swapped), null, swapped);
  }
});
