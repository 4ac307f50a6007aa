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

interface AxeResult {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds wrong on a page, in words. */
async function violations(page: Page, axe: string): Promise<string[]> {
  const evaluate = await page.isolate();
  await evaluate(axe);
  const found: AxeResult[] = await evaluate(`axe.run(document).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    })))`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`)
  );
}

journey(
  "Every page is reached by links, and each of its controls has a name of its own",
  async (console) => {
    const page = await settleWithDemo(console);
    const axe = AXE === undefined ? null : await Deno.readTextFile(AXE);
    const forms = FORMS.map((code) => `/console/records/${code}/new`);
    const problems: string[] = [];
    await walkPages(page, async (path) => {
      problems.push(...(await unnamedControls(page)).map((problem) => `${path}: ${problem}`));
      for (const scheme of axe === null ? [] : ["light", "dark"]) {
        await page.prefer("prefers-color-scheme", scheme);
        const found = await violations(page, axe ?? "");
        problems.push(...found.map((problem) => `${path}, ${scheme}: ${problem}`));
      }
    }, forms);
    assert(problems.length === 0, problems.join("\n\n"));
  },
);
