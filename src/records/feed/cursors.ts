/**
 * Cursors of the changes feed. Each is valid for one owner and one feed, and never expires. Its
 * feed is readable (all accounts share it); its position is encrypted.
 */

import { payloadInvalid, type ServiceError } from "../../errors/service_error.ts";
import { SignedCursors } from "../../http/signed_page.ts";
import type { ChangePlace } from "../port.ts";
import { feedOfOldCursor, readOldCursor } from "./old_cursors.ts";
import type { FeedPlace } from "./feed_store.ts";

/** Before all revisions: a client without a cursor starts here. */
export const BEGINNING: ChangePlace = { transactionId: "0", revisionId: "0".repeat(26) };

const CURSOR = /^([0-9A-HJKMNP-TV-Z]{26})-(.+)$/;

export class ChangeCursors {
  readonly #secret: Uint8Array;
  readonly #owner: string;
  readonly #now: Date;

  /** @param secret The server secret. */
  constructor(secret: Uint8Array, owner: string, now: Date) {
    this.#secret = secret;
    this.#owner = owner;
    this.#now = now;
  }

  sign({ feedId, place: { transactionId, revisionId } }: FeedPlace): string {
    const sealed = this.#cursorsOf(feedId).sign({ after: revisionId, data: transactionId });
    return `${feedId}-${sealed}`;
  }

  /** Returns null for a cursor that was not made for this owner with this secret. */
  read(cursor: string): FeedPlace | null {
    return this.#readSealed(cursor) ?? readOldCursor(this.#secret, this.#owner, cursor);
  }

  #readSealed(cursor: string): FeedPlace | null {
    const [, feedId = "", sealed = ""] = CURSOR.exec(cursor) ?? [];
    const found = this.#cursorsOf(feedId).find(sealed);
    if (found?.data === undefined) return null;
    return { feedId, place: { transactionId: found.data, revisionId: found.after } };
  }

  #cursorsOf(feed: string): SignedCursors {
    const binding = { list: "changes", owner: this.#owner, feed };
    return new SignedCursors(this.#secret, binding, { now: this.#now, lifetimeMs: null });
  }
}

/**
 * Returns the error for an invalid cursor, with the rule `cursor.feed` if it names another feed.
 * That includes cursors that cannot be decrypted, because a restored service can have a new secret
 * along with a new feed.
 */
export function cursorRefusal(cursor: string, feedId: string): ServiceError {
  const named = CURSOR.exec(cursor)?.[1] ?? feedOfOldCursor(cursor);
  const isOfAnother = named !== null && named !== feedId;
  return payloadInvalid([isOfAnother ? "cursor.feed" : "cursor.unknown"], ["after"]);
}
