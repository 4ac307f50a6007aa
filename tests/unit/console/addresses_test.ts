/** Links of the console lead to existing pages. */

import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import {
  generalPath,
  moduleOfPath,
  modulePath,
  PLACES,
  recordPath,
} from "../../../src/console/web/core/names.js";
import { isOutward, isOwnAddress } from "../../../src/console/web/core/base/elements.js";
import { section, table } from "../../support/chapters.ts";
import { createPageRoutes } from "../../../src/console/page_routes.ts";
import { findPage, PAGES } from "../../../src/console/web/core/signed_in/pages.js";

Deno.test("Every module has a page, and its page identifies it", () => {
  const paths = CATALOG.modules.map(({ code }) => modulePath(code));
  assertEquals(new Set(paths).size, CATALOG.modules.length);
  for (const { code, access: entry } of CATALOG.modules) {
    const path = modulePath(code);
    assertEquals(path === generalPath(code), entry === "GENERIC", code);
    for (const place of [path, recordPath(code, "X"), generalPath(code, "X"), `${path}/new`]) {
      assertEquals(moduleOfPath(place), code, place);
    }
    for (const place of [path, recordPath(code, "X")]) assert(findPage(place) !== null, place);
    assert(code === "identity" || recordPath(code, "X") === `${path}/X`);
  }
  assertEquals(["/", "/console/drafts", "/console/tagsX"].map(moduleOfPath), [null, null, null]);
});

Deno.test("The service answers the addresses of all pages, and no others", () => {
  const nothing = () => ({ status: 200 });
  const routes = createPageRoutes({ shell: () => nothing, files: new Map() });
  const paths = (some: readonly { readonly path: string }[]) => some.map(({ path }) => path).sort();
  assertEquals(paths(routes), paths(PAGES));
});

Deno.test("The address of a page leads to this page, also where others have named segments", () => {
  for (const { path, load } of PAGES) {
    const address = path.replace(":part", "stages").replace(/:\w+/g, "X");
    assertEquals(findPage(address)?.load, load, address);
  }
});

Deno.test("Each page belongs to a place, except for drafts, and each place has a page", () => {
  const outside = PAGES.filter(({ place }) => place === null).map(({ path }) => path);
  assertEquals(outside, ["/console/drafts"]);
  for (const [place, path] of Object.entries(PLACES)) {
    assertEquals(place === "records" ? place : findPage(path)?.place, place);
  }
});

Deno.test("The chapter has a row for each page, and no others", () => {
  const rows = table(section("src/console/README.md", "Pages"));
  const named = rows.flatMap(([pages = ""]) =>
    Array.from(pages.matchAll(/`(.*?)`/g), ([, path]) => path)
  );
  assertEquals(named.sort(), PAGES.map(({ path }) => path.replace(/^\/console/, "")).sort());
});

Deno.test("An address never names a member of every object", () => {
  for (const address of ["/console/profile/constructor/new", "/console/people/X/ledger/toString"]) {
    assertEquals(findPage(address), null, address);
  }
});

Deno.test("A link leads to this origin, or out in a new tab that cannot reach this one", () => {
  const away = { target: "_blank", rel: "noopener noreferrer" };
  for (const href of ["https://example.org/", "http://example.org/a?b#c"]) {
    assert(!isOwnAddress(href) && isOutward("a", { href, ...away }), href);
    for (const one of [{}, { target: "_blank" }, { ...away, rel: "noopener" }, { rel: away.rel }]) {
      assert(!isOutward("a", { href, ...one }), JSON.stringify(one));
    }
    assert(!isOutward("area", { href, ...away }));
  }
  const refused = [
    "javascript:alert(1)",
    "data:text/html,x",
    "mailto:someone@example.org",
    "ftp://example.org",
    "//example.org",
    "/\\example.org",
    "https:example.org",
    "https://a b",
    "https://a\\b",
    "",
  ];
  for (const href of refused) {
    assert(!isOwnAddress(href) && !isOutward("a", { href, ...away }), href);
  }
  for (const href of ["/console/people?q=1#top", "#main", "blob:http://localhost/1"]) {
    assert(isOwnAddress(href), href);
  }
});
