import { assert, assertEquals } from "@std/assert";
import { PARTS } from "../../../src/console/files.ts";
import { FILES } from "../../../src/console/joined.ts";
import { modulesOf, pageModules, preloadLinks } from "../../../src/console/preloads.ts";
import { PAGES } from "../../../src/console/web/core/signed_in/pages.js";

const linksOf = (path: string) =>
  [...preloadLinks(path, "/a/").matchAll(/<\/a\/([^>]+)>;rel=modulepreload/g)].map(([, name]) =>
    name ?? ""
  );

Deno.test("The module of every page is known, and has the page", async () => {
  assertEquals([...pageModules().keys()].sort(), PAGES.map(({ path }) => path).sort());
  for (const { path, load } of PAGES) {
    const name = pageModules().get(path) ?? "";
    const sources = (PARTS[name] ?? [name]).map((part) => `../../../src/console/web/${part}`);
    const modules = await Promise.all(sources.map((source) => import(source)));
    const page = await load();
    assert(modules.some((module) => Object.values(module).includes(page)), path);
  }
});

Deno.test("A module is loaded with its direct and indirect imports", () => {
  const loaded = modulesOf(["pages/draft_form.js"]);
  for (const name of ["pages/draft_form.js", "core/acts.js", "fields/controls.js"]) {
    assert(loaded.includes(name), name);
  }
  for (const name of loaded) assert(Object.hasOwn(FILES, name), name);
  assertEquals(new Set(loaded).size, loaded.length);
  // Imported only on a conflict.
  assert(!loaded.includes("pages/form_parts.js"));
});

Deno.test("A page has so few modules that 25 requests suffice, with its texts and answers", () => {
  for (const [path, page] of pageModules()) {
    const count = modulesOf(["app.js", "core/signed_in.js", page]).length;
    assert(count <= 14, `${path}: ${count} modules`);
  }
});

Deno.test("A page preloads its modules, in a header that every proxy accepts", () => {
  for (const [path, page] of pageModules()) {
    const needed = modulesOf(["app.js", "core/signed_in.js", page]);
    const named = linksOf(path);
    const missing = needed.filter((name) => !named.includes(name));
    assert(named.every((name) => needed.includes(name)), path);
    assert(preloadLinks(path, "/console/assets/0123456789ab/").length <= 2_500, path);
    // Modules that do not fit are those a browser finds soonest.
    assertEquals(missing, needed.slice(0, missing.length), path);
    assert(named.length >= 6, path);
  }
  assertEquals(preloadLinks("/console/nothing", "/a/"), "");
});
