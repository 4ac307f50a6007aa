/** Files as lines of a text. */

import { assertEquals, assertRejects } from "@std/assert";
import {
  FILE_TEXTS,
  fileLine,
  lineAt,
  movedPlace,
  withLine,
} from "../../../src/console/web/fields/files/file_lines.js";
import { attach } from "../../../src/console/web/fields/files/upload.js";
import { CATALOG } from "../../../src/catalog/catalog.ts";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const PICTURE = `![](attachment:${ID})`;

Deno.test("A picture stands in the text, and another file is a link by its name", () => {
  const file = { attachmentId: ID, filename: "a [1] \\ b.pdf", mediaType: "application/pdf" };
  assertEquals(fileLine(file), `[a \\[1\\] \\\\ b.pdf](attachment:${ID})`);
  assertEquals(fileLine({ ...file, mediaType: "image/png" }), PICTURE);
});

Deno.test("A line comes after a blank line, and after another such line at once", () => {
  assertEquals(withLine("", PICTURE), PICTURE);
  assertEquals(withLine(" \n", PICTURE), PICTURE);
  assertEquals(withLine("Words", PICTURE), `Words\n\n${PICTURE}`);
  assertEquals(withLine("Words\n", PICTURE), `Words\n\n${PICTURE}`);
  const two = withLine(withLine("Words", PICTURE), "[b](attachment:x)");
  assertEquals(two, `Words\n\n${PICTURE}\n[b](attachment:x)`);
  assertEquals(withLine(`Words ${PICTURE}`, PICTURE), `Words ${PICTURE}\n\n${PICTURE}`);
});

Deno.test("A file at the caret is a line of its own", () => {
  assertEquals(lineAt("", 0, "L"), "L");
  assertEquals(lineAt("ab", 1, "L"), "\nL\n");
  assertEquals(lineAt("a\nb", 2, "L"), "L\n");
  assertEquals(lineAt("a\nb", 1, "L"), "\nL");
});

Deno.test("A place stays between the same words while others are typed", () => {
  assertEquals(movedPlace(3, "abcdef", "Xabcdef"), 4);
  assertEquals(movedPlace(3, "abcdef", "abcdefX"), 3);
  assertEquals(movedPlace(3, "abcdef", "abcXdef"), 3);
  assertEquals(movedPlace(3, "abcdef", "adef"), 1);
  assertEquals(movedPlace(3, "abcdef", ""), 0);
});

Deno.test("Each module has the texts that get its files", () => {
  for (const [code, names] of Object.entries(FILE_TEXTS)) {
    const module = CATALOG.modules.find((module) => module.code === code);
    for (const name of names) {
      assertEquals(module?.fields.find((field) => field.name === name)?.edit, "textarea", name);
    }
  }
});

Deno.test("A file that the service refuses for its size is not sent", async () => {
  const file = Object.defineProperty(new File([], "a"), "size", { value: 64 * 1024 ** 2 + 1 });
  await assertRejects(() => attach(file, () => {}, AbortSignal.abort()), Error, "HTTP_413");
});
