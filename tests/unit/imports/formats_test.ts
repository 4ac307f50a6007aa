/** A new format is a converter, its entry in the list, and its test: nothing else names it. */

import { assertEquals } from "@std/assert";
import { consoleFormats } from "../../../scripts/import_formats.ts";
import { readSources, withoutComments } from "../../../scripts/module_graph.ts";
import { CONVERTERS } from "../../../src/imports/converters/converters.ts";
import { section, table } from "../../support/chapters.ts";
import { assertSnapshot } from "../../support/snapshot.ts";

const GENERATED = "src/console/web/logic/import_formats.js";

Deno.test(`${GENERATED} has the formats of the list`, async () => {
  assertSnapshot(GENERATED, consoleFormats(CONVERTERS), await Deno.readTextFile(GENERATED));
});

/** Writes a file of its format. */
const SAMPLE_LIFE = "src/console/web/logic/sample_life/index.js";

Deno.test("Only converters name a format", async () => {
  const formats = CONVERTERS.map(({ format }) => format);
  const sources = [...await readSources(".")].filter(([path]) =>
    /^src\/(?:imports|prs|console|client\/(?!wire\.ts))/.test(path) &&
    !path.startsWith("src/imports/converters/") && path !== GENERATED && path !== SAMPLE_LIFE &&
    !path.endsWith(".d.ts")
  );
  const naming = sources.flatMap(([path, text]) => {
    const code = withoutComments(text);
    return formats.filter((format) => code.includes(`"${format}"`)).map((format) =>
      `${path}: ${format}`
    );
  });
  assertEquals(naming, []);
});

Deno.test("A format in the list reaches the console", () => {
  const [first] = CONVERTERS;
  if (first === undefined) throw new Error("There are no converters");
  const added = {
    ...first,
    format: "novel-1",
    title: { en: "Novel", de: "Roman" },
  };
  const inConsole = '  "novel-1": {"title":{"en":"Novel","de":"Roman"},"mapping":null},';
  assertEquals(consoleFormats([added]).split("\n").includes(inConsole), true);
});

Deno.test("The chapter describes each format", () => {
  const rows = table(section("src/imports/README.md", "Formats")).map(([format = ""]) => format);
  assertEquals(rows.toSorted(), CONVERTERS.map(({ format }) => `\`${format}\``).toSorted());
});
