/** Exports in parts, one per request: the end of a part, and the signed cursor of the next. */

import { sha256Hex } from "../core/digest.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { CheckedCall } from "../http/route.ts";
import { type PagePosition, SignedCursors } from "../http/signed_page.ts";
import { COUNT, type JsonSchema, SHA256, TEXT } from "../validate/json_schema.ts";

/** Maximum rows of a part, and bytes of their texts; a part has at least one row. */
export const PART = { rows: 500, bytes: 8 * 1024 * 1024 } as const;

const CURSOR_LIFETIME_MS = 15 * 60 * 1000;

export interface DocumentLabel {
  readonly filename: string;
  readonly mediaType: string;
  /** Hex, of the content's UTF-8. */
  readonly sha256: string;
  readonly count: number;
}

export const LABEL_MEMBERS = {
  filename: TEXT,
  mediaType: TEXT,
  sha256: SHA256,
  count: COUNT,
} as const satisfies { readonly [Name in keyof DocumentLabel]: JsonSchema };

/** The day in UTC, for file names: `2026-11-20`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

export function labelOf(
  filename: string,
  mediaType: string,
  content: string,
  count: number,
): DocumentLabel {
  return { filename, mediaType, sha256: sha256Hex(content), count };
}

/** The rows that fit the part; at least one. */
export function cutPart<Row extends { readonly bytes: number }>(
  rows: readonly Row[],
): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += row.bytes;
    return index === PART.rows || (index > 0 && bytes > PART.bytes);
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** Start of a part: the row before it, or null for the first. */
type PartPlace = Omit<PagePosition, "after"> & { readonly after: string | null };

/** Cursors of an export, each valid for one credential and the exact request that returned it. */
export class PartCursors {
  readonly #cursors: SignedCursors;

  /**
   * @param secret The server secret.
   * @param list The stable name of the export.
   */
  constructor(secret: Uint8Array, list: string, call: CheckedCall<unknown>) {
    const { account: { accountId: owner }, credential } = call.caller;
    const request: JsonObject = isJsonObject(call.body) ? { ...call.body } : {};
    delete request.cursor;
    const binding = { list, owner, credential: credential.id, request };
    const lifetime = { now: call.now, lifetimeMs: CURSOR_LIFETIME_MS };
    this.#cursors = new SignedCursors(secret, binding, lifetime);
  }

  /** Start of the cursor's part; null if the cursor is invalid here, or expired. */
  find(cursor: string | undefined): PartPlace | null {
    return cursor === undefined ? { after: null } : this.#cursors.find(cursor);
  }

  /** Cursor of the next part; null after the last one. */
  sign(after: string | null, data?: string): string | null {
    return after && this.#cursors.sign({ after, ...(data !== undefined && { data }) });
  }
}
