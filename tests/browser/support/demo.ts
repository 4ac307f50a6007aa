/** A console with a whole life in it, and a walk through all of its pages. */

import { PAGES } from "../../../src/console/web/pages.js";
import { openObjectStore } from "../../../src/attachments/object_store.ts";
import { seedDemo } from "../../../src/seed/demo.ts";
import type { Page } from "./browser.ts";
import type { Console } from "./console.ts";
import { callAs, EMAIL, settle } from "./person.ts";

/** Opens a page of a person whose account holds the sample life. */
export async function settleWithDemo(console: Console): Promise<Page> {
  const page = await settle(console);
  const { database, objectFolder, now } = console.world;
  const openObjects = () => openObjectStore(objectFolder);
  await seedDemo({ database, clock: now, openObjects }, EMAIL);
  // What only comes of an act of its own.
  await callAs(page, "POST", "/api/v2/resource/overload-analyses", {});
  await page.visit("/");
  return page;
}

/** The pattern of `pages.js` that a path belongs to. */
function patternOf(path: string): string | undefined {
  const sent = path.split("/");
  return PAGES.find(({ path: pattern }) => {
    const segments = pattern.split("/");
    return segments.length === sent.length &&
      segments.every((segment, index) => segment.startsWith(":") || segment === sent[index]);
  })?.path;
}

/** Waits until a page is drawn, which is when its heading has the focus or its place is restored. */
async function drawn(page: Page): Promise<void> {
  await page.until(`document.querySelector("main > h1")?.innerText !== "Personal Records"`);
}

/**
 * Goes by links from the first page to one page of every pattern of `pages.js`, and to others that are
 * named. Where a thing has no link to a page of its own, such as a sealed person to its form, the next
 * thing of its kind is asked; a list that is linked only where it is long is found above its own pages.
 *
 * @param look Called on each page, with its path.
 * @throws Error naming the patterns that were not found.
 */
export async function walkPages(
  page: Page,
  look: (path: string) => Promise<void>,
  others: readonly string[] = [],
): Promise<void> {
  const seen = new Set<string>();
  const known = new Set(["/", ...others]);
  const isMissed = (pattern: string) => ![...seen].some((path) => patternOf(path) === pattern);
  const nextPath = () => {
    const open = [...known].filter((path) => !seen.has(path));
    const missed = PAGES.map(({ path }) => path).filter(isMissed);
    const leadsOn = (path: string) =>
      missed.some((pattern) => pattern.startsWith(`${patternOf(path)}/`));
    const above = open.map((path) => path.replace(/\/[^/]*$/, ""));
    return open.find((path) => others.includes(path) || missed.includes(patternOf(path) ?? "")) ??
      above.find((path) => missed.includes(patternOf(path) ?? "")) ?? open.find(leadsOn);
  };
  for (let path = nextPath(); path !== undefined; path = nextPath()) {
    await page.visit(path);
    await drawn(page);
    seen.add(path);
    await look(path);
    const links: string[] = await page.evaluate(
      `[...document.querySelectorAll("a[href^='/']")].map(({ pathname }) => pathname)`,
    );
    for (const link of links) if (patternOf(link) !== undefined) known.add(link);
  }
  const missed = PAGES.map(({ path }) => path).filter(isMissed);
  if (missed.length > 0) throw new Error(`No link leads to ${missed.join(", ")}`);
}
