/** Cryptography of the format, from the runtime: HKDF-SHA-256 and ChaCha20-Poly1305. */

import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { Buffer } from "node:buffer";

/** How much longer a sealed text is. */
export const TAG_BYTES = 16;

const CIPHER = "chacha20-poly1305";
const NONCE_BYTES = 12;

/** Derives a key of 32 bytes for one purpose. */
export function deriveKey(key: Uint8Array, salt: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, salt, purpose, 32));
}

/** Encrypts and authenticates. Never use a nonce twice with the same key. */
export function seal(key: Uint8Array, nonce: Uint8Array, text: Uint8Array): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const sealed = [cipher.update(text), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]);
}

/** Decrypts and verifies; null for a wrong key or nonce, or changed bytes. */
export function decrypt(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  if (sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return null;
  }
  return text;
}

/** The nonce for a key that encrypts only one text. */
export const ONLY_NONCE: Uint8Array = new Uint8Array(NONCE_BYTES);

export function blockNonce(index: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(NONCE_BYTES);
  new DataView(nonce.buffer).setBigUint64(3, BigInt(index));
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}
