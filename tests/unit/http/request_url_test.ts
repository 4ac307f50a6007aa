import { assert, assertEquals, assertThrows } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { createUrlReader, type RequestUrl } from "../../../src/http/request_url.ts";
import { type Random, seededRandom } from "../../support/random.ts";

const HOSTS = [
  "http://records.example",
  "https://records.example",
  "http://records.example:8000",
  "http://records.example:80",
  "http://RECORDS.example",
  "http://user:pass@records.example",
  "http://127.0.0.1:8000",
  "http://0x7f.1",
  "http://[::1]:8000",
  "http://[0:0::1]",
  "http://bücher.example",
  "http://a",
  "http://records.example.",
  "ftp://records.example",
];

const SEGMENTS = [
  ..."api v2 records 01KA0000000000000000000000 a-b_c A".split(" "),
  ...". .. ... %2e %2E%2e .%2e % %zz %41 %2F a%20b".split(" "),
  ..."ä 漢字 🙂 \ud800".split(" "),
  ..."a.b a+b a;b a:b a&b a=b a$b".split(" "),
  ..."@ ~ ' \" <> ` {} | ^ [ ]".split(" "),
  ..."\\ a\\b ..\\ \\\\ C: C|".split(" "),
  "",
  "",
  "a b",
];

const QUERIES = [
  "",
  ..."a=1 a = & a=1&a=2 a=b=c a+b=c+d a%20b=%2B".split(" "),
  ..."% a=%zz %C3 ä=ö 🙂 \ud800=1".split(" "),
  ..."?a=1 a?b / a/b=../.. a='b' a=\"b\" filter[x]=1 a=b;c a\\b <>".split(" "),
  ..."a=1#f # #?a=1 http://records.example/x".split(" "),
];

function randomUrl(random: Random, host: string): string {
  const isPlain = random.chance(0.3);
  const segments = Array.from(
    { length: random.integer(0, 6) },
    () =>
      `${random.chance(0.05) ? "\\" : "/"}${random.pick(isPlain ? ["api", "v2", "x"] : SEGMENTS)}`,
  );
  const query = random.chance(0.5) ? `?${random.pick(QUERIES)}` : "";
  const more = random.chance(0.2) ? `${random.pick(["&", "?", "#"])}${random.pick(QUERIES)}` : "";
  return `${host}${segments.join("")}${query}${more}`;
}

/** The used parts. */
function requestTo(url: string): Request {
  return { url, headers: new Headers() } as Request;
}

/** Unchanged by a URL parser. */
function isLiteral(url: string): boolean {
  const parsed = URL.parse(url);
  const [, host = "@", path] = /^https?:\/\/([^/]+)(\/[^?#]*)(?:\?[^#]*)?$/s.exec(url) ?? [];
  return parsed?.pathname === path && !/[\\?#@]/.test(host);
}

/** As a URL parser, or rejected if changed. */
function assertRead(read: (request: Request) => RequestUrl, url: string): void {
  if (!isLiteral(url)) {
    const refusal = assertThrows(() => read(requestTo(url)), ServiceError, undefined, url);
    assertEquals([refusal.code, refusal.details], ["PAYLOAD_INVALID", { rules: ["url.format"] }]);
    return;
  }
  const { hostname, pathname, searchParams } = new URL(url);
  const { query, ...place } = read(requestTo(url));
  assertEquals([place, ...query], [{ hostname, path: pathname }, ...searchParams], url);
}

Deno.test("createUrlReader() matches a URL parser for addresses of every kind", () => {
  let literal = 0;
  for (let seed = 0; seed < 20; seed++) {
    const random = seededRandom(seed);
    const read = createUrlReader();
    let host = random.pick(HOSTS);
    for (let round = 0; round < 1_000; round++) {
      if (random.chance(0.1)) host = random.pick(HOSTS);
      const url = randomUrl(random, host);
      if (isLiteral(url)) literal++;
      assertRead(read, url);
    }
  }
  assert(literal > 5_000 && literal < 15_000, `${literal} of 20,000`);
});

Deno.test("createUrlReader() reads each query after a plain path of its known host", () => {
  const read = createUrlReader();
  assertRead(read, "http://records.example/known");
  for (const query of QUERIES) {
    for (const end of ["", "&b=2", "#f", "?", "#f?g=1"]) {
      assertRead(read, `http://records.example/api/v2?${query}${end}`);
    }
  }
});

Deno.test("createUrlReader() resolves no path of its known host", () => {
  const read = createUrlReader();
  assertRead(read, "http://records.example/known");
  for (const first of SEGMENTS) {
    for (const second of SEGMENTS) {
      assertRead(read, `http://records.example/${first}/${second}/x`);
      assertRead(read, `http://records.example/x/${first}/${second}?a=1`);
    }
  }
});

Deno.test("createUrlReader() keeps percent-encoding as sent", () => {
  const read = createUrlReader();
  for (const path of ["/%41", "/%c3%A9", "/a%2fb%2Fc", "/a%2e%2Eb", "/%", "/%zz", "/%00", "//a"]) {
    assertEquals(read(requestTo(`http://records.example${path}?a=%41`)).path, path);
  }
});

Deno.test("createUrlReader() rejects each way to write another path", () => {
  const read = createUrlReader();
  const paths = [
    "/x/../metrics",
    "/x/./metrics",
    "/./metrics",
    "/metrics/.",
    "/x/%2e%2E/metrics",
    "/x/.%2e/metrics",
    "/%2e/metrics",
    "/x\\..\\metrics",
    "/\\metrics",
    "/x\\y",
    "/met\trics",
    "/met\nrics",
    "/metrics#x",
    "/metrics#",
    "/metrics?a#x",
    "/a b",
    "/a|../b{}",
    "/ä",
  ];
  for (const known of [false, true]) {
    for (const path of paths) {
      if (known) read(requestTo("http://records.example/x"));
      const url = `http://records.example${path}`;
      const refusal = assertThrows(() => read(requestTo(url)), ServiceError, undefined, url);
      assertEquals(refusal.details, { rules: ["url.format"] });
    }
  }
});

Deno.test("createUrlReader() is not fooled by an address that begins like the known host", () => {
  const read = createUrlReader();
  const others = [
    "http://records.example@evil.example/x",
    "http://records.example.evil.example/x",
    "http://records.example:8000/x",
    "http://records.example\\x/y",
    "http://records.example?a=/x/y",
    "http://records.example#/x/y",
    "http://records.example",
    "https://records.example/x",
    "http:records.example/x",
    "http:///records.example/x",
    "//records.example/x",
  ];
  for (const url of others) {
    assertRead(read, "http://records.example/known");
    assertRead(read, url);
  }
});

Deno.test("createUrlReader() rejects an invalid host, also after a valid one", () => {
  const read = createUrlReader();
  const broken = [
    "http://",
    "http://a b/x",
    "http://[/x",
    "http://a:99999/x",
    "http://%/x",
    "/x",
    "",
  ];
  for (const url of broken) {
    for (const known of [false, true]) {
      if (known) assertRead(read, "http://records.example/x");
      const refusal = assertThrows(() => read(requestTo(url)), ServiceError, undefined, url);
      assert(refusal.code === "PAYLOAD_INVALID");
      assertEquals(refusal.details, { rules: ["url.format"] });
    }
  }
  assertRead(read, "http://records.example/x");
});

Deno.test("createUrlReader() makes independent readers", () => {
  const [one, other] = [createUrlReader(), createUrlReader()];
  assertRead(one, "http://records.example/x");
  assertRead(other, "http://evil.example/x");
  assertRead(one, "http://records.example/y?z=1");
});

Deno.test("createUrlReader() rejects a Host header that would become part of the path", () => {
  const read = createUrlReader();
  for (const host of ["a/b", "a/healthz?", "a#", "b@a", "a\\b"]) {
    assertHostRefused(read, `http://${host}/api/v2/catalog`, host);
  }
});

Deno.test("createUrlReader() rejects a Host header that is not the address's host", () => {
  const read = createUrlReader();
  for (
    const host of ["", "evil.example", "records.example:80", "example", "/records.example", "é"]
  ) {
    assertHostRefused(read, "http://records.example/x", host);
    assertRead(read, "http://records.example/x");
    assertHostRefused(read, "http://records.example/x", host);
  }
});

function assertHostRefused(
  read: (request: Request) => RequestUrl,
  url: string,
  host: string,
): void {
  const request = { url, headers: new Headers({ Host: host }) } as Request;
  const refusal = assertThrows(() => read(request), ServiceError, undefined, host);
  assertEquals(refusal.details, { rules: ["url.format"] });
}
