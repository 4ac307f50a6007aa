/**
 * `deno task family:check NAME`: lists files in which a family is missing, and the tests that find
 * the rest. NAME is the code of its module, its folder, and its step in `sql/`.
 */

import { LINE_TYPES, TABLES_LEFT_OUT } from "../src/portability/line_types.ts";
import { print } from "./print.ts";

/** They walk over all routes, tables, roots and codes, and fail until they know the family. */
export const WALKS: readonly string[] = [
  "unit",
  "http/contract_walk_test.ts",
  "http/error_codes_test.ts",
  "http/openapi_test.ts",
  "http/client_contract_test.ts",
  "http/route_rules_test.ts",
  "http/erased_test.ts",
  "storage/account_round_trip_test.ts",
  "storage/constraints_test.ts",
  "storage/indexes_test.ts",
  "storage/portability_tables_test.ts",
  "storage/roots_test.ts",
  "storage/route_plans_test.ts",
  "storage/schema_snapshot_test.ts",
].map((path) => `tests/${path}`);

/** Keyed by path. */
export type Files = ReadonlyMap<string, string>;

/** A file that must mention every family. */
interface Place {
  readonly file: string;
  readonly needs: readonly string[];
  readonly means: string;
}

/** One sentence each. */
export function findMissing(files: Files, name: string): string[] {
  const step = [...files.keys()].find((path) => path.endsWith(`_${name}.sql`));
  if (step === undefined) return [`sql: has no step NNNN_${name}.sql with the family's tables`];
  const tables = [...(files.get(step) ?? "").matchAll(/^create table (\w+)/gm)].map(([, table]) =>
    table ?? ""
  );
  return [
    ...places(name, tables).flatMap((place) => missingIn(files, place)),
    ...missingFiles(files, name),
    ...missingLines(tables),
  ];
}

function missingIn(files: Files, { file, needs, means }: Place): string[] {
  const text = files.get(file) ?? "";
  return needs.filter((need) => !text.includes(need)).map((need) => `${file}: ${means}: ${need}`);
}

function places(name: string, tables: readonly string[]): readonly Place[] {
  const upper = name.toUpperCase().replaceAll("-", "_");
  const quoted = tables.map((table) => `"${table}"`);
  return [
    at("src/catalog/module_codes.ts", "the code of the module", `"${name}"`),
    at(`src/catalog/modules/${name}.ts`, "the module has routes of its own", "access: "),
    at("src/catalog/catalog.ts", "the module", `./modules/${name}.ts`),
    at("src/access/permissions.ts", "a permission to read", `"${name}.`),
    at("src/access/assistant_authenticator.ts", "what assistants may read", `"${name}.`),
    at("src/errors/codes.ts", "the refusal of the generic routes", `${upper}_`),
    at("src/database/migration_files.ts", "the step", `_${name}.sql`),
    at("src/http/route.ts", "the tokens that are limited to the module", `"${name}"`),
    at("src/routes.ts", "the type of the endpoints", `./families/${name}/`),
    at("src/routes.ts", "a route that reads", `"${name}.`),
    at("src/app.ts", "makes the endpoints", `./families/${name}/`),
    at(
      "scripts/check_imports.ts",
      "the layer, and the owner of the tables",
      `src/families/${name}/`,
    ),
    at("scripts/check_imports.ts", "a table of the family", ...quoted),
    at("src/operator/backup/tables.ts", "a table in every backup", ...quoted),
    at(
      "src/erasure/rules.ts",
      "what erasure does with the rows",
      ...tables.map((table) => `  ${table}: `),
    ),
    at("src/portability/line_types.ts", "the lines of an account file", `./lines/${name}.ts`),
    at("src/portability/markdown/file_types.ts", "the Markdown files", `../lines/${name}.ts`),
    at("tests/storage/table_classes.ts", "what may happen to the rows", ...quoted),
    at("tests/storage/root_kinds.ts", "the roots that each guard is tried on", `${name}/`),
    at("tests/storage/whole_account.ts", "an account that has some", `${name}/`),
    at("src/console/web/core/names.js", "the address of the pages", `${name}: "/console/`),
    at("src/console/web/lang/de/labels/modules.js", "the name in German", `${name}: "`),
    at("src/console/web/lang/de/modules.js", "what it is for, in German", `"purpose.${name}"`),
    at("src/console/web/lang/en/modules.js", "what it is for", `"purpose.${name}"`),
    at("tests/http/examples.ts", "what a walk sends to each route", `families/${name}/`),
    at("tests/http/error_codes_test.ts", "a request for each code", `${upper}_`),
    at("tests/http/feature_access_test.ts", "the codes of the generic routes", `  ${name}: [`),
    at("tests/storage/authorization_test.ts", "who has the permissions", `"${name}.`),
    at(
      "tests/storage/constraints_test.ts",
      "rows that each constraint rejects",
      `families/${name}/`,
    ),
    at("tests/unit/catalog/figures_test.ts", "the numbers of the module", `["${name}", `),
    at("tests/unit/records/module_access_test.ts", "who reads the projection", `  ${name}: `),
    at("tests/README.md", "the proofs of the family", `| ${name} `),
    at("README.md", "the module among the families", `${name} (family)`),
    at("src/README.md", "the folder in the map", `\n    ${name}/ `),
    at("src/catalog/README.md", "the addresses", `\n| ${name} `),
  ];
}

function at(file: string, means: string, ...needs: readonly string[]): Place {
  return { file, needs, means };
}

function missingFiles(files: Files, name: string): string[] {
  const paths = [...files.keys()];
  const wanted: Readonly<Record<string, RegExp>> = {
    [`src/families/${name}/…_routes.ts`]: new RegExp(`^src/families/${name}/\\w+_routes\\.ts$`),
    [`tests/storage/${name}_plans_test.ts`]: new RegExp(`^tests/storage/${name}_plans_test\\.ts$`),
    [`tests/http/${name}_fault_test.ts`]: new RegExp(`^tests/http/${name}_fault_test\\.ts$`),
    [`tests/http/${name}_leak_test.ts`]: new RegExp(`^tests/http/${name}_leak_test\\.ts$`),
  };
  return Object.entries(wanted)
    .filter(([, pattern]) => !paths.some((path) => pattern.test(path)))
    .map(([file]) => `${file}: is missing`);
}

/** Each table is in the account file, or in the list of omitted ones with a reason. */
function missingLines(tables: readonly string[]): string[] {
  const written = new Set(LINE_TYPES.flatMap(({ table, lists, derived }) => [
    table,
    ...lists.map((list) => list.table),
    ...derived.map((rows) => rows.table),
  ]));
  return tables
    .filter((table) => !written.has(table) && !Object.hasOwn(TABLES_LEFT_OUT, table))
    .map((table) => `src/portability/line_types.ts: a line of an account file: ${table}`);
}

export async function readFiles(project: string): Promise<Files> {
  const files = new Map<string, string>();
  const walk = async (folder: string): Promise<void> => {
    for await (const entry of Deno.readDir(`${project}/${folder}`)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) await walk(path);
      else if (/\.(?:ts|js|sql|md)$/.test(path)) {
        files.set(path, await Deno.readTextFile(`${project}/${path}`));
      }
    }
  };
  for (const folder of ["src", "sql", "scripts", "tests"]) await walk(folder);
  files.set("README.md", await Deno.readTextFile(`${project}/README.md`));
  return files;
}

if (import.meta.main) {
  const [name = ""] = Deno.args;
  const isName = /^[a-z][a-z_-]*$/.test(name);
  const missing = isName ? findMissing(await readFiles("."), name) : ["Usage: family:check NAME"];
  const rest = ["The rest is found by:", "deno task snapshot", `deno task test ${WALKS.join(" ")}`];
  const lines = [...missing, `${missing.length} missing`, ...isName ? rest : []];
  print(lines.join("\n"));
  Deno.exitCode = missing.length === 0 ? 0 : 1;
}
