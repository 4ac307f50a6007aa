/** X25519 recipients and identities: a public key `age1…` and its secret key. */

import { Buffer } from "node:buffer";
import { AgeError } from "./age_error.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { agree, CURVE_KEY_BYTES, newSecretKey, publicKeyOf } from "./curve25519.ts";
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

export function x25519Recipient(publicKey: Uint8Array): Recipient {
  return { wrap: (fileKey) => Promise.resolve([wrap(fileKey, publicKey)]) };
}

export function x25519Identity(secretKey: Uint8Array): AgeIdentity {
  return { unwrap: (stanzas) => Promise.resolve(unwrap(stanzas, secretKey)) };
}

function wrap(fileKey: Uint8Array, publicKey: Uint8Array): Stanza {
  const ephemeral = newSecretKey();
  const share = publicKeyOf(ephemeral);
  const secret = agree(ephemeral, publicKey);
  if (secret === null) throw new AgeError("The recipient gives no secrecy");
  const body = wrapFileKey(wrappingKey(secret, share, publicKey), fileKey);
  return { type: TYPE, args: [encodeBase64(share)], body };
}

function unwrap(stanzas: readonly Stanza[], secretKey: Uint8Array): Uint8Array | null {
  for (const stanza of stanzas.filter(({ type }) => type === TYPE)) {
    const share = readShare(stanza);
    const secret = agree(secretKey, share);
    if (secret === null) throw malformed();
    const key = wrappingKey(secret, share, publicKeyOf(secretKey));
    const fileKey = unwrapFileKey(key, stanza.body);
    if (fileKey !== null) return fileKey;
  }
  return null;
}

function readShare({ args, body }: Stanza): Uint8Array {
  const [text = "", ...others] = args;
  const share = decodeBase64(text);
  const isShare = share?.length === CURVE_KEY_BYTES && others.length === 0;
  if (!isShare || !isWrappedKey(body)) throw malformed();
  return share;
}

function wrappingKey(secret: Uint8Array, share: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return deriveKey(secret, Buffer.concat([share, publicKey]), PURPOSE);
}

function malformed(): AgeError {
  return new AgeError("The file's header is damaged");
}
