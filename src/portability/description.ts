/**
 * Descriptions of line types. Export and import are derived from them; a family joins both by its
 * entries in `line_types.ts`.
 */

import type { JsonObject } from "../core/json.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Columns as DeclaredColumns } from "../kit/columns.ts";
import type { RootDeclaration } from "../kit/declaration.ts";
import { declaredKind, id, integer, stamp, text, type ValueKind } from "./kinds.ts";

/** Columns by name; in a line each name is in camel case. */
export type Columns = Readonly<Record<string, ValueKind>>;

interface RowList {
  /** The member of the line that contains the list, such as `revisions`. */
  readonly member: string;
  readonly table: string;
  /** Columns shared with the row above, except the owner; the first identifies it. */
  readonly inherited: readonly string[];
  /** The other columns; the first one is unique and determines the order. */
  readonly columns: Columns;
}

export interface LineType {
  readonly type: string;
  readonly table: string;
  /** A source with the same columns and `owner_id`; null for the table itself. */
  readonly rows: ((sql: Sql) => Query<object>) | null;
  /** Columns that order the lines; with the owner they are the primary key. */
  readonly key: readonly string[];
  readonly columns: Columns;
  readonly lists: readonly RowList[];
  /** Whether a row is valid, including one of a list; `above` is the row of the line. */
  readonly accepts: (row: JsonObject, above: JsonObject) => boolean;
  /** Rows that follow from the table's, and are in no line. */
  readonly derived: readonly DerivedRows[];
  readonly hasBytes: boolean;
  /** True if an import inserts the rows unchanged; otherwise it creates them differently. */
  readonly isWritten: boolean;
  /** The records that show the rows in generic reads; null if there are none. */
  readonly projection: Projected | null;
}

/** Records that show a table's rows, each with the row's identifier and current revision. */
interface Projected {
  readonly moduleCode: string;
  readonly guard: (sql: Sql) => Query<object>;
}

interface DerivedRows {
  readonly table: string;
  readonly columns: Columns;
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

/** Lines of one row each. Default key: the first column. */
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

interface RootParts {
  readonly table: string;
  readonly ledger: string;
  /** Columns that never change, as in `RootDeclaration`. */
  readonly fixed: Columns;
  readonly changing: Columns;
  readonly lists?: LineType["lists"];
  readonly derived?: LineType["derived"];
  readonly projection?: Projected;
}

/** One line per root, with all its revisions. */
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

export function declaredRoot(
  type: string,
  { table, ledger, fixed, fields, state }: RootDeclaration,
  more: Pick<RootParts, "lists" | "derived" | "projection"> = {},
): LineType {
  const changing = declaredColumns({ ...state, ...fields });
  return rootType(type, { table, ledger, fixed: declaredColumns(fixed), changing, ...more });
}

export function declaredColumns(columns: DeclaredColumns): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => [name, declaredKind(name, kind)]),
  );
}

export function projectedAs(moduleCode: string): Projected {
  return { moduleCode, guard: (sql) => sql`null::text` };
}

export const ROOT: Columns = {
  revision: integer,
  revision_id: id,
  created_at: stamp,
  updated_at: stamp,
};

export const REVISION_MEMBERS: Columns = {
  revision: integer,
  revision_id: id,
  change: text,
  created_at: stamp,
};

interface Member {
  readonly column: string;
  readonly member: string;
  readonly kind: ValueKind;
}

const known = new WeakMap<Columns, readonly Member[]>();

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
