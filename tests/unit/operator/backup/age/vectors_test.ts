/**
 * All vectors of age's own test suite, in npm's `cctv-age`. `AGE_PACKAGES` names the folder
 * `node_modules` with it; without it the test is ignored.
 */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { AgeError } from "../../../../../src/operator/backup/age/age_error.ts";
import { decrypt } from "../../../../../src/operator/backup/age/encrypted_file.ts";
import { parseIdentities } from "../../../../../src/operator/backup/age/keys.ts";
import { passphraseIdentity } from "../../../../../src/operator/backup/age/passphrase.ts";
import type { AgeIdentity } from "../../../../../src/operator/backup/age/stanza.ts";
import { identityOf, KEYS, streamOf } from "../../../../support/age.ts";

const PACKAGES = Deno.env.get("AGE_PACKAGES");
/** Number of vectors in version 0.2.0. */
const COUNT = 143;

const HEADER = "The file's header is damaged";
const NOT_AGE = "The file is not an age file (age-encryption.org/v1)";
const CONTENT = "The file is damaged or incomplete";
const TEXT_FORM = "The file's text form is damaged";
const WORK = "The file's passphrase requires more work than allowed (2^22)";

/** Our messages for each expectation. */
const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  "success": [""],
  "no match": ["The file is encrypted with another key"],
  "HMAC failure": [HEADER],
  // The nonce counts as part of the header there.
  "header failure": [HEADER, NOT_AGE, WORK, CONTENT],
  "payload failure": [CONTENT],
  "armor failure": [TEXT_FORM, HEADER, NOT_AGE],
};

/**
 * Damaged content of which we return one block less: a block is decrypted once it is known whether
 * it is the last one, so the block before the damage is never returned.
 */
const HELD_BACK = [
  "armor_garbage_encoded",
  "stream_no_final_full",
  "stream_no_final_two_chunks_full",
  "stream_trailing_garbage_long",
  "stream_trailing_garbage_short",
  "stream_two_final_chunks",
  "stream_two_final_chunks_full",
  "stream_two_final_chunks_second",
];

interface Vector {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly file: Uint8Array;
}

function readVector(bytes: Uint8Array): Vector {
  const text = Buffer.from(bytes);
  const end = text.indexOf("\n\n");
  const fields = Map.groupBy(
    text.subarray(0, end).toString().split("\n"),
    (line) => line.split(": ", 1)[0] ?? "",
  );
  const file = text.subarray(end + 2);
  return {
    fields: new Map(
      Array.from(fields, ([name, lines]) => [
        name,
        lines.map((line) => line.slice(name.length + ": ".length)),
      ]),
    ),
    file: fields.has("compressed") ? inflateSync(file) : file,
  };
}

function identityFor({ fields }: Vector): AgeIdentity {
  const [passphrase] = fields.get("passphrase") ?? [];
  if (passphrase !== undefined) return passphraseIdentity(passphrase);
  const secretKeys = fields.get("identity");
  return secretKeys === undefined ? identityOf(KEYS) : parseIdentities(secretKeys.join("\n"));
}

/** The error's message, and the digest of the bytes that were returned before it. */
async function result(vector: Vector): Promise<{ message: string; payload: string }> {
  const hash = createHash("sha256");
  let message = "";
  try {
    for await (const block of decrypt(streamOf(vector.file), identityFor(vector))) {
      hash.update(block);
    }
  } catch (error) {
    if (!(error instanceof AgeError)) throw error;
    message = error.message;
  }
  return { message, payload: hash.digest("hex") };
}

Deno.test({
  name: "Every vector of age's test suite has the expected result",
  ignore: PACKAGES === undefined,
  async fn() {
    const vectors: Readonly<Record<string, Uint8Array>> = await import(
      `file://${PACKAGES}/cctv-age/index.js`
    );
    assertEquals(Object.keys(vectors).length, COUNT);
    for (const [name, bytes] of Object.entries(vectors)) {
      const vector = readVector(bytes);
      const [expected = ""] = vector.fields.get("expect") ?? [];
      const { message, payload } = await result(vector);
      assert(MESSAGES[expected]?.includes(message), `${name}: ${expected}, not "${message}"`);
      const [wanted = payload] = vector.fields.get("payload") ?? [];
      assertEquals(payload === wanted, !HELD_BACK.includes(name), name);
    }
  },
});
