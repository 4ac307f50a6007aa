import { assertEquals, assertFalse, assertStrictEquals, assertThrows } from "@std/assert";
import { type Cookie, getCookies, setCookie } from "@std/http";
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
      // Browsers send only the part before attributes.
      pairs.push(setCookieHeader({ name, value, path: "/" })?.split("; ")[0] ?? "");
    }
    assertEquals(cookiesOf(pairs.join("; ")), expected);
  }
});

Deno.test("setCookie() writes all attributes in a fixed order when all are given", () => {
  assertEquals(
    setCookieHeader({
      path: "/",
      sameSite: "Lax",
      maxAge: 2,
      httpOnly: true,
      secure: true,
      name: "space",
      value: "cat",
    }),
    "space=cat; Secure; HttpOnly; Max-Age=2; SameSite=Lax; Path=/",
  );
});

Deno.test("setCookie() leaves out attributes that are off or empty", () => {
  assertEquals(
    setCookieHeader({ name: "a", value: "", secure: false, httpOnly: false, path: "" }),
    "a=",
  );
});

Deno.test("setCookie() writes a maximum age of zero and leaves out a fraction", () => {
  assertEquals(setCookieHeader({ name: "a", value: "b", maxAge: 0 }), "a=b; Max-Age=0");
  assertEquals(setCookieHeader({ name: "a", value: "b", maxAge: 1.5 }), "a=b");
});

Deno.test("setCookie() adds a header for each cookie when called repeatedly", () => {
  const headers = new Headers();
  setCookie(headers, { name: "a", value: "1" });
  setCookie(headers, { name: "b", value: "2", secure: true });
  assertEquals(headers.getSetCookie(), ["a=1", "b=2; Secure"]);
});

Deno.test("setCookie() adds the attributes of a name prefix without changing its argument", () => {
  const cookie: Cookie = { name: "__Host-a", value: "b", path: "/deep" };
  assertEquals(setCookieHeader(cookie), "__Host-a=b; Secure; Path=/");
  assertEquals(setCookieHeader({ name: "__Secure-a", value: "b" }), "__Secure-a=b; Secure");
  assertEquals(cookie, { name: "__Host-a", value: "b", path: "/deep" });
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
