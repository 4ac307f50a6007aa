/**
 * Cursors of the changes feed in their first form: signed, not encrypted. Clients may still have
 * some, so they stay readable; new ones are not made.
 */

import { Buffer } from "node:buffer";
import { toBase64url } from "../../core/base64url.ts";
import { constantTimeEqual, hmacSha256 } from "../../core/digest.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import type { FeedPlace } from "./feed_store.ts";

const CODE_BYTES = 32;
const MAX_LENGTH = 1024;

/** The data of a cursor: feed and transaction number. */
const DATA = /^([0-9A-Z]{26}) (\d+)$/;

/** The signed part of a cursor: revision, no expiry, data. */
type Content = [revisionId: string, expiresAt: null, data: string];

/** Returns null if the cursor was not made for this owner with this secret. */
export function readOldCursor(secret: Uint8Array, owner: string, text: string): FeedPlace | null {
  if (text.length > MAX_LENGTH) return null;
  const content = contentOf(text);
  const scope = canonicalJson({ list: "changes", owner });
  const key = hmacSha256(secret, "signed cursor");
  const code = hmacSha256(key, JSON.stringify([scope, content]));
  const expected = toBase64url(Buffer.concat([code, Buffer.from(content)]));
  // Compares the whole texts, so that only one encoding of the same bytes is accepted.
  if (!constantTimeEqual(Buffer.from(text), Buffer.from(expected))) return null;
  const [revisionId, , data] = JSON.parse(content) as Content;
  const [, feedId, transactionId] = DATA.exec(data) ?? [];
  if (feedId === undefined || transactionId === undefined) return null;
  return { feedId, place: { transactionId, revisionId } };
}

/** Returns the feed that an old cursor names, even if its signature is invalid; or null. */
export function feedOfOldCursor(text: string): string | null {
  try {
    const content: unknown = JSON.parse(contentOf(text));
    const data: unknown = Array.isArray(content) ? content[2] : undefined;
    return typeof data === "string" ? DATA.exec(data)?.[1] ?? null : null;
  } catch {
    return null;
  }
}

function contentOf(text: string): string {
  return Buffer.from(text, "base64url").subarray(CODE_BYTES).toString();
}
