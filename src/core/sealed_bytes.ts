import { createCipheriv, createDecipheriv } from "node:crypto";
import { Buffer } from "node:buffer";

const ALGORITHM = "aes-256-gcm";
const CODE_BYTES = 16;

/** Must be unique per key. */
export const NONCE_BYTES = 12;

export interface Cipher {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The bytes are bound to this text, which opening requires. */
  readonly context: string;
}

/** AES-256-GCM. The result is 28 bytes longer. */
export function sealBytes(
  { key, context }: Cipher,
  nonce: Uint8Array,
  content: Uint8Array,
): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Returns null if the bytes were sealed with another key or context, or changed. */
export function openBytes({ key, context }: Cipher, sealed: Uint8Array): Buffer | null {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const code = sealed.subarray(sealed.length - CODE_BYTES);
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: CODE_BYTES })
      .setAAD(Buffer.from(context)).setAuthTag(code);
    const content = decipher.update(sealed.subarray(NONCE_BYTES, -CODE_BYTES));
    return Buffer.concat([content, decipher.final()]);
  } catch {
    return null;
  }
}
