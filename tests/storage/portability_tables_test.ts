// engines: postgres
/** Tables with an owner in account exports and imports, or omitted with a reason. */

import { assert, assertEquals } from "@std/assert";
import type { LineType } from "../../src/portability/description.ts";
import { THUMBNAIL_LINES } from "../../src/portability/lines/attachments.ts";
import { AUDIT_ENTRIES, ENVELOPES } from "../../src/portability/lines/moved.ts";
import { LINE_TYPES, TABLES_LEFT_OUT } from "../../src/portability/line_types.ts";
import { type Json, sharedWorld } from "../support/world.ts";

const world = sharedWorld();

/** Additional lines of a moving account's file. */
const MOVED: readonly LineType[] = [AUDIT_ENTRIES, ENVELOPES, THUMBNAIL_LINES];

/** A table as its type of lines describes it. */
interface Described {
  readonly table: string;
  /** All columns except the owner. */
  readonly columns: readonly string[];
  /** Without the owner; null if not stated. */
  readonly key: readonly string[] | null;
}

const DESCRIBED = LINE_TYPES.flatMap(describe);

function describe({ table, key, columns, lists, derived }: LineType): Described[] {
  return [
    { table, columns: Object.keys(columns), key },
    ...lists.map(({ table, inherited, columns }) => (
      { table, columns: [...inherited, ...Object.keys(columns)], key: null }
    )),
    ...derived.map(({ table, columns }) => ({ table, columns: Object.keys(columns), key: null })),
  ];
}

Deno.test("Each table with an owner is in one type of lines, or omitted", async () => {
  const rows = await world().rows(`
    select distinct c.relname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and a.attname in ('owner_id', 'account_id') and c.relname <> 'accounts'`);
  const owned = rows.map(({ name }: Json) => name).sort();
  const named = [...DESCRIBED.map(({ table }) => table), ...Object.keys(TABLES_LEFT_OUT)];
  assertEquals(named.sort(), owned);
  for (const reason of Object.values(TABLES_LEFT_OUT)) assert(reason.length > 10);
});

Deno.test("Each type of lines has every column of its tables, ordered by key", async () => {
  for (const { table, columns, key } of [...DESCRIBED, ...MOVED.flatMap(describe)]) {
    const rows = await world().rows(`
      select attname as name, attnotnull as is_required from pg_attribute
       where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped
         and attgenerated = '' and attname <> 'owner_id'
         -- Of one database alone.
         and attname <> all (array['transaction_id', 'clocks_revision'])`);
    assertEquals([...columns].sort(), rows.map(({ name }: Json) => name).sort(), table);
    if (key === null) continue;
    const [primary] = await world().rows(`
      select array_to_string(array(
        select attname from unnest(conkey) with ordinality as k (number, place)
          join pg_attribute on attrelid = conrelid and attnum = number order by place), ' ') as names
        from pg_constraint where conrelid = '${table}'::regclass and contype = 'p'`);
    assertEquals(["owner_id", ...key].join(" "), primary.names, table);
  }
});

Deno.test("A column has a value in every line exactly if the table requires one", async () => {
  const types = [...LINE_TYPES, ...MOVED].flatMap((
    { table, columns, lists },
  ) => [{ table, columns }, ...lists]);
  for (const { table, columns } of types) {
    const rows = await world().rows(`
      select attname as name, attnotnull as is_required from pg_attribute
       where attrelid = '${table}'::regclass and attnum > 0`);
    for (const [name, kind] of Object.entries(columns)) {
      const column = rows.find((row: Json) => row.name === name);
      assertEquals(!kind.isOptional, column?.is_required, `${table}.${name}`);
    }
  }
});
