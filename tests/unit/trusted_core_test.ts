/** Compares "Reading order for auditors" of `src/README.md` with the source. */

import { assert, assertEquals } from "@std/assert";
import { readSources, withoutComments } from "../../scripts/module_graph.ts";
import { chapter, section, table } from "../support/chapters.ts";

const PROJECT = new URL("../..", import.meta.url).pathname;
const ORDER = section("src/README.md", "Reading order for auditors");
const CODE: ReadonlyMap<string, string> = new Map(
  [...await readSources(PROJECT)].filter(([path]) => /^(?:src\/.*|main)\.ts$/.test(path))
    .map(([path, text]) => [path, withoutComments(text)]),
);

function filesOf(text: string): string[] {
  return Array.from(text.matchAll(/`((?:src|sql)\/[\w/]+\.\w+)`/g), ([, path = ""]) => path);
}

/** The core: the files of the table's second column. */
const CORE = table(ORDER).flatMap(([, files = ""]) => filesOf(files));

function filesWith(pattern: RegExp): string[] {
  return [...CODE].filter(([, text]) => pattern.test(text)).map(([path]) => path).sort();
}

/**
 * An evening for an engineer. The files have fewer today, so that a route, a permission, an error
 * code or a rule can be added to them; beyond the limit, move code out of the core or justify
 * another one.
 */
const MAX_LINES = 7_000;

Deno.test("The trusted core has at most 7,000 lines", async () => {
  const counts = await Promise.all(
    CORE.map(async (path) =>
      (await Deno.readTextFile(`${PROJECT}/${path}`)).split("\n").length - 1
    ),
  );
  const lines = counts.reduce((sum, count) => sum + count, 0);
  assert(lines <= MAX_LINES, `${lines} lines`);
  assertEquals(new Set(CORE).size, CORE.length, "no file is listed twice");
  assert(chapter("src/README.md").includes(`trusted core is [${CORE.length} files]`));
});

/** Paths of the code below a folder. */
async function codeBelow(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${PROJECT}/${folder}`)) {
    const path = `${folder}/${name}`;
    if (!isDirectory) paths.push(path);
    else if (name !== "node_modules") paths.push(...await codeBelow(path));
  }
  return paths.filter((path) => /\.(?:ts|js|css|html)$/.test(path));
}

Deno.test("The chapter has the lines of each room, to a tenth or a hundred lines", async () => {
  const attributes = await Deno.readTextFile(`${PROJECT}/.gitattributes`);
  const generated = new Set(
    Array.from(attributes.matchAll(/^(\S+) linguist-generated/gm), ([, path = ""]) => path),
  );
  const rows = table(section("src/README.md", "Lines of code"));
  const cells = rows.map(([, , rooms]) => rooms).join();
  const stated = new Map(
    Array.from(cells.matchAll(/`(\w+)` ([\d.]+)/g), ([, room = "", lines]) => [room, lines]),
  );
  const counted = new Map<string, number>();
  let sum = 0;
  for (const path of (await codeBelow("src")).filter((path) => !generated.has(path))) {
    const lines = (await Deno.readTextFile(`${PROJECT}/${path}`)).split("\n").length - 1;
    const [, room = "", inside] = path.split("/");
    if (inside !== undefined) counted.set(room, (counted.get(room) ?? 0) + lines);
    sum += lines;
  }
  const wrong = [...counted].filter(([room, lines]) =>
    !(Math.abs(Number(stated.get(room)) * 1000 - lines) <= Math.max(lines / 10, 100))
  );
  assertEquals(wrong, []);
  assertEquals(stated.size, counted.size);
  const statedSum = Number(rows.at(-1)?.[1]) * 1000;
  assert(Math.abs(statedSum - sum) <= sum / 10, `${sum} lines`);
});

const OPENING = /^import (?!type\b)[^;]*from "(?:postgres|@electric-sql\/pglite)"/m;

Deno.test("Only two files open a connection to a database", () => {
  assertEquals(filesWith(OPENING), ["src/database/connect.ts", "src/database/embedded.ts"]);
});

Deno.test("What opens the database and syncs its commits belongs to the core", () => {
  const syncs = filesWith(/\bfsyncSync\b|\bfsync(?:=|: ")on\b|"full_page_writes"/);
  assertEquals([...filesWith(OPENING), ...syncs].filter((path) => !CORE.includes(path)), []);
  assert(syncs.length >= 3, syncs.join());
});

Deno.test("Only the named rooms write without the runner", () => {
  const named = (table(ORDER.slice(ORDER.indexOf("| Writes without"))) ?? [])
    .flatMap(([rooms = ""]) => Array.from(rooms.matchAll(/`(\S+)`/g), ([, room = ""]) => room));
  assert(named.length >= 6);
  const writers = filesWith(
    /\bdatabase\b(?:\)|!)?\s*\.(?:write|transaction|snapshot)\b|\bTx\b.*\btransaction\(/i,
  );
  const outside = writers.filter((path) => !named.some((room) => path.startsWith(room)));
  assertEquals(outside, []);
  const unused = named.filter((room) => !writers.some((path) => path.startsWith(room)));
  assertEquals(unused, []);
});

Deno.test("The path of a request is as short as the chapter says", async () => {
  const row = table(section("src/README.md", "Decisions"))
    .find(([decision]) => decision === "no web framework")?.[1] ?? "";
  const [, limit = ""] = /under (\d+) lines/.exec(row) ?? [];
  const names = Array.from(row.matchAll(/`([a-z_]+)`/g), ([, name]) => name);
  const texts = await Promise.all(
    names.map((name) => Deno.readTextFile(`${PROJECT}/src/http/${name}.ts`)),
  );
  assert(names.includes("pipeline") && names.includes("protected_route"));
  const lines = texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  assert(lines < Number(limit), `${lines} lines`);
});

Deno.test("Only the responses that the chapter names may be cached", () => {
  // The age of Strict-Transport-Security caches no response.
  assertEquals(filesWith(/(?<!Security": ")\bmax-age=\d|\bno-cache\b/), [
    "src/attachments/thumbnail_routes.ts",
    "src/catalog/describe.ts",
    "src/console/assets.ts",
    "src/due/calendar_routes.ts",
    "src/families/identity/public_view_routes.ts",
  ]);
  const row = table(chapter("src/access/README.md")).find(([group]) => group?.startsWith("8.1"));
  for (const word of ["catalog", "console", "published profiles", "calendars", "thumbnails"]) {
    assert(row?.[1]?.includes(word), word);
  }
});

Deno.test("Only the named files produce a caller", () => {
  assertEquals(filesWith(/\bcreateAuthenticator\b/), [
    "src/access/assistant_authenticator.ts",
    "src/access/authenticator.ts",
    "src/access/sessions.ts",
    "src/access/tokens.ts",
  ]);
  const named = filesOf(ORDER.slice(ORDER.indexOf("Only sessions, tokens")));
  for (const path of filesWith(/\bpermissions: new Set\(/)) {
    assert(path.startsWith("src/access/") || named.includes(path), path);
  }
});

Deno.test("Every request passes the core's checks of credential and permission", () => {
  const importing = (name: string) =>
    filesWith(new RegExp(`^import (?!type\\b)[^;]*/${name}\\.ts"`, "m"));
  assertEquals(importing("speculation"), ["src/http/protected_route.ts"]);
  assertEquals(importing("protected_route"), ["src/http/pipeline.ts"]);
  assertEquals(importing("pipeline"), ["src/app.ts"]);
  const own = (path: string) => !path.startsWith("src/client/");
  assertEquals(importing("routes").filter(own), ["src/app.ts"]);
  assertEquals(filesWith(/\bDeno\.serve\(/).filter((path) => !path.startsWith("src/operator/")), [
    "src/http/acceptor.ts",
  ]);
});
