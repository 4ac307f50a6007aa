/** Rules for every console file. */

import { assert, assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { consoleFiles } from "../../../scripts/console_files.ts";
import { PARTS, SOURCES } from "../../../src/console/files.ts";
import { FILES, PICTURES } from "../../../src/console/joined.ts";
import { modulesOf } from "../../../src/console/preloads.ts";
import { assertSnapshot } from "../../support/snapshot.ts";
import { contrast, readTokens, readTones, type Scheme } from "./colours.ts";

/** Half of the scripts are texts in two languages, imports, and the reader of the add line. */
const BYTES: Readonly<Record<string, number>> = { html: 2_048, css: 33_100, js: 1_258_000 };
const MAX_LINES = 300;
/** Short enough to read in one sitting; icons are only shapes. */
const TRUSTED = /^core\/(?:base\/(?!icons)|acts\/|browser_outbox\/)/;
const LINES = { js: 32_800, css: 1_850, trusted: 1_450 };
/** Before sign-in, before a first list, and for any page, each with room for more texts. */
const LOADED = { signIn: 94 * 1_024, list: 268 * 1_024, page: 368 * 1_024 };
/** Compressed shares of the budget: in one piece a third, file by file slightly more. */
const COMPRESSED = { together: 1 / 3, apart: 0.41 };

const files = Object.entries(FILES);
const withEnd = (end: string) => files.filter(([name]) => name.endsWith(`.${end}`));
/** The sample life has a limit of its own. */
const counted = (end: string) => withEnd(end).filter(([name]) => !/\bsample(\/|_life)/.test(name));
const lineCount = (text: string) => text.split("\n").length - 1;
/** Without comments and blank lines. */
const codeLineCount = (text: string) =>
  text.split("\n").filter((line) => !/^\s*(\/\*\*|\*|\/\/|$)/.test(line)).length;
const total = (some: readonly (readonly [string, string])[], size: (text: string) => number) =>
  some.reduce((sum, [, text]) => sum + size(text), 0);
const byteCount = (text: string) => new TextEncoder().encode(text).byteLength;

Deno.test("Every file of the console is named, so that a packed program has it", async () => {
  const path = "src/console/files.ts";
  assertSnapshot(path, await consoleFiles(), await Deno.readTextFile(path));
});

Deno.test("The console stays within its size limits", () => {
  for (const [end, limit] of Object.entries(BYTES)) {
    assert(total(counted(end), byteCount) <= limit, `all .${end}`);
  }
  for (const [name, text] of Object.entries(SOURCES)) {
    assert(lineCount(text) <= MAX_LINES, `${name} has ${lineCount(text)} lines`);
  }
  assert(total(counted("js"), lineCount) <= LINES.js);
  assert(total(withEnd("css"), lineCount) <= LINES.css);
  const trusted = Object.entries(SOURCES).filter(([name]) => TRUSTED.test(name));
  const server = codeLineCount(Deno.readTextFileSync("src/console/assets.ts"));
  assert(total(trusted, codeLineCount) + server <= LINES.trusted, "what trust rests on");
});

Deno.test("A page loads few bytes", () => {
  const style = "style/console.css";
  const start = ["index.html", "theme.js", "icon.svg", "lang/en.js", style, "app.js"];
  const signIn = [...start, "pages/sign_in.js"];
  const list = [...start, "core/signed_in.js", "lang/en/records.js", "pages/records.js"];
  for (const [names, limit] of [[signIn, LOADED.signIn], [list, LOADED.list]] as const) {
    const texts = loadedTexts(names);
    const together = compressedByteCount([texts.join("")]);
    const apart = compressedByteCount(texts);
    assert(byteCountOf(texts) <= limit, `${byteCountOf(texts)} bytes of ${limit}`);
    assert(together <= limit * COMPRESSED.together, `${together} compressed of ${limit}`);
    assert(apart <= limit * COMPRESSED.apart, `${apart} as served of ${limit}`);
  }
  const pages = [
    ...(FILES["core/signed_in.js"] ?? "").matchAll(/import\("\.\.\/(pages\/[^"]+)"\)/g),
  ];
  for (const [, page = ""] of pages) {
    const bytes = byteCountOf(loadedTexts([...list, page]));
    assert(bytes <= LOADED.page, `${page}: ${bytes} bytes`);
  }
});

const byteCountOf = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + byteCount(text), 0);
const compressedByteCount = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + gzipSync(text).length, 0);

function loadedTexts(names: readonly string[]): string[] {
  return modulesOf(names).map((name) => (FILES[name] ?? ""));
}

Deno.test("No user text can become HTML, script or an address", () => {
  const forbidden = [
    /innerHTML/,
    /outerHTML/,
    /insertAdjacentHTML/,
    /document\.write/,
    /\beval\b/,
    /\bFunction\(/,
    /DOMParser/,
    /setHTML/,
    /createContextualFragment/,
    /srcdoc/,
    /javascript:/,
    /\bon[a-z]+=/,
    /\bstyle=/,
    /\.style\b/,
    /https?:\/\/(?!www\.w3\.org\/)/,
  ];
  for (const [name, text] of files) {
    for (const pattern of forbidden) assert(!pattern.test(text), `${name} has ${pattern}`);
  }
});

Deno.test("A page can be zoomed, has no fonts or pictures but icons, and accepts pasting", () => {
  assert(!/user-scalable|maximum-scale/.test(FILES["index.html"] ?? ""));
  const ends = new Set(files.map(([name]) => name.replace(/^.*\./, "")));
  assertEquals([...ends].sort(), ["css", "html", "js", "svg"]);
  assertEquals(withEnd("svg").map(([name]) => name), ["icon.svg"]);
  assertEquals(Object.keys(PICTURES), ["icon-192.png", "icon-512.png", "icon-maskable.png"]);
  for (const [name, text] of withEnd("css")) assert(!/@font-face|@import|url\(/.test(text), name);
  for (const [name, text] of withEnd("js")) assert(!/["']paste["']/.test(text), name);
});

Deno.test("Modules import only paths within the console", () => {
  for (const [name, text] of withEnd("js")) {
    for (const [, path = ""] of text.matchAll(/(?:^import |from |import\()"([^"]+)"/gm)) {
      // Only for the type check.
      if (path.endsWith(".d.ts")) continue;
      const target = new URL(path, `http://console/${name}`);
      assert(path.startsWith("./") || path.startsWith("../"), `${name} imports ${path}`);
      assert(Object.hasOwn(FILES, target.pathname.slice(1)), `${name} imports ${path}`);
    }
  }
});

Deno.test("A joined file declares each name once", () => {
  const declared = /^(?:export )?(?:async )?(?:function|const|let|class) (\w+)|^import \{(.*)\}/gm;
  for (const file of Object.keys(PARTS).filter((name) => name.endsWith(".js"))) {
    const names = [...(FILES[file] ?? "").matchAll(declared)].flatMap(([, own, imported = ""]) =>
      own ?? imported.split(",").map((name) => name.replace(/^.* as /, "").trim())
    );
    const twice = names.filter((name, index) => names.indexOf(name) < index);
    assertEquals(twice, [], file);
  }
});

Deno.test("Text has enough contrast in both schemes", () => {
  const tokens = readTokens(FILES["style/console.css"] ?? "");
  const everyGround = ["paper", "raised", "sunken", "wash"];
  const pairs: readonly [text: string, grounds: readonly string[], least: number][] = [
    ["ink", [...everyGround, "added", "removed"], 7],
    ["accent", ["paper"], 7],
    ["paper", ["accent"], 7],
    ["accent", everyGround, 4.5],
    ["quiet", everyGround, 4.5],
    ["danger", everyGround, 4.5],
    ["edge", ["paper", "raised"], 3],
  ];
  for (const scheme of ["light", "dark"] satisfies Scheme[]) {
    for (const [text, grounds, least] of pairs) {
      for (const ground of grounds) {
        const found = contrast(tokens, scheme, text, ground);
        assert(found >= least, `${text} on ${ground}, ${scheme}: ${found.toFixed(2)}`);
      }
    }
  }
});

Deno.test("The symbols of each group of kinds, and what stands on them, have enough contrast", () => {
  const tones = readTones(FILES["style/console.css"] ?? "");
  assertEquals(tones.size, 6);
  for (const [tone, tokens] of tones) {
    for (const scheme of ["light", "dark"] satisfies Scheme[]) {
      for (const ground of ["paper", "raised", "sunken", "ground"]) {
        const symbol = contrast(tokens, scheme, "symbol", ground);
        assert(symbol >= 3, `${tone} on ${ground}, ${scheme}: ${symbol.toFixed(2)}`);
      }
      const ink = contrast(tokens, scheme, "ink", "ground");
      assert(ink >= 4.5, `ink on ${tone}, ${scheme}: ${ink.toFixed(2)}`);
    }
  }
});

Deno.test("Each file of types is short, and is checked", async () => {
  const web = "src/console/web";
  const { compilerOptions } = JSON.parse(await Deno.readTextFile(`${web}/deno.json`));
  const shared = await Deno.readTextFile(`${web}/logic/types.d.ts`);
  for await (const { name } of Deno.readDir(`${web}/types`)) {
    assert(lineCount(await Deno.readTextFile(`${web}/types/${name}`)) <= MAX_LINES, name);
    const isNamed = compilerOptions.types.includes(`./types/${name}`);
    assert(isNamed || shared.includes(`"../types/${name}"`), `${name} is not checked`);
  }
});
