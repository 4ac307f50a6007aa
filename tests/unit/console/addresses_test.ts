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
import { isOutward, isOwnAddress, isReach } from "../../../src/console/web/core/base/elements.js";
import { outwardAddress } from "../../../src/console/web/fields/markdown/places.js";
import { section, table } from "../../support/chapters.ts";
import { createPageRoutes } from "../../../src/console/page_routes.ts";
import { AUTHORIZE, findPage, PAGES } from "../../../src/console/web/core/signed_in/pages.js";

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
  const pages = { shell: () => nothing, files: new Map() };
  const paths = (some: readonly { readonly path: string }[]) => some.map(({ path }) => path).sort();
  assertEquals(paths(createPageRoutes(pages, true)), paths(PAGES));
  const others = PAGES.filter(({ path }) => path !== AUTHORIZE);
  assertEquals(paths(createPageRoutes(pages, false)), paths(others));
});

Deno.test("The address of a page leads to this page, also where others have named segments", () => {
  for (const { path, load } of PAGES) {
    const address = path.replace(":part", "stages").replace(/:\w+/g, "X");
    assertEquals(findPage(address)?.load, load, address);
  }
});

Deno.test("Each page belongs to a place, except for two, and each place has a page", () => {
  const outside = PAGES.filter(({ place }) => place === null).map(({ path }) => path);
  assertEquals(outside, [AUTHORIZE, "/console/drafts"]);
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

Deno.test("A link reaches a number, a mail address or a place, and nothing hides in it", () => {
  const reaching = [
    "tel:+493012345678",
    "sms:0170123",
    "mailto:lena%2Bhome@example.org",
    "geo:52.5,-13.404954",
    "geo:0,0?q=A%20Street%201",
  ];
  for (const href of reaching) {
    assert(isReach("a", href) && !isOwnAddress(href), href);
    assert(!isReach("area", href) && !isReach("a", ` ${href}`) && !isReach("a", `${href}\n`));
  }
  const refused = [
    "tel:",
    "tel:12",
    "tel:0170 123",
    "tel:+49+30",
    "tel:*21*0170%23",
    "tel:123;phone-context=x",
    "sms:123?body=x",
    "sms:123,456",
    `tel:${"1".repeat(10_000)}`,
    "mailto:a@b?bcc=c@d",
    "mailto:a@b,c@d",
    "mailto:a@b%0Abcc:c",
    'mailto:"a"@b',
    "mailto:a b@c",
    "mailto:ä@b",
    `mailto:a@${"b".repeat(10_000)}`,
    "geo:0,0?q=a&b",
    "geo:0,0?q=%00",
    "geo:1e9,0",
    "geo:0,0?q=",
    "TEL:123",
    "javascript:alert(1)",
    "tel:javascript:alert(1)",
    "data:text/html,x",
    "sip:123@example.org",
  ];
  for (const href of refused) assert(!isReach("a", href), href);
});

Deno.test("A field that is a web address leads there, and to no other host than it shows", () => {
  const addresses: Readonly<Record<string, string | null>> = {
    "https://example.org/a?b=c#d": "https://example.org/a?b=c#d",
    "HTTP://Example.org": "http://example.org/",
    "www.example.org/a": "https://www.example.org/a",
    // With a Cyrillic letter.
    "https://ex\u0430mple.org/": "https://xn--exmple-4nf.org/",
    "https://example.org@evil.example/": null,
    "https://a:b@evil.example/": null,
    "https://example.org\\@evil.example/": null,
    "https://a b": null,
    "see https://example.org": null,
    "https://": null,
    "javascript:alert(1)": null,
    "//example.org": null,
    "example.org": null,
    "": null,
  };
  for (const [text, href] of Object.entries(addresses)) assertEquals(outwardAddress(text), href);
});
