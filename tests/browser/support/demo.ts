/** A console with a whole life in it, and a walk through all of its pages. */

import { PAGES } from "../../../src/console/web/pages.js";
import { openObjectStore } from "../../../src/attachments/object_store.ts";
import { seedDemo } from "../../../src/seed/demo.ts";
import type { Page } from "./browser.ts";
import type { Console } from "./console.ts";
import { EMAIL, settle } from "./person.ts";

/** Opens a page of a person whose account holds the sample life. */
export async function settleWithDemo(console: Console): Promise<Page> {
  const page = await settle(console);
  const { database, objectFolder, now } = console.world;
  const openObjects = () => openObjectStore(objectFolder);
  await seedDemo({ database, clock: now, openObjects }, EMAIL);
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
 * named. A list that is linked only where it is long is found above one of its own pages.
 *
 * @param look Called on each page, with its path.
 * @throws Error naming the patterns that were not found.
 */
export async function walkPages(
  page: Page,
  look: (path: string) => Promise<void>,
  others: readonly string[] = [],
): Promise<void> {
  const met = new Set<string>();
  const waiting = ["/", ...others];
  const below: string[] = [];
  const meet = (path: string) => {
    const pattern = patternOf(path);
    if (pattern === undefined || met.has(pattern)) return;
    met.add(pattern);
    waiting.push(path);
  };
  while (waiting.length > 0) {
    const path = waiting.shift() ?? "/";
    await page.visit(path);
    await drawn(page);
    met.add(patternOf(path) ?? path);
    await look(path);
    const links: string[] = await page.evaluate(
      `[...document.querySelectorAll("a[href^='/']")].map(({ pathname }) => pathname)`,
    );
    links.forEach(meet);
    below.push(...links);
    if (waiting.length === 0) below.map((link) => link.replace(/\/[^/]*$/, "")).forEach(meet);
  }
  const missed = PAGES.filter(({ path }) => !met.has(path)).map(({ path }) => path);
  if (missed.length > 0) throw new Error(`No link leads to ${missed.join(", ")}`);
}
