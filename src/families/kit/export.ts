/** Exports in parts, one per request: the end of a part, and the signed cursor of the next one. */

import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { CheckedCall } from "../../http/route.ts";
import { type PagePosition, SignedCursors } from "../../http/signed_page.ts";
import { COUNT, type JsonSchema, SHA256, TEXT } from "../../validate/json_schema.ts";

/** The limits of a part: this many rows, or bytes of their texts; a part has at least one row. */
export const PART = { rows: 500, bytes: 8 * 1024 * 1024 } as const;

/** How long a cursor counts. */
const CURSOR_LIFETIME_MS = 15 * 60 * 1000;

/** The description of a part's document. */
export interface DocumentLabel {
  readonly filename: string;
  readonly mediaType: string;
  /** Hex, over the content's UTF-8. */
  readonly sha256: string;
  /** How many rows it holds. */
  readonly count: number;
}

/** The schema of each of these members. */
export const LABEL_MEMBERS = {
  filename: TEXT,
  mediaType: TEXT,
  sha256: SHA256,
  count: COUNT,
} as const satisfies { readonly [Name in keyof DocumentLabel]: JsonSchema };

/** The rows that a part holds, of those that could be in it: as many as fit, and one in any case. */
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

/** The start of a part; the first one starts after nothing. */
export type PartPlace = Omit<PagePosition, "after"> & { readonly after: string | null };

/** The cursors of an export: each is valid for one credential and the exact request that returned it. */
export class PartCursors {
  readonly #cursors: SignedCursors;

  /** `secret` is the server secret; `list` is the stable name of the export. */
  constructor(secret: Uint8Array, list: string, call: CheckedCall<unknown>) {
    const { account: { accountId: owner }, credential } = call.caller;
    const request: JsonObject = isJsonObject(call.body) ? { ...call.body } : {};
    delete request.cursor;
    const binding = { list, owner, credential: credential.id, request };
    const lifetime = { now: call.now, lifetimeMs: CURSOR_LIFETIME_MS };
    this.#cursors = new SignedCursors(secret, binding, lifetime);
  }

  /** The start of a cursor's part; null for a cursor that is invalid here, or expired. */
  find(cursor: string | undefined): PartPlace | null {
    return cursor === undefined ? { after: null } : this.#cursors.find(cursor);
  }

  /** The cursor of the next part; null for the last one. */
  sign(after: string | null, data?: string): string | null {
    return after && this.#cursors.sign({ after, ...(data !== undefined && { data }) });
  }
}
