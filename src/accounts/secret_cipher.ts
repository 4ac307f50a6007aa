import { randomBytes } from "node:crypto";
import { hmacSha256 } from "../core/digest.ts";
import { NONCE_BYTES, openBytes, sealBytes } from "../core/sealed_bytes.ts";

/** Encrypts secrets of accounts that must be read again, so that a digest does not suffice. */
export interface SecretCipher {
  /** A secret of an account as it is stored: 28 bytes longer. */
  encrypt(accountId: string, secret: Uint8Array): Uint8Array;
  /**
   * Decrypts a stored secret.
   *
   * @returns null if it was not encrypted for this account under this server secret, or was changed.
   */
  decrypt(accountId: string, encrypted: Uint8Array): Uint8Array | null;
}

/** Encrypts by AES-256-GCM under a key that is derived from the server secret for this purpose alone. */
export function createSecretCipher(serverSecret: Uint8Array): SecretCipher {
  const key = hmacSha256(serverSecret, "second factor secrets");
  return {
    encrypt: (accountId, secret) =>
      sealBytes({ key, context: accountId }, randomBytes(NONCE_BYTES), secret),
    decrypt: (accountId, encrypted) => openBytes({ key, context: accountId }, encrypted),
  };
}
