/**
 * Descriptions of the types of lines. Export and import are both derived from them, so a family joins both
 * by its entries in `line_types.ts`.
 */

import type { JsonObject } from "../core/json.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Columns as DeclaredColumns } from "../families/kit/columns.ts";
import type { RootDeclaration } from "../families/kit/declaration.ts";
import { declaredKind, id, integer, stamp, text, type ValueKind } from "./kinds.ts";

/** Columns by name. In a line each has its name in camel case. */
export type Columns = Readonly<Record<string, ValueKind>>;

/** The rows of one table below a row of another. */
export interface RowList {
  /** The member of the line, such as `revisions`. */
  readonly member: string;
  readonly table: string;
  /** The columns shared with the row above, besides the owner; the first identifies it. */
  readonly inherited: readonly string[];
  /** The other columns; the first one determines the order, and is unique. */
  readonly columns: Columns;
}

/** A type of lines: each line is a row of a table, with the rows below it. */
export interface LineType {
  /** The value of `type`. */
  readonly type: string;
  readonly table: string;
  /** The source of the rows, with the same columns and `owner_id`; null for the table itself. */
  readonly rows: ((sql: Sql) => Query<object>) | null;
  /** The columns that the order of the lines is by: with the owner they are the primary key. */
  readonly key: readonly string[];
  readonly columns: Columns;
  readonly lists: readonly RowList[];
  /** True if a row is valid, including one of a list; `above` is the row of the line. */
  readonly accepts: (row: JsonObject, above: JsonObject) => boolean;
  /** Rows that follow from those of the table, and are in no line. */
  readonly derived: readonly DerivedRows[];
  /** Whether the bytes that a line describes follow it. */
  readonly hasBytes: boolean;
  /** True if an import inserts the rows unchanged; otherwise it creates them differently. */
  readonly isWritten: boolean;
  /** The projection of the rows in generic reads; null if they have none. */
  readonly projection: Projected | null;
}

/** The general records that a table is shown as: one a row, with its identifier and present revision. */
export interface Projected {
  readonly moduleCode: string;
  /** The guard that a row's record has. */
  readonly guard: (sql: Sql) => Query<object>;
}

/** The rows of a table that follow from a row of another. */
export interface DerivedRows {
  readonly table: string;
  /** All columns but the owner. */
  readonly columns: Columns;
  /** The rows of a line's row, by the names of columns. */
  readonly rowsOf: (row: JsonObject) => readonly JsonObject[];
}

type Parts =
  & Pick<LineType, "table" | "columns">
  & Partial<
    Pick<
      LineType,
      "rows" | "key" | "lists" | "accepts" | "derived" | "hasBytes" | "isWritten" | "projection"
    >
  >;

/** Lines of one row each: the first column is the identifier, unless another key is given. */
export function lineType(type: string, parts: Parts): LineType {
  const [first = ""] = Object.keys(parts.columns);
  const none = {
    rows: null,
    lists: [],
    accepts: () => true,
    derived: [],
    hasBytes: false,
    isWritten: true,
    projection: null,
  };
  return { type, key: [first], ...none, ...parts };
}

/** The description of a root and the ledger of its revisions. */
interface RootParts {
  readonly table: string;
  readonly ledger: string;
  /** The columns that never change, the identifier first: the ledger has of them the identifier alone. */
  readonly fixed: Columns;
  /** The columns that both tables have. */
  readonly changing: Columns;
  readonly lists?: LineType["lists"];
  readonly derived?: LineType["derived"];
  readonly projection?: Projected;
}

/** Lines of a root each, with all its revisions. */
export function rootType(
  type: string,
  { table, ledger, fixed, changing, lists = [], ...more }: RootParts,
): LineType {
  const [id = ""] = Object.keys(fixed);
  const columns = { ...fixed, ...ROOT, ...changing };
  const revisions = {
    member: "revisions",
    table: ledger,
    inherited: [id],
    columns: { ...REVISION_MEMBERS, ...changing },
  };
  return lineType(type, { table, columns, lists: [revisions, ...lists], ...more });
}

/** The same for a root that its family declares. */
export function declaredRoot(
  type: string,
  { table, ledger, fixed, fields, state }: RootDeclaration,
  more: Pick<RootParts, "lists" | "derived" | "projection"> = {},
): LineType {
  const changing = declaredColumns({ ...state, ...fields });
  return rootType(type, { table, ledger, fixed: declaredColumns(fixed), changing, ...more });
}

/** Columns that a family declares. */
export function declaredColumns(columns: DeclaredColumns): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => [name, declaredKind(kind)]),
  );
}

/** Records of a module without guards. */
export function projectedAs(moduleCode: string): Projected {
  return { moduleCode, guard: (sql) => sql`null::text` };
}

/** The columns that every root has. */
export const ROOT: Columns = {
  revision: integer,
  revision_id: id,
  created_at: stamp,
  updated_at: stamp,
};

/** The columns that every revision has. */
export const REVISION_MEMBERS: Columns = {
  revision: integer,
  revision_id: id,
  change: text,
  created_at: stamp,
};

/** A column, and the member of a line that shows it. */
export interface Member {
  readonly column: string;
  /** The column's name in camel case. */
  readonly member: string;
  readonly kind: ValueKind;
}

const known = new WeakMap<Columns, readonly Member[]>();

/** The members that show some columns. */
export function membersOf(columns: Columns): readonly Member[] {
  const present = known.get(columns);
  if (present !== undefined) return present;
  const members = Object.entries(columns).map(([column, kind]) => {
    const member = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return { column, member, kind };
  });
  known.set(columns, members);
  return members;
}
