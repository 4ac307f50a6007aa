import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { AgeError } from "../../../../../src/operator/backup/age/age_error.ts";
import { encodeBech32 } from "../../../../../src/operator/backup/age/bech32.ts";
import {
  newKeyPair,
  parseIdentities,
  parseRecipients,
  recipientsProblem,
} from "../../../../../src/operator/backup/age/keys.ts";
import { passphraseIdentity } from "../../../../../src/operator/backup/age/passphrase.ts";
import {
  decryptBytes,
  encryptBytes,
  identityOf,
  KEYS,
  OTHER_KEYS,
  recipientOf,
  refusalOf,
} from "../../../../support/age.ts";

const TEXT = "A small backup";
/** By `age` 1.1.1: for the first key pair, and for the passphrase `correct horse`. */
const WRITTEN = {
  key:
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSAxRFBlM2pRaDlBUk80K2p2QmIzZDB2WndXZC9PRU1jem01Yk5v" +
    "WHJQYnlrCjIzUjljbnNtK1ZrME95NWdTNUtFMktBMU9ZNFNNbnlFN0tpYlVUc1ZxVXcKLS0tIElSQVdTdnF1czZsK1V4" +
    "V2taZktaU25LK09yV2k1SlNONUxpdHB6bzhmMWMK9HdxJBpV50bm4YEE/lFGdd9NQkoZWFytE9kQ+h0uHQVz6E5lUQ02" +
    "OZFDnLReDA==",
  passphrase:
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCA0SGxnL3BmY0pQZWdGSDhqOE1RSDhRIDE4CjBRYUFtdjhZUStD" +
    "bmpua1pqajYxaEhlMktyblBaZEEwRGFsaitmcGMzcWcKLS0tIGhLdnBhaG0wSzNZZkd6UVkyT1dZQm9rMWJqL00zRWNv" +
    "czVmZUNORTl1UmcKZiRfDsC6vodplb21QNfW5udehBJG5vdnFKFUv/1nloUvTcgwD3+BYP5KALk3/A==",
};

async function read(file: string, identity: Parameters<typeof decryptBytes>[1]): Promise<string> {
  return Buffer.from(await decryptBytes(Buffer.from(file, "base64"), identity)).toString();
}

Deno.test("Files written by the program age are read", async () => {
  assertEquals(await read(WRITTEN.key, identityOf(KEYS)), TEXT);
  assertEquals(await read(WRITTEN.passphrase, passphraseIdentity("correct horse")), TEXT);
});

Deno.test("Public and secret key of the format's own example belong together", async () => {
  const example = {
    publicKey: "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj",
    secretKey: "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX",
  };
  const file = await encryptBytes(Buffer.from(TEXT), recipientOf(example));
  assertEquals(Buffer.from(await decryptBytes(file, identityOf(example))).toString(), TEXT);
});

Deno.test("A new key pair belongs together, and only its own secret key opens a file", async () => {
  const forms = {
    hybrid: [/^age1pq1[a-z\d]{1952}$/, /^AGE-SECRET-KEY-PQ-1[A-Z\d]{58}$/],
    classic: [/^age1[a-z\d]{58}$/, /^AGE-SECRET-KEY-1[A-Z\d]{58}$/],
  } as const;
  for (const kind of ["hybrid", "classic"] as const) {
    const [keys, others] = [await newKeyPair(kind), await newKeyPair(kind)];
    assertMatch(keys.publicKey, forms[kind][0]);
    assertMatch(keys.secretKey, forms[kind][1]);
    const file = await encryptBytes(Buffer.from(TEXT), recipientOf(keys));
    assertEquals(Buffer.from(await decryptBytes(file, identityOf(keys))).toString(), TEXT);
    for (const identity of [identityOf(others), identityOf(KEYS)]) {
      assertEquals(await refusalOf(file, identity), "The file is encrypted with another key");
    }
  }
});

Deno.test("An identity file has keys, comments and empty lines; each key opens", async () => {
  const hybrid = await newKeyPair("hybrid");
  const text = [
    "# created: 2026-11-22T10:00:00Z",
    `# public key: ${OTHER_KEYS.publicKey}`,
    OTHER_KEYS.secretKey,
    "",
    KEYS.secretKey.toLowerCase(),
    hybrid.secretKey,
    "",
  ];
  for (const ending of ["\n", "\r\n"]) {
    const identity = parseIdentities(text.join(ending));
    for (const keys of [KEYS, OTHER_KEYS, hybrid]) {
      const file = await encryptBytes(Buffer.from(TEXT), recipientOf(keys));
      assertEquals(Buffer.from(await decryptBytes(file, identity)).toString(), TEXT);
    }
  }
});

/** A valid key string of bytes, which may have another length. */
function keyText(prefix: string, length: number): string {
  return encodeBech32(prefix, new Uint8Array(length).fill(9));
}

Deno.test("An identity file with anything else is rejected by the problem alone", () => {
  const other = "must contain secret keys AGE-SECRET-KEY-PQ-1… or AGE-SECRET-KEY-1…, one per line";
  const wrong = "has a wrong checksum: a character is missing or mistyped";
  const cases: [text: string, why: string][] = [
    ["", other],
    ["\n", other],
    ["# nothing", other],
    [KEYS.publicKey, other],
    [` ${KEYS.secretKey}`, other],
    [`${KEYS.secretKey}\nsomething`, other],
    ["AGE-PLUGIN-YUBIKEY-1QQPZQZQQZQQZQ", other],
    ["age-encryption.org/v1", other],
    [`${KEYS.secretKey}x`, `a key AGE-SECRET-KEY-1… ${wrong}`],
    [`${KEYS.secretKey} # mine`, `a key AGE-SECRET-KEY-1… ${wrong}`],
    ["AGE-SECRET-KEY-1", `a key AGE-SECRET-KEY-1… ${wrong}`],
    [`A${KEYS.secretKey.slice(1).toLowerCase()}`, `a key AGE-SECRET-KEY-1… ${wrong}`],
    ["AGE-SECRET-KEY-PQ-1QQQQQQQQQQ", `a key AGE-SECRET-KEY-PQ-1… ${wrong}`],
    [keyText("age-secret-key-", 31), "a key AGE-SECRET-KEY-1… has a wrong length"],
    [keyText("age-secret-key-pq-", 64), "a key AGE-SECRET-KEY-PQ-1… has a wrong length"],
  ];
  for (const [text, why] of cases) {
    const { message } = assertThrows(() => parseIdentities(text), AgeError, undefined, text);
    assertEquals(message, why, text);
  }
});

Deno.test("A public key is read in one case, and only if it provides secrecy", async () => {
  const hybrid = await newKeyPair("hybrid");
  for (const { publicKey } of [KEYS, hybrid]) {
    assertEquals(recipientsProblem(publicKey), null);
    assertEquals(recipientsProblem(publicKey.toUpperCase()), null);
  }
  const other = "must be a public key, age1pq1… or age1…";
  const wrong = "has a wrong checksum: a character is missing or mistyped";
  const cases: [text: string, why: string][] = [
    ["", other],
    ["a12uel5l", other],
    [KEYS.secretKey, other],
    [hybrid.secretKey, other],
    [keyText("agf", 32), other],
    [keyText("age1tag", 33), other],
    ["age1", `a key age1… ${wrong}`],
    [`${KEYS.publicKey} `, `a key age1… ${wrong}`],
    [`${KEYS.publicKey}\n`, `a key age1… ${wrong}`],
    [KEYS.publicKey.slice(0, -1), `a key age1… ${wrong}`],
    [`A${KEYS.publicKey.slice(1)}`, `a key age1… ${wrong}`],
    [hybrid.publicKey.slice(0, -1), `a key age1pq1… ${wrong}`],
    [hybrid.publicKey.replace(/.$/, (end) => end === "q" ? "p" : "q"), `a key age1pq1… ${wrong}`],
    [keyText("age", 31), "a key age1… has a wrong length"],
    [keyText("age1pq", 1215), "a key age1pq1… has a wrong length"],
    // Points zero and one of the curve, with a constant secret.
    [encodeBech32("age", new Uint8Array(32)), "a public key gives no secrecy"],
    [encodeBech32("age", Uint8Array.of(1, ...Array(31).fill(0))), "a public key gives no secrecy"],
    [encodeBech32("age1pq", new Uint8Array(1216)), "a public key gives no secrecy"],
  ];
  for (const [text, why] of cases) assertEquals(recipientsProblem(text), why, text);
});

Deno.test("Each of several keys opens a file, up to 20 of one kind", async () => {
  for (const kind of ["hybrid", "classic"] as const) {
    const keys = await Promise.all(Array.from({ length: 20 }, () => newKeyPair(kind)));
    const publicKeys = keys.map(({ publicKey }) => publicKey);
    const file = await encryptBytes(Buffer.from(TEXT), parseRecipients(publicKeys.join()));
    for (const pair of keys) {
      assertEquals(Buffer.from(await decryptBytes(file, identityOf(pair))).toString(), TEXT);
    }
    assertEquals(
      recipientsProblem([...publicKeys, publicKeys[0]].join()),
      "must be at most 20 public keys",
    );
    assertEquals(
      recipientsProblem(`${publicKeys[0]},age1`),
      "key 2: a key age1… has a wrong checksum: a character is missing or mistyped",
    );
  }
});

Deno.test("A hybrid key is never combined with a classic one", async () => {
  const hybrid = await newKeyPair("hybrid");
  for (const keys of [[hybrid, KEYS], [KEYS, hybrid, KEYS]]) {
    assertEquals(
      recipientsProblem(keys.map(({ publicKey }) => publicKey).join()),
      "keys age1pq1… and age1… cannot be combined: a quantum computer that breaks one of the " +
        "latter opens the whole file",
    );
  }
});
