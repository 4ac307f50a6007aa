/**
 * Signed cursors are encrypted with AES-256-GCM under keys derived from the server secret: clients
 * can neither forge nor read them.
 */

import { Buffer } from "node:buffer";
import { fromBase64url, toBase64url } from "./base64url.ts";
import { hmacSha256 } from "./digest.ts";
import { isUlid } from "./ids.ts";
import { type Cipher, NONCE_BYTES, openBytes, sealBytes } from "./sealed_bytes.ts";

const MAX_LENGTH = 1024;

/** Cursors are padded to blocks, so that their length reveals little. */
const BLOCK_BYTES = 32;

export interface SignedCursor {
  /** The ULID of the last returned item. */
  readonly after: string;
  /** The time at which the cursor expires; null for never. */
  readonly expiresAt: Date | null;
  readonly data?: string;
}

/** The encrypted content: `after`, `expiresAt` in milliseconds since 1970, and `data`. */
type Content = [after: string, expiresAt: number | null, data?: string];

/**
 * Returns an opaque cursor (decisions, Record Kernel). Equal positions have equal cursors, so a
 * client can see whether it moved.
 *
 * @param cursor `scope` identifies the list, session and request that it is valid for; it is
 *   authenticated, but not part of the text.
 * @returns Base64url of at most 1,024 characters.
 * @throws {RangeError} If `after` is not a ULID, the date is invalid, or `data` makes it too long.
 */
export function signCursor(
  secret: Uint8Array,
  cursor: SignedCursor & { readonly scope: string },
): string {
  const expiresAt = cursor.expiresAt === null ? null : cursor.expiresAt.getTime();
  if (!isUlid(cursor.after)) throw new RangeError("A cursor must stand after a ULID");
  if (Number.isNaN(expiresAt)) {
    throw new RangeError("A cursor must expire at a valid date or never");
  }
  const content: Content = [cursor.after, expiresAt];
  if (cursor.data !== undefined) content.push(cursor.data);
  const bytes = toBlocks(JSON.stringify(content));
  const seal = sealOf(secret, cursor.scope);
  const text = toBase64url(sealBytes(seal, nonceOf(secret, seal, bytes), bytes));
  if (text.length > MAX_LENGTH) throw new RangeError("A cursor's data must be short");
  return text;
}

/**
 * Reads a cursor, and never throws.
 *
 * @returns null for anything that was not signed with this secret and scope, and for an expired
 *   cursor.
 */
export function readCursor(
  secret: Uint8Array,
  text: string,
  scope: string,
  now: Date,
): SignedCursor | null {
  if (text.length > MAX_LENGTH) return null;
  const sealed = fromBase64url(text);
  if (sealed === null) return null;
  const bytes = openBytes(sealOf(secret, scope), sealed);
  if (bytes === null) return null;
  const [after, expiresAt, data] = JSON.parse(bytes.toString()) as Content;
  if (expiresAt !== null && !(now.getTime() < expiresAt)) return null;
  return {
    after,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    ...(data === undefined ? {} : { data }),
  };
}

function sealOf(secret: Uint8Array, scope: string): Cipher {
  return { key: hmacSha256(secret, "sealed cursor"), context: JSON.stringify(scope) };
}

/** Different contents have different nonces; equal positions have equal cursors. */
function nonceOf(secret: Uint8Array, { context }: Cipher, content: Buffer): Uint8Array {
  const key = hmacSha256(secret, "nonce of a sealed cursor");
  return hmacSha256(key, `${context} ${content}`).subarray(0, NONCE_BYTES);
}

/** Pads JSON with spaces, which it may end with. */
function toBlocks(json: string): Buffer {
  const length = Math.ceil(Buffer.byteLength(json) / BLOCK_BYTES) * BLOCK_BYTES;
  const blocks = Buffer.alloc(length, " ");
  blocks.write(json);
  return blocks;
}
