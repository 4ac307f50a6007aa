/**
 * Pages with a signed and sealed cursor: it is valid for one owner and one list with its filters, may
 * represent a position without a plain identifier, and reveals nothing of it.
 */

import type { JsonObject, JsonValue } from "../core/json.ts";
import { readCursor, signCursor, type SignedCursor } from "../core/signed_cursor.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { type JsonSchema, listOf, nullable, objectOf, TEXT } from "../validate/json_schema.ts";
import { optional, string } from "../validate/schema.ts";
import { type Page, PAGE_QUERY } from "./page.ts";

/** A signed cursor in a query or a body. */
export const SIGNED_CURSOR = optional(string({ maximum: 1024 }));

/** The query parameters of a list with a signed cursor. */
export const SIGNED_PAGE_QUERY = { limit: PAGE_QUERY.limit, cursor: SIGNED_CURSOR };

/** The JSON Schema of a page with a signed cursor. */
export function signedPageOf(item: JsonSchema): JsonSchema {
  return objectOf({ items: listOf(item), nextCursor: nullable(TEXT) });
}

/** The start of a page: after an item, by its identifier and further data that its order needs. */
export type PagePosition = Omit<SignedCursor, "expiresAt">;

/** What the cursors of a list are valid for. If any of it differs, the cursor is unknown. */
export interface CursorBinding {
  /** The list's stable name, such as `relationship.timeline`. */
  readonly list: string;
  readonly owner: string;
  /**
   * Further values that must be the same, such as the filters, the root above the list or the credential.
   */
  readonly [name: string]: JsonValue;
}

/** How long cursors count, and when they are read or made. */
export interface CursorLifetime {
  readonly now: Date;
  /** Null: for ever. */
  readonly lifetimeMs: number | null;
}

/** Makes and reads the cursors of one list for one request. */
export class SignedCursors {
  readonly #secret: Uint8Array;
  readonly #scope: string;
  readonly #now: Date;
  readonly #expiresAt: Date | null;

  /** `secret` is the server secret. */
  constructor(secret: Uint8Array, binding: CursorBinding, { now, lifetimeMs }: CursorLifetime) {
    this.#secret = secret;
    this.#scope = canonicalJson(binding as JsonObject);
    this.#now = now;
    this.#expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
  }

  /**
   * The start of a cursor's page; null for the first page, which has no cursor.
   *
   * @throws ServiceError `PAYLOAD_INVALID`, rule `cursor.unknown`, for a cursor that was made for anything
   * else, is invalid, or has expired.
   */
  read(cursor: string | null | undefined): PagePosition | null {
    if (cursor === null || cursor === undefined) return null;
    const place = this.find(cursor);
    if (place === null) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
    return place;
  }

  /** As `read`, but null for an invalid cursor: for callers that throw the error after a claim. */
  find(cursor: string): PagePosition | null {
    const found = readCursor(this.#secret, cursor, this.#scope, this.#now);
    if (found === null) return null;
    const { after, data } = found;
    return data === undefined ? { after } : { after, data };
  }

  /**
   * The cursor of a position.
   *
   * @throws {RangeError} If `after` is not a ULID, or `data` exceeds 680 bytes.
   */
  sign(place: PagePosition): string {
    return signCursor(this.#secret, {
      ...place,
      scope: this.#scope,
      expiresAt: this.#expiresAt,
    });
  }

  /** A page whose cursor is an item's identifier, with that cursor signed. */
  signPage<Item>({ items, nextCursor }: Page<Item>): Page<Item> {
    return { items, nextCursor: nextCursor === null ? null : this.sign({ after: nextCursor }) };
  }
}
