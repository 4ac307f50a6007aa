import { assertEquals, assertThrows } from "@std/assert";
import type { Method, Route } from "../../../src/http/route.ts";
import { createRouter } from "../../../src/http/router.ts";
import { seededRandom } from "../../support/random.ts";

function routeOf(line: string): Route {
  const [method, path = ""] = line.split(" ");
  const handle = () => Promise.reject(new Error("A router calls nothing"));
  const contract = { summary: "Answer nothing", responses: {}, errors: [] };
  const endpoint = { contract, body: "none", parse: handle, handle } as const;
  return {
    method: method as Method,
    path,
    access: "public",
    operation: "test",
    kind: "plain",
    endpoint,
  };
}

/** The line with its values, the methods, or null. */
function ask(lines: readonly string[], method: string, path: string) {
  const match = createRouter(lines.map(routeOf))(method, path);
  if (match === null) return null;
  if ("allow" in match) return match.allow;
  return [`${match.route.method} ${match.route.path}`, match.params];
}

Deno.test("createRouter() finds a route by method and path", () => {
  const lines = ["GET /a", "POST /a", "GET /a/b"];
  assertEquals(ask(lines, "GET", "/a"), ["GET /a", {}]);
  assertEquals(ask(lines, "POST", "/a"), ["POST /a", {}]);
  assertEquals(ask(lines, "GET", "/a/b"), ["GET /a/b", {}]);
});

Deno.test("createRouter() returns path segments unchanged", () => {
  const line = "GET /records/:module/:id/revisions";
  assertEquals(ask([line], "GET", "/records/ai-agent/%31%2F/revisions"), [
    line,
    { module: "ai-agent", id: "%31%2F" },
  ]);
});

Deno.test("createRouter() lets two routes of one path name their segments differently", () => {
  const lines = ["GET /a/:id", "DELETE /a/:name"];
  assertEquals(ask(lines, "GET", "/a/1"), ["GET /a/:id", { id: "1" }]);
  assertEquals(ask(lines, "DELETE", "/a/1"), ["DELETE /a/:name", { name: "1" }]);
});

Deno.test("createRouter() answers HEAD by GET", () => {
  assertEquals(ask(["GET /a"], "HEAD", "/a"), ["GET /a", {}]);
  assertEquals(ask(["POST /a"], "HEAD", "/a"), ["POST"]);
});

Deno.test("createRouter() lists a path's methods in order, HEAD next to GET", () => {
  assertEquals(ask(["POST /a", "GET /a"], "PUT", "/a"), ["GET", "HEAD", "POST"]);
  assertEquals(ask(["PATCH /a/:b", "DELETE /a/:b"], "GET", "/a/1"), ["DELETE", "PATCH"]);
  for (const method of ["get", "OPTIONS", "constructor", ""]) {
    assertEquals(ask(["GET /a"], method, "/a"), ["GET", "HEAD"], method);
  }
});

Deno.test("createRouter() finds no other path", () => {
  const lines = ["GET /a/:b/c"];
  const paths = ["", "/", "/a", "/a/", "/a/1", "/a//c", "/a/1/c/", "/a/1/c/d", "//a/1/c", "/A/1/c"];
  for (const path of paths) assertEquals(ask(lines, "GET", path), null, path);
});

Deno.test("createRouter() prefers a fixed segment to a named one", () => {
  const lines = ["GET /a/:b", "GET /a/fixed", "GET /a/:b/c"];
  assertEquals(ask(lines, "GET", "/a/fixed"), ["GET /a/fixed", {}]);
  assertEquals(ask(lines, "GET", "/a/other"), ["GET /a/:b", { b: "other" }]);
  assertEquals(ask(lines, "GET", "/a/fixed/c"), ["GET /a/:b/c", { b: "fixed" }]);
});

Deno.test("createRouter() drops the values of a fixed path that did not match", () => {
  const lines = ["GET /a/:b/c", "GET /:p/:q"];
  assertEquals(ask(lines, "GET", "/a/1"), ["GET /:p/:q", { p: "a", q: "1" }]);
});

Deno.test("createRouter() leaves the methods that a yielding route lacks to the named segment", () => {
  const named = routeOf("GET /a/:b");
  const find = { ...routeOf("POST /a/find"), yields: true } as Route;
  const match = createRouter([named, routeOf("GET /:p/c"), find]);
  assertEquals(match("POST", "/a/find"), { route: find, params: {} });
  assertEquals(match("HEAD", "/a/find"), { route: named, params: { b: "find" } });
  assertEquals(match("PUT", "/a/find"), { allow: ["GET", "HEAD"] });
  assertEquals(createRouter([find])("PUT", "/a/find"), { allow: ["POST"] });
  assertEquals(createRouter([find, routeOf("GET /a/:b/c")])("GET", "/a/find"), { allow: ["POST"] });
  const below = { ...routeOf("POST /a/:b"), yields: true } as Route;
  const both = routeOf("GET /:p/:q");
  const found = createRouter([below, both])("GET", "/a/1");
  assertEquals(found, { route: both, params: { p: "a", q: "1" } });
});

Deno.test("createRouter() rejects a route twice, with any segment names", () => {
  const register = () => createRouter([routeOf("GET /a/:b"), routeOf("GET /a/:c")]);
  assertThrows(register, Error, 'Cannot register route "GET /a/:c" twice');
});

Deno.test("createRouter() matches a linear search in random tables", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seededRandom(seed);
    const segment = () => random.pick(["a", "b", "c", ":x", ":y"]);
    const path = () => "/" + Array.from({ length: random.integer(1, 4) }, segment).join("/");
    const lines = distinctShapes(Array.from({ length: 8 }, () => `GET ${path()}`));
    for (let run = 0; run < 20; run++) {
      const asked = path().replaceAll(/:[xy]/g, "d");
      const found = lines.filter((line) => matches(line, asked)).toSorted(byFixedSegments)[0];
      const answer = ask(lines, "GET", asked);
      assertEquals(
        Array.isArray(answer) ? answer[0] : answer,
        found ?? null,
        `seed ${seed}, ${asked}`,
      );
      if (found !== undefined) assertEquals(answer, [found, paramsOf(found, asked)]);
    }
  }
});

/** Ignores names of segments. */
function distinctShapes(lines: readonly string[]): string[] {
  const shapes = new Map(lines.map((line) => [line.replaceAll(/:\w/g, ":"), line]));
  return [...shapes.values()];
}

function segmentsOf(line: string): string[] {
  return line.slice(line.indexOf("/") + 1).split("/");
}

function matches(line: string, path: string): boolean {
  const [pattern, asked] = [segmentsOf(line), segmentsOf(path)];
  return pattern.length === asked.length &&
    pattern.every((segment, index) => segment.startsWith(":") || segment === asked[index]);
}

/** The first differing segment decides, fixed before named. */
function byFixedSegments(a: string, b: string): number {
  const shape = (line: string) =>
    segmentsOf(line).map((segment) => segment.startsWith(":") ? "1" : "0").join("");
  return shape(a) < shape(b) ? -1 : 1;
}

function paramsOf(line: string, path: string): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, segment] of segmentsOf(line).entries()) {
    if (segment.startsWith(":")) params[segment.slice(1)] = segmentsOf(path)[index] ?? "";
  }
  return params;
}
