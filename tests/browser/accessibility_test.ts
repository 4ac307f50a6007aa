/** Every page of the sample life, for axe-core, assistive technology and touch. */

import { assert } from "@std/assert";
import { violations } from "./support/axe.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { settleWithDemo } from "./support/demo.ts";
import { unnamedControls } from "./support/names.ts";
import { walkPages } from "./support/walk.ts";

/** Together they have every edit type. */
const FORMS = ["health", "community", "integration", "capture", "routine"];

/** Exact text and tables scroll instead of wrapping. */
const MAY_SCROLL = "pre, table, textarea, select, .scrolls";

/** Minimum height for touch, in pixels. */
const TARGET = 44;

/** Overflow at 320 px, which is 1280 at 400 %. */
async function unfit(page: Page): Promise<string[]> {
  await page.resize(320, 800);
  await page.touch(true);
  await page.evaluate(`for (const part of document.querySelectorAll("details")) part.open = true`);
  const found: string[] = await page.evaluate(`(() => {
    const wide = document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : [];
    const scrolling = [...document.querySelectorAll("main *")].filter((element) =>
      element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 &&
      ["auto", "scroll"].includes(getComputedStyle(element).overflowX) &&
      !element.matches("${MAY_SCROLL}"));
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
      ...wide,
      ...scrolling.map(told("scrolls by itself")),
      ...[...document.querySelectorAll("a, button, summary, input, select, textarea")]
        .filter(isSmall).map(told("is hard to touch")),
    ];
  })()`);
  await page.touch(false);
  await page.resize(1280, 900);
  return found;
}

journey(
  "Every page is reached by links, fits a small screen, and names its controls",
  async (console) => {
    const page = await settleWithDemo(console);
    const forms = FORMS.map((code) => `/console/records/${code}/new`);
    const problems: string[] = [];
    const look = async (path: string) => {
      const found = [
        ...await unnamedControls(page),
        ...await violations(page),
        ...await unfit(page),
      ];
      problems.push(...found.map((problem) => `${path}: ${problem}`));
    };
    await walkPages(page, look, { others: forms });
    assert(problems.length === 0, problems.join("\n\n"));
  },
);
