/** X25519 (RFC 7748) by the runtime, with keys as 32 bytes. */

import { Buffer } from "node:buffer";
import { createPrivateKey, createPublicKey, diffieHellman } from "node:crypto";

export const CURVE_KEY_BYTES = 32;

/** DER prefix of the 32 bytes of a secret key (RFC 8410, PKCS #8) and of a public one (SPKI). */
const SECRET_KEY_HEAD = Buffer.from("302e020100300506032b656e04220420", "hex");
const PUBLIC_KEY_HEAD = Buffer.from("302a300506032b656e032100", "hex");

export function newSecretKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(CURVE_KEY_BYTES));
}

export function publicKeyOf(secretKey: Uint8Array): Uint8Array {
  const publicKey = createPublicKey(privateKeyObject(secretKey));
  return publicKey.export({ type: "spki", format: "der" }).subarray(-CURVE_KEY_BYTES);
}

/** The shared secret of two keys; null if the public one makes it the same for everybody. */
export function agree(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array | null {
  const der = Buffer.concat([PUBLIC_KEY_HEAD, publicKey]);
  const other = createPublicKey({ key: der, format: "der", type: "spki" });
  try {
    return diffieHellman({ privateKey: privateKeyObject(secretKey), publicKey: other });
  } catch {
    // The runtime rejects points of low order, whose product is zero.
    return null;
  }
}

/** Whether a public key gives secrecy: its point is not of low order. */
export function givesSecrecy(publicKey: Uint8Array): boolean {
  return agree(newSecretKey(), publicKey) !== null;
}

function privateKeyObject(secretKey: Uint8Array): ReturnType<typeof createPrivateKey> {
  const der = Buffer.concat([SECRET_KEY_HEAD, secretKey]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}
