/** Every language says everything that the English one says. */

import { assert, assertEquals } from "@std/assert";
import { ERROR_CODES } from "../../../src/errors/codes.ts";
import { FILES } from "../../../src/console/files.ts";
import { LANGUAGES } from "../../../src/console/web/core/text.js";

type Sentences = Readonly<Record<string, string>>;

const WEB = "../../../src/console/web/lang";
const files = Object.keys(FILES).filter((name) => name.startsWith("lang/en"));

async function read(name: string): Promise<Readonly<Record<string, Sentences>>> {
  const { default: read } = await import(`${WEB}/${name.slice("lang/".length)}`);
  const isParted = name.endsWith("/failures.js") || !name.includes("/", "lang/".length);
  return isParted ? read : { sentences: read };
}

/** The values that a sentence takes, as `{name}`. */
const valuesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();

Deno.test("Every language has each sentence of English, with the same values", async () => {
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

Deno.test("Every failure has its meaning, in one place: the service's, and the client's own", async () => {
  const meant = [await read("lang/en.js"), await read("lang/en/failures.js")]
    .flatMap(({ failures = {} }) => Object.keys(failures));
  const codes = [...Object.keys(ERROR_CODES), "HTTP_409", "NETWORK_ERROR"];
  assertEquals(meant.sort(), codes.sort());
});

Deno.test("No sentence has two meanings", async () => {
  const met = new Map<string, string>();
  for (const file of files) {
    for (const name of Object.keys((await read(file)).sentences ?? {})) {
      assert(!met.has(name), `${name} is in ${met.get(name)} and in ${file}`);
      met.set(name, file);
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
      assert(new RegExp(`\\b${name}\\b`).test(source), `${name} of ${file} is not used`);
    }
  }
});
