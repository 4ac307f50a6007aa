/** Texts that would be markup, script or a format elsewhere are texts, on every page. */

import { assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { CatalogModule } from "../../src/catalog/module.ts";
import { examplePayload } from "../../src/catalog/example_payload.ts";
import { journey } from "./support/console.ts";
import { assertHarmless, HOSTILE, tagsOf, visitDrawn } from "./support/hostile.ts";
import { callAs, settle } from "./support/person.ts";

/** Modules that have fields of every edit type between them, but for files, which have no text. */
function modulesOfEveryEditType(): CatalogModule[] {
  const met = new Set(["file"]);
  return CATALOG.modules.filter(({ entry, fields }) => {
    const isNew = fields.some(({ edit }) => !met.has(edit));
    if (entry !== "GENERIC" || !isNew || fields.some(({ edit }) => edit === "file")) return false;
    for (const { edit } of fields) met.add(edit);
    return true;
  });
}

journey(
  "No text becomes an element, a script or an address, and none widens a page",
  async (console) => {
    const page = await settle(console, { width: 320, height: 700 });
    for (const module of modulesOfEveryEditType()) {
      const texts = module.fields.filter(({ edit }) => edit === "textarea" || edit === "tags");
      const payload = { ...examplePayload(module) } as Record<string, unknown>;
      const plain = await callAs(page, "POST", `/api/v2/records/${module.code}`, {
        ...{ title: "A title", summary: "A summary", payload },
      });
      for (const { name, edit } of texts) {
        if (payload[name] !== undefined) {
          payload[name] = edit === "tags" ? [HOSTILE.slice(0, 60)] : HOSTILE;
        }
      }
      const hostile = await callAs(page, "POST", `/api/v2/records/${module.code}`, {
        ...{ title: HOSTILE.slice(0, 180), summary: HOSTILE, payload },
      });
      const path = `/console/records/${module.code}`;
      for (const end of ["", "/edit", "/history"]) {
        const found = [];
        for (const { recordId } of [plain, hostile]) {
          await visitDrawn(page, `${path}/${recordId}${end}`);
          found.push(await tagsOf(page));
          await assertHarmless(page, `${module.code}${end}`);
        }
        // What differs is the marks of what changed, and nothing that a text named.
        if (end !== "/history") assertEquals(found[0], found[1], `${module.code}${end}`);
      }
      await page.visit(path);
      await page.until(`document.querySelectorAll(".lines a").length === 2`);
      await assertHarmless(page, module.code);
    }
  },
);
