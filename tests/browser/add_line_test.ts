/** One line to add: what it understands, and the ceilings of taps and fields. */

import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import type { Page } from "./support/browser.ts";
import { type Console, journey } from "./support/console.ts";
import { callAs, settle } from "./support/person.ts";

const LINE = `document.querySelector("main [name=line]")`;
const STATUS = `document.querySelector('main [role=status][aria-label="Understood as"]')`;
const FIRST = `document.querySelector("main .lines > li")`;

/** Settles at the browser's own time, because a measurement must not be after the service's. */
async function settleNow(console: Console): Promise<Page> {
  console.world.advance(Date.now() - DAY_MS - console.world.now().getTime());
  const page = await settle(console);
  console.world.advance(DAY_MS);
  return page;
}

journey("A line is understood before Enter, and stands first in its list", async (console) => {
  const page = await settleNow(console);
  await page.visit("/console/records/action");
  await page.until(`${LINE} !== null`);
  await page.press("Enter");
  await page.evaluate(`${LINE}.focus()`);
  await page.press("Enter");
  assertEquals((await callAs(page, "GET", "/api/v2/records/action")).items, []);
  await page.call("Input.insertText", { text: "Buy paint tomorrow" });
  await page.until(`${STATUS}.innerText.startsWith("Action · Buy paint · tomorrow, ")`);
  // A part that is taken back stays text.
  await page.click("Keep as text: tomorrow");
  await page.until(`${STATUS}.innerText === "Action · Buy paint tomorrow · no date"`);
  assertEquals(await page.evaluate(`document.activeElement === ${LINE}`), true);
  await page.evaluate(`addEventListener("keydown", () => requestAnimationFrame(() =>
    globalThis.after = [${LINE}.value, ${FIRST}?.innerText]), { once: true })`);
  await page.press("Enter");
  await page.until(`globalThis.after !== undefined`);
  assertEquals(await page.evaluate(`globalThis.after`), ["", "Buy paint tomorrow\nSaving…"]);
  await page.until(`${FIRST}?.querySelector("a")?.innerText === "Buy paint tomorrow"`);
  await page.call("Input.insertText", { text: "Call Maria on Friday" });
  await page.press("Enter");
  await page.until(`${FIRST}?.querySelector("a")?.innerText === "Call Maria"`);
  const { items } = await callAs(page, "GET", "/api/v2/records/action");
  assertEquals(items.map(({ title }: { title: string }) => title).sort(), [
    "Buy paint tomorrow",
    "Call Maria",
  ]);
});
