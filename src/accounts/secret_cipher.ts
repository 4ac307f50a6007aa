import { randomBytes } from "node:crypto";
import { hmacSha256 } from "../core/digest.ts";
import { NONCE_BYTES, openBytes, sealBytes } from "../core/sealed_bytes.ts";

/** Encrypts secrets that must be read again, for which a digest does not suffice. */
export interface SecretCipher {
  /** The result is 28 bytes longer. */
  encrypt(accountId: string, secret: Uint8Array): Uint8Array;
  /** @returns null if the bytes were changed, or encrypted for another account or server secret. */
  decrypt(accountId: string, encrypted: Uint8Array): Uint8Array | null;
}

/** AES-256-GCM with a key derived from the server secret. */
export function createSecretCipher(serverSecret: Uint8Array): SecretCipher {
  const key = hmacSha256(serverSecret, "second factor secrets");
  return {
    encrypt: (accountId, secret) =>
      sealBytes({ key, context: accountId }, randomBytes(NONCE_BYTES), secret),
    decrypt: (accountId, encrypted) => openBytes({ key, context: accountId }, encrypted),
  };
}
