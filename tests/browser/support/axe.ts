/**
 * Violations found by axe-core. `AXE_CORE` names `axe.min.js`, which `.ci/run` fetches; without it
 * there are none.
 */

import type { Page } from "./browser.ts";

const FILE = Deno.env.get("AXE_CORE");
const axe = FILE === undefined ? null : await Deno.readTextFile(FILE);

interface AxeResult {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

type Evaluate = Awaited<ReturnType<Page["isolate"]>>;

/**
 * Rules that a language, a theme or a width can break. `unit/console/source` has the contrasts of
 * the dark theme.
 */
const BESIDE = [
  "html-has-lang",
  "valid-lang",
  "document-title",
  "button-name",
  "link-name",
  "label",
  "aria-input-field-name",
  "summary-name",
  "scrollable-region-focusable",
];

/**
 * Violations of every rule.
 *
 * @param contrast False omits the contrast of each text, which costs more than all other rules.
 */
export async function violations(page: Page, contrast = true): Promise<string[]> {
  const rules = { "color-contrast": { enabled: contrast } };
  return axe === null ? [] : await run(await begin(page, axe), "as usual", { rules });
}

/** Violations on the same page in another language, theme and width. */
export async function violationsBeside(page: Page): Promise<string[]> {
  return axe === null ? [] : await run(await begin(page, axe), "beside", { runOnly: BESIDE });
}

/** The world of each page in which axe is; a new document has none. */
const begun = new WeakMap<Page, Evaluate>();

async function begin(page: Page, axe: string): Promise<Evaluate> {
  const known = begun.get(page);
  if (await known?.(`"axe" in globalThis`).catch(() => false)) return known as Evaluate;
  const evaluate = await page.isolate();
  await evaluate(axe);
  begun.set(page, evaluate);
  return evaluate;
}

async function run(evaluate: Evaluate, name: string, options: object): Promise<string[]> {
  const found: AxeResult[] = await evaluate(
    // Omits passes, and does not fetch the style sheets again. The head stays as the document's
    // first page has it.
    `axe.run(globalThis.hasRun ? { exclude: ["body > header"] } : document, ${
      JSON.stringify({ resultTypes: ["violations"], preload: false, ...options })
    }).finally(() => globalThis.hasRun = true).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    })))`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${name}: ${id}: ${html}\n${failureSummary}`)
  );
}
