/**
 * Pages with encrypted cursors. A cursor is valid for one owner and one list with its filters. It
 * may represent a position without a plain identifier, and reveals nothing about it.
 */

import { isUlid } from "../core/ids.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { readCursor, signCursor, type SignedCursor } from "../core/signed_cursor.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { type JsonSchema, listOf, nullable, objectOf, TEXT } from "../validate/json_schema.ts";
import {
  checkParameters,
  type InferObject,
  type ObjectSchema,
  optional,
  queryParameters,
  string,
  stringMatching,
  Violations,
} from "../validate/schema.ts";
import { isLongerThan } from "../validate/text.ts";
import { type Page, PAGE_QUERY } from "./page.ts";
import type { SignedInCall } from "./route.ts";

const CURSOR_LENGTH = 1024;

export const SIGNED_CURSOR = optional(string({ maximum: CURSOR_LENGTH }));

/** The cursor of a list whose older sorts have identifiers as cursors, and others signed ones. */
export const CURSOR_OF_EITHER_FORM = optional(stringMatching(
  "field.identifier",
  (text) => !isLongerThan(text, CURSOR_LENGTH),
  { type: "string", maxLength: CURSOR_LENGTH },
));

const SIGNED_FORM = /^[\w-]{100,}$/;

/**
 * Checks such a cursor for a sort whose cursors are identifiers: a signed one is `cursor.unknown`,
 * any other text `field.identifier`.
 */
export function checkIdentifierCursor(cursor: string | undefined, violations: Violations): void {
  if (cursor === undefined || isUlid(cursor)) return;
  violations.add(SIGNED_FORM.test(cursor) ? "cursor.unknown" : "field.identifier", "cursor");
}

/**
 * Reads the query of a list with such a cursor, which is an identifier without `sort`.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function readSortedQuery<S extends ObjectSchema>(
  shape: S,
  query: URLSearchParams,
): InferObject<S> {
  const violations = new Violations();
  const parameters = queryParameters(query, violations);
  const checked = checkParameters(shape, parameters, violations);
  if (!parameters.has("sort")) checkIdentifierCursor(parameters.get("cursor"), violations);
  violations.throwIfAny();
  return checked;
}

export const SIGNED_PAGE_QUERY = { limit: PAGE_QUERY.limit, cursor: SIGNED_CURSOR };

export function signedPageOf(item: JsonSchema): JsonSchema {
  return objectOf({ items: listOf(item), nextCursor: nullable(TEXT) });
}

/** Start of a page: the item before it, by its identifier and further data that the order needs. */
export type PagePosition = Omit<SignedCursor, "expiresAt">;

/** A cursor is valid only for an equal binding. */
export interface CursorBinding {
  readonly list: string;
  readonly owner: string;
  /** Further values, such as the filters, the list's parent or the credential. */
  readonly [name: string]: JsonValue;
}

interface CursorLifetime {
  readonly now: Date;
  /** In milliseconds; null if cursors do not expire. */
  readonly lifetimeMs: number | null;
}

/**
 * Cursors of a list that do not expire, bound to the list and its owner.
 *
 * @param bound Everything else on which the items depend, such as filters.
 */
export function listCursors(
  secret: Uint8Array,
  { operation, caller, now }: Pick<SignedInCall, "operation" | "caller" | "now">,
  bound: JsonObject,
): SignedCursors {
  const binding = { ...bound, list: operation, owner: caller.account.accountId };
  return new SignedCursors(secret, binding, { now, lifetimeMs: null });
}

export class SignedCursors {
  readonly #secret: Uint8Array;
  readonly #scope: string;
  readonly #now: Date;
  readonly #expiresAt: Date | null;

  constructor(secret: Uint8Array, binding: CursorBinding, { now, lifetimeMs }: CursorLifetime) {
    this.#secret = secret;
    this.#scope = canonicalJson(binding as JsonObject);
    this.#now = now;
    this.#expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
  }

  /**
   * Returns the position of a cursor; null without a cursor.
   *
   * @throws ServiceError `PAYLOAD_INVALID`, rule `cursor.unknown`, if it was made for anything
   *   else, is invalid, or has expired.
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

  /** @throws {RangeError} If `after` is not a ULID, or `data` exceeds 680 bytes. */
  sign(place: PagePosition): string {
    return signCursor(this.#secret, {
      ...place,
      scope: this.#scope,
      expiresAt: this.#expiresAt,
    });
  }

  /** Signs a cursor that is an item's identifier. */
  signPage<Item>({ items, nextCursor }: Page<Item>): Page<Item> {
    return { items, nextCursor: nextCursor === null ? null : this.sign({ after: nextCursor }) };
  }
}
