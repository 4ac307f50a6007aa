/** Compares the tables of `sql/README.md` with the steps of the schema. */

import { assert, assertEquals } from "@std/assert";
import { MIGRATIONS } from "../../../src/database/migration_files.ts";
import { chapter, table } from "../../support/chapters.ts";

const README = chapter("sql/README.md");

interface Definition {
  readonly defined: string;
  readonly changed: string[];
}

function numbered(version: number): string {
  return String(version).padStart(4, "0");
}

/** The tables and functions that a step defines or changes. */
function touchedBy(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, "");
  const patterns = [
    /^create table (\w+)/gm,
    /^alter table (?:if exists )?(\w+)/gm,
    /^create (?:or replace )?(?:function|procedure) (\w+)/gm,
    /^create (?:unique )?index \w+\s+on (\w+)/gm,
    /^call make_clocks(?:_of_\w+)?\('(\w+)'/gm,
    /^call make_clocks\('\w+', '(\w+)'/gm,
    /^create (?:constraint )?trigger \w+[^;]*? on (\w+)/gm,
  ];
  return patterns.flatMap((pattern) => Array.from(code.matchAll(pattern), ([, name = ""]) => name));
}

function definitions(): Map<string, Definition> {
  const found = new Map<string, Definition>();
  for (const { version, name, sql } of MIGRATIONS) {
    for (const touched of new Set(touchedBy(sql))) {
      const known = found.get(touched);
      if (known === undefined) {
        found.set(touched, { defined: `${numbered(version)}_${name}`, changed: [] });
      } else known.changed.push(numbered(version));
    }
  }
  return found;
}

Deno.test("The chapter names each table and function that a later step changed", () => {
  const changed = [...definitions()].filter(([, { changed }]) => changed.length > 0)
    .map(([name, { defined, changed }]) => [`\`${name}\``, defined, changed.join(", ")]).sort();
  const rows = table(README.slice(README.indexOf("| Table or function")));
  assertEquals(rows, changed);
});

Deno.test("Steps after 26 extend the lists of words by their functions", () => {
  const lists = MIGRATIONS.find(({ name }) => name === "word_lists")?.sql ?? "";
  const constraints = Array.from(lists.matchAll(/add constraint (\w+)/g), ([, name = ""]) => name);
  assert(constraints.length >= 6);
  for (const { version, name, sql } of MIGRATIONS.filter(({ version }) => version > 26)) {
    const restated = constraints.filter((constraint) => sql.includes(constraint));
    assertEquals(restated, [], `${version} ${name}`);
  }
});
