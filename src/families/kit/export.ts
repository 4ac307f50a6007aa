/** Exports in parts, one a request: where a part ends, and the signed cursor that the next one takes. */

import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { CheckedCall } from "../../http/route.ts";
import { type PagePosition, SignedCursors } from "../../http/signed_page.ts";
import { COUNT, type JsonSchema, SHA256, TEXT } from "../../validate/json_schema.ts";

/** Where a part ends: at so many rows, or before so many bytes of their texts, but not empty. */
export const PART = { rows: 500, bytes: 8 * 1024 * 1024 } as const;

/** How long a cursor counts. */
const CURSOR_LIFETIME_MS = 15 * 60 * 1000;

/** What is said of the document that a part is. */
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

/** Where a part begins; the first one begins after nothing. */
export type PartPlace = Omit<PagePosition, "after"> & { readonly after: string | null };

/** The cursors of an export: each counts for one credential, and the very request it was given to. */
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

  /** Where the part of a cursor begins; null for a cursor that does not count here, or no longer. */
  find(cursor: string | undefined): PartPlace | null {
    return cursor === undefined ? { after: null } : this.#cursors.find(cursor);
  }

  /** The cursor of the next part; null where none follows. */
  sign(after: string | null, data?: string): string | null {
    return after && this.#cursors.sign({ after, ...(data !== undefined && { data }) });
  }
}
