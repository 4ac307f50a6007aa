import { assert, assertEquals, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { AgeError } from "../../../../../src/operator/backup/age/age_error.ts";
import { passphraseIdentity } from "../../../../../src/operator/backup/age/passphrase.ts";
import {
  isRecipient,
  parseIdentities,
  parseRecipient,
} from "../../../../../src/operator/backup/age/x25519.ts";
import {
  decryptBytes,
  encryptBytes,
  identityOf,
  KEYS,
  OTHER_KEYS,
  recipientOf,
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

Deno.test("An identity file has keys, comments and empty lines; each key opens", async () => {
  const text = [
    "# created: 2026-11-22T10:00:00Z",
    `# public key: ${OTHER_KEYS.publicKey}`,
    OTHER_KEYS.secretKey,
    "",
    KEYS.secretKey.toLowerCase(),
    "",
  ];
  for (const ending of ["\n", "\r\n"]) {
    const identity = parseIdentities(text.join(ending));
    for (const keys of [KEYS, OTHER_KEYS]) {
      const file = await encryptBytes(Buffer.from(TEXT), recipientOf(keys));
      assertEquals(Buffer.from(await decryptBytes(file, identity)).toString(), TEXT);
    }
  }
});

Deno.test("An identity file with anything else is rejected without details", () => {
  const texts = [
    "",
    "\n",
    "# nothing",
    KEYS.publicKey,
    `${KEYS.secretKey}x`,
    ` ${KEYS.secretKey}`,
    `${KEYS.secretKey}\nsomething`,
    `${KEYS.secretKey} # mine`,
    "AGE-SECRET-KEY-1",
    "AGE-PLUGIN-YUBIKEY-1QQPZQZQQZQQZQ",
    "age-encryption.org/v1",
    `A${KEYS.secretKey.slice(1).toLowerCase()}`,
  ];
  for (const text of texts) {
    const { message } = assertThrows(() => parseIdentities(text), AgeError, undefined, text);
    assertEquals(message, "Must contain secret keys AGE-SECRET-KEY-1…, one per line");
  }
});

Deno.test("A public key is read in one case, and only if it provides secrecy", () => {
  assert(isRecipient(KEYS.publicKey));
  assert(isRecipient(KEYS.publicKey.toUpperCase()));
  const others = [
    "",
    "age1",
    "a12uel5l",
    KEYS.secretKey,
    `${KEYS.publicKey} `,
    `${KEYS.publicKey}\n`,
    KEYS.publicKey.slice(0, -1),
    `A${KEYS.publicKey.slice(1)}`,
    // Points zero and one, with a constant secret.
    "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z",
    "age1qyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqj7vrya",
    // Another kind, too short, and too long.
    "agf1pyysjzgfpyysjzgfpyysjzgfpyysjzgfpyysjzgfpyysjzgfpyyssmx3ck",
    "age1pyysjzgfpyysjzgfpyysjzgfpyhsguqs",
    "age1pyysjzgfpyysjzgfpyysjzgfpyysjzgfpyysjzgfpyysjzgfpyysjtwme33",
  ];
  for (const text of others) {
    assertEquals(isRecipient(text), false, text);
    const { message } = assertThrows(() => parseRecipient(text), AgeError, undefined, text);
    assertEquals(message, "Must be a public key, age1…");
  }
});
