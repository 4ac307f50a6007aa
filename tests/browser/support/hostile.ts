/** Texts that could become markup, script or formats, and their possible effects. */

import type { Page } from "./browser.ts";

export const HOSTILE = [
  `<img src=x onerror="window.reached=1">`,
  `"><script>window.reached=1</script>`,
  `</textarea><svg/onload=window.reached=1>`,
  `javascript:window.reached=1`,
  `{{constructor.constructor('window.reached=1')()}}`,
  `\u202Eright to left\u202C &lt;b&gt; &amp; \${1+1}`,
  `<!--`,
  `W`.repeat(300),
].join(" ");

const made = new Set<string>([HOSTILE]);

let count = 0;

/** Unique by its number. */
export function hostileText(most: number, number = ++count): string {
  // Fills up with one word wider than a screen.
  const short = `<img src=x onerror="window.reached=1">${"W".repeat(most)}`;
  const text = `${number} ${most > 500 ? HOSTILE : short}`.slice(0, most).trim();
  made.add(text);
  return text;
}

/** The page's own text around it. */
export function withoutHostile(text: string): string {
  const longestFirst = [...made].sort((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((rest, one) => rest.replaceAll(one, ""), text);
  // Pictures truncate long names.
  return rest.replace(/\d+ <img .*…$/, "");
}

/** Elements and attributes that only hostile texts name; anchors have dates and values in `b`. */
const FOREIGN = `[...document.querySelectorAll("body *")].filter((element) =>
  element.matches("img:not([src^='/api/v2/attachments/']), script, iframe, b:not(.anchor > b), object, embed") ||
  [...element.attributes].some(({ name }) => /^(on|style)/.test(name)))
  .map(({ outerHTML }) => outerHTML.slice(0, 200))`;

/** Elements made of text, executed text, or a page wider than the screen. */
export async function harms(page: Page): Promise<string[]> {
  return await page.evaluate(`[
    ...${FOREIGN},
    ...window.reached === undefined ? [] : ["a text has run"],
    ...[...document.querySelectorAll("body *")]
      .filter((element) => document.documentElement.scrollWidth > innerWidth &&
        element.getBoundingClientRect().right > innerWidth)
      .map(({ outerHTML }) => "wider than the screen: " + outerHTML.slice(0, 200)).slice(-1),
  ]`);
}
