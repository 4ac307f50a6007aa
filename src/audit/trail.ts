/** The form in which entries of both trails are hashed. */

import {
  type AccessEventRow,
  accessEventRows,
  type PublicAccessEvent,
  toPublicAccessEvent,
} from "../accounts/port.ts";
import { auditEntryRows } from "./audit_trail.ts";
import type { Query, Sql } from "../database/sql.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { type AuditEntry, type AuditRow, toAuditEntry } from "./audit_entry.ts";
import { leafHash } from "./merkle.ts";

export const TRAIL_KINDS = ["audit", "access"] as const;
export type TrailKind = (typeof TRAIL_KINDS)[number];

/** One account's entries of one kind, with a chain of seals. */
export interface Trail {
  readonly accountId: string;
  readonly kind: TrailKind;
}

export type TrailRow =
  & { readonly id: string }
  & (
    | { readonly kind: "audit" } & AuditRow
    | { readonly kind: "access" } & AccessEventRow
  );

export type TrailEntry = AuditEntry | PublicAccessEvent;

/** Selects `account_id`, `transaction_id` and the columns of `TrailRow`. */
export function trailRows(sql: Sql, kind: TrailKind): Query<object> {
  const rows = kind === "audit" ? auditEntryRows(sql) : accessEventRows(sql);
  return sql`(select ${kind}::text as kind, entry.* from (${rows}) entry)`;
}

export function toTrailEntry(row: TrailRow): TrailEntry {
  return row.kind === "audit" ? toAuditEntry(row) : toPublicAccessEvent(row);
}

/**
 * Returns the account and the public form of the entry, in canonical JSON. Sealed entries must hash
 * the same forever: a member added later must be left out here for entries without it.
 */
export function trailLeaf(accountId: string, entry: TrailEntry): Uint8Array {
  return leafHash(canonicalJson({ accountId, entry: { ...entry } }));
}
