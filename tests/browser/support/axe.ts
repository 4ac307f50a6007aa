/**
 * What axe-core finds wrong. `AXE_CORE` names the file `axe.min.js`; without it nothing is found. `.ci/run`
 * fetches it.
 */

import type { Page } from "./browser.ts";

const FILE = Deno.env.get("AXE_CORE");
const axe = FILE === undefined ? null : await Deno.readTextFile(FILE);

interface AxeResult {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

type Evaluate = Awaited<ReturnType<Page["isolate"]>>;

/** What axe finds wrong on a page, in words: every rule in the light scheme, contrasts in the dark one. */
export async function violations(page: Page): Promise<string[]> {
  if (axe === null) return [];
  const evaluate = await begin(page, axe);
  await page.prefer("prefers-color-scheme", "light");
  const light = await run(evaluate, "light", {});
  await page.prefer("prefers-color-scheme", "dark");
  return [...light, ...await run(evaluate, "dark", { runOnly: ["color-contrast"] })];
}

/** What axe finds wrong by the rules that another language could break: all but those of colours. */
export async function violationsInWords(page: Page): Promise<string[]> {
  if (axe === null) return [];
  const rules = { "color-contrast": { enabled: false } };
  return await run(await begin(page, axe), "in words", { rules });
}

/** Axe outlives what is drawn in a document, so only a document loaded anew is given it. */
async function begin(page: Page, axe: string): Promise<Evaluate> {
  const evaluate = await page.isolate();
  if (await evaluate(`"axe" in globalThis`)) return evaluate;
  await evaluate(axe);
  return evaluate;
}

async function run(evaluate: Evaluate, name: string, options: object): Promise<string[]> {
  const found: AxeResult[] = await evaluate(
    // What is not asked for, such as each element that passed, is not written down.
    `axe.run(document, ${
      JSON.stringify({ resultTypes: ["violations"], ...options })
    }).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    })))`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${name}: ${id}: ${html}\n${failureSummary}`)
  );
}
