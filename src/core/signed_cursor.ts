/**
 * Page cursors, signed and sealed: a client can neither make one nor read one. They are encrypted with
 * AES-256-GCM under keys that are derived from the server secret for this purpose alone.
 */

import { Buffer } from "node:buffer";
import { hmacSha256 } from "./digest.ts";
import { isUlid } from "./ids.ts";
import { type Cipher, NONCE_BYTES, openBytes, sealBytes } from "./sealed_bytes.ts";

const MAX_LENGTH = 1024;

/** Contents are padded to a multiple of this length, so that the length of a cursor reveals little. */
const BLOCK_BYTES = 32;

/** The content of a cursor. */
export interface SignedCursor {
  /** The ULID of the last item that was handed out. */
  readonly after: string;
  /** The first moment at which the cursor no longer counts; null: it counts for ever. */
  readonly expiresAt: Date | null;
  /** Further data for the next page. */
  readonly data?: string;
}

/** The sealed part: `after`, `expiresAt` in milliseconds since 1970, and `data`. */
type Content = [after: string, expiresAt: number | null, data?: string];

/**
 * Makes an opaque page cursor that cannot be read, forged or used elsewhere (decisions, Record Kernel). The
 * same position has the same cursor, so a client can see whether it moved.
 *
 * @param secret The server secret.
 * @param cursor `scope` identifies the list, session and request that it is valid for: it is authenticated
 * with the content without being part of the text.
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
  const text = sealBytes(seal, nonceOf(secret, seal, bytes), bytes).toString("base64url");
  if (text.length > MAX_LENGTH) throw new RangeError("A cursor's data must be short");
  return text;
}

/**
 * Reads a cursor that a client sent back.
 *
 * @param scope The one that the cursor was signed for.
 * @returns null for anything that the service did not sign with this secret for this scope, and for a
 *   cursor that has expired. No text makes it throw.
 */
export function readCursor(
  secret: Uint8Array,
  text: string,
  scope: string,
  now: Date,
): SignedCursor | null {
  if (text.length > MAX_LENGTH) return null;
  const sealed = Buffer.from(text, "base64url");
  // Only canonical base64url is a cursor.
  if (sealed.toString("base64url") !== text) return null;
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

/** Derives the nonce from scope and content: no other content has it, and equal places have equal cursors. */
function nonceOf(secret: Uint8Array, { context }: Cipher, content: Buffer): Uint8Array {
  const key = hmacSha256(secret, "nonce of a sealed cursor");
  return hmacSha256(key, `${context} ${content}`).subarray(0, NONCE_BYTES);
}

/** JSON may end with spaces. */
function toBlocks(json: string): Buffer {
  const length = Math.ceil(Buffer.byteLength(json) / BLOCK_BYTES) * BLOCK_BYTES;
  const blocks = Buffer.alloc(length, " ");
  blocks.write(json);
  return blocks;
}
