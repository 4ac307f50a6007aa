/** Rules of all families' roots: revisions that step by one, and an archive. */

import { maxDate } from "../core/clock.ts";
import { newId, nextId } from "../core/ids.ts";
import { ServiceError } from "../errors/service_error.ts";
import { type JsonSchema, REVISION, TIME } from "../validate/json_schema.ts";

/** Columns of every root. */
export interface RootRow {
  readonly revision: number;
  readonly revision_id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface ArchivableRow extends RootRow {
  readonly archived_at: Date | null;
}

/** Changes of any root; a family adds its own. */
export type BaseChange = "CREATED" | "ARCHIVED" | "RESTORED";

export interface ShownRoot {
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const ROOT_MEMBERS = {
  revision: REVISION,
  createdAt: TIME,
  updatedAt: TIME,
} as const satisfies { readonly [Name in keyof ShownRoot]: JsonSchema };

export function showRoot({ revision, created_at, updated_at }: RootRow): ShownRoot {
  return {
    revision,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

export interface NextRow<Row, Change extends string> {
  readonly row: Row;
  /** The kind of change; null if nothing changes: then nothing is written. */
  readonly change: Change | BaseChange | null;
}

export function firstRevision(now: Date): RootRow {
  return { revision: 1, revision_id: newId(now), created_at: now, updated_at: now };
}

/** Appends a revision, unless the patch changes nothing. Dates are compared as moments. */
export function nextRevision<Row extends RootRow, Change extends string>(
  before: Row,
  change: Change,
  now: Date,
  patch: Partial<Omit<Row, keyof RootRow>>,
): NextRow<Row, Change> {
  const isChanged = Object.entries(patch).some(([name, value]) =>
    !isSame(before[name as keyof Row], value)
  );
  return isChanged ? appendRevision(before, change, now, patch) : { row: before, change: null };
}

/** Appends a revision, even if the patch changes nothing. */
export function appendRevision<Row extends RootRow, Change extends string>(
  before: Row,
  change: Change,
  now: Date,
  patch: Partial<Omit<Row, keyof RootRow>>,
): { readonly row: Row; readonly change: Change } {
  return { row: { ...before, ...patch, ...step(before, now) }, change };
}

/** Archives the root, unless it is archived. */
export function archived<Row extends ArchivableRow>(before: Row, now: Date): NextRow<Row, never> {
  if (before.archived_at !== null) return { row: before, change: null };
  const next = step(before, now);
  return { row: { ...before, ...next, archived_at: next.updated_at }, change: "ARCHIVED" };
}

/** Restores the root, unless it is not archived. */
export function restored<Row extends ArchivableRow>(before: Row, now: Date): NextRow<Row, never> {
  if (before.archived_at === null) return { row: before, change: null };
  return { row: { ...before, ...step(before, now), archived_at: null }, change: "RESTORED" };
}

export function assertRevision({ revision }: RootRow, expected: number | undefined): void {
  if (expected === undefined || expected === revision) return;
  throw new ServiceError("REVISION_CONFLICT", {
    details: { expectedRevision: expected, currentRevision: revision },
  });
}

/**
 * A root's time and the identifiers of its revisions never go backwards, even if the clock does.
 */
function step(before: RootRow, now: Date): Omit<RootRow, "created_at"> {
  const at = maxDate(now, before.updated_at);
  return {
    revision: before.revision + 1,
    revision_id: nextId(before.revision_id, at),
    updated_at: at,
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date
    ? one.getTime() === other.getTime()
    : one === other;
}
