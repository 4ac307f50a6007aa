/**
 * Statements of all roots, over a family's own tables: a root and the ledger of its revisions,
 * guarded in `sql/` by `make_revisions`. A family supplies names and values, as SQL.
 */

import type { Caller } from "../access/identity.ts";
import { type LongColumns, wholeColumns } from "../database/page_bytes.ts";
import type { Query, Sql } from "../database/sql.ts";
import { readRows, readWalk, type Walk, type Walked } from "../database/walk.ts";
import type { PageQuery } from "../http/page.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import {
  type Listed,
  type ListedRevision,
  type RevisionColumns,
  revisionsOf,
} from "./list_routes.ts";
import type { BaseChange } from "./root.ts";
import { entryStatement, type Root, type RootTypes } from "./write.ts";

/** The lists of columns omit `owner_id` and the columns of `RootRow`. */
export interface RootTables {
  readonly root: Query<object>;
  readonly ledger: Query<object>;
  readonly id: Query<object>;
  /** Columns that never change, as in `RootDeclaration`. */
  readonly fixed: Query<object>;
  /** Columns that revisions can change, in the order of `changingValues`. */
  readonly changing: Query<object>;
  /** True if `clocks` is one of them; default: false. */
  readonly hasClocks?: boolean;
  /** Select list of the changing columns that are always short. */
  readonly short: Query<object>;
  /** The other changing columns, read as text. */
  readonly long: LongColumns;
  /** Select list of columns that a root's `show` reads from other tables; default: none. */
  readonly derived?: Query<object>;
}

/** A kind of root, with the family's own SQL. */
interface RootParts<T extends RootTypes> extends
  Pick<
    Root<T>,
    | "module"
    | "policy"
    | "keyNames"
    | "idOf"
    | "show"
    | "showRevision"
    | "schema"
    | "assertWritable"
  > {
  readonly tables: (sql: Sql) => RootTables;
  readonly isNamed: (sql: Sql, key: T["key"]) => Query<object>;
  /** The values of `fixed`, each cast to its type unless it is a text. */
  readonly fixedValues: (sql: Sql, row: T["row"]) => Query<object>;
  readonly changingValues: (sql: Sql, row: T["row"]) => Query<object>;
  /** Further CTEs of a write, conditional on the claim; default: none. */
  readonly entries?: Entries<T>;
}

type Entries<T extends RootTypes> = (
  sql: Sql,
  owner: string,
  row: T["row"],
  change: T["change"] | BaseChange,
) => Query<object>;

export interface StoredRoot<T extends RootTypes> {
  readonly root: Root<T>;
  readonly tables: (sql: Sql) => RootTables;
  readonly isNamed: (sql: Sql, key: T["key"]) => Query<object>;
  /** CTEs that write a row, conditional on the claim, for a statement that writes more. */
  readonly entries: Entries<T>;
}

/** Makes the statements of a kind of root; the rest of the kit uses `root`. */
export function storedRoot<T extends RootTypes>(parts: RootParts<T>): StoredRoot<T> {
  const { tables, isNamed } = parts;
  const find = (sql: Sql, owner: string, key: T["key"]): Query<T["row"]> =>
    sql<T["row"]>`
      select ${rootColumns(sql, tables(sql))} from ${tables(sql).root}
       where owner_id = ${owner} and ${isNamed(sql, key)}`;
  const entries: Entries<T> = (sql, owner, row, change) =>
    writtenEntries(sql, parts, owner, row, change);
  const root: Root<T> = {
    ...parts,
    find,
    findAt: (sql, owner, key, revision) =>
      sql<RevisionRow<T>>`
        select ${revisionColumns(sql, tables(sql))} from ${revisions(sql, parts, owner, key)}
         where revision = ${revision}`,
    lock: (sql, owner, key) => sql<T["row"]>`${find(sql, owner, key)} for no key update`,
    lockRevision: (sql, owner, key, revision) =>
      sql`
        select 1 from ${tables(sql).root}
         where owner_id = ${owner} and ${isNamed(sql, key)} and revision = ${revision}
           for no key update`,
    write: (sql, ledger, owner, row, change) =>
      entryStatement(sql, ledger, entries(sql, owner, row, change)),
  };
  return { root, tables, isNamed, entries };
}

type RevisionRow<T extends RootTypes> = T["row"] & RevisionColumns<T>;

export function storedRevisions<T extends RootTypes>(
  stored: StoredRoot<T>,
  schema: JsonSchema,
): Listed<T["key"], RevisionRow<T>, ListedRevision<T>> {
  const ofCursor = (sql: Sql, owner: string, key: T["key"], cursor: string): Query<object> =>
    sql`
      select revision from ${revisions(sql, stored, owner, key)} where revision_id = ${cursor}`;
  return revisionsOf<T, RevisionRow<T>>(stored.root, {
    schema,
    cursor: ofCursor,
    rows(sql, { account: { accountId: owner } }, key, { cursor, limit }) {
      const { fixed, short, long } = stored.tables(sql);
      // The cursor is an identifier, but the order is by revision number.
      const after = cursor === null
        ? sql``
        : sql`where revision < (${ofCursor(sql, owner, key, cursor)})`;
      const columns = sql`${fixed}, ${ownColumns(sql)}, change, ${short}`;
      return readRows<RevisionRow<T>>(
        sql,
        (columns, limit) =>
          sql`
            select ${columns} from ${revisions(sql, stored, owner, key)} ${after}
             order by revision desc limit ${limit}`,
        { columns, long, limit },
      );
    },
  });
}

export function storedBelow<Key, T extends RootTypes>(
  { root: { idOf, show, schema }, tables }: StoredRoot<T>,
  isBelow: (sql: Sql, key: Key) => Query<object>,
): Listed<Key, T["row"], T["shown"]> {
  return {
    schema,
    cursorOf: idOf,
    show,
    cursor: (sql, owner, key, cursor) =>
      sql`
        select 1 from ${tables(sql).root}
         where owner_id = ${owner} and ${isBelow(sql, key)} and ${tables(sql).id} = ${cursor}`,
    rows: (sql, reader, key, page) =>
      readRoots<T["row"]>(sql, tables(sql), reader, isBelow(sql, key), page),
  };
}

interface RootsPage extends PageQuery {
  /** Conditions without an index, each starting with `and`; or null. */
  readonly conditions?: Query<object> | null;
}

/** The walk of an owner's rows in descending order of their identifier, from before `cursor`. */
export function newestFirst(
  sql: Sql,
  { from, id, owner, part, cursor }: {
    /** A table or a subquery. */
    readonly from: Query<object>;
    readonly id: Query<object>;
    readonly owner: string;
    readonly part: Query<object>;
    readonly cursor: string | null;
  },
): Walk {
  const order = sql`order by ${id} desc`;
  return {
    key: id,
    ordered: id,
    order,
    rows: (columns, limit) =>
      sql`
        select ${columns} from ${from}
         where owner_id = ${owner} and ${part}
           ${cursor === null ? sql`` : sql`and ${id} < ${cursor}`}
         ${order} limit ${limit}`,
  };
}

/**
 * A page of roots that match `part`, newest first. With conditions, it examines a limited number of
 * rows (`readWalk`).
 */
export async function readRoots<Row extends object>(
  sql: Sql,
  tables: RootTables,
  { account: { accountId: owner } }: Caller,
  part: Query<object>,
  { cursor, limit, conditions = null }: RootsPage,
): Promise<Walked<Row>> {
  const { root, id } = tables;
  const walk = newestFirst(sql, { from: root, id, owner, part, cursor });
  const columns = shortRootColumns(sql, tables);
  return await readWalk<Row>(sql, walk, { columns, long: tables.long, conditions, limit });
}

/** A page of the roots with these identifiers, in their order; shorter if `PAGE_BYTES` ends it. */
export async function readNamedRoots<Row extends object>(
  sql: Sql,
  tables: RootTables,
  { account: { accountId: owner } }: Caller,
  ids: readonly string[],
): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  const { root, id, long } = tables;
  const { rows } = await readRows<Row>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns}
          from unnest(string_to_array(${ids.join(" ")}, ' ')::ulid[])
                 with ordinality named (named_id, place)
               cross join lateral (
                 select * from ${root} where owner_id = ${owner} and ${id} = named_id offset 0) stored
         order by place limit ${limit}`,
    { columns: shortRootColumns(sql, tables), long, limit: ids.length },
  );
  return rows;
}

function ownColumns(sql: Sql): Query<object> {
  return sql`revision, revision_id, created_at, updated_at`;
}

export function rootColumns(sql: Sql, tables: RootTables): Query<object> {
  return sql`${shortRootColumns(sql, tables)}, ${wholeColumns(sql, tables.long)}`;
}

export function shortRootColumns(
  sql: Sql,
  { fixed, short, derived }: RootTables,
): Query<object> {
  const more = derived === undefined ? sql`` : sql`, ${derived}`;
  return sql`${fixed}, ${ownColumns(sql)}, ${short}${more}`;
}

function revisionColumns(sql: Sql, tables: RootTables): Query<object> {
  return sql`change, ${rootColumns(sql, tables)}`;
}

/** One root's revisions: the root's columns and `change`. */
function revisions<T extends RootTypes>(
  sql: Sql,
  { tables, isNamed }: Pick<StoredRoot<T>, "tables" | "isNamed">,
  owner: string,
  key: T["key"],
): Query<object> {
  const { root, ledger, id, fixed, changing } = tables(sql);
  return sql`
    (select owner_id, ${fixed}, created_at from ${root}
      where owner_id = ${owner} and ${isNamed(sql, key)}) named
    join (select owner_id, ${id}, revision, revision_id, change, created_at as updated_at, ${changing}
            from ${ledger}) revised using (owner_id, ${id})`;
}

function writtenEntries<T extends RootTypes>(
  sql: Sql,
  parts: RootParts<T>,
  owner: string,
  row: T["row"],
  change: T["change"] | BaseChange,
): Query<object> {
  const tables = parts.tables(sql);
  const written = change === "CREATED"
    ? insertRoot(sql, parts, owner, row)
    : updateRoot(sql, parts, owner, row);
  const more = parts.entries?.(sql, owner, row, change);
  return sql`
    written as (${written}),
    revised as (
      insert into ${tables.ledger} (owner_id, ${tables.id}, revision, revision_id, change, created_at,
                                    ${tables.changing})
      select owner_id, ${tables.id}, revision, revision_id, ${change}, updated_at, ${tables.changing}
        from written
    )${more === undefined ? sql`` : sql`, ${more}`}`;
}

function insertRoot<T extends RootTypes>(
  sql: Sql,
  { tables, fixedValues, changingValues }: RootParts<T>,
  owner: string,
  row: T["row"],
): Query<object> {
  const { root, fixed, changing } = tables(sql);
  return sql`
    insert into ${root} (owner_id, ${fixed}, ${ownColumns(sql)}, ${changing})
    select ${owner}, ${fixedValues(sql, row)}, ${row.revision}::integer, ${row.revision_id},
           ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz,
           ${changingValues(sql, row)}
      from claim where verdict = 'GO'
    returning *`;
}

function updateRoot<T extends RootTypes>(
  sql: Sql,
  { tables, idOf, changingValues }: RootParts<T>,
  owner: string,
  row: T["row"],
): Query<object> {
  const { root, id, changing, hasClocks } = tables(sql);
  return sql`
    update ${root} as stored
       set ${hasClocks ? sql`clocks_revision = ${row.revision}::integer,` : sql``}
           (revision, revision_id, updated_at, ${changing})
         = (select ${row.revision}::integer, ${row.revision_id}, ${row.updated_at}::timestamptz,
                   ${changingValues(sql, row)})
      from claim
     where stored.owner_id = ${owner} and ${id} = ${idOf(row)} and claim.verdict = 'GO'
    returning stored.*`;
}
