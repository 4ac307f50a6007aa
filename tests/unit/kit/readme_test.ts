/** Compares the chapters of the families and their kit with the test family's code. */

import { assert, assertEquals } from "@std/assert";
import { chapter } from "../../support/chapters.ts";

const PROJECT = new URL("../../..", import.meta.url).pathname;
const README = `${chapter("src/kit/README.md")}\n${chapter("src/families/README.md")}`;

interface Block {
  readonly language: string;
  readonly path: string;
  readonly text: string;
}

function blocksOf(markdown: string): Block[] {
  return Array.from(
    markdown.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm),
    ([, language = "", path = "", text = ""]) => ({ language, path, text }),
  );
}

/** Formatting moves fragments left. */
function unindented(text: string): string {
  return text.replaceAll(/^ +/gm, "");
}

Deno.test("Every code block of the families' chapters is in the file that it names", async () => {
  const blocks = blocksOf(README).filter(({ language }) => language !== "mermaid");
  assert(blocks.length >= 10, `${blocks.length} blocks`);
  for (const { path, text } of blocks) {
    assert(path !== "", `A block names no file: ${text}`);
    const source = await Deno.readTextFile(`${PROJECT}/${path}`);
    assert(unindented(source).includes(unindented(text)), `${path} has no longer:\n${text}`);
  }
});

Deno.test("Every file and name in the families' chapters exists", async () => {
  const paths = new Set(
    Array.from(README.matchAll(/`((?:src|sql|tests|scripts)\/[\w/.]+)`/g), ([, path = ""]) => path),
  );
  assert(paths.size >= 10);
  for (const path of paths) {
    const isTemplate = path.includes("NAME") || path.includes("NNNN");
    if (!isTemplate) assert(await Deno.stat(`${PROJECT}/${path}`), path);
  }
  const kit = await Promise.all(
    ["columns", "declaration", "fields", "tables", "kinds"].map((name) =>
      Deno.readTextFile(`${PROJECT}/src/kit/${name}.ts`)
    ),
  );
  const names = ["rootMembers", "fieldsOf", "keptFields", "rootParts", "RootRowOf", "ShownRootOf"];
  assertEquals(
    names.filter((name) =>
      !kit.some((source) => source.includes(` ${name}<`) || source.includes(` ${name}(`))
    ),
    [],
  );
  const kinds = kit.at(-1)?.match(/^export (?:const|function)/gm)?.length;
  assertEquals(kinds, 14, "README says how many kinds there are");
});
