import { Buffer } from "node:buffer";
import { constantTimeEqual, hmacSha256 } from "./digest.ts";
import { isUlid } from "./ids.ts";

/** Separates these codes from everything else that the server secret signs. */
const PURPOSE = "signed cursor";

const CODE_BYTES = 32;
const MAXIMUM_LENGTH = 1024;

/** What a cursor holds. Every holder of the cursor can read it; only the service can make one. */
export interface SignedCursor {
  /** The ULID of the last item that was handed out. */
  readonly after: string;
  /** The first moment at which the cursor no longer counts; null: it counts for ever. */
  readonly expiresAt: Date | null;
  /** What else the next page needs to know. */
  readonly data?: string;
}

/** The signed part: `after`, `expiresAt` in milliseconds since 1970, and `data`. */
type Content = [after: string, expiresAt: number | null, data?: string];

/**
 * Makes an opaque page cursor that cannot be forged or used elsewhere (decisions, Record Kernel).
 *
 * @param secret The server secret.
 * @param cursor `scope` names where the cursor counts, for instance list, session and request: it is
 *   signed with the content without being part of the text.
 * @returns Base64url of at most 1,024 characters.
 * @throws {RangeError} For `after` that is no ULID, an invalid date, or `data` that makes it too long.
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
  const text = seal(secret, cursor.scope, JSON.stringify(content));
  if (text.length > MAXIMUM_LENGTH) throw new RangeError("A cursor's data must be short");
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
  if (text.length > MAXIMUM_LENGTH) return null;
  const content = contentOf(text);
  // The whole text is compared: what is not base64url, or spells the same bytes otherwise, differs.
  const expected = seal(secret, scope, content);
  if (!constantTimeEqual(Buffer.from(text), Buffer.from(expected))) return null;
  const [after, expiresAt, data] = JSON.parse(content) as Content;
  if (expiresAt !== null && !(now.getTime() < expiresAt)) return null;
  return {
    after,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    ...(data === undefined ? {} : { data }),
  };
}

/**
 * The data in a text that looks like a cursor, whether or not the service made it; null where there is
 * none. For refusing it with a better reason, and for nothing else.
 */
export function readUnprovedData(text: string): string | null {
  try {
    const content: unknown = JSON.parse(contentOf(text));
    const data: unknown = Array.isArray(content) ? content[2] : undefined;
    return typeof data === "string" ? data : null;
  } catch {
    return null;
  }
}

function contentOf(text: string): string {
  return Buffer.from(text, "base64url").subarray(CODE_BYTES).toString();
}

/** The code, then the content. JSON keeps scope and content apart inside the code. */
function seal(secret: Uint8Array, scope: string, content: string): string {
  const code = hmacSha256(hmacSha256(secret, PURPOSE), JSON.stringify([scope, content]));
  return Buffer.concat([code, Buffer.from(content)]).toString("base64url");
}
