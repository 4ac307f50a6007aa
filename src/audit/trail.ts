/** The two trails that are sealed, and the form in which an entry of either is hashed. */

import {
  type AccessEventRow,
  accessEventRows,
  type PublicAccessEvent,
  toPublicAccessEvent,
} from "../accounts/port.ts";
import { auditEntryRows, type AuditRow } from "./audit_trail.ts";
import type { Query, Sql } from "../database/sql.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { type AuditEntry, toAuditEntry } from "./audit_entry.ts";
import { leafHash } from "./merkle.ts";

/** Audit entries and access events. */
export const TRAIL_KINDS = ["audit", "access"] as const;
export type TrailKind = (typeof TRAIL_KINDS)[number];

/** One account's entries of one kind, which have their own chain of seals. */
export interface Trail {
  readonly accountId: string;
  readonly kind: TrailKind;
}

/** A row of either trail. */
export type TrailRow =
  & { readonly id: string }
  & (
    | { readonly kind: "audit" } & AuditRow
    | { readonly kind: "access" } & AccessEventRow
  );

/** An entry as its account sees it. */
export type TrailEntry = AuditEntry | PublicAccessEvent;

/** All rows of a kind: `account_id`, `transaction_id` and the columns of `TrailRow`. */
export function trailRows(sql: Sql, kind: TrailKind): Query<object> {
  const rows = kind === "audit" ? auditEntryRows(sql) : accessEventRows(sql);
  return sql`(select ${kind}::text as kind, entry.* from (${rows}) entry)`;
}

/** The entry of a row. */
export function toTrailEntry(row: TrailRow): TrailEntry {
  return row.kind === "audit" ? toAuditEntry(row) : toPublicAccessEvent(row);
}

/**
 * The hash of an entry as a leaf: the account and the entry as the API shows it, in canonical JSON. Sealed
 * entries must hash the same forever: a new member of an entry must not appear here in entries without it.
 */
export function trailLeaf(accountId: string, entry: TrailEntry): Uint8Array {
  return leafHash(canonicalJson({ accountId, entry: { ...entry } }));
}
