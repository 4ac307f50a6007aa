import type { BaseChange } from "../../kit/root.ts";
import { TAXONOMY } from "../../catalog/modules/taxonomy.ts";
import type { JsonObject } from "../../core/json.ts";
import type { LongColumns } from "../../database/page_bytes.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { rootParts } from "../../kit/declaration.ts";
import { type StoredRoot, storedRoot } from "../../kit/tables.ts";
import type { RootPlan, WriteOptions } from "../../kit/write.ts";
import {
  type Change,
  type Projection,
  projectionEntries,
  type RecordOrigin,
  type SourceType,
  toProjection,
} from "../../records/port.ts";
import { nameEntries, renewNames } from "./name_store.ts";
import { NAME_CONFLICTS, type NextTerm } from "./term_rules.ts";
import {
  aliasesOf,
  KEPT_FIELDS,
  showTerm,
  TERM,
  type Term,
  TERM_SCHEMA,
  type TermChange,
  termNamesOf,
  type TermRow,
  type TermType,
} from "./term.ts";

/** `IdName` is the name of the identifier in paths. */
interface TermTypes<IdName extends string> {
  readonly key: Readonly<Record<IdName, string>>;
  readonly row: TermRow;
  readonly change: TermChange;
  readonly shown: Term;
}
export type TagTypes = TermTypes<"tagId">;
export type CategoryTypes = TermTypes<"categoryId">;

/** The change that generic reads show for each kind of revision. */
const PROJECTED_CHANGES: Readonly<Record<TermChange | BaseChange, Change>> = {
  CREATED: "CREATED",
  CHANGED: "MODIFIED",
  RENAMED: "MODIFIED",
  MOVED: "MODIFIED",
  DEACTIVATED: "ARCHIVED",
  ARCHIVED: "ARCHIVED",
  MERGED: "ARCHIVED",
  REACTIVATED: "RESTORED",
  RESTORED: "RESTORED",
};

export function tagsFrom(sourceType: SourceType): StoredRoot<TagTypes> {
  return termsFrom("TAG", "tagId", sourceType);
}

export function categoriesFrom(sourceType: SourceType): StoredRoot<CategoryTypes> {
  return termsFrom("CATEGORY", "categoryId", sourceType);
}

export const STORED_TAGS = tagsFrom("USER_INPUT");
export const TAGS = STORED_TAGS.root;
export const STORED_CATEGORIES = categoriesFrom("USER_INPUT");
export const CATEGORIES = STORED_CATEGORIES.root;

/** Error of a write whose name is already used. */
export function namingOptions(kind: TermType): WriteOptions {
  return { constraints: { taxonomy_names_pkey: NAME_CONFLICTS[kind] } };
}

/** Inactive tags: in generic reads a merge is not a second archival. */
export const INACTIVE_TAGS = termsFrom("TAG", "tagId", "USER_INPUT", { MERGED: "MODIFIED" }).root;

function termsFrom<IdName extends string>(
  kind: TermType,
  idName: IdName,
  sourceType: SourceType,
  projected: Partial<typeof PROJECTED_CHANGES> = {},
): StoredRoot<TermTypes<IdName>> {
  const projectedChanges = { ...PROJECTED_CHANGES, ...projected };
  return storedRoot<TermTypes<IdName>>({
    module: "taxonomy",
    policy: "taxonomy",
    keyNames: [idName],
    ...rootParts(TERM),
    show: showTerm,
    schema: TERM_SCHEMA,
    isNamed: (sql, key) => sql`kind = ${kind} and term_id = ${key[idName]}`,
    entries(sql, owner, row, change) {
      const projection = termProjection(row, projectedChanges[change], { sourceType });
      const projected = projectionEntries(sql, owner, projection);
      return change === "CREATED"
        ? sql`${nameEntries(sql, owner, [row])}, ${projected}`
        : projected;
    },
  });
}

export function shortTermColumns(sql: Sql): Query<object> {
  return sql`t.term_id, t.kind, t.revision, t.revision_id, t.created_at, t.updated_at,
    t.deactivated_at, t.merged_into, t.parent_id, t.color, t.sort_order, t.name`;
}

/** Columns that can make a page too large. */
export function longTermColumns(sql: Sql): LongColumns {
  const columns = { aliases: sql`t.aliases`, description: sql`t.description` };
  return { kind: "text", columns, hidden: null };
}

/** Combines a term's next state with its changes of names. */
export function withNames(
  owner: string,
  before: TermRow,
  next: NextTerm,
): RootPlan<TermRow, TermChange> {
  const { row } = next;
  if (JSON.stringify(termNamesOf(before)) === JSON.stringify(termNamesOf(row))) return next;
  return { ...next, preceding: (sql) => renewNames(sql, owner, row.kind, [row]) };
}

export function termProjection(row: TermRow, change: string, origin: RecordOrigin): Projection {
  return toProjection({ ...row, archived_at: row.deactivated_at }, change, {
    recordId: row.term_id,
    module: TAXONOMY,
    title: row.name,
    summary: "",
    payload: toPayload(row),
    ...origin,
  });
}

function toPayload(row: TermRow): JsonObject {
  const { aliases: _, ...fields } = KEPT_FIELDS.read(row);
  const aliases = aliasesOf(row);
  return {
    ...fields,
    kind: row.kind,
    ...(row.parent_id !== null && { parentId: row.parent_id }),
    ...(aliases.length > 0 && { aliases: [...aliases] }),
    active: row.deactivated_at === null,
  };
}
