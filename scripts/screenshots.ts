/** Makes the chapters' pictures of the console with the sample life. Requires Chromium. */

import { callAs, untilKeysWork } from "../tests/browser/support/person.ts";
import { withConsole } from "../tests/browser/support/console.ts";
import { settleWithDemo } from "../tests/browser/support/demo.ts";
import type { Page } from "../tests/browser/support/browser.ts";
import { enrichLife } from "./screenshot_life.ts";
import { embeddedTemplates } from "./test_templates.ts";

const FOLDER = "src/console/screenshots";
const SIZE = { width: 1_280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** The modifier of the protocol. */
const CONTROL = 2;
const MODULE = "constitution";
const DECISION = "Do I take the offer from Hamburg, or do I stay with the old department?";

/**
 * The pages of `src/console/README.md` after the first run: name, path, heading, and the link on
 * the page that leads to the one to take, which has its text as heading.
 */
const PAGES: readonly (readonly [name: string, path: string, heading: string, link?: string])[] = [
  ["home", "/", "Today"],
  ["people", "/console/people", "People"],
  ["person", "/console/people", "People", "Henning"],
  ["memory", "/console/memories", "Memories", "Three days at the lake"],
  ["year", `/console/memories?year=${new Date().getFullYear()}`, "Memories"],
  ["decision", "/console/decisions", "Decisions", DECISION],
  ["health", "/console/records/health", "Health"],
  ["commitment_form", "/console/records/commitment/new", "New: Commitment"],
  ["search", "/console/search", "Search"],
  ["imports", "/console/imports", "Imports"],
  ["account", "/console/account", "Account"],
];
/** Pages that show pictures, which load after them. */
const PICTURES: Readonly<Record<string, number>> = { person: 1, memory: 2, year: 3 };
/** Also taken on a phone, and in dark colours. */
const ON_A_PHONE = ["first_run", "home", "person", "memory"];
const IN_THE_DARK = ["home", "person", "memory", "health"];

Deno.env.set("TEST_TEMPLATE", await embeddedTemplates());
await Deno.remove(FOLDER, { recursive: true }).catch(() => {});
await Deno.mkdir(FOLDER, { recursive: true });
await withConsole(async (console) => {
  const visitor = await console.open();
  await visitor.resize(SIZE.width, SIZE.height);
  await visitor.visit("/");
  await visitor.heading("Set up your records");
  await takeAll(visitor, "first_run");
  // Sets the world's clock to the browser's, which no test can set.
  console.world.advance(Date.now() - console.world.now().getTime());
  const page = await settleWithDemo(console);
  await page.resize(SIZE.width, SIZE.height);
  await page.call("Emulation.setScrollbarsHidden", { hidden: true });
  await enrichLife(page);
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
    const shown =
      `[...document.querySelectorAll("main img")].filter((one) => one.naturalWidth > 0)`;
    await page.until(`${shown}.length >= ${PICTURES[name] ?? 0}`);
    await takeAll(page, name);
  }
}

/** Stores a page as a wide window, and the chosen ones as a phone and in dark colours. */
async function takeAll(page: Page, name: string): Promise<void> {
  await take(page, name);
  if (IN_THE_DARK.includes(name)) {
    await page.prefer("prefers-color-scheme", "dark");
    await take(page, `${name}_dark`);
    await page.prefer("prefers-color-scheme", "light");
  }
  if (!ON_A_PHONE.includes(name)) return;
  await page.resize(PHONE.width, PHONE.height);
  await page.touch(true);
  await take(page, `${name}_phone`, PHONE);
  await page.touch(false);
  await page.resize(SIZE.width, SIZE.height);
}

/** The pictures of `src/console/web/style/README.md`. */
async function takeComponents(page: Page): Promise<void> {
  await page.visit("/");
  await page.heading("Today");
  await untilKeysWork(page);
  await page.click("Records");
  await page.until(`document.querySelector("#kinds span") !== null`);
  await take(page, "places", { width: 248, height: SIZE.height });
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
  await page.resize(PHONE.width, SIZE.height);
  await page.click("Menu");
  await take(page, "sheet", { width: PHONE.width, height: SIZE.height });
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
