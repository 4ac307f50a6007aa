/** Keys as texts: public ones of recipients, and the secret ones that open their files. */

import { AgeError } from "./age_error.ts";
import { decodeBech32, encodeBech32 } from "./bech32.ts";
import { CURVE_KEY_BYTES, givesSecrecy, publicKeyOf } from "./curve25519.ts";
import { hybridIdentity, hybridRecipient } from "./hybrid.ts";
import {
  curvePart,
  HYBRID_PUBLIC_BYTES,
  HYBRID_SECRET_BYTES,
  hybridPublicKey,
} from "./hybrid_kem.ts";
import type { AgeIdentity, Recipient } from "./stanza.ts";
import { x25519Identity, x25519Recipient } from "./x25519.ts";

/** Maximum public keys of a file. */
const MAX_RECIPIENTS = 20;

interface KeyForm {
  readonly prefix: string;
  readonly bytes: number;
}

interface KeyKind {
  readonly public: KeyForm;
  readonly secret: KeyForm;
  readonly recipient: (publicKey: Uint8Array) => Recipient;
  readonly identity: (secretKey: Uint8Array) => AgeIdentity;
  readonly publicKeyOf: (secretKey: Uint8Array) => Promise<Uint8Array>;
}

const HYBRID: KeyKind = {
  public: { prefix: "age1pq", bytes: HYBRID_PUBLIC_BYTES },
  secret: { prefix: "age-secret-key-pq-", bytes: HYBRID_SECRET_BYTES },
  recipient: hybridRecipient,
  identity: hybridIdentity,
  publicKeyOf: hybridPublicKey,
};

const CLASSIC: KeyKind = {
  public: { prefix: "age", bytes: CURVE_KEY_BYTES },
  secret: { prefix: "age-secret-key-", bytes: CURVE_KEY_BYTES },
  recipient: x25519Recipient,
  identity: x25519Identity,
  publicKeyOf: (secretKey) => Promise.resolve(publicKeyOf(secretKey)),
};

/** The hybrid one first, because its public keys begin like classic ones too. */
const KINDS = [HYBRID, CLASSIC];

const EXPECTED = {
  public: "must be a public key, age1pq1… or age1…",
  secret: "must contain secret keys AGE-SECRET-KEY-PQ-1… or AGE-SECRET-KEY-1…, one per line",
} as const;

interface ReadKey {
  readonly kind: KeyKind;
  readonly bytes: Uint8Array;
}

/**
 * Parses public keys with commas between.
 *
 * @throws AgeError if one is invalid or gives no secrecy, there are more than 20, or hybrid and
 *   classic ones together.
 */
export function parseRecipients(text: string): Recipient {
  const keys = readPublicKeys(text.split(","));
  if (new Set(keys.map(({ kind }) => kind)).size > 1) {
    throw new AgeError(
      "keys age1pq1… and age1… cannot be combined: a quantum computer that breaks one of the " +
        "latter opens the whole file",
    );
  }
  const recipients = keys.map(({ kind, bytes }) => kind.recipient(bytes));
  return {
    wrap: async (fileKey) =>
      (await Promise.all(recipients.map((recipient) => recipient.wrap(fileKey)))).flat(),
  };
}

/** The problem of public keys with commas between; null if `parseRecipients` accepts them. */
export function recipientsProblem(text: string): string | null {
  try {
    parseRecipients(text);
    return null;
  } catch (error) {
    if (error instanceof AgeError) return error.message;
    throw error;
  }
}

/**
 * Parses the file of `backup:keygen` or `age-keygen`: one secret key per line, and comments.
 *
 * @throws AgeError if a line is neither, or there is no key.
 */
export function parseIdentities(text: string): AgeIdentity {
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) throw new AgeError(EXPECTED.secret);
  const identities = lines.map((line) => {
    const { kind, bytes } = readKey(line, "secret");
    return kind.identity(bytes);
  });
  return {
    async unwrap(stanzas) {
      for (const identity of identities) {
        const fileKey = await identity.unwrap(stanzas);
        if (fileKey !== null) return fileKey;
      }
      return null;
    },
  };
}

/** A new secret key, and its public one. */
export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

export async function newKeyPair(kind: "hybrid" | "classic"): Promise<KeyPair> {
  const { secret, public: open, publicKeyOf } = kind === "hybrid" ? HYBRID : CLASSIC;
  const bytes = crypto.getRandomValues(new Uint8Array(secret.bytes));
  return {
    publicKey: encodeBech32(open.prefix, await publicKeyOf(bytes)),
    secretKey: encodeBech32(secret.prefix, bytes).toUpperCase(),
  };
}

function readPublicKeys(texts: readonly string[]): ReadKey[] {
  if (texts.length > MAX_RECIPIENTS) {
    throw new AgeError(`must be at most ${MAX_RECIPIENTS} public keys`);
  }
  return texts.map((text, index) => {
    try {
      return readPublicKey(text);
    } catch (error) {
      if (texts.length === 1 || !(error instanceof AgeError)) throw error;
      throw new AgeError(`key ${index + 1}: ${error.message}`);
    }
  });
}

function readPublicKey(text: string): ReadKey {
  const key = readKey(text, "public");
  if (!givesSecrecy(curvePart(key.bytes))) throw new AgeError("a public key gives no secrecy");
  return key;
}

function readKey(text: string, side: "public" | "secret"): ReadKey {
  const kind = KINDS.find((known) => text.toLowerCase().startsWith(`${known[side].prefix}1`));
  if (kind === undefined) throw new AgeError(EXPECTED[side]);
  const { prefix, bytes: length } = kind[side];
  const start = side === "secret" ? `${prefix}1`.toUpperCase() : `${prefix}1`;
  const decoded = decodeBech32(text);
  if (decoded === null) {
    throw new AgeError(`a key ${start}… has a wrong checksum: a character is missing or mistyped`);
  }
  if (decoded.prefix !== prefix) throw new AgeError(EXPECTED[side]);
  if (decoded.bytes.length !== length) throw new AgeError(`a key ${start}… has a wrong length`);
  return { kind, bytes: decoded.bytes };
}
