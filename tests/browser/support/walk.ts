/** A walk through all pages. */

import { assert } from "@std/assert";
import de from "../../../src/console/web/lang/de.js";
import en from "../../../src/console/web/lang/en.js";
import { AUTHORIZE, PAGES } from "../../../src/console/web/core/signed_in/pages.js";
import type { Page } from "./browser.ts";

/** Programs open the page of their sign-in; no link leads to it. */
const LINKED = PAGES.filter(({ path }: { path: string }) => path !== AUTHORIZE);

/** Finds the pattern in `core/signed_in/pages.js`. */
function patternOf(path: string): string | undefined {
  const sent = path.replace(/\?.*/, "").split("/");
  return PAGES.find(({ path: pattern }: { path: string }) => {
    const segments = pattern.split("/");
    return segments.length === sent.length &&
      segments.every((segment, index) => segment.startsWith(":") || segment === sent[index]);
  })?.path;
}

/** Headings of failures. */
const FAILURES = [en, de].flatMap(({ sentences: { failed, notFound } }) => [failed, notFound]);

/** Waits until it is drawn. */
export async function load(page: Page, path: string): Promise<void> {
  await page.visit(path);
  await drawn(page, path);
}

/** Visits a page as a link does, without loading the shell. */
export async function go(page: Page, path: string): Promise<void> {
  // A link to the current page reloads it.
  if (await page.evaluate("location.pathname + location.search") === path) return load(page, path);
  await page.evaluate(`document.querySelector("h1").id = "left"`);
  await page.evaluate(`navigation.navigate(${JSON.stringify(path)}), null`);
  await drawn(page, path);
}

async function drawn(page: Page, path: string): Promise<void> {
  const heading = `document.querySelector("main > h1:not(#left)")?.innerText`;
  await page.until(`![undefined, "Personal Records"].includes(${heading})`);
  assert(!FAILURES.includes(await page.evaluate(heading)), path);
}

/** Opens the folded parts. Some of them are read only then. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(`for (const part of document.querySelectorAll("details")) part.open = true`);
  await page.until(`document.querySelector("main details > div:empty") === null`);
}

/**
 * Follows links from the first page to one page of every pattern of the console, and to named
 * others. If an object links to no page of a pattern, as a sealed person to its form, tries
 * the next one; a list that is linked only if long is derived from its items' pages.
 *
 * @param look Called on each page.
 * @throws naming the missing patterns.
 */
export async function walkPages(
  page: Page,
  look: (path: string) => Promise<void>,
  { others = [] }: { others?: readonly string[] } = {},
): Promise<void> {
  const seen = new Set<string>();
  const known = new Set(["/", ...others]);
  const isMissed = (pattern: string) => ![...seen].some((path) => patternOf(path) === pattern);
  const nextPath = () => {
    const open = [...known].filter((path) => !seen.has(path));
    const missed = LINKED.map(({ path }) => path).filter(isMissed);
    const leadsOn = (path: string) =>
      missed.some((pattern) => pattern.startsWith(`${patternOf(path)}/`));
    const above = open.map((path) => path.replace(/\/[^/]*$/, ""));
    return open.find((path) => others.includes(path) || missed.includes(patternOf(path) ?? "")) ??
      above.find((path) => missed.includes(patternOf(path) ?? "")) ?? open.find(leadsOn);
  };
  for (let path = nextPath(); path !== undefined; path = nextPath()) {
    await go(page, path);
    seen.add(path);
    await look(path);
    await unfold(page);
    const links: string[] = await page.evaluate(
      `[...document.querySelectorAll("a[href^='/']")].map(({ pathname }) => pathname)`,
    );
    for (const link of links) if (patternOf(link) !== undefined) known.add(link);
  }
  const missed = LINKED.map(({ path }) => path).filter(isMissed);
  if (missed.length > 0) throw new Error(`No link leads to ${missed.join(", ")}`);
}
