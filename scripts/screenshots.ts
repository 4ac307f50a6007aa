/** Makes the README's pictures of the console with the sample life. Requires Chromium. */

import { callAs } from "../tests/browser/support/person.ts";
import { withConsole } from "../tests/browser/support/console.ts";
import { settleWithDemo } from "../tests/browser/support/demo.ts";
import type { Page } from "../tests/browser/support/browser.ts";
import { embeddedTemplates } from "./test_templates.ts";

const FOLDER = "src/console/screenshots";
const SIZE = { width: 1_000, height: 760 };
const MODULE = "constitution";

Deno.env.set("TEST_TEMPLATE", await embeddedTemplates());
await Deno.mkdir(FOLDER, { recursive: true });
await withConsole(async (console) => {
  const page = await settleWithDemo(console);
  await page.resize(SIZE.width, SIZE.height);
  await page.call("Emulation.setScrollbarsHidden", { hidden: true });
  await page.visit("/");
  await page.heading("Today");
  await page.until(`!document.body.innerText.includes("Loading…")`);
  await take(page, "home");
  const { items } = await callAs(page, "GET", `/api/v2/records/${MODULE}`);
  const [most] = items.toSorted((a: Revised, b: Revised) => b.revision - a.revision);
  await page.visit(`/console/records/${MODULE}/${most.recordId}/history`);
  await page.heading("History");
  await page.evaluate(`document.querySelectorAll("details").forEach((one) => one.open = true)`);
  await page.prefer("prefers-color-scheme", "dark");
  await take(page, "history");
});

interface Revised {
  readonly recordId: string;
  readonly revision: number;
}

async function take(page: Page, name: string): Promise<void> {
  // Hides the focus ring.
  await page.evaluate("document.activeElement.blur()");
  const { data } = await page.call("Page.captureScreenshot", {
    clip: { x: 0, y: 0, ...SIZE, scale: 1 },
  });
  await Deno.writeFile(`${FOLDER}/${name}.png`, Uint8Array.fromBase64(data));
}
