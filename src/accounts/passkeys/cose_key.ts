/**
 * Public keys in COSE (RFC 9053, RFC 8230, draft-ietf-cose-dilithium), and the signatures made with
 * them.
 */

import { toBase64url } from "../../core/base64url.ts";
import { type Cbor, type CborMap, decodeCbor } from "./cbor.ts";

/** COSE numbers of the accepted algorithms, in the order of preference. */
export const ALGORITHMS = {
  ES256: -7,
  EdDSA: -8,
  RS256: -257,
  "ML-DSA-44": -48,
  "ML-DSA-65": -49,
} as const;

export type PasskeyAlgorithm = keyof typeof ALGORITHMS;

/** The numbers of the algorithms that this runtime can verify. Older ones do not have ML-DSA. */
export function offeredAlgorithms(): number[] {
  const runtime: Partial<Pick<typeof SubtleCrypto, "supports">> = SubtleCrypto;
  return Object.entries(ALGORITHMS)
    .filter(([name]) => !name.startsWith("ML-DSA") || runtime.supports?.("verify", name))
    .map(([, number]) => number);
}

/** A public key that was checked. */
export interface PublicKey {
  readonly algorithm: PasskeyAlgorithm;
  /**
   * Whether a signature of the message was made with the key. Malformed signatures are false, too.
   */
  verify(signature: Uint8Array, message: Uint8Array): Promise<boolean>;
}

/** The key has another algorithm, or is not valid. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/**
 * Reads a COSE key with exactly the members of its kind.
 *
 * @throws KeyError, or CborError if the bytes are not CBOR.
 */
export async function readPublicKey(bytes: Uint8Array): Promise<PublicKey> {
  const members = decodeCbor(bytes);
  if (!(members instanceof Map)) throw new KeyError("The key is not a map");
  const kind = KINDS.find(({ algorithm }) => members.get(3) === ALGORITHMS[algorithm]);
  if (kind === undefined) throw new KeyError("The algorithm is not accepted");
  const { algorithm, parameters, read, rawSignature } = kind;
  const { jwk, isAccepted } = read(members);
  if (!isAccepted) throw new KeyError("The members are not those of such a key");
  const key = await importKey(jwk, parameters);
  return {
    algorithm,
    async verify(signature, message) {
      const raw = rawSignature(signature);
      if (raw === null) return false;
      const [sent, signed] = [Uint8Array.from(raw), Uint8Array.from(message)];
      return await crypto.subtle.verify(parameters, key, sent, signed);
    },
  };
}

async function importKey(jwk: PublicJwk, parameters: ImportParameters): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey("jwk", jwk, parameters, true, ["verify"]);
  } catch (error) {
    throw new KeyError("The key cannot be imported", { cause: error });
  }
}

/** A key of ML-DSA is its `pub`. */
type PublicJwk = JsonWebKey & { readonly pub?: string };

type ImportParameters = {
  readonly name: string;
  readonly hash?: string;
  readonly namedCurve?: string;
};

/** How keys of one algorithm are read. */
interface KeyKind {
  readonly algorithm: PasskeyAlgorithm;
  readonly parameters: ImportParameters;
  readonly read: (members: CborMap) => { readonly jwk: PublicJwk; readonly isAccepted: boolean };
  /** The signature in WebCrypto's form; null if it is malformed. */
  readonly rawSignature: (signature: Uint8Array) => Uint8Array | null;
}

const KINDS: readonly KeyKind[] = [
  {
    algorithm: "ES256",
    parameters: { name: "ECDSA", hash: "SHA-256", namedCurve: "P-256" },
    read(members) {
      const [x, y] = [bytesOf(members.get(-2)), bytesOf(members.get(-3))];
      return {
        jwk: { kty: "EC", crv: "P-256", x: toBase64url(x), y: toBase64url(y) },
        isAccepted: hasMembers(members, { 1: 2, 3: -7, [-1]: 1 }, [-2, -3]) && isOnP256(x, y),
      };
    },
    rawSignature: fromDer,
  },
  {
    algorithm: "EdDSA",
    parameters: { name: "Ed25519" },
    read(members) {
      const x = bytesOf(members.get(-2));
      return {
        jwk: { kty: "OKP", crv: "Ed25519", x: toBase64url(x) },
        isAccepted: hasMembers(members, { 1: 1, 3: -8, [-1]: 6 }, [-2]) && x.length === 32 &&
          !hasSmallOrder(x),
      };
    },
    rawSignature: (signature) => signature.length === 64 ? signature : null,
  },
  {
    algorithm: "RS256",
    parameters: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    read(members) {
      const [n, e] = [bytesOf(members.get(-1)), bytesOf(members.get(-2))];
      const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24;
      return {
        jwk: { kty: "RSA", n: toBase64url(n), e: toBase64url(e) },
        // An integer in COSE has no leading zeros, and a modulus is odd: verifying with an even one
        // throws.
        isAccepted: hasMembers(members, { 1: 3, 3: -257 }, [-1, -2]) && n[0] !== 0 &&
          bits >= 2048 && bits <= 4096 && (n.at(-1) ?? 0) % 2 === 1 && toBase64url(e) === "AQAB",
      };
    },
    rawSignature: (signature) => signature,
  },
  mlDsa("ML-DSA-44", { keyBytes: 1312, signatureBytes: 2420 }),
  mlDsa("ML-DSA-65", { keyBytes: 1952, signatureBytes: 3309 }),
];

/** Lengths as in FIPS 204. */
function mlDsa(
  algorithm: "ML-DSA-44" | "ML-DSA-65",
  { keyBytes, signatureBytes }: { readonly keyBytes: number; readonly signatureBytes: number },
): KeyKind {
  return {
    algorithm,
    parameters: { name: algorithm },
    read(members) {
      const pub = bytesOf(members.get(-1));
      return {
        jwk: { kty: "AKP", alg: algorithm, pub: toBase64url(pub) },
        isAccepted: hasMembers(members, { 1: 7, 3: ALGORITHMS[algorithm] }, [-1]) &&
          pub.length === keyBytes,
      };
    },
    rawSignature: (signature) => signature.length === signatureBytes ? signature : null,
  };
}

/** Whether a map has exactly these fixed members, and byte strings under the other keys. */
function hasMembers(
  members: CborMap,
  fixed: Readonly<Record<number, number>>,
  bytes: readonly number[],
): boolean {
  const wanted = Object.entries(fixed);
  return members.size === wanted.length + bytes.length &&
    wanted.every(([key, value]) => members.get(Number(key)) === value) &&
    bytes.every((key) => members.get(key) instanceof Uint8Array);
}

function bytesOf(value: Cbor | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

/** The prime field of P-256, and the constant of its equation y² = x³ − 3x + b. */
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/**
 * Whether two coordinates are a point of the curve, which Deno does not check.
 */
function isOnP256(xBytes: Uint8Array, yBytes: Uint8Array): boolean {
  if (xBytes.length !== 32 || yBytes.length !== 32) return false;
  const [x, y] = [integerOf(xBytes), integerOf(yBytes)];
  return x < P && y < P && (y * y - x * x * x + 3n * x - B) % P === 0n;
}

function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

/** The points of Ed25519 whose order divides 8, in hexadecimal digits and without the sign bit. */
const SMALL_ORDER: readonly string[] = [
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
];

/** Whether signatures of any message can be made without a private key. */
function hasSmallOrder(x: Uint8Array): boolean {
  return SMALL_ORDER.includes(Buffer.from(x.with(31, (x[31] ?? 0) & 0x7f)).toString("hex"));
}

/** Returns the two numbers of 32 bytes of a strict DER signature (ECDSA); null for other bytes. */
function fromDer(der: Uint8Array): Uint8Array | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null;
  const r = readDerInteger(der, 2);
  const s = r && readDerInteger(der, r.end);
  if (!r || !s || s.end !== der.length) return null;
  return Uint8Array.from([...r.bytes, ...s.bytes]);
}

/** A positive integer of at most 32 bytes in its shortest form, padded to 32 bytes. */
function readDerInteger(
  der: Uint8Array,
  start: number,
): { readonly bytes: Uint8Array; readonly end: number } | null {
  const length = der[start + 1] ?? 0;
  const end = start + 2 + length;
  if (der[start] !== 0x02 || length === 0 || end > der.length) return null;
  const [first = 0, second = 0] = der.subarray(start + 2, end);
  const isPadded = first === 0;
  if (first >= 0x80 || (isPadded && length > 1 && second < 0x80)) return null;
  const magnitude = der.subarray(start + 2 + (isPadded ? 1 : 0), end);
  if (magnitude.length > 32) return null;
  const bytes = new Uint8Array(32);
  bytes.set(magnitude, 32 - magnitude.length);
  return { bytes, end };
}
