import { assertEquals } from "@std/assert";
import { type Files, findMissing, readFiles, WALKS } from "../../../scripts/check_family.ts";

const PROJECT = new URL("../../..", import.meta.url).pathname;
const FILES = await readFiles(PROJECT);
const FAMILIES = ["decision", "identity", "memory", "relationship", "resource", "taxonomy"];

function without(path: string, text: string): Files {
  const file = FILES.get(path) ?? "";
  return new Map([...FILES, [path, file.replaceAll(text, "")]]);
}

for (const family of FAMILIES) {
  Deno.test(`The family ${family} is complete`, () => {
    assertEquals(findMissing(FILES, family), []);
  });
}

Deno.test("A family without a schema step is reported first", () => {
  assertEquals(findMissing(FILES, "journal"), [
    "sql: has no step NNNN_journal.sql with the family's tables",
  ]);
});

Deno.test("Each missing place is reported with its file", () => {
  const cases: readonly [string, string, string][] = [
    ["src/catalog/module_codes.ts", `"resource"`, "the code of the module"],
    ["src/routes.ts", `./families/resource/`, "the type of the endpoints"],
    ["src/operator/backup/tables.ts", `"resource_snapshots"`, "a table in every backup"],
    ["tests/storage/table_classes.ts", `"resources"`, "what may happen to the rows"],
    ["scripts/check_imports.ts", `"resource_revisions"`, "a table of the family"],
    ["src/http/route.ts", `"resource"`, "the tokens that are limited to the module"],
    ["src/portability/line_types.ts", `./lines/resource.ts`, "the lines of an account file"],
    ["tests/http/error_codes_test.ts", `RESOURCE_`, "a request for each code"],
    ["README.md", `resource (family)`, "the module among the families"],
  ];
  for (const [path, text, means] of cases) {
    assertEquals(findMissing(without(path, text), "resource"), [`${path}: ${means}: ${text}`]);
  }
  const files = new Map(FILES);
  files.delete("tests/http/resource_leak_test.ts");
  assertEquals(findMissing(files, "resource"), ["tests/http/resource_leak_test.ts: is missing"]);
});

Deno.test("The tests that the check names exist", async () => {
  for (const path of WALKS) await Deno.stat(`${PROJECT}/${path}`);
});
