/** The initial archive of embedded databases. */

import { PGlite } from "@electric-sql/pglite";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readArchive } from "../../src/database/initial_files.ts";
import { ENGINE } from "../support/world.ts";

/** Random samples of ANALYZE, and a version's text. */
const VARYING = ["pg_statistic", "information_schema.sql_implementation_info"];

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
        from (select t::text collate "C" as row_text from ${name} t) rows`);
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

Deno.test({
  name: "The archive has exactly the files of the engine's initdb",
  ignore: ENGINE !== "embedded",
  async fn() {
    const made = await catalogsOf({});
    assert(made.size > 60, "the engine has its catalogs");
    assertEquals(await catalogsOf({ loadDataDir: await dataDir() }), made);
  },
});

async function readAll(bytes: Uint8Array): Promise<number> {
  const stream = new Blob([bytes.slice()]).stream();
  return (await Array.fromAsync(readArchive(stream))).length;
}

/** A header with one part altered. */
function header(altered: { name?: string; size?: string; type?: string } = {}): Uint8Array {
  const { name = "/base", size = "00000000004", type = "0" } = altered;
  const text = name.padEnd(124, "\0") + size.padEnd(32, "\0") + type;
  return new TextEncoder().encode(text.padEnd(512, "\0"));
}

Deno.test("readArchive() reads files and directories, and rejects anything else", async () => {
  const [data, end] = [new Uint8Array(512), new Uint8Array(512)];
  const archive = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
  const folder = header({ name: "/base/1", size: "0", type: "5" });
  assertEquals(await readAll(archive(header(), data, folder, end)), 2);
  await assertRejects(() => readAll(archive(header(), data)), Error, "cut off");
  await assertRejects(() => readAll(archive(header())), Error, "cut off");
  for (
    const altered of [{ name: "/.." }, { name: "/a/../b" }, { name: "a" }, { name: "//a" }, {
      size: "x",
    }, { type: "2" }]
  ) {
    await assertRejects(() => readAll(archive(header(altered), data, end)), Error, "not known");
  }
});
