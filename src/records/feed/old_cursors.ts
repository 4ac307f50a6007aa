/**
 * Cursors of the changes feed in their first form: signed, but not encrypted. Clients still have some, so
 * they remain readable. New ones are not made.
 */

import { Buffer } from "node:buffer";
import { constantTimeEqual, hmacSha256 } from "../../core/digest.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import type { FeedPlace } from "./feed_store.ts";

const CODE_BYTES = 32;
const MAX_LENGTH = 1024;

/** The data besides the revision: the feed and the number of the transaction. */
const DATA = /^([0-9A-Z]{26}) (\d+)$/;

/** The signed part: the revision, no end, and the data. */
type Content = [revisionId: string, expiresAt: null, data: string];

/** Returns the place of an old cursor, or null if it was not made for this owner with this secret. */
export function readOldCursor(secret: Uint8Array, owner: string, text: string): FeedPlace | null {
  if (text.length > MAX_LENGTH) return null;
  const content = contentOf(text);
  const scope = canonicalJson({ list: "changes", owner });
  const key = hmacSha256(secret, "signed cursor");
  const code = hmacSha256(key, JSON.stringify([scope, content]));
  const expected = Buffer.concat([code, Buffer.from(content)]).toString("base64url");
  // The whole text is compared, so that only one encoding of the same bytes is accepted.
  if (!constantTimeEqual(Buffer.from(text), Buffer.from(expected))) return null;
  const [revisionId, , data] = JSON.parse(content) as Content;
  const [, feedId, transactionId] = DATA.exec(data) ?? [];
  if (feedId === undefined || transactionId === undefined) return null;
  return { feedId, place: { transactionId, revisionId } };
}

/** Returns the feed that an old cursor names, even if its signature is invalid; null if it names none. */
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
