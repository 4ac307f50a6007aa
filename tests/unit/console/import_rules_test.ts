/** Sentences for the rules and counts of imports. */

import { assert, assertEquals } from "@std/assert";
import { isPermission } from "../../../src/access/permissions.ts";
import imports from "../../../src/console/web/lang/en/imports.js";
import rules from "../../../src/console/web/lang/en/import_rules.js";
import records from "../../../src/console/web/lang/en/records/index.js";
import shell from "../../../src/console/web/lang/en.js";
import { filesUnder } from "../../support/attachments.ts";

const SENTENCES = { ...shell.sentences, ...records, ...imports, ...rules };

/** The families of rules and of counted names. */
const NAME =
  /"((?:ADR|activity|address|attachment|card|csv|day_one|detail|field|file|filename|folder|front_matter|group|gzip|health|ical|import|item|items|joplin|json|link|mapping|monica|note|place|reminder|tag|tar|text|textbundle|title|vcard|visit|zip)\.[a-z_0-9]+)"/g;
/** Actions of the audit trail, and a rule of a digest that only programs send. */
const OTHERS = ["import.item", "import.move", "import.original", "field.digest"];
const FILE_NAME = /\.(?:json|jsonl|markdown|md|txt)$/;

async function namesOfImports(): Promise<Set<string>> {
  const names = new Set<string>();
  const files = (await filesUnder("src/imports")).filter((path) => path.endsWith(".ts"));
  for (const path of files) {
    for (const [, name = ""] of (await Deno.readTextFile(`src/imports/${path}`)).matchAll(NAME)) {
      names.add(name);
    }
  }
  return names.difference(new Set(OTHERS));
}

Deno.test("Every rule and counted name of imports has a sentence", async () => {
  const names = [...await namesOfImports()].filter((name) =>
    !isPermission(name) && !FILE_NAME.test(name)
  );
  assert(names.length > 60);
  const wordless = names.filter((name) =>
    !Object.hasOwn(SENTENCES, name) && !Object.hasOwn(SENTENCES, `leftOut.${name}`)
  );
  assertEquals(wordless, []);
});
