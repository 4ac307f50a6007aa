/**
 * The cursors of the changes feed. Each is valid for one owner and one feed, without an end. A cursor shows its
 * feed, whose identifier all accounts share; its place is sealed.
 */

import { payloadInvalid, type ServiceError } from "../../errors/service_error.ts";
import { SignedCursors } from "../../http/signed_page.ts";
import type { ChangePlace } from "../port.ts";
import { feedOfOldCursor, readOldCursor } from "./old_cursors.ts";
import type { FeedPlace } from "./feed_store.ts";

/** Before everything: where a client begins that has no cursor. */
export const BEGINNING: ChangePlace = { transactionId: "0", revisionId: "0".repeat(26) };

/** The feed, then its place. */
const CURSOR = /^([0-9A-HJKMNP-TV-Z]{26})-(.+)$/;

/** Makes and reads the cursors of one owner. */
export class ChangeCursors {
  readonly #secret: Uint8Array;
  readonly #owner: string;
  readonly #now: Date;

  /** `secret` is the server secret. */
  constructor(secret: Uint8Array, owner: string, now: Date) {
    this.#secret = secret;
    this.#owner = owner;
    this.#now = now;
  }

  /** The cursor of a place. */
  sign({ feedId, place: { transactionId, revisionId } }: FeedPlace): string {
    const sealed = this.#cursorsOf(feedId).sign({ after: revisionId, data: transactionId });
    return `${feedId}-${sealed}`;
  }

  /** What a cursor stands at; null for one that was not made for this owner with this secret. */
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
 * The refusal of a cursor that does not count in a feed: `cursor.feed` where it names another one. That
 * is believed of a cursor that cannot be opened too, because the server secret may have changed with
 * the feed: a restored service can have a new one.
 */
export function cursorRefusal(cursor: string, feedId: string): ServiceError {
  const named = CURSOR.exec(cursor)?.[1] ?? feedOfOldCursor(cursor);
  const isOfAnother = named !== null && named !== feedId;
  return payloadInvalid([isOfAnother ? "cursor.feed" : "cursor.unknown"], ["after"]);
}
