/** The files that a note shows. */

import { assertEquals } from "@std/assert";
import { Archive } from "../../../../src/imports/archive/archive.ts";
import { EmbeddedFiles } from "../../../../src/imports/converters/embeds.ts";

async function* noBytes(): AsyncGenerator<Uint8Array> {}

const PATHS = ["Note.md", "pic a.png", "sub/café.png", "x (1)/y.png", "a/only.png", "b/two.png"];
const files = new EmbeddedFiles(
  new Archive(
    [...PATHS, "c/two.png"].map((name, index) => {
      return { place: index + 1, name, size: 0, modified: null, bytes: noBytes };
    }),
    0,
  ),
);

Deno.test("Embeds name the files of an archive, as each product writes them", () => {
  const named = (text: string) => files.namesIn(text, "sub/Other.md");
  assertEquals(named("![[pic a.png|100]] ![](pic%20a.png) ![](<../pic a.png> 'Title')"), [
    "pic a.png",
  ]);
  assertEquals(named("![](cafe%CC%81.png) ![[café.png]]"), ["sub/café.png"]);
  assertEquals(named("![a](x%20(1)/y.png)"), ["x (1)/y.png"]);
  assertEquals(named("![[only.png]] ![[two.png]] ![[../../out.png]]"), [
    "a/only.png",
    "two.png",
    "../../out.png",
  ]);
  assertEquals(named("![[Note]] [[pic a.png]] ![](https://a.example/pic.png) ![](a b.png)"), []);
});

Deno.test("Embeds that do not end are skipped", () => {
  // Quadratic time would be minutes for this length.
  for (const opening of ["![[", "![](<", "![](a("]) {
    assertEquals(files.namesIn(opening.repeat(400_000 / opening.length), "Note.md"), []);
  }
});
