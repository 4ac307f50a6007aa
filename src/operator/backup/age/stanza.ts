import { decrypt, ONLY_NONCE, seal, TAG_BYTES } from "./primitives.ts";

export const FILE_KEY_BYTES = 16;

/** The file's key, encrypted for one recipient. */
export interface Stanza {
  readonly type: string;
  readonly args: readonly string[];
  readonly body: Uint8Array;
}

/** One key, or several. */
export interface Recipient {
  /** Returns a stanza per key. */
  wrap(fileKey: Uint8Array): Promise<readonly Stanza[]>;
}

export interface AgeIdentity {
  /**
   * Returns the file's key; null if no stanza is for this identity.
   *
   * @throws AgeError if a stanza of its kind is malformed.
   */
  unwrap(stanzas: readonly Stanza[]): Promise<Uint8Array | null>;
}

/** The body of a stanza. `key` must not be used for anything else. */
export function wrapFileKey(key: Uint8Array, fileKey: Uint8Array): Uint8Array {
  return seal(key, ONLY_NONCE, fileKey);
}

/** Null if the body was encrypted with another key. */
export function unwrapFileKey(key: Uint8Array, body: Uint8Array): Uint8Array | null {
  return decrypt(key, ONLY_NONCE, body);
}

/** Whether a body has the length of a file's key; no other is decrypted. */
export function isWrappedKey(body: Uint8Array): boolean {
  return body.length === FILE_KEY_BYTES + TAG_BYTES;
}
