import { assert, assertEquals } from "@std/assert";
import { isReach } from "../../../src/console/web/core/base/elements.js";
import { dialled, mailHref, mapHref, placeHref } from "../../../src/console/web/fields/reach.js";

Deno.test("A number is dialled by its digits and a leading plus", () => {
  const numbers: Readonly<Record<string, string | null>> = {
    "+49 (40) 123-456": "+4940123456",
    "+49 (0)30 / 123.45": "+493012345",
    "0170 1234567": "01701234567",
    "(+44) 20 7946 0000": "+442079460000",
    "\u202a+49\u00a030\u2011123456\u202c": "+4930123456",
    "＋４９３０１２３": "+4930123",
    "tel:+49301234": "+49301234",
    "030 1234567 ext. 12": "0301234567",
    "030 1234567;ext=12": "0301234567",
    "2. Nummer: 112": "112",
    "*21*0170123#": null,
    "*21*0170123": null,
    "1-800-FLOWERS": null,
    "12": null,
    "no number": null,
    "": null,
    'javascript:alert("1")': null,
    ["1".repeat(10_000)]: null,
  };
  for (const [typed, expected] of Object.entries(numbers)) assertEquals(dialled(typed), expected);
});

Deno.test("A mail address is one address, escaped", () => {
  const addresses: Readonly<Record<string, string | null>> = {
    " lena@example.org ": "mailto:lena@example.org",
    "mailto:lena@example.org": "mailto:lena@example.org",
    "lena+home@example.org": "mailto:lena%2Bhome@example.org",
    "a?bcc=x&y@b": "mailto:a%3Fbcc%3Dx%26y@b",
    '"a"@b': "mailto:%22a%22@b",
    "jörg@bücher.example": "mailto:j%C3%B6rg@b%C3%BCcher.example",
    "a\ud800@b": "mailto:a%EF%BF%BD@b",
    "a\u0000b@c": null,
    "a@\u0000": null,
    "a@b\nbcc:c": null,
    "a@b,c@d": null,
    "Lena <lena@example.org>": null,
    "lena": null,
    [`${"a".repeat(10_000)}@b`]: null,
  };
  for (const [typed, expected] of Object.entries(addresses)) {
    assertEquals(mailHref(typed), expected);
  }
});

Deno.test("A place is found by its words or its point", () => {
  assertEquals(
    placeHref("A 1,\n10115 Köln & more"),
    "geo:0,0?q=A%201%2C%2010115%20K%C3%B6ln%20%26%20more",
  );
  assertEquals(placeHref(" \n\u0000"), null);
  const point = { latitude: 52.5, longitude: -13.4049541, address: "A 1" };
  assertEquals(mapHref(point), "geo:52.5,-13.404954");
  assertEquals(mapHref({ latitude: 10, longitude: 0.0000001 }), "geo:10,0");
  assertEquals(mapHref({ address: "A 1" }), "geo:0,0?q=A%201");
  assertEquals(mapHref({}), null);
});

Deno.test("Whatever is typed makes an allowed link or none", () => {
  const signs = [
    "\n",
    '"',
    "'",
    "javascript:",
    "\u202e",
    "😀",
    "\ud800",
    "%",
    "?",
    "&",
    "#",
    "\0",
    "<",
  ];
  for (const sign of signs) {
    for (const typed of [sign, `1${sign}234`, `a${sign}@b${sign}`, sign.repeat(10_000)]) {
      const number = dialled(typed);
      const hrefs = [number && `tel:${number}`, mailHref(typed), placeHref(typed)];
      for (const href of hrefs) assert(href === null || isReach("a", href), String(href));
    }
  }
});
