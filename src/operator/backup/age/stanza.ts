import { decrypt, ONLY_NONCE, seal, TAG_BYTES } from "./primitives.ts";

/** The length of the key that a file is encrypted with. */
export const FILE_KEY_BYTES = 16;

/** A part of a header: the file's key, encrypted for one recipient. */
export interface Stanza {
  readonly type: string;
  readonly args: readonly string[];
  readonly body: Uint8Array;
}

/** The recipient of an encrypted file. */
export interface Recipient {
  /** Encrypts the key of a file. */
  wrap(fileKey: Uint8Array): Promise<Stanza>;
}

/** Decrypts files that are encrypted for it. */
export interface AgeIdentity {
  /**
   * Extracts the key of a file from its header; null if no stanza is for this identity.
   *
   * @throws AgeError if a stanza of its kind is malformed.
   */
  unwrap(stanzas: readonly Stanza[]): Promise<Uint8Array | null>;
}

/** The body of a stanza: a file's key, encrypted with a key that is used for nothing else. */
export function wrapFileKey(key: Uint8Array, fileKey: Uint8Array): Uint8Array {
  return seal(key, ONLY_NONCE, fileKey);
}

/** Reads a stanza's body; null if it was encrypted with another key. */
export function unwrapFileKey(key: Uint8Array, body: Uint8Array): Uint8Array | null {
  return decrypt(key, ONLY_NONCE, body);
}

/** Whether a body has the length of a file's key: no other is tried. */
export function isWrappedKey(body: Uint8Array): boolean {
  return body.length === FILE_KEY_BYTES + TAG_BYTES;
}
