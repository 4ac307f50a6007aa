/**
 * One walk through every page of a life whose texts are hostile, on a large light screen in English
 * and on a small dark one with touch in German: axe-core, assistive technology, texts that stay
 * texts, and translations.
 */

import { assert } from "@std/assert";
import { violations, violationsBeside } from "./support/axe.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { harms } from "./support/hostile.ts";
import { liveHostilely } from "./support/hostile_life.ts";
import { unnamedControls } from "./support/names.ts";
import { settleAtHome } from "./support/person.ts";
import { go, load, walkPages } from "./support/walk.ts";
import { saidOn, untranslated } from "./support/words.ts";

/** 320 px are 1280 at 400 %. */
const SMALL = [320, 800] as const;

/** Together they have every edit type. */
const FORMS = ["health", "community", "integration", "capture", "routine"];

/** Exact text and tables scroll instead of wrapping. */
const MAY_SCROLL = "pre, table, textarea, select, .scrolls";

/** Rows of filters scroll as well: each filter is visible whole, and reached by the keyboard. */
const STRIP = ".chips, .strip";

/** Minimum height for touch, in pixels. */
const TARGET = 44;

/** Unfolds, unveils and ticks everything. */
const REVEAL = `(() => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  for (const veil of document.querySelectorAll("main button.plain[aria-label$=anzeigen]")) veil.click();
  globalThis.ticked = [...document.querySelectorAll("main input[type=checkbox]:not(:checked)")];
  for (const box of ticked) box.click();
})()`;

/** Forms with unsaved input would ask before leaving. */
const CONCEAL = "for (const box of ticked) box.click()";

/** Parts that scroll by themselves, or are too small for touch. */
const UNFIT = `(() => {
  const isStrip = (element) => element.matches("${STRIP}") &&
    [...element.children].every((filter) => filter.offsetWidth <= element.clientWidth &&
      (element.tabIndex === 0 || filter.matches("a, button, strong")));
  const scrolling = [...document.querySelectorAll("main *")].filter((element) =>
    element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 &&
    ["auto", "scroll"].includes(getComputedStyle(element).overflowX) &&
    !element.matches("${MAY_SCROLL}") && !isStrip(element));
  // A link within a sentence is as high as its line.
  const isInSentence = (element) => element.matches("a") &&
    [...element.parentElement.childNodes].some(({ nodeType, data }) =>
      nodeType === Node.TEXT_NODE && data.trim() !== "");
  // A box or a radio button is pressed by its label, too.
  const targetOf = (element) =>
    element.matches("[type=checkbox], [type=radio]") ? element.closest("label") ?? element : element;
  const isSmall = (element) => element.checkVisibility() && !isInSentence(element) &&
    targetOf(element).getBoundingClientRect().height < ${TARGET};
  const told = (what) => (element) => what + ": " + element.outerHTML.slice(0, 200);
  return [
    ...scrolling.map(told("scrolls by itself")),
    ...[...document.querySelectorAll("a, button, summary, input, select, textarea")]
      .filter(isSmall).map(told("is hard to touch")),
  ];
})()`;

/** Pages that look alike: those of one place, without the forms. */
const placeOf = (path: string) =>
  FORMS.find((code) => path.endsWith(`/${code}/new`)) ?? path.split("/")[2] ?? "";

/** Problems of the page after showing the parts that open on request. */
async function revealed(page: Page): Promise<string[]> {
  await page.evaluate(REVEAL);
  const found = [...await page.evaluate(UNFIT), ...await harms(page)];
  await page.evaluate(CONCEAL);
  return found;
}

journey(
  "Every page is reached by links, accessible, translated, and shows user text as text only",
  async (console) => {
    const page = await settleAtHome(console);
    const paths = await liveHostilely(page, console.world);
    const german = await console.openBeside(page);
    await german.resize(...SMALL);
    await german.speak("de-DE");
    await german.prefer("prefers-color-scheme", "dark");
    await german.touch(true);
    await load(german, "/");
    const problems: string[] = [];
    const places = new Set<string>();
    const look = async (path: string) => {
      await go(german, path);
      // `unit/console/source` has the contrasts of all colours.
      const isNew = !places.has(placeOf(path));
      places.add(placeOf(path));
      const found = [
        ...untranslated(await saidOn(page), await saidOn(german)),
        ...await unnamedControls(page),
        ...await violations(page, isNew),
        ...isNew ? await violationsBeside(german) : [],
        ...await harms(page),
        ...await revealed(german),
      ];
      problems.push(...found.map((problem) => `${path}: ${problem}`));
    };
    const forms = FORMS.map((code) => `/console/records/${code}/new`);
    // Only an account without records has a link to the first, and none leads to the second.
    const unlinked = ["/console/imports/sample", "/console/share"];
    await walkPages(page, look, { others: [...paths, ...forms, ...unlinked] });
    // The dialog that replaces evidence.
    await page.resize(...SMALL);
    await go(page, paths.find((path) => path.endsWith("/ledger/evidence")) ?? "");
    await page.evaluate(`document.querySelector("[aria-label^=Replace]").click()`);
    await page.until(`document.querySelector("dialog[open]") !== null`);
    problems.push(...await harms(page));
    assert(problems.length === 0, problems.join("\n\n"));
  },
);
