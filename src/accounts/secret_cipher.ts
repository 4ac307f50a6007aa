import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Buffer } from "node:buffer";
import { hmacSha256 } from "../core/digest.ts";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const CODE_BYTES = 16;

/** Keeps the secrets of accounts where they must be read again, and a digest does not do. */
export interface SecretCipher {
  /** A secret of an account as it is stored: 28 bytes longer. */
  encrypt(accountId: string, secret: Uint8Array): Uint8Array;
  /**
   * Reads a stored secret.
   *
   * @returns null where it was not encrypted for this account under this server secret, or was changed.
   */
  decrypt(accountId: string, encrypted: Uint8Array): Uint8Array | null;
}

/** Encrypts by AES-256-GCM under a key that is derived from the server secret for this purpose alone. */
export function createSecretCipher(serverSecret: Uint8Array): SecretCipher {
  const key = hmacSha256(serverSecret, "second factor secrets");
  return {
    encrypt(accountId, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(accountId));
      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },

    decrypt(accountId, encrypted) {
      const nonce = encrypted.subarray(0, NONCE_BYTES);
      const code = encrypted.subarray(encrypted.length - CODE_BYTES);
      const options = { authTagLength: CODE_BYTES };
      try {
        const decipher = createDecipheriv(ALGORITHM, key, nonce, options)
          .setAAD(Buffer.from(accountId)).setAuthTag(code);
        const content = decipher.update(encrypted.subarray(NONCE_BYTES, -CODE_BYTES));
        return Buffer.concat([content, decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}
