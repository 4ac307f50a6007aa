/** Declarations of roots (see `columns.ts`). */

import type { FieldSet, Rule } from "../catalog/module.ts";
import { identifier, type Query, type Sql } from "../database/sql.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import {
  camelCase,
  type Columns,
  isJson,
  longColumns,
  membersOf,
  namesOf,
  orNull,
  type RowOf,
  shortColumns,
  showColumns,
  type ShownOf,
  valuesOf,
} from "./columns.ts";
import { type KeptFields, present, presentFields } from "./fields.ts";
import { stamp } from "./kinds.ts";
import { ROOT_MEMBERS, type RootRow, type ShownRoot, showRoot } from "./root.ts";
import type { RootTables } from "./tables.ts";

/** A root and its revisions. The lists omit `owner_id` and the columns of `RootRow`. */
export interface RootDeclaration {
  readonly table: string;
  readonly ledger: string;
  /** Columns that never change, the identifier first; the ledger has only the identifier. */
  readonly fixed: Columns;
  /** Fields of requests; revisions can change them. */
  readonly fields: Columns;
  /** Other columns that revisions can change, such as `ARCHIVED`. */
  readonly state: Columns;
}

export const ARCHIVED = { archived_at: orNull(stamp) };

export type RootRowOf<D extends RootDeclaration> =
  & RootRow
  & RowOf<D["fixed"]>
  & RowOf<D["fields"]>
  & RowOf<D["state"]>;

export type ShownRootOf<D extends RootDeclaration> =
  & ShownRoot
  & ShownOf<D["fixed"]>
  & ShownOf<D["fields"]>
  & ShownOf<D["state"]>;

function shownOrder(
  { fixed, fields, state: { archived_at, ...state } }: RootDeclaration,
): { readonly before: Columns; readonly after: Columns } {
  const after = archived_at === undefined ? {} : { archived_at };
  return { before: { ...fixed, ...fields, ...state }, after };
}

/** Schemas of a root's members, in the order of `show`. */
export function rootMembers<D extends RootDeclaration>(
  declared: D,
): { readonly [Name in keyof ShownRootOf<D>]: JsonSchema } {
  const { before, after } = shownOrder(declared);
  const members = { ...membersOf(before), ...ROOT_MEMBERS, ...membersOf(after) };
  return members as { readonly [Name in keyof ShownRootOf<D>]: JsonSchema };
}

interface DeclaredParts<D extends RootDeclaration> {
  readonly tables: (sql: Sql) => RootTables;
  readonly idOf: (row: RootRowOf<D>) => string;
  readonly show: (row: RootRowOf<D>) => ShownRootOf<D>;
  readonly fixedValues: (sql: Sql, row: RootRowOf<D>) => Query<object>;
  readonly changingValues: (sql: Sql, row: RootRowOf<D>) => Query<object>;
}

/** The parts of a declared root for `storedRoot`. */
export function rootParts<D extends RootDeclaration>(declared: D): DeclaredParts<D> {
  const { table, ledger, fixed, fields, state } = declared;
  const { before, after } = shownOrder(declared);
  const changing = { ...state, ...fields };
  const [id = ""] = Object.keys(fixed);
  return {
    tables: (sql) => ({
      root: identifier(sql, table),
      ledger: identifier(sql, ledger),
      id: identifier(sql, id),
      fixed: namesOf(sql, fixed),
      changing: namesOf(sql, changing),
      hasClocks: "clocks" in changing,
      short: shortColumns(sql, changing),
      long: longColumns(sql, changing),
    }),
    idOf: (row) => (row as Record<string, unknown>)[id] as string,
    show(row) {
      const columns = row as RootRow & RowOf<Columns>;
      const shown = {
        ...showColumns(before, columns),
        ...showRoot(columns),
        ...showColumns(after, columns),
      };
      return shown as ShownRootOf<D>;
    },
    fixedValues: (sql, row) => valuesOf<D["fixed"]>(sql, fixed, row),
    changingValues: (sql, row) => valuesOf<D["state"] & D["fields"]>(sql, changing, row),
  };
}

/** The request fields of these columns; `rules` concern several of them. */
export function fieldsOf(columns: Columns, rules: readonly Rule[] = []): FieldSet {
  const hasTime = Object.values(columns).some(({ type }) => type === "time");
  if (hasTime && !("clocks" in columns)) throw new Error("A stated time needs a column of clocks");
  const fields = fieldKinds(columns).map(([name, { field, isOptional }]) => {
    if (field === null) throw new Error(`No request states "${name}"`);
    return field(camelCase(name), { required: !isOptional });
  });
  return { fields, rules };
}

/** All columns but `clocks`, which follows from the values of the others. */
function fieldKinds(columns: Columns): [string, Columns[string]][] {
  return Object.entries(columns).filter(([name]) => name !== "clocks");
}

/** Maps fields to columns: those of a module, or `fieldsOf` the columns. */
export function keptFields<C extends Columns>(
  columns: C,
  fields: FieldSet,
): KeptFields<RowOf<C>, RowOf<C>> {
  const kinds = Object.entries(columns);
  return {
    fields,
    read: (row) =>
      presentFields(Object.fromEntries(
        fieldKinds(columns).map(([name, { type }]) => {
          const value = row[name] as FieldValue;
          const isText = typeof value === "string";
          return [camelCase(name), isText && isJson(type) ? JSON.parse(value) : value];
        }),
      )),
    columns: (view) =>
      Object.fromEntries(kinds.map(([name, { take, isOptional }]) => {
        const value = take(view, camelCase(name));
        return [name, isOptional ? value ?? null : present(value)];
      })) as RowOf<C>,
  };
}

type FieldValue = Parameters<typeof presentFields>[0][string];
