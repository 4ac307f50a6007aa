/**
 * `deno task bench:console`: how long the console takes in Chromium, with the sample life: cold
 * pages on a processor slowed down four times, navigation, a key in a long text, and the difference
 * of two long texts. Medians; the last column is the budget.
 *
 * `--rounds 7` (of each).
 *
 * @module
 */

import { parseArgs } from "node:util";
import { embeddedTemplates } from "../test_templates.ts";
import type { Page } from "../../tests/browser/support/browser.ts";
import { withConsole } from "../../tests/browser/support/console.ts";
import { settleWithDemo } from "../../tests/browser/support/demo.ts";
import { align } from "./report_lines.ts";
import { median } from "./statistics.ts";
import { print } from "../print.ts";

const SLOWER = 4;
const LONG_TEXT = 100_000;
const LIST = "/console/records/routine";
/** Turned off: browser reports take a quarter of the page's own time. */
const REPORTS = ["Network", "Log", "Audits"];
const DIFF = "/console/assets/pages/history.js";

/** From the start of the navigation until the page's heading is drawn, in milliseconds. */
const NOTE_HEADING = `window.drawn = new Promise((resolve) => {
  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => {
      const text = document.querySelector("main > h1")?.textContent;
      if (text !== "Personal Records") resolve(performance.now());
    }).observe(document.querySelector("main"), { childList: true });
  });
});`;
/** Time to repaint after a key. */
const NOTE_KEYS = `window.keys = [];
document.activeElement.addEventListener("keydown", () => {
  const start = performance.now();
  requestAnimationFrame(() => setTimeout(() => keys.push(performance.now() - start)));
});`;

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: Deno.args,
    options: { rounds: { type: "string", default: "7" } },
  });
  const rounds = Number(values.rounds);
  Deno.env.set("TEST_TEMPLATE", await embeddedTemplates());
  await withConsole(async (console) => {
    const page = await settleWithDemo(console);
    const rows: [string, number[], number][] = [
      [`list, cold, CPU / ${SLOWER}`, await coldLoads(page, LIST, rounds), 500],
      [`form, cold, CPU / ${SLOWER}`, await coldLoads(page, `${LIST}/new`, rounds), 400],
      ["page to page, beside the API", await visits(page, rounds), 100],
      [`key in ${LONG_TEXT.toLocaleString("en")} characters`, await keys(page, rounds), 50],
      ["difference of two such texts", await differences(page, rounds), 200],
    ];
    const lines = rows.map(([name, times, bar]) => [
      name,
      median(times).toFixed(0),
      Math.max(...times).toFixed(0),
      String(bar),
    ]);
    const table = align([["milliseconds", "median", "slowest", "bar"], ...lines]);
    print(table.join("\n"));
  });
}

/** Loads with an empty cache. */
async function coldLoads(page: Page, path: string, rounds: number): Promise<number[]> {
  await page.call("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const { identifier } = await page.call("Page.addScriptToEvaluateOnNewDocument", {
    source: NOTE_HEADING,
  });
  const origin = await page.evaluate("location.origin");
  const times = await repeat(rounds, async () => {
    await page.call("Network.clearBrowserCache");
    for (const domain of REPORTS) await page.call(`${domain}.disable`);
    await page.call("Page.navigate", { url: `${origin}${path}` });
    const drawn = await page.evaluate("drawn");
    for (const domain of REPORTS) await page.call(`${domain}.enable`);
    return drawn;
  });
  await page.call("Page.removeScriptToEvaluateOnNewDocument", { identifier });
  await page.call("Emulation.setCPUThrottlingRate", { rate: 1 });
  return times;
}

/** Opens a record from a list; without the time of the API. */
async function visits(page: Page, rounds: number): Promise<number[]> {
  return await repeat(rounds, async () => {
    await page.visit(LIST);
    await page.until(`document.querySelector("main .lines a") !== null`);
    return await page.evaluate(`new Promise((resolve) => {
      const start = performance.now();
      new MutationObserver(() => {
        const asked = performance.getEntriesByType("resource").filter(({ name, startTime }) =>
          name.includes("/api/") && startTime >= start);
        const answered = Math.max(...asked.map(({ responseEnd }) => responseEnd));
        const waited = answered - Math.min(...asked.map(({ startTime }) => startTime));
        resolve(performance.now() - start - waited);
      }).observe(document.querySelector("main"), { childList: true });
      document.querySelector("main .lines a").click();
    })`);
  });
}

async function keys(page: Page, rounds: number): Promise<number[]> {
  await page.visit("/console/records/review/new");
  await page.until(`document.querySelector("textarea[name]") !== null`);
  await page.evaluate(`(() => {
    const area = [...document.querySelectorAll("textarea")].at(-1);
    area.value = "Twelve words of a paragraph that goes on for quite a while. ".repeat(2_000)
      .slice(0, ${LONG_TEXT});
    area.focus();
  })()`);
  await page.evaluate(NOTE_KEYS);
  for (let round = 0; round < rounds; round++) {
    await page.press("x");
    await page.until(`keys.length > ${round}`);
    // The draft is saved in this time.
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return await page.evaluate("keys");
}

async function differences(page: Page, rounds: number): Promise<number[]> {
  return await page.evaluate(`import(${JSON.stringify(DIFF)}).then(({ diffTexts }) => {
    const paragraph = (index) => "Paragraph " + index + " says what it says, and no more. ".repeat(6);
    const before = Array.from({ length: 500 }, (_, index) => paragraph(index)).join("\\n");
    const after = before.replaceAll(/Paragraph (\\d*[37]) says/g, "Paragraph $1 now claims");
    return Array.from({ length: ${rounds} }, () => {
      const start = performance.now();
      diffTexts(before.slice(0, ${LONG_TEXT}), after.slice(0, ${LONG_TEXT}));
      return performance.now() - start;
    });
  })`);
}

async function repeat(rounds: number, measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await measure());
  return times;
}
