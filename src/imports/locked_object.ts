/** Stored objects that are locked, and their changes. */

import type { ClaimRow } from "../command/ledger.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { NewRow } from "./targets.ts";

/** A transaction of an owner's rows. */
export interface OwnerWrite {
  readonly sql: Sql;
  readonly owner: string;
  readonly now: Date;
}

export interface WrittenRevision {
  readonly moduleCode: string;
  readonly subjectId: string;
  readonly revision: number;
}

/** A change of a stored object. */
export interface ObjectChange {
  /** Its new content; null to leave that as it is. */
  readonly content: NewRow | null;
  readonly isArchived: boolean;
  /**
   * A test for revisions of a person that earlier items of the same key wrote; null if this is the first one:
   * its experiences and contacts come in as well.
   */
  readonly own?: ((revision: number) => boolean) | null;
  /** The details of a person that are compared; all by default. Links of some formats come last. */
  readonly part?: "links" | "others";
  /** How many links the item adds later. */
  readonly laterLinks?: number;
}

/** A stored object that is locked: its revision, and how it changes. */
export interface LockedObject {
  readonly revision: number;
  readonly isArchived: boolean;
  /** Writes the change, and returns the revisions that it made. */
  readonly write: (change: ObjectChange) => Promise<readonly WrittenRevision[]>;
  /** The rule that forbids the change, if only the locked object can tell. */
  readonly refusal?: (change: ObjectChange) => Promise<string | null>;
}

/** Runs the CTEs of a write whose transaction was claimed. */
export function claimed(sql: Sql, entries: Query<object>): Query<ClaimRow> {
  return sql<ClaimRow>`
    with claim as materialized (select 'GO'::text as verdict, null::text as envelope), ${entries}
    select verdict, envelope from claim`;
}
