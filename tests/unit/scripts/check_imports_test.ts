import { assertEquals } from "@std/assert";
import { findViolations, roomGraph } from "../../../scripts/check_imports.ts";
import {
  findCircles,
  loadedWith,
  moduleGraph,
  readSources,
} from "../../../scripts/module_graph.ts";

function violationsOf(path: string, text: string): string[] {
  return findViolations(new Map([[path, text]]));
}

const ALLOWED: readonly [string, string][] = [
  ["src/records/record_store.ts", 'import { newId } from "../core/ids.ts";'],
  ["src/records/record_store.ts", 'import { isWritable } from "./module_access.ts";'],
  ["src/records/record_store.ts", 'import type { References } from "../attachments/port.ts";'],
  ["src/imports/targets.ts", 'import { A } from "../records/import_port.ts";'],
  ["src/imports/converters/a.ts", 'import { a } from "../../families/memory/port.ts";'],
  ["src/imports/targets.ts", 'import { CSV } from "./converters/csv.ts";'],
  ["src/access/a.ts", "sql`select 1 from accounts`"],
  ["src/accounts/a.ts", "sql`select 1 from accounts`"],
  [
    "src/records/record_store.ts",
    "const q = sql`select 1 from records join record_revisions using (x)`;",
  ],
  ["src/accounts/account_routes.ts", 'import { ok } from "../http/reply.ts";'],
  ["src/database/postgres.ts", 'import postgres from "postgres";'],
  ["src/database/migration_files.ts", 'import a from "../../sql/0001.sql" with { type: "text" };'],
  ["src/std/ulid.ts", 'import { encode } from "./ulid/encode.ts";'],
  ["src/core/ids.ts", 'import { ulid } from "@std/ulid";\nimport { Buffer } from "node:buffer";'],
  ["src/core/ids.ts", '/**\n * import { serve } from "../http/server.ts";\n */'],
  ["src/core/ids.ts", '// import { serve } from "../http/server.ts";'],
  ["tests/unit/a_test.ts", 'import { assert } from "@std/assert";'],
  ["tests/std/assert.ts", 'export { assert } from "./assert/condition.ts";'],
  ["src/service.ts", 'import { openObjectStore } from "./attachments/object_store.ts";'],
  ["main.ts", 'import { startService } from "./src/service.ts";'],
  ["tests/unit/a_test.ts", 'import postgres from "postgres";\nimport { a } from "../../main.ts";'],
  ["sql/0001_guards.sql", "create table records (owner_id ulid not null);"],
  ["src/operator/programs/healthcheck.ts", "await fetch(`http://127.0.0.1:8000/healthz`);"],
  ["src/operator/admin/socket.ts", 'await Deno.connect({ transport: "unix", path });'],
  ["src/http/server.ts", "interface A {\n  fetch(request: Request): Promise<Response>;\n}"],
  ["src/http/server.ts", "this.#application.fetch(request); Deno.serve(options, handler);"],
  ["src/http/server.ts", "// await fetch(url);"],
  ["tests/a_test.ts", 'import { connect } from "node:net";\nawait fetch(url);'],
];

for (const [path, text] of ALLOWED) {
  Deno.test(`findViolations() accepts in ${path}: ${text.split("\n")[0]}`, () => {
    assertEquals(violationsOf(path, text), []);
  });
}

const REFUSED: readonly [string, string, string][] = [
  ["src/core/ids.ts", 'import { a } from "../database/sql.ts";', "which lies above it"],
  ["src/core/ids.ts", 'import type { A } from "../database/sql.ts";', "which lies above it"],
  ["src/core/ids.ts", 'import {\n  a,\n  b,\n} from "../http/reply.ts";', "which lies above it"],
  ["src/core/ids.ts", 'export { a } from "../http/reply.ts";', "which lies above it"],
  ["src/core/ids.ts", 'export * from "../http/reply.ts";', "which lies above it"],
  ["src/core/ids.ts", 'import "../http/reply.ts";', "which lies above it"],
  ["src/core/ids.ts", 'const a = await import("../http/reply.ts");', "which lies above it"],
  ["src/http/route.ts", 'import { a } from "../accounts/handlers.ts";', "which lies above it"],
  ["src/command/command.ts", 'import { a } from "../records/port.ts";', "which lies above it"],
  ["src/records/record_store.ts", 'import { a } from "../app.ts";', "which lies above it"],
  [
    "src/records/record_store.ts",
    'import { a } from "../attachments/store.ts";',
    "without its port.ts",
  ],
  ["src/attachments/a.ts", 'import { a } from "../records/record.ts";', "without its port.ts"],
  ["src/imports/a.ts", 'import { a } from "../records/record.ts";', "without its import_port.ts"],
  [
    "src/imports/converters/a.ts",
    'import type { A } from "../../families/memory/memory.ts";',
    "without its import_port.ts",
  ],
  ["src/records/a.ts", 'import { a } from "../search/import_port.ts";', "without its port.ts"],
  ["src/database/sql.ts", 'import { a } from "../operator/config/env.ts";', "which lies above it"],
  ["src/records/a.ts", 'import { a } from "../std/ulid.ts";', "through @std/ only"],
  ["tests/unit/a_test.ts", 'import { a } from "../../src/std/ulid.ts";', "through @std/ only"],
  ["tests/a_test.ts", 'import { a } from "./std/assert.ts";', "through @std/ only"],
  ["src/records/a.ts", 'import { assert } from "@std/assert";', "which is for tests"],
  ["main.ts", 'import { assert } from "@std/assert";', "which is for tests"],
  ["src/records/a.ts", 'import { a } from "../../tests/support/a.ts";', "no part of the service"],
  ["src/service.ts", 'import { a } from "../scripts/a.ts";', "no part of the service"],
  ["main.ts", 'import { a } from "./scripts/a.ts";', "no part of the service"],
  ["src/records/a.ts", 'import postgres from "postgres";', "only src/database/ may"],
  ["main.ts", 'import { PGlite } from "@electric-sql/pglite";', "only src/database/ may"],
  ["src/core/a.ts", 'import a from "npm:left-pad@1";', "deno.json does not name"],
  ["tests/a_test.ts", 'import a from "https://example.org/a.ts";', "deno.json does not name"],
  ["src/novel/a.ts", "export const a = 1;", "src/novel/a.ts: has no layer"],
  ["src/records/a.ts", "sql`select 1 from accounts`", "which is src/access/ and src/accounts/'s"],
  ["src/access/a.ts", 'import { a } from "../accounts/store.ts";', "which lies above it"],
  ["src/audit/a.ts", 'import { a } from "../accounts/trail.ts";', "without its port.ts"],
  [
    "src/access/a.ts",
    "sql`UPDATE records SET x = 1`",
    "the table records, which is src/records/'s",
  ],
  ["src/records/a.ts", "sql`with x as (insert into\n  audit_entries values (1))`", "audit_entries"],
  ["src/attachments/a.ts", "sql`delete from a using records where true`", "the table records"],
  ["sql/0009_novel.sql", "create table novels (id ulid);", "the table novels has no owner"],
  ["src/records/a.ts", 'import { connect } from "node:net";', "no use for"],
  ["src/records/a.ts", 'import { request } from "node:https";', "no use for"],
  ["src/records/a.ts", 'const { exec } = await import("node:child_process");', "no use for"],
  ...[
    "await fetch(url);",
    "fetch(request);",
    "const call = globalThis.fetch;",
    "await Deno.connect({ port });",
    "await Deno.connectTls({ port });",
    "new Deno.Command(program);",
    "new WebSocket(url);",
    "new EventSource(url);",
    "new Worker(url);",
  ].map((code): [string, string, string] => [
    "src/families/identity/a.ts",
    code,
    "could open a connection",
  ]),
  ["main.ts", "fetch(url);", "could open a connection"],
];

for (const [path, text, why] of REFUSED) {
  Deno.test(`findViolations() rejects in ${path}: ${text.replaceAll("\n", " ")}`, () => {
    const violations = violationsOf(path, text);
    assertEquals(violations.length, 1, violations.join("\n"));
    assertEquals(violations[0]?.startsWith(path), true, violations[0]);
    assertEquals(violations[0]?.includes(why), true, violations[0]);
  });
}

/** `{ a: "b c" }`: `a` imports both. */
function circlesOf(tree: Readonly<Record<string, string>>): string[] {
  const sources = Object.entries(tree).map(([name, targets]) => {
    const imports = targets.split(" ").filter((target) => target !== "");
    const text = imports.map((target) => `import type { A } from "./${target}.ts";`).join("\n");
    return [`src/core/${name}.ts`, text] as const;
  });
  const circles = findCircles(moduleGraph(new Map(sources)));
  return circles.map((paths) => paths.map((path) => path.slice(9, -3)).join(" ")).toSorted();
}

Deno.test("findCircles() finds the modules that lead back to themselves, and no others", () => {
  assertEquals(circlesOf({ a: "b c", b: "d", c: "d", d: "", e: "a" }), []);
  assertEquals(circlesOf({ a: "b", b: "a" }), ["a b"]);
  assertEquals(circlesOf({ a: "b", b: "c", c: "d", d: "b" }), ["b c d"]);
  assertEquals(circlesOf({ a: "b", b: "a c", c: "d", d: "c" }), ["a b", "c d"]);
  assertEquals(circlesOf({ a: "b c", b: "d", c: "d", d: "a" }), ["a b c d"]);
  assertEquals(circlesOf({ a: "a" }), ["a"]);
  assertEquals(circlesOf({ a: "absent" }), []);
});

Deno.test("findCircles() reads re-exports and dynamic imports, and no comments", () => {
  const circles = findCircles(
    moduleGraph(
      new Map([
        ["src/core/a.ts", 'export { b } from "../errors/b.ts";'],
        ["src/errors/b.ts", 'const a = await import("../core/a.ts");'],
        ["src/core/c.ts", '// import { d } from "./d.ts";'],
        ["src/core/d.ts", 'import { c } from "./c.ts";\nimport { Buffer } from "node:buffer";'],
      ]),
    ),
  );
  assertEquals(circles, [["src/core/a.ts", "src/errors/b.ts"]]);
});

Deno.test("loadedWith() follows imports and re-exports completely, but not types", () => {
  const sources = new Map([
    ["src/a.ts", 'import { b } from "./b.ts";\nimport type { T } from "./types.ts";'],
    ["src/b.ts", 'export * from "./c.ts";\nexport type { U } from "./types.ts";\n// import "d";'],
    ["src/c.ts", 'import "./a.ts";\nimport postgres from "postgres";\nawait import("node:fs");'],
  ]);
  const loaded = ["src/a.ts", "src/b.ts", "src/c.ts", "postgres", "node:fs"];
  assertEquals([...loadedWith(sources, "src/a.ts")].sort(), loaded.sort());
});

Deno.test("findViolations() names the modules of a circle", () => {
  const sources = new Map([
    ["src/core/b.ts", 'import { a } from "./a.ts";'],
    ["src/core/a.ts", 'import type { B } from "./b.ts";'],
  ]);
  const violation = "src/core/a.ts: imports itself in a circle with src/core/b.ts";
  assertEquals(findViolations(sources), [violation]);
});

Deno.test("findViolations() names the rooms of a circle without a circle of files", () => {
  const sources = new Map([
    ["src/records/a.ts", 'import { b } from "../search/port.ts";'],
    ["src/search/port.ts", ""],
    ["src/search/c.ts", 'import { d } from "../records/port.ts";'],
    ["src/records/port.ts", ""],
  ]);
  const violation = "src/records/: depends on itself in a circle with src/search/";
  assertEquals(findViolations(sources), [violation]);
});

Deno.test("roomGraph() treats a room inside another one as separate", () => {
  const sources = new Map([
    ["src/records/a.ts", 'import { b } from "./search_index/b.ts";'],
    ["src/records/search_index/b.ts", ""],
  ]);
  assertEquals([...roomGraph(sources)], [
    ["src/records/", ["src/records/search_index/"]],
    ["src/records/search_index/", []],
  ]);
});

Deno.test("findCircles() reads the scripts of the console", () => {
  const sources = new Map([
    ["src/console/web/a.js", 'import { b } from "./b.js";'],
    ["src/console/web/b.js", 'const a = await import("./a.js");'],
  ]);
  assertEquals(findCircles(moduleGraph(sources)).length, 1);
});

Deno.test("findViolations() finds none in this tree", async () => {
  const project = new URL("../../..", import.meta.url).pathname;
  const sources = await readSources(project);
  assertEquals(sources.has("src/records/record_store.ts"), true);
  assertEquals(findViolations(sources), []);
});
