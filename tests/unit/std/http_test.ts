import { assert, assertEquals, assertFalse, assertStrictEquals, assertThrows } from "@std/assert";
import {
  accepts,
  type Cookie,
  deleteCookie,
  getCookies,
  isErrorStatus,
  isStatus,
  setCookie,
  STATUS_CODE,
  STATUS_TEXT,
} from "@std/http";
import { type Random, seededRandom } from "../../support/random.ts";

const NAME_CHARACTERS = [..."abcXYZ019!#$%&'*+-.^_`|~/"];
const VALUE_CHARACTERS = [...NAME_CHARACTERS, ..."()<>@:?=[]{}"];

function setCookieHeader(cookie: Cookie): string | null {
  const headers = new Headers();
  setCookie(headers, cookie);
  return headers.get("set-cookie");
}

function cookiesOf(header: string): Partial<Record<string, string>> {
  return getCookies(new Headers({ cookie: header }));
}

function randomText(random: Random, characters: string[], minimumLength: number): string {
  const length = random.integer(minimumLength, 12);
  return Array.from({ length }, () => random.pick(characters)).join("");
}

Deno.test("getCookies() returns no cookies when there is no header", () => {
  assertEquals(getCookies(new Headers()), {});
});

Deno.test("getCookies() splits at the first equals sign of each cookie", () => {
  assertEquals(cookiesOf("PREF=al=en-GB&f1=123; wide=1;SID=; flag"), {
    PREF: "al=en-GB&f1=123",
    wide: "1",
    SID: "",
    flag: "",
  });
});

Deno.test("getCookies() throws a SyntaxError when a cookie has no name", () => {
  for (const header of ["", "=", "=x", ";", "a=b;", ";a=b", "a=b;;c=d", "a=b;=x"]) {
    assertThrows(() => cookiesOf(header), SyntaxError, "name", header);
  }
});

Deno.test("getCookies() keeps values as sent and trims names", () => {
  assertEquals(cookiesOf('full=of  ; tasty ="a%20b"'), { full: "of  ", tasty: '"a%20b"' });
});

Deno.test("getCookies() takes the last value when a name is repeated", () => {
  assertEquals(cookiesOf("a=1; b=2; a=3"), { a: "3", b: "2" });
});

Deno.test("getCookies() treats names of object members like any other", () => {
  const cookies = cookiesOf("__proto__=x; constructor=y");
  assertEquals(Object.entries(cookies), [["__proto__", "x"], ["constructor", "y"]]);
  assertStrictEquals(cookiesOf("a=b")["toString"], undefined);
});

Deno.test("getCookies() reads back the random cookies that setCookie() wrote", () => {
  const random = seededRandom(1);
  for (let count = 0; count < 500; count++) {
    const expected: Record<string, string> = {};
    const pairs: string[] = [];
    for (let cookie = random.integer(1, 4); cookie > 0; cookie--) {
      const name = randomText(random, NAME_CHARACTERS, 1);
      const value = randomText(random, VALUE_CHARACTERS, 0);
      expected[name] = value;
      // A browser sends back what precedes the attributes.
      pairs.push(setCookieHeader({ name, value, path: "/" })?.split("; ")[0] ?? "");
    }
    assertEquals(cookiesOf(pairs.join("; ")), expected);
  }
});

Deno.test("setCookie() writes all attributes in a fixed order when all are given", () => {
  assertEquals(
    setCookieHeader({
      unparsed: ["Priority=High", "flag"],
      expires: new Date(Date.UTC(1983, 0, 7, 15, 32)),
      path: "/",
      sameSite: "Lax",
      domain: "example.org",
      maxAge: 2,
      partitioned: true,
      httpOnly: true,
      secure: true,
      name: "space",
      value: "cat",
    }),
    "space=cat; Secure; HttpOnly; Partitioned; Max-Age=2; Domain=example.org; SameSite=Lax; " +
      "Path=/; Expires=Fri, 07 Jan 1983 15:32:00 GMT; Priority=High; flag",
  );
});

Deno.test("setCookie() leaves out attributes that are off or empty", () => {
  assertEquals(
    setCookieHeader({ name: "a", value: "", secure: false, httpOnly: false, domain: "", path: "" }),
    "a=",
  );
});

Deno.test("setCookie() writes a maximum age of zero and leaves out a fraction", () => {
  assertEquals(setCookieHeader({ name: "a", value: "b", maxAge: 0 }), "a=b; Max-Age=0");
  assertEquals(setCookieHeader({ name: "a", value: "b", maxAge: 1.5 }), "a=b");
});

Deno.test("setCookie() takes the expiry in milliseconds when it is a number", () => {
  const epoch = "a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT";
  assertEquals(setCookieHeader({ name: "a", value: "b", expires: 0 }), epoch);
});

Deno.test("setCookie() adds a header for each cookie when called repeatedly", () => {
  const headers = new Headers();
  setCookie(headers, { name: "a", value: "1" });
  setCookie(headers, { name: "b", value: "2", secure: true });
  assertEquals(headers.getSetCookie(), ["a=1", "b=2; Secure"]);
});

Deno.test("setCookie() adds the attributes of a name prefix without changing its argument", () => {
  const cookie: Cookie = { name: "__Host-a", value: "b", domain: "example.org", path: "/deep" };
  assertEquals(setCookieHeader(cookie), "__Host-a=b; Secure; Path=/");
  assertEquals(setCookieHeader({ name: "__Secure-a", value: "b" }), "__Secure-a=b; Secure");
  assertEquals(cookie, { name: "__Host-a", value: "b", domain: "example.org", path: "/deep" });
});

Deno.test("setCookie() ignores a cookie when its name is empty", () => {
  assertEquals(setCookieHeader({ name: "", value: "b" }), null);
});

Deno.test("setCookie() throws a SyntaxError when a part cannot stand in the header", () => {
  const invalid: Partial<Cookie>[] = [
    ...['"id"', "id\t", "i d", "i;d", "i=d", "{id}", "[id]", "(id)", "id\x7f", "id\u0091", "é"]
      .map((name) => ({ name })),
    ...["a\tb", " ", "a b", "a;b", "a,b", '"a"', "a\\b", "a\n", "a\x7f", "a\x80", "a\u0091", "é"]
      .map((value) => ({ value })),
    ...["/;domain=example.org", "/\n", "/é", "/\x7f"].map((path) => ({ path })),
    ...["-a.org", "a.org.", "a.org-", "a.org;path=/", "a.org\n"].map((domain) => ({ domain })),
  ];
  for (const part of invalid) {
    const headers = new Headers();
    const cookie = { name: "space", value: "cat", ...part };
    assertThrows(() => setCookie(headers, cookie), SyntaxError, "Invalid", JSON.stringify(part));
    assertFalse(headers.has("set-cookie"));
  }
});

Deno.test("setCookie() throws a RangeError when the maximum age is negative", () => {
  assertThrows(() => setCookieHeader({ name: "a", value: "b", maxAge: -1 }), RangeError, '"-1"');
});

Deno.test("deleteCookie() expires the cookie with the attributes it was set with", () => {
  const headers = new Headers();
  deleteCookie(headers, "a");
  deleteCookie(headers, "a", { path: "/", domain: "example.org", secure: true });
  assertEquals(headers.getSetCookie(), [
    "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    "a=; Secure; Domain=example.org; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
  ]);
});

Deno.test("STATUS_TEXT has the phrase of every code in STATUS_CODE and no more", () => {
  const codes = Object.values(STATUS_CODE).map(String);
  assertEquals(Object.keys(STATUS_TEXT), codes);
  assertEquals(STATUS_TEXT[STATUS_CODE.NotFound], "Not Found");
  for (const [name, code] of Object.entries(STATUS_CODE)) {
    if (code === STATUS_CODE.Teapot) continue;
    assertEquals(STATUS_TEXT[code].replaceAll(" ", ""), name);
  }
});

Deno.test("isErrorStatus() holds for registered codes from 400 to 599 alone", () => {
  const registered = new Set<number>(Object.values(STATUS_CODE));
  for (let status = 0; status < 1000; status++) {
    assertEquals(isStatus(status), registered.has(status));
    assertEquals(isErrorStatus(status), registered.has(status) && status >= 400 && status <= 599);
  }
  for (const status of [NaN, 400.5, -400, Infinity]) assertFalse(isErrorStatus(status));
});

const ACCEPT_CASES: [accept: string, offered: string[], chosen: string | undefined][] = [
  ["text/html", ["application/json"], undefined],
  ["text/html, application/json", ["application/json", "text/html"], "application/json"],
  ["text/html;q=0.9, application/json", ["text/html", "application/json"], "application/json"],
  ["text/*, application/json;q=0.5", ["application/json", "text/plain"], "text/plain"],
  ["*/*", ["image/png", "text/html"], "image/png"],
  ["*/*, text/html", ["image/png", "text/html"], "text/html"],
  ["*/*, text/html;q=0.1", ["text/html", "image/png"], "image/png"],
  ["*/*, text/html;q=0", ["text/html"], undefined],
  ["text/html;q=0", ["text/html"], undefined],
  ["text/html;q=none", ["text/html"], undefined],
  ["TEXT/HTML; Q=0.5", ["text/html"], "text/html"],
  ["text/html;level=1", ["text/html"], undefined],
  ['text/html; level="1"', ["text/html;level=1"], "text/html;level=1"],
  ["text/html, text/html;level=1;q=0.2", ["text/html;level=1", "text/html"], "text/html"],
  ["nonsense, text/html", ["text/html"], "text/html"],
  ["*/*", ["nonsense"], undefined],
];

for (const [accept, offered, chosen] of ACCEPT_CASES) {
  Deno.test(`accepts() returns ${chosen} when "${accept}" meets "${offered.join(", ")}"`, () => {
    assertEquals(accepts({ headers: new Headers({ accept }) }, ...offered), chosen);
  });
}

Deno.test("accepts() returns the first type when there is no header", () => {
  assertEquals(accepts({ headers: new Headers() }, "text/html", "image/png"), "text/html");
});

Deno.test("accepts() lists what the client accepts by preference when no types are given", () => {
  const accept = "text/plain;q=0.1, text/html;level=1, image/png;q=0, */*;q=0.8, image/webp";
  const request = new Request("http://localhost", { headers: { accept } });
  assertEquals(accepts(request), ["text/html", "image/webp", "*/*", "text/plain"]);
  assertEquals(accepts({ headers: new Headers() }), ["*/*"]);
});

Deno.test("accepts() always returns an offered type or undefined for random headers", () => {
  const random = seededRandom(2);
  const pieces = ["text/html", "text/*", "*/*", "image/png", ";q=0.5", ";q=", ",", ";", " ", "/"];
  for (let count = 0; count < 2000; count++) {
    const accept = randomText(random, pieces, 0);
    const chosen = accepts({ headers: new Headers({ accept }) }, "text/html", "image/png");
    assert(chosen === undefined || ["text/html", "image/png"].includes(chosen), accept);
  }
});
