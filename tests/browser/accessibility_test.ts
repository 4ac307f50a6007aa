/**
 * Every page with a whole life in it, as axe-core and assistive technology read it. `AXE_CORE` names the
 * file `axe.min.js`; without it axe's part is left out. `.ci/run` fetches it.
 */

import { assert } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { settleWithDemo, walkPages } from "./support/demo.ts";
import { unnamedControls } from "./support/names.ts";

const AXE = Deno.env.get("AXE_CORE");
/** Between them they have fields of every edit type. */
const FORMS = ["health", "community", "integration", "capture", "routine"];

/** Beside text that is exact, and tables, which lose by being broken: they scroll by themselves. */
const MAY_SCROLL = "pre, table, textarea, select, .scrolls";

/** What does not fit a page of 320 px, which is 1280 at 400 %. */
async function unfit(page: Page): Promise<string[]> {
  await page.resize(320, 800);
  const found: string[] = await page.evaluate(`(() => {
    const wide = document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : [];
    const scrolling = [...document.querySelectorAll("main *")].filter((element) =>
      element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 &&
      ["auto", "scroll"].includes(getComputedStyle(element).overflowX) &&
      !element.matches("${MAY_SCROLL}"));
    return [...wide, ...scrolling.map(({ outerHTML }) => "scrolls by itself: " + outerHTML.slice(0, 200))];
  })()`);
  await page.resize(1280, 900);
  return found;
}

interface AxeResult {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds wrong on a page, in words. */
async function violations(page: Page, axe: string): Promise<string[]> {
  const evaluate = await page.isolate();
  await evaluate(axe);
  await page.prefer("prefers-color-scheme", "light");
  const light = await violationsIn(evaluate, "light", {});
  await page.prefer("prefers-color-scheme", "dark");
  return [...light, ...await violationsIn(evaluate, "dark", { runOnly: ["color-contrast"] })];
}

async function violationsIn(
  evaluate: (expression: string) => Promise<AxeResult[]>,
  scheme: string,
  options: unknown,
): Promise<string[]> {
  const found = await evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    })))`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${scheme}: ${id}: ${html}\n${failureSummary}`)
  );
}

journey(
  "Every page is reached by links, fits a small screen, and names its controls",
  async (console) => {
    const page = await settleWithDemo(console);
    const axe = AXE === undefined ? null : await Deno.readTextFile(AXE);
    const forms = FORMS.map((code) => `/console/records/${code}/new`);
    const problems: string[] = [];
    const look = async (path: string) => {
      const found = [
        ...await unnamedControls(page),
        ...axe === null ? [] : await violations(page, axe),
        ...await unfit(page),
      ];
      problems.push(...found.map((problem) => `${path}: ${problem}`));
    };
    await walkPages(page, look, forms);
    assert(problems.length === 0, problems.join("\n\n"));
  },
);
