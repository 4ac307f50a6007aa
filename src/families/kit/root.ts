/** Shared by the roots of all families: revisions that step by one, and an archive. No SQL, no HTTP. */

import { maxDate } from "../../core/clock.ts";
import { newId, nextId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { type JsonSchema, REVISION, TIME } from "../../validate/json_schema.ts";

/** The columns that every root has, under these names. */
export interface RootRow {
  readonly revision: number;
  readonly revision_id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A root that can be archived. */
export interface ArchivableRow extends RootRow {
  readonly archived_at: Date | null;
}

/** The kinds of revisions of any root; a family adds its own. */
export type BaseChange = "CREATED" | "ARCHIVED" | "RESTORED";

/** The public form of these columns. */
export interface ShownRoot {
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The schema of each of these members. */
export const ROOT_MEMBERS = {
  revision: REVISION,
  createdAt: TIME,
  updatedAt: TIME,
} as const satisfies { readonly [Name in keyof ShownRoot]: JsonSchema };

/** The public form of these columns. */
export function showRoot({ revision, created_at, updated_at }: RootRow): ShownRoot {
  return {
    revision,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

/** A root's next state. */
export interface NextRow<Row, Change extends string> {
  readonly row: Row;
  /** Null if the request changes nothing: then nothing is written. */
  readonly change: Change | BaseChange | null;
}

/** The root columns of a creation. */
export function firstRevision(now: Date): RootRow {
  return { revision: 1, revision_id: newId(now), created_at: now, updated_at: now };
}

/** Appends a revision, unless the patch leaves everything as it is. Dates are compared as moments. */
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

/** Appends an archival, unless the root is archived already. */
export function archived<Row extends ArchivableRow>(before: Row, now: Date): NextRow<Row, never> {
  if (before.archived_at !== null) return { row: before, change: null };
  const next = step(before, now);
  return { row: { ...before, ...next, archived_at: next.updated_at }, change: "ARCHIVED" };
}

/** Appends the undoing of an archival, unless the root is not archived. */
export function restored<Row extends ArchivableRow>(before: Row, now: Date): NextRow<Row, never> {
  if (before.archived_at === null) return { row: before, change: null };
  return { row: { ...before, ...step(before, now), archived_at: null }, change: "RESTORED" };
}

/** @throws ServiceError `REVISION_CONFLICT` if another revision was expected. */
export function assertRevision({ revision }: RootRow, expected: number | undefined): void {
  if (expected === undefined || expected === revision) return;
  throw new ServiceError("REVISION_CONFLICT", {
    details: { expectedRevision: expected, currentRevision: revision },
  });
}

/**
 * A root's time never runs backwards, even if the clock does, and neither do the identifiers of its
 * revisions.
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
