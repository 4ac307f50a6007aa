/** Compares the archive of initial files with a database that the engine creates itself. */

import { PGlite } from "@electric-sql/pglite";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { assert, assertEquals } from "@std/assert";

/** Random samples of ANALYZE, and a version's text. */
const VARYING = ["pg_statistic", "information_schema.sql_implementation_info"];

/**
 * The archive is of an older minor release than the engine, which has a function more for
 * pg_upgrade and a version of each column. Data folders of earlier releases of the service lack
 * both too.
 */
const COMPARED: Readonly<Record<string, string>> = {
  pg_attribute: "select to_jsonb(t) - 'attoptions' from pg_attribute t",
  pg_class:
    "select to_jsonb(t) - '{relpages,reltuples,relallvisible,relallfrozen}'::text[] from pg_class t",
  pg_description: "select t from pg_description t where objoid <> 4551",
  pg_proc: "select t from pg_proc t where oid <> 4551",
};

/** One digest per system table. */
async function readCatalogs(engine: PGlite): Promise<ReadonlyMap<string, string>> {
  const { rows } = await engine.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace in ('pg_catalog'::regnamespace,
                                              'information_schema'::regnamespace)`);
  const digests = new Map<string, string>();
  for (const { name } of rows.filter(({ name }) => !VARYING.includes(name))) {
    const found = await engine.query<{ digest: string }>(`
      select count(*) || ' ' || md5(coalesce(string_agg(row_text, '|' order by row_text), ''))
               as digest
        from (select r::text collate "C" as row_text
                from (${COMPARED[name] ?? `select t from ${name} t`}) compared(r)) rows`);
    digests.set(name, found.rows[0]?.digest ?? "");
  }
  const control = await engine.query<{ digest: string }>(`
    select s.catalog_version_no || ' ' || s.pg_control_version || ' ' || i::text as digest
      from pg_control_system() s, pg_control_init() i`);
  return digests.set("control", control.rows[0]?.digest ?? "");
}

async function catalogsOf(options: { readonly loadDataDir?: Blob }) {
  const engine = await PGlite.create(options);
  try {
    return await readCatalogs(engine);
  } finally {
    await engine.close();
  }
}

Deno.test("The archive has exactly the files of the engine's initdb", async () => {
  const made = await catalogsOf({});
  assert(made.size > 60, "the engine has its catalogs");
  assertEquals(await catalogsOf({ loadDataDir: await dataDir() }), made);
});
