/**
 * `src/std` and `tests/std` replace JSR packages: mapping `@std/…` in `deno.json` must be enough to
 * switch.
 */

import { assert, assertEquals } from "@std/assert";

const PROJECT = new URL("../../../", import.meta.url).pathname;
const STD = ["src/std/", "tests/std/"];

const IMPORT =
  /^(?:import|export)\s+(?:type\s+)?(?:(?<clause>[^"']*?)\s+from\s+)?["'](?<from>[^"']+)["']/gm;
const NAMED = /^\{(?<names>[^}]*)\}$/;
const DECLARED = /^export (?:async )?(?:function|const|class|interface|type) (?<name>\w+)/gm;

interface SourceImport {
  readonly file: string;
  readonly from: string;
  /** Null for other clauses. */
  readonly names: readonly string[] | null;
}

async function sourceFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(PROJECT + folder)) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) files.push(...await sourceFiles(`${path}/`));
    else if (path.endsWith(".ts")) files.push(path);
  }
  return files;
}

async function codeOf(file: string): Promise<string> {
  return (await Deno.readTextFile(PROJECT + file)).replaceAll(/\/\*\*.*?\*\//gs, "");
}

async function importsOf(file: string): Promise<SourceImport[]> {
  return [...(await codeOf(file)).matchAll(IMPORT)].map(({ groups }) => {
    const names = NAMED.exec(groups?.clause ?? "")?.groups?.names;
    return { file, from: groups?.from ?? "", names: names === undefined ? null : toNames(names) };
  });
}

function toNames(list: string): string[] {
  const entries = list.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
  return entries.map((entry) => entry.replace(/^type /, "").replace(/ as .*$/, ""));
}

async function projectImports(): Promise<SourceImport[]> {
  const folders = await Promise.all(["src/", "tests/", "scripts/"].map(sourceFiles));
  const files = ["main.ts", ...folders.flat()];
  return (await Promise.all(files.map(importsOf))).flat();
}

/** Own and re-exported names. */
async function exportsOf(file: string): Promise<Set<string>> {
  const code = await codeOf(file);
  const declared = [...code.matchAll(DECLARED)].map(({ groups }) => groups?.name ?? "");
  const passedOn = [...code.matchAll(/^export \{(?<names>[^}]*)\}/gm)]
    .flatMap(({ groups }) => toNames(groups?.names ?? ""));
  return new Set([...declared, ...passedOn]);
}

async function mappings(): Promise<Map<string, string>> {
  const { imports } = JSON.parse(await Deno.readTextFile(`${PROJECT}deno.json`));
  const entries = Object.entries<string>(imports);
  return new Map(entries.filter(([name]) => name.startsWith("@std/")));
}

Deno.test("deno.json maps each @std name to its replacement file", async () => {
  for (const [name, file] of await mappings()) {
    const folder = name === "@std/assert" ? "tests/std/" : "src/std/";
    assertEquals(file, `./${folder}${name.slice("@std/".length)}.ts`);
    assert((await Deno.stat(PROJECT + file)).isFile);
  }
});

Deno.test("Replacements import only their own files and the platform", async () => {
  for (const folder of STD) {
    for (const file of await sourceFiles(folder)) {
      if (file.endsWith("_test.ts")) continue;
      for (const { from } of await importsOf(file)) {
        const isOwn = from.startsWith(".") && new URL(from, `file:///${file}`).pathname
          .startsWith(`/${folder}`);
        assert(isOwn || from.startsWith("node:"), `"${file}" imports "${from}"`);
      }
    }
  }
});

Deno.test("The project uses only exported @std names", async () => {
  const exported = new Map<string, Set<string>>();
  for (const [name, file] of await mappings()) exported.set(name, await exportsOf(file.slice(2)));
  const taken = (await projectImports()).filter(({ from }) => from.startsWith("@std/"));
  assert(taken.length > 10, "The project's imports were not found");
  for (const { file, from, names } of taken) {
    assert(names !== null, `"${file}" does not name what it imports from "${from}"`);
    for (const name of names) {
      assert(exported.get(from)?.has(name), `"${file}" imports "${name}" from "${from}"`);
    }
  }
});

Deno.test("The project reaches the replacements through @std only", async () => {
  for (const { file, from } of await projectImports()) {
    if (!from.startsWith(".") || STD.some((folder) => file.startsWith(folder))) continue;
    const target = new URL(from, `file:///${file}`).pathname;
    assert(!STD.some((folder) => target.startsWith(`/${folder}`)), `"${file}" imports "${from}"`);
  }
});
