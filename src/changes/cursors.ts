/** The cursors of the changes feed: each counts for one owner and one feed, for ever. */

import { readUnprovedData } from "../core/signed_cursor.ts";
import { payloadInvalid, type ServiceError } from "../errors/service_error.ts";
import { SignedCursors } from "../http/signed_page.ts";
import type { ChangePlace } from "../records/port.ts";

/** Before everything: where a client begins that has no cursor. */
export const BEGINNING: ChangePlace = { transactionId: "0", revisionId: "0".repeat(26) };

/** A place in the feed that it is of. */
export interface FeedPlace {
  readonly feedId: string;
  readonly place: ChangePlace;
}

/** What a cursor holds besides the revision: the feed, and the transaction's number. */
const DATA = /^([0-9A-Z]{26}) (\d+)$/;

/** Makes and reads the cursors of one owner. */
export class ChangeCursors {
  readonly #cursors: SignedCursors;

  /** `secret` is the server secret. */
  constructor(secret: Uint8Array, owner: string, now: Date) {
    this.#cursors = new SignedCursors(secret, { list: "changes", owner }, {
      now,
      lifetimeMs: null,
    });
  }

  /** The cursor of a place. */
  sign({ feedId, place: { transactionId, revisionId } }: FeedPlace): string {
    return this.#cursors.sign({ after: revisionId, data: `${feedId} ${transactionId}` });
  }

  /** What a cursor stands at; null for one that was not made for this owner with this secret. */
  read(cursor: string): FeedPlace | null {
    const found = this.#cursors.find(cursor);
    const [, feedId, transactionId] = DATA.exec(found?.data ?? "") ?? [];
    if (found === null || feedId === undefined || transactionId === undefined) return null;
    return { feedId, place: { transactionId, revisionId: found.after } };
  }
}

/**
 * The refusal of a cursor that does not count in a feed: `cursor.feed` where it names another one. That
 * is believed of a cursor without a valid signature too, because the server secret may have changed with
 * the feed: a restored service can have a new one.
 */
export function cursorRefusal(cursor: string, feedId: string): ServiceError {
  const [, named] = DATA.exec(readUnprovedData(cursor) ?? "") ?? [];
  const isOfAnother = named !== undefined && named !== feedId;
  return payloadInvalid([isOfAnother ? "cursor.feed" : "cursor.unknown"], ["after"]);
}
