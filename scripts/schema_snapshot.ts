/**
 * The net schema as text, read from the catalog tables: what all migrations together come to, the
 * same on both engines and from run to run.
 */

/** Runs a query without parameters. */
export type Rows = (query: string) => Promise<readonly CatalogRow[]>;

/** A row of catalog texts. */
export type CatalogRow = Readonly<Record<string, string | null>>;

const HEADER =
  `-- The net schema of all migrations, read from the catalog tables of a migrated database.
-- Written by \`deno task snapshot\`; a test compares it with both engines. Do not edit.`;

/** Describes everything in the schema `public`. */
export async function describeSchema(rows: Rows): Promise<string> {
  const tables = await rows(TABLES);
  const members = [...await rows(COLUMNS), ...await rows(CONSTRAINTS)];
  const followers = [...await rows(INDEXES), ...await rows(TRIGGERS)];
  const describeTable = (table: CatalogRow) => {
    const of = (row: CatalogRow) => row.table === table.name;
    const inside = members.filter(of).map((row) => `  ${row.text}`).join(",\n");
    return [`create table ${table.name} (\n${inside}\n);`, ...followers.filter(of).map(textOf)];
  };
  const parts = [
    ...(await rows(OTHERS)).map(textOf),
    ...(await rows(DOMAINS)).map(textOf),
    ...tables.map((table) => describeTable(table).join("\n")),
    ...(await rows(FUNCTIONS)).map(textOf),
  ];
  return `${[HEADER, ...parts].join("\n\n")}\n`;
}

function textOf(row: CatalogRow): string {
  return row.text ?? "";
}

/** Kinds of relations that the description does not know: there should be none. */
const OTHERS = `
  select format('-- not described: relation %s of kind %s', relname, relkind) as text
    from pg_class
   where relnamespace = 'public'::regnamespace and relkind not in ('r', 'i')
   order by relname collate "C"`;

const DOMAINS = `
  select format('create domain %s as %s%s%s;', t.typname, format_type(t.typbasetype, t.typtypmod),
                (select format(' collate %I', l.collname) from pg_collation l
                  where l.oid = t.typcollation and l.collname <> 'default'),
                (select string_agg(format(E'\\n  constraint %s %s', c.conname,
                                          pg_get_constraintdef(c.oid, true)), '' order by c.conname)
                   from pg_constraint c where c.contypid = t.oid and c.contype = 'c')) as text
    from pg_type t
   where t.typnamespace = 'public'::regnamespace and t.typtype = 'd'
   order by t.typname collate "C"`;

const TABLES = `
  select relname as name from pg_class
   where relnamespace = 'public'::regnamespace and relkind = 'r'
   order by relname collate "C"`;

const COLUMNS = `
  select r.relname as table,
         a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
           || coalesce((select format(' collate %I', l.collname) from pg_collation l join pg_type t
                            on t.oid = a.atttypid
                         where l.oid = a.attcollation and a.attcollation <> t.typcollation), '')
           || case when a.attnotnull then ' not null' else '' end
           || case when d.oid is null then ''
                   when a.attgenerated = 's' then format(' generated always as (%s) stored',
                                                         pg_get_expr(d.adbin, d.adrelid, true))
                   else ' default ' || pg_get_expr(d.adbin, d.adrelid, true) end as text
    from pg_attribute a join pg_class r on r.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where r.relnamespace = 'public'::regnamespace and r.relkind = 'r'
     and a.attnum > 0 and not a.attisdropped
   order by r.relname collate "C", a.attnum`;

/** NOT NULL stands with its column; a constraint trigger stands with the triggers. */
const CONSTRAINTS = `
  select r.relname as table,
         format('constraint %s %s', c.conname, pg_get_constraintdef(c.oid, true)) as text
    from pg_constraint c join pg_class r on r.oid = c.conrelid
   where c.connamespace = 'public'::regnamespace and c.contype not in ('n', 't')
   order by r.relname collate "C", position(c.contype::text in 'pucfx'), c.conname collate "C"`;

/** The index of a key or a unique constraint is its constraint's. */
const INDEXES = `
  select r.relname as table, pg_get_indexdef(i.indexrelid, 0, true) || ';' as text
    from pg_index i join pg_class r on r.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
   where r.relnamespace = 'public'::regnamespace
     and not exists (select from pg_constraint c
                      where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))
   order by r.relname collate "C", x.relname collate "C"`;

const TRIGGERS = `
  select r.relname as table,
         pg_get_triggerdef(t.oid, true) || ';' || case t.tgenabled
           when 'A' then format(E'\\nalter table %s enable always trigger %s;', r.relname, t.tgname)
           when 'O' then ''
           else format(E'\\n-- enabled: %s', t.tgenabled) end as text
    from pg_trigger t join pg_class r on r.oid = t.tgrelid
   where r.relnamespace = 'public'::regnamespace and not t.tgisinternal
   order by r.relname collate "C", t.tgname collate "C"`;

const FUNCTIONS = `
  select rtrim(pg_get_functiondef(oid), E'\\n') || ';' as text
    from pg_proc where pronamespace = 'public'::regnamespace
   order by proname collate "C", pg_get_function_identity_arguments(oid) collate "C"`;
