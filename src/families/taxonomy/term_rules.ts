/** Rules of tags and categories. */

import { maxDate } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { type FieldPatch, newColumns, patchColumns } from "../../kit/fields.ts";
import { firstRevision, nextRevision, type NextRow } from "../../kit/root.ts";
import { comparedForm } from "./name.ts";
import type { RenameBody } from "./taxonomy_schema.ts";
import {
  aliasesOf,
  KEPT_FIELDS,
  MAX_ALIASES,
  type TermChange,
  type TermRow,
  type TermType,
  writeAliases,
} from "./term.ts";

export type NextTerm = NextRow<TermRow, TermChange>;

/** @throws ServiceError `PAYLOAD_INVALID` by the module's policy. */
export function decideCreate(
  kind: TermType,
  fields: JsonObject,
  parentId: string | undefined,
  now: Date,
): TermRow {
  const term_id = newId(now);
  return {
    term_id,
    kind,
    ...firstRevision(now),
    ...newColumns(KEPT_FIELDS, fields, { now, recordId: term_id }),
    parent_id: parentId ?? null,
    deactivated_at: null,
    merged_into: null,
  };
}

/**
 * @throws ServiceError `TAXONOMY_STATE_CONFLICT`; `PAYLOAD_INVALID` for an alias that is the term's
 *   name.
 */
export function decidePatch(before: TermRow, patch: FieldPatch, now: Date): NextTerm {
  assertActive(before);
  const policy = { now, recordId: before.term_id };
  const columns = patchColumns(KEPT_FIELDS, KEPT_FIELDS.read(before), patch, policy);
  return nextRevision(before, "CHANGED", now, columns);
}

/**
 * Removes the new name from the aliases. The former name becomes an alias if it should be kept and
 * is not the new one in another spelling.
 *
 * @throws ServiceError `TAXONOMY_STATE_CONFLICT` for too many aliases.
 */
export function decideRename(
  before: TermRow,
  { name, keepAlias = false }: RenameBody,
  now: Date,
): NextTerm {
  assertActive(before);
  const compared = comparedForm(name);
  const others = aliasesOf(before).filter((alias) => comparedForm(alias) !== compared);
  const keepsFormer = keepAlias && comparedForm(before.name) !== compared;
  const aliases = listAliases(keepsFormer ? [...others, before.name] : others);
  return nextRevision(before, "RENAMED", now, { name, aliases });
}

export interface Ancestor {
  readonly term_id: string;
  readonly deactivated_at: Date | null;
}

export interface TreePosition {
  /** The parent, then its ancestors up to the top; empty without a parent. */
  readonly above: readonly Ancestor[];
  /** How many levels the category and everything below it have: 1 for a leaf. */
  readonly height: number;
}

/** Maximum levels of categories (specification, Limits). */
export const MAX_LEVELS = 8;

/** Maximum categories of an owner. */
export const MAX_CATEGORIES = 2_000;

/**
 * Checks a category's parent.
 *
 * @throws ServiceError `TAXONOMY_CATEGORY_PARENT_INVALID`, `TAXONOMY_CATEGORY_CYCLE`,
 *   `TAXONOMY_CATEGORY_DEPTH_EXCEEDED`, in this order.
 */
export function assertFits(
  { term_id, parent_id }: Pick<TermRow, "term_id" | "parent_id">,
  { above, height }: TreePosition,
): void {
  if (parent_id === null) return;
  const [parent] = above;
  if (parent === undefined || parent.deactivated_at !== null) {
    throw new ServiceError("TAXONOMY_CATEGORY_PARENT_INVALID");
  }
  if (above.some((category) => category.term_id === term_id)) {
    throw new ServiceError("TAXONOMY_CATEGORY_CYCLE");
  }
  if (above.length + height > MAX_LEVELS) throw depthExceeded();
}

export function depthExceeded(): ServiceError {
  return new ServiceError("TAXONOMY_CATEGORY_DEPTH_EXCEEDED", {
    details: { limit: MAX_LEVELS },
  });
}

/** @throws ServiceError `TAXONOMY_STATE_CONFLICT` for too many categories. */
export function assertCategoryCount(count: number): void {
  if (count > MAX_CATEGORIES) throw stateConflict();
}

/** A null parent is the top. Throws as `assertFits`. */
export function decideMove(
  before: TermRow,
  parent_id: string | null,
  place: TreePosition,
  now: Date,
): NextTerm {
  assertActive(before);
  const next = nextRevision(before, "MOVED", now, { parent_id });
  if (next.change !== null) assertFits(next.row, place);
  return next;
}

/**
 * Deactivates a term, unless it is inactive.
 *
 * @param hasActiveChild True if an active category is directly below it.
 * @throws ServiceError `TAXONOMY_STATE_CONFLICT` in that case.
 */
export function decideDeactivate(before: TermRow, hasActiveChild: boolean, now: Date): NextTerm {
  if (before.deactivated_at !== null) return { row: before, change: null };
  if (hasActiveChild) throw stateConflict();
  return nextRevision(before, "DEACTIVATED", now, { deactivated_at: endOf(before, now) });
}

/**
 * Reactivates a term, unless it is active.
 *
 * @param above The ancestors of a category, the parent first.
 * @throws ServiceError `TAXONOMY_STATE_CONFLICT` for a merged tag;
 *   `TAXONOMY_CATEGORY_PARENT_INVALID` below an inactive category.
 */
export function decideReactivate(
  before: TermRow,
  above: readonly Ancestor[],
  now: Date,
): NextTerm {
  if (before.deactivated_at === null) return { row: before, change: null };
  if (before.merged_into !== null) throw stateConflict();
  // A parent that was erased is not among them.
  if (above[0] !== undefined && above[0].deactivated_at !== null) {
    throw new ServiceError("TAXONOMY_CATEGORY_PARENT_INVALID");
  }
  return nextRevision(before, "REACTIVATED", now, { deactivated_at: null });
}

interface Merge {
  readonly source: TermRow;
  readonly target: TermRow;
}

/**
 * Merges a tag, with its name and aliases, into another.
 *
 * @throws ServiceError `TAXONOMY_STATE_CONFLICT` if both are the same tag, the target is inactive,
 *   the source is already merged, or the target would have too many aliases.
 */
export function decideMerge(source: TermRow, target: TermRow, now: Date): Merge {
  const isOne = source.term_id === target.term_id;
  if (isOne || source.merged_into !== null || target.deactivated_at !== null) throw stateConflict();
  const aliases = listAliases([...aliasesOf(target), source.name, ...aliasesOf(source)]);
  const merged = {
    merged_into: target.term_id,
    deactivated_at: source.deactivated_at ?? endOf(source, now),
  };
  return {
    source: nextRevision(source, "MERGED", now, merged).row,
    target: nextRevision(target, "CHANGED", now, { aliases }).row,
  };
}

/** @throws ServiceError `TAXONOMY_STATE_CONFLICT` if the term is inactive. */
export function assertActive({ deactivated_at }: Pick<TermRow, "deactivated_at">): void {
  if (deactivated_at !== null) throw stateConflict();
}

export function stateConflict(): ServiceError {
  return new ServiceError("TAXONOMY_STATE_CONFLICT");
}

/** Error codes for a name that is already used. */
export const NAME_CONFLICTS = {
  TAG: "TAXONOMY_TAG_NAME_CONFLICT",
  CATEGORY: "TAXONOMY_CATEGORY_NAME_CONFLICT",
} as const satisfies Readonly<Record<TermType, ErrorCode>>;

/** Returns the time at which the next revision deactivates the term: that of the revision. */
function endOf({ updated_at }: TermRow, now: Date): Date {
  return maxDate(now, updated_at);
}

function listAliases(aliases: readonly string[]): string {
  if (aliases.length > MAX_ALIASES) throw stateConflict();
  return writeAliases(aliases);
}
