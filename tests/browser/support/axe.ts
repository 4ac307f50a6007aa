/**
 * Violations found by axe-core. `AXE_CORE` names `axe.min.js`, which `.ci/run` fetches; without it there are
 * none.
 */

import type { Page } from "./browser.ts";

const FILE = Deno.env.get("AXE_CORE");
const axe = FILE === undefined ? null : await Deno.readTextFile(FILE);

interface AxeResult {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

type Evaluate = Awaited<ReturnType<Page["isolate"]>>;

/** Every rule in the light scheme, contrasts in the dark one. */
export async function violations(page: Page): Promise<string[]> {
  if (axe === null) return [];
  const evaluate = await begin(page, axe);
  await page.prefer("prefers-color-scheme", "light");
  const light = await run(evaluate, "light", {});
  await page.prefer("prefers-color-scheme", "dark");
  return [...light, ...await run(evaluate, "dark", { runOnly: ["color-contrast"] })];
}

/** Rules that a language can break: all except colours. */
export async function violationsInWords(page: Page): Promise<string[]> {
  if (axe === null) return [];
  const rules = { "color-contrast": { enabled: false } };
  return await run(await begin(page, axe), "in words", { rules });
}

/** Requires a newly loaded document, because axe stays in it. */
async function begin(page: Page, axe: string): Promise<Evaluate> {
  const evaluate = await page.isolate();
  if (await evaluate(`"axe" in globalThis`)) return evaluate;
  await evaluate(axe);
  return evaluate;
}

async function run(evaluate: Evaluate, name: string, options: object): Promise<string[]> {
  const found: AxeResult[] = await evaluate(
    // Omits passes.
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
