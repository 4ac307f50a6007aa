/**
 * MLKEM768-X25519, also named X-Wing (draft-ietf-hpke-pq): its secrets stay secret while one of
 * ML-KEM-768 and X25519 is not broken. A key or a share is that of both, one after the other.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { agree, CURVE_KEY_BYTES, newSecretKey, publicKeyOf } from "./curve25519.ts";
import {
  ML_KEM_CIPHERTEXT_BYTES,
  ML_KEM_PUBLIC_BYTES,
  ML_KEM_SEED_BYTES,
  mlKemDecapsulate,
  mlKemEncapsulate,
  mlKemPublicKey,
} from "./ml_kem.ts";

export const HYBRID_SECRET_BYTES = 32;
export const HYBRID_PUBLIC_BYTES: number = ML_KEM_PUBLIC_BYTES + CURVE_KEY_BYTES;
export const HYBRID_SHARE_BYTES: number = ML_KEM_CIPHERTEXT_BYTES + CURVE_KEY_BYTES;

const LABEL = Buffer.from("\\.//^\\");

interface Encapsulated {
  readonly secret: Uint8Array;
  /** Contains the secret for the owner of the key. */
  readonly share: Uint8Array;
}

export async function hybridPublicKey(secretKey: Uint8Array): Promise<Uint8Array> {
  const { seed, curveKey } = expand(secretKey);
  return Buffer.concat([await mlKemPublicKey(seed), publicKeyOf(curveKey)]);
}

/** Null if the part for X25519 gives no secrecy. */
export async function encapsulate(publicKey: Uint8Array): Promise<Encapsulated | null> {
  const curveKey = curvePart(publicKey);
  const ephemeral = newSecretKey();
  const curveSecret = agree(ephemeral, curveKey);
  if (curveSecret === null) return null;
  const { secret, ciphertext } = await mlKemEncapsulate(publicKey.subarray(0, ML_KEM_PUBLIC_BYTES));
  const curveShare = publicKeyOf(ephemeral);
  return {
    secret: combine(secret, curveSecret, curveShare, curveKey),
    share: Buffer.concat([ciphertext, curveShare]),
  };
}

/** Null if the part for X25519 gives no secrecy. For the share of another key it is random. */
export async function decapsulate(
  secretKey: Uint8Array,
  share: Uint8Array,
): Promise<Uint8Array | null> {
  const { seed, curveKey } = expand(secretKey);
  const curveShare = curvePart(share);
  const curveSecret = agree(curveKey, curveShare);
  if (curveSecret === null) return null;
  const secret = await mlKemDecapsulate(seed, share.subarray(0, ML_KEM_CIPHERTEXT_BYTES));
  return combine(secret, curveSecret, curveShare, publicKeyOf(curveKey));
}

/** The part of a public key or of a share that belongs to X25519. */
export function curvePart(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(-CURVE_KEY_BYTES);
}

function expand(
  secretKey: Uint8Array,
): { readonly seed: Uint8Array; readonly curveKey: Uint8Array } {
  const outputLength = ML_KEM_SEED_BYTES + CURVE_KEY_BYTES;
  const bytes = createHash("shake256", { outputLength }).update(secretKey).digest();
  return { seed: bytes.subarray(0, ML_KEM_SEED_BYTES), curveKey: curvePart(bytes) };
}

function combine(...parts: readonly Uint8Array[]): Uint8Array {
  return createHash("sha3-256").update(Buffer.concat([...parts, LABEL])).digest();
}
