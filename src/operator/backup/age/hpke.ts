/**
 * The key schedule of HPKE (RFC 9180) for one message: base mode, HKDF-SHA-256, ChaCha20-Poly1305,
 * and the shared secret of MLKEM768-X25519.
 */

import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";

/** The identifiers of the key encapsulation, of HKDF-SHA-256 and of ChaCha20-Poly1305. */
const SUITE = Buffer.from([...Buffer.from("HPKE"), 0x64, 0x7a, 0x00, 0x01, 0x00, 0x03]);
const VERSION = Buffer.from("HPKE-v1");
const BASE_MODE = Buffer.of(0);
const EMPTY = Buffer.alloc(0);
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

export interface MessageKey {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/** Derives the key and the nonce of the only message. */
export function messageKey(sharedSecret: Uint8Array, info: string): MessageKey {
  const context = Buffer.concat([
    BASE_MODE,
    extract(EMPTY, "psk_id_hash", EMPTY),
    extract(EMPTY, "info_hash", Buffer.from(info)),
  ]);
  const secret = extract(sharedSecret, "secret", EMPTY);
  return {
    key: expand(secret, "key", context, KEY_BYTES),
    nonce: expand(secret, "base_nonce", context, NONCE_BYTES),
  };
}

function extract(salt: Uint8Array, label: string, input: Uint8Array): Uint8Array {
  return hmac(salt, Buffer.concat([VERSION, SUITE, Buffer.from(label), input]));
}

/** HKDF-Expand, of which one block is enough: `length` is at most 32. */
function expand(key: Uint8Array, label: string, context: Uint8Array, length: number): Uint8Array {
  const info = Buffer.concat([
    Buffer.of(0, length),
    VERSION,
    SUITE,
    Buffer.from(label),
    context,
    Buffer.of(1),
  ]);
  return hmac(key, info).subarray(0, length);
}

function hmac(key: Uint8Array, text: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}
