/** Finds dead links, headings and names in the README and the chapters. */

import { assert, assertEquals } from "@std/assert";
import { chapter } from "../support/chapters.ts";

const PROJECT = new URL("../..", import.meta.url).pathname;
const MAX_README_LINES = 300;
/** Chapters with a row for each family, table or promise need room for one more. */
const MAX_CHAPTER_LINES = 240;
/** Files that imports read in tests. */
const INPUTS = ["tests/http/import_cases", "tests/http/format_cases"];

async function* chaptersIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(`${PROJECT}/${folder}`)) {
    const path = folder === "." ? name : `${folder}/${name}`;
    if (isDirectory) {
      if (name !== "node_modules" && name !== ".git" && !INPUTS.includes(path)) {
        yield* chaptersIn(path);
      }
    } else if (name.endsWith(".md")) yield path;
  }
}

const CHAPTERS = (await Array.fromAsync(chaptersIn("."))).sort();

/** The links of a text outside of code, as their targets. */
function linksOf(markdown: string): string[] {
  const text = markdown.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");
  return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target);
}

/** The anchors that a reader's program makes of the headings. */
function anchorsOf(markdown: string): Set<string> {
  const text = markdown.replaceAll(/^```[\s\S]*?^```$/gm, "");
  return new Set(
    Array.from(
      text.matchAll(/^#+ (.*)$/gm),
      ([, heading = ""]) =>
        heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-"),
    ),
  );
}

/** The path of a link, from the project's root. */
function resolve(from: string, path: string): string {
  return path === "" ? from : new URL(path, `file:///${from}`).pathname.slice(1);
}

/** Describes the problem of a chapter's link, or returns null. */
async function problemOf(from: string, target: string): Promise<string | null> {
  if (/^https?:/.test(target)) return null;
  const [path = "", anchor] = target.split("#");
  const file = resolve(from, path);
  if (!await Deno.stat(`${PROJECT}/${file}`).then(() => true, () => false)) {
    return `${from}: no file ${file}`;
  }
  if (anchor === undefined || anchorsOf(chapter(file)).has(anchor)) return null;
  return `${from}: ${file} has no heading #${anchor}`;
}

Deno.test("Every link of the chapters leads to a file and a heading", async () => {
  assert(CHAPTERS.length >= 20, `${CHAPTERS.length} chapters`);
  const problems = await Promise.all(
    CHAPTERS.flatMap((path) => linksOf(chapter(path)).map((target) => problemOf(path, target))),
  );
  assertEquals(problems.filter((problem) => problem !== null), []);
});

Deno.test("problemOf() finds a dead file and a dead heading", async () => {
  assertEquals(
    await problemOf("src/README.md", "../nothing.md"),
    "src/README.md: no file nothing.md",
  );
  assertEquals(
    await problemOf("src/README.md", "../README.md#nothing"),
    "src/README.md: README.md has no heading #nothing",
  );
  assertEquals(await problemOf("src/README.md", "../README.md#try-it"), null);
});

Deno.test("A reader reaches every chapter from the README", () => {
  const reached = new Set(["README.md"]);
  // Iterating a set includes elements that are added during the loop.
  for (const path of reached) {
    for (const target of linksOf(chapter(path))) {
      const file = resolve(path, target.split("#")[0] ?? "");
      if (CHAPTERS.includes(file)) reached.add(file);
    }
  }
  assertEquals(CHAPTERS.filter((path) => !reached.has(path)), []);
});

Deno.test("README and chapters are short", () => {
  for (const path of CHAPTERS) {
    if (path === ".github/CHANGELOG.md") continue;
    const lines = chapter(path).split("\n").length - 1;
    const most = path === "README.md" ? MAX_README_LINES : MAX_CHAPTER_LINES;
    assert(lines <= most, `${path}: ${lines} lines`);
  }
});

Deno.test("Every task in the chapters exists", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${PROJECT}/deno.json`));
  for (const path of CHAPTERS) {
    for (const [, name = ""] of chapter(path).matchAll(/\bdeno task (?:--quiet )?([\w:]+)/g)) {
      assert(name in tasks, `${path}: deno task ${name}`);
    }
  }
});
