/** X25519 recipients and identities: a public key `age1…` and its secret key. */

import { Buffer } from "node:buffer";
import { createPrivateKey, createPublicKey, diffieHellman } from "node:crypto";
import { AgeError } from "./age_error.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { decodeBech32 } from "./bech32.ts";
import { deriveKey } from "./primitives.ts";
import {
  type AgeIdentity,
  isWrappedKey,
  type Recipient,
  type Stanza,
  unwrapFileKey,
  wrapFileKey,
} from "./stanza.ts";

const TYPE = "X25519";
const PURPOSE = "age-encryption.org/v1/X25519";
const KEY_BYTES = 32;
const RECIPIENT_PREFIX = "age";
const IDENTITY_PREFIX = "age-secret-key-";

/** DER prefix of the 32 bytes of a secret key (RFC 8410, PKCS #8) and of a public one (SPKI). */
const SECRET_KEY_HEAD = Buffer.from("302e020100300506032b656e04220420", "hex");
const PUBLIC_KEY_HEAD = Buffer.from("302a300506032b656e032100", "hex");

/**
 * Parses a public key `age1…`.
 *
 * @throws AgeError if the text is not a key, or the key gives no secrecy.
 */
export function parseRecipient(text: string): Recipient {
  const publicKey = decodeKey(text, RECIPIENT_PREFIX);
  if (publicKey === null || agree(newSecretKey(), publicKey) === null) {
    throw new AgeError("Must be a public key, age1…");
  }
  return { wrap: (fileKey) => Promise.resolve(wrap(fileKey, publicKey)) };
}

export function isRecipient(text: string): boolean {
  try {
    parseRecipient(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses an identity file of `age-keygen`: one secret key per line, and comments.
 *
 * @throws AgeError if a line is neither, or there is no key.
 */
export function parseIdentities(text: string): AgeIdentity {
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  const secretKeys = lines.map((line) => decodeKey(line, IDENTITY_PREFIX));
  const usable = secretKeys.filter((key) => key !== null);
  if (usable.length === 0 || usable.length < secretKeys.length) {
    throw new AgeError("Must contain secret keys AGE-SECRET-KEY-1…, one per line");
  }
  return { unwrap: (stanzas) => Promise.resolve(unwrap(stanzas, usable)) };
}

function decodeKey(text: string, prefix: string): Uint8Array | null {
  const decoded = decodeBech32(text);
  return decoded?.prefix === prefix && decoded.bytes.length === KEY_BYTES ? decoded.bytes : null;
}

function newSecretKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES));
}

function wrap(fileKey: Uint8Array, publicKey: Uint8Array): Stanza {
  const ephemeral = newSecretKey();
  const share = publicKeyOf(ephemeral);
  const secret = agree(ephemeral, publicKey);
  if (secret === null) throw new AgeError("The recipient gives no secrecy");
  const body = wrapFileKey(wrappingKey(secret, share, publicKey), fileKey);
  return { type: TYPE, args: [encodeBase64(share)], body };
}

function unwrap(
  stanzas: readonly Stanza[],
  secretKeys: readonly Uint8Array[],
): Uint8Array | null {
  for (const stanza of stanzas.filter(({ type }) => type === TYPE)) {
    const share = readShare(stanza);
    for (const secretKey of secretKeys) {
      const secret = agree(secretKey, share);
      if (secret === null) throw malformed();
      const key = wrappingKey(secret, share, publicKeyOf(secretKey));
      const fileKey = unwrapFileKey(key, stanza.body);
      if (fileKey !== null) return fileKey;
    }
  }
  return null;
}

function readShare({ args, body }: Stanza): Uint8Array {
  const [text = "", ...others] = args;
  const share = decodeBase64(text);
  if (share?.length !== KEY_BYTES || others.length > 0 || !isWrappedKey(body)) throw malformed();
  return share;
}

function wrappingKey(secret: Uint8Array, share: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return deriveKey(secret, Buffer.concat([share, publicKey]), PURPOSE);
}

/** The shared secret of two keys; null if the public one makes it the same for everybody. */
function agree(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array | null {
  const der = Buffer.concat([PUBLIC_KEY_HEAD, publicKey]);
  const other = createPublicKey({ key: der, format: "der", type: "spki" });
  try {
    return diffieHellman({ privateKey: privateKeyObject(secretKey), publicKey: other });
  } catch {
    // The runtime rejects points of low order, whose product is zero.
    return null;
  }
}

function publicKeyOf(secretKey: Uint8Array): Uint8Array {
  const publicKey = createPublicKey(privateKeyObject(secretKey));
  return publicKey.export({ type: "spki", format: "der" }).subarray(-KEY_BYTES);
}

function privateKeyObject(secretKey: Uint8Array): ReturnType<typeof createPrivateKey> {
  const der = Buffer.concat([SECRET_KEY_HEAD, secretKey]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

function malformed(): AgeError {
  return new AgeError("The file's header is damaged");
}
