/** A page's own texts, compared between English and German. */

import { PARTS } from "../../../src/console/files.ts";
import { FILES } from "../../../src/console/joined.ts";
import germanLabels from "../../../src/console/web/lang/de/labels/index.js";
import { LANGUAGES } from "../../../src/console/web/core/base/language.js";
import { IMPORT_FORMATS } from "../../../src/console/web/logic/import_formats.js";
import type { Page } from "./browser.ts";
import { withoutHostile } from "./hostile.ts";
import { EMAIL } from "./person.ts";

type Sentences = Readonly<Record<string, string>>;

/** A person's text, exact text, a time, or text marked as of another language. */
const NOT_SAID = ".words, .exact, code, kbd, pre, time, .anchor.date, [translate=no], body [lang]";

/** Includes attributes that are read out. */
export async function saidOn(page: Page): Promise<string[]> {
  return await page.evaluate(`(() => {
    const said = new Set([document.title.replace(/ · Personal Records$/, "")]);
    for (const element of document.querySelectorAll("body, body *")) {
      if (element.closest("${NOT_SAID}") !== null) continue;
      for (const name of ["aria-label", "placeholder", "title", "alt"]) {
        said.add(element.getAttribute(name) ?? "");
      }
      for (const { nodeType, data } of element.childNodes) {
        if (nodeType === Node.TEXT_NODE) said.add(data.trim());
      }
    }
    return [...said];
  })()`);
}

async function sentencesOf(file: string): Promise<Sentences> {
  const source = PARTS[file]?.at(-1) ?? file;
  const { default: read, failures } = await import(`../../../src/console/web/${source}`);
  return typeof read.failures === "object"
    ? { ...read.sentences, ...read.failures }
    : { ...read, ...failures };
}

/** Not translated. */
const NAMES = [EMAIL, ...Object.values(LANGUAGES), "Markdown", "JSON", "CSV"];

/** Matches German texts, and texts equal in both languages, with any values. */
async function germanTexts(): Promise<RegExp> {
  const formats = Object.values(IMPORT_FORMATS).flatMap(({ title }) => title.de ?? []);
  const texts = [...NAMES, ...formats, "Personal Records Service {version}"];
  texts.push(...Object.values(germanLabels));
  for (const file of Object.keys(FILES).filter((name) => name.startsWith("lang/en"))) {
    const english = await sentencesOf(file);
    const german = await sentencesOf(file.replace("lang/en", "lang/de"));
    const isExact = ([name, text]: [string, string]) =>
      !text.includes("{") || english[name] === text;
    texts.push(...Object.entries(german).filter(isExact).map(([, text]) => text));
  }
  const patterns = texts.map((text) =>
    text.split(/\{\w+\}/).map((part) => RegExp.escape(part)).join(".*")
  );
  return new RegExp(`^(${patterns.join("|")})$`);
}

const GERMAN = await germanTexts();

/** Texts that are equal in both languages but should not be. */
export function untranslated(english: readonly string[], german: readonly string[]): string[] {
  const equal = new Set(english).intersection(new Set(german));
  return [...equal].filter((text) => {
    const own = withoutHostile(text);
    // The letters of people are not words.
    return /\p{L}{2}/u.test(own) && !GERMAN.test(own);
  });
}
