import { assert, assertEquals } from "@std/assert";
import { ERROR_CODES } from "../../../src/errors/codes.ts";
import { PARTS } from "../../../src/console/files.ts";
import { FILES } from "../../../src/console/joined.ts";
import { modulesOf, pageModules } from "../../../src/console/preloads.ts";
import { LANGUAGES } from "../../../src/console/web/core/base/language.js";
import { PAGES } from "../../../src/console/web/core/signed_in/pages.js";

type Sentences = Readonly<Record<string, string>>;

const WEB = "../../../src/console/web/lang";
/** A table of its own: areas of imports have other sentences for some of its rules. */
const RULES = "lang/en/rules.js";
const files = Object.keys(FILES).filter((name) => name.startsWith("lang/en"));

async function read(name: string): Promise<Readonly<Record<string, Sentences>>> {
  const source = PARTS[name]?.at(-1) ?? name;
  const { default: read, failures = {} } = await import(`${WEB}/${source.slice("lang/".length)}`);
  const isParted = !name.includes("/", "lang/".length);
  return isParted ? read : { sentences: read, failures };
}

/** The shell's have none. */
async function areasOfSentences(): Promise<Map<string, string>> {
  const areas = new Map<string, string>();
  for (const file of files.filter((name) => name.startsWith("lang/en/") && name !== RULES)) {
    const area = file.slice("lang/en/".length, -".js".length);
    for (const name of Object.keys((await read(file)).sentences ?? {})) areas.set(name, area);
  }
  return areas;
}

/** All modules that a page may load, without comments. */
function textsOfPage(page: string): Map<string, string> {
  const texts = new Map<string, string>();
  const names = new Set(modulesOf([page]));
  for (const name of names) {
    const text = (FILES[name] ?? "").replace(/\/\*\*.*?\*\//gs, "");
    texts.set(name, text);
    // It imports every page.
    if (name === "core/signed_in.js") continue;
    for (const [, path = ""] of text.matchAll(/\bimport\("([^"]+)"\)/g)) {
      const later = new URL(path, `http://console/${name}`).pathname.slice(1);
      for (const each of modulesOf([later])) names.add(each);
    }
  }
  return texts;
}

/** `t(isNew ? "newOf" : "editOf")`, or `{ title: "options" }`. */
const SAID = /\bt\(\s*(?:[^()"]*\? )?"(\w+)"(?: : "(\w+)")?|\b(?!class\b)\w+: "(\w+)"/g;
/** Also used as other names. */
const ALSO_VALUES = [
  "dates",
  "decision",
  "importance",
  "map",
  "message",
  "option",
  "observedAt",
  "options",
  "privacy",
];
/** The areas of modules that others load, with their areas. */
const LOADED_LATER: Readonly<Record<string, string>> = { "logic/add_line.js": "add_line" };
/** A page uses those without sentences, unless it names their area. */
const DRAFTS_OF_OTHERS = ["pages/drafts.js"];

/** `{name}` placeholders. */
const valuesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();

Deno.test("Every language has each English sentence, with the same placeholders", async () => {
  for (const code of Object.keys(LANGUAGES)) {
    for (const file of files) {
      const english = await read(file);
      const other = await read(file.replace("lang/en", `lang/${code}`));
      for (const [part, sentences] of Object.entries(english)) {
        const translated = other[part] ?? {};
        assertEquals(Object.keys(translated).sort(), Object.keys(sentences).sort(), file);
        for (const [name, text] of Object.entries(sentences)) {
          assertEquals(valuesOf(translated[name] ?? ""), valuesOf(text), `${code}: ${name}`);
        }
      }
    }
  }
});

/** Endings of the codes that several families share. */
const SHARED = ["_STATE_CONFLICT", "_DEDICATED_ENDPOINT_REQUIRED", "_LEGACY_WRITE_DISABLED"];

Deno.test("Every failure of service and client has one explanation", async () => {
  const meant = [await read("lang/en.js"), await read("lang/en/records.js")]
    .flatMap(({ failures = {} }) => Object.keys(failures));
  const codes = [...Object.keys(ERROR_CODES), "HTTP_409", "NETWORK_ERROR"].map((code) =>
    meant.includes(code) ? code : SHARED.find((end) => code.endsWith(end))?.slice(1) ?? code
  );
  assertEquals(meant.sort(), [...new Set(codes)].sort());
});

Deno.test("No sentence is defined twice", async () => {
  const met = new Map<string, string>();
  for (const file of files.filter((name) => name !== RULES)) {
    for (const name of Object.keys((await read(file)).sentences ?? {})) {
      assert(!met.has(name), `${name} is in ${met.get(name)} and in ${file}`);
      met.set(name, file);
    }
  }
});

Deno.test("Every page names the areas of all its sentences", async () => {
  const areas = await areasOfSentences();
  const pages = pageModules();
  for (const { path, areas: named = [] } of PAGES) {
    for (const [module, text] of textsOfPage(pages.get(path) ?? "")) {
      if (DRAFTS_OF_OTHERS.includes(module)) continue;
      const own = Array.from(text.matchAll(/\bloadArea\("(\w+)"\)/g), ([, area = ""]) => area);
      // Records on every page.
      const there = new Set<string>(["records", LOADED_LATER[module] ?? "", ...named, ...own]);
      for (const name of [...text.matchAll(SAID)].flatMap((said) => said.slice(1))) {
        const area = ALSO_VALUES.includes(name) ? undefined : areas.get(name);
        assert(
          area === undefined || there.has(area),
          `${path}: ${name} of ${module} is in ${area}`,
        );
      }
    }
  }
});

Deno.test("Every sentence is used", async () => {
  const scripts = Object.entries(FILES).filter(([name]) =>
    name.endsWith(".js") && !name.startsWith("lang/")
  );
  const source = scripts.map(([, text]) => text).join("\n");
  for (const file of files) {
    for (const name of Object.keys((await read(file)).sentences ?? {})) {
      // The service gives these names.
      if (/[.-]|^[A-Z_]+$/.test(name)) continue;
      assert(new RegExp(`\\b${name}\\b`).test(source), `${name} of ${file} is not used`);
    }
  }
});
