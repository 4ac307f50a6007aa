/** Texts that would be markup, script or a format elsewhere, and what they must not do to a page. */

import { assert, assertEquals } from "@std/assert";
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

/** Opens a page of the console, and waits until it is drawn. */
export async function visitDrawn(page: Page, path: string): Promise<void> {
  await page.visit(path);
  await page.until(`document.querySelector("h1")?.innerText !== "Personal Records"`);
}

/**
 * The elements of a page by their tag, where an element that a text made would show.
 *
 * @param marks Elements that mark what differs in a text, which are not counted.
 */
export async function tagsOf(page: Page, marks: readonly string[] = []): Promise<string> {
  const left = marks.length === 0 ? "*" : `:not(${marks.join(", ")})`;
  return await page.evaluate(`Object.entries(
    Object.groupBy(document.querySelectorAll(${JSON.stringify(left)}), ({ tagName }) => tagName)
  ).map(([tag, { length }]) => tag + " " + length).join(", ")`);
}

/** Asserts that no text has run, or is wider than the screen. */
export async function assertHarmless(page: Page, where: string): Promise<void> {
  const isNarrow = "document.documentElement.scrollWidth <= innerWidth";
  assert(await page.evaluate(isNarrow), `${where} is wider than the screen`);
  assertEquals(await page.evaluate("window.reached ?? null"), null, where);
}
