/** Makes the chapters' pictures of the console with the sample life. Requires Chromium. */

import { callAs, untilKeysWork } from "../tests/browser/support/person.ts";
import { withConsole } from "../tests/browser/support/console.ts";
import { settleWithDemo } from "../tests/browser/support/demo.ts";
import type { Page } from "../tests/browser/support/browser.ts";
import { embeddedTemplates } from "./test_templates.ts";

const FOLDER = "src/console/screenshots";
const SIZE = { width: 1_000, height: 760 };
/** The modifier of the protocol. */
const CONTROL = 2;
const MODULE = "constitution";
const DECISION = "Do I take the offer from Hamburg, or do I stay with the old department?";

/**
 * The twelve pages of `src/console/README.md`: name, path, heading, and the link on the page that
 * leads to the one to take, which has its text as heading.
 */
const PAGES: readonly (readonly [name: string, path: string, heading: string, link?: string])[] = [
  ["home", "/", "Today"],
  ["search", "/console/search", "Search"],
  ["commitments", "/console/records/commitment", "Commitments"],
  ["commitment", "/console/records/commitment", "Commitments", "Help Mirko move"],
  ["commitment_form", "/console/records/commitment/new", "New: Commitment"],
  ["people", "/console/people", "People"],
  ["person", "/console/people", "People", "Henning"],
  ["memories", "/console/memories", "Memories"],
  ["memory", "/console/memories", "Memories", "The day Lena was born"],
  ["decisions", "/console/decisions", "Decisions"],
  ["decision", "/console/decisions", "Decisions", DECISION],
  ["account", "/console/account", "Account"],
];

Deno.env.set("TEST_TEMPLATE", await embeddedTemplates());
await Deno.mkdir(FOLDER, { recursive: true });
await withConsole(async (console) => {
  // Sets the world's clock to the browser's, which no test can set.
  console.world.advance(Date.now() - console.world.now().getTime());
  const page = await settleWithDemo(console);
  await page.resize(SIZE.width, SIZE.height);
  await page.call("Emulation.setScrollbarsHidden", { hidden: true });
  await takePages(page);
  const { items } = await callAs(page, "GET", `/api/v2/records/${MODULE}`);
  const [most] = items.toSorted((a: Revised, b: Revised) => b.revision - a.revision);
  await page.visit(`/console/records/${MODULE}/${most.recordId}/history`);
  await page.heading("History");
  await page.evaluate(`document.querySelectorAll("details").forEach((one) => one.open = true)`);
  await page.prefer("prefers-color-scheme", "dark");
  await take(page, "history");
  await page.prefer("prefers-color-scheme", "light");
  await takeComponents(page);
});

async function takePages(page: Page): Promise<void> {
  for (const [name, path, heading, link] of PAGES) {
    await page.visit(path);
    await page.heading(heading);
    if (link !== undefined) {
      await page.click(link);
      await page.heading(link);
    }
    if (name === "search") {
      await page.type("Words", "plum");
      await page.until(`document.querySelector("mark") !== null`);
    }
    await page.until(`!document.body.innerText.includes("Loading…")`);
    await take(page, name);
  }
}

/** The pictures of `src/console/web/style/README.md`. */
async function takeComponents(page: Page): Promise<void> {
  await page.visit("/");
  await page.heading("Today");
  await untilKeysWork(page);
  await page.click("Records");
  await page.until(`document.querySelector("#kinds span") !== null`);
  await take(page, "places", { width: 248, height: 760 });
  await page.press("k", CONTROL);
  await page.until(`document.activeElement.getAttribute("role") === "combobox"`);
  await page.call("Input.insertText", { text: "new co" });
  await take(page, "palette", { width: 1_000, height: 400 }, false);
  await page.press("Escape");
  await page.evaluate("document.activeElement.blur()");
  await page.press("?");
  await page.until(`document.querySelector("dialog[open]") !== null`);
  await take(page, "dialog");
  await page.visit("/console/records/commitment/new");
  await page.heading("New: Commitment");
  await page.click("Save");
  await page.until(`document.querySelector("[aria-invalid]") !== null`);
  await take(page, "form");
  await page.resize(390, SIZE.height);
  await page.click("Menu");
  await take(page, "sheet", { width: 390, height: SIZE.height });
  await page.resize(SIZE.width, SIZE.height);
  await page.prefer("prefers-color-scheme", "dark");
  await page.visit("/console/records/commitment");
  await page.heading("Commitments");
  await take(page, "list", { width: 1_000, height: 400 });
}

interface Revised {
  readonly recordId: string;
  readonly revision: number;
}

/** @param isBlurred Hides the focus ring. */
async function take(page: Page, name: string, size = SIZE, isBlurred = true): Promise<void> {
  if (isBlurred) await page.evaluate("document.activeElement.blur()");
  const { data } = await page.call("Page.captureScreenshot", {
    clip: { x: 0, y: 0, ...size, scale: 1 },
  });
  await Deno.writeFile(`${FOLDER}/${name}.png`, Uint8Array.fromBase64(data));
}
