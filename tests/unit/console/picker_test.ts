/** Options of pickers, and texts of corrected details. */

import { assert, assertEquals } from "@std/assert";
import { fits } from "../../../src/console/web/core/background/options.js";
import { isSameName, REFERENCES } from "../../../src/console/web/fields/references.js";
import { isReference } from "../../../src/console/web/fields/shown/values.js";
import { CATALOG } from "../../../src/catalog/catalog.ts";

Deno.test("A short list is narrowed by the beginnings of words", () => {
  assert(fits("AI sessions", "ses ai"));
  assert(fits("Über den Fluss", "uber"));
  assert(fits("Memories", ""));
  assert(!fits("Memories", "ories"));
});

Deno.test("A name is a person's without regard to case", () => {
  assert(isSameName(" anna berg", "Anna Berg"));
  assert(isSameName("Zoe\u0308", "Zoë"));
  assert(!isSameName("Anna", "Anna Berg"));
});

Deno.test("Every field for an identifier has a picker", () => {
  const others = ["fileId", "attachmentIds"];
  const named = CATALOG.modules.filter(({ access }) => access === "GENERIC")
    .flatMap(({ fields }) => fields)
    .filter(({ name }) => /(Id|Ids|Ref|Refs|Module)$/.test(name) && !others.includes(name));
  for (const field of named) assert(isReference(field), field.name);
  assertEquals(named.length, 8);
  for (const name of Object.keys(REFERENCES)) assert(isReference({ name, edit: "text" }), name);
});
