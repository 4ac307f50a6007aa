/** The time of a new memory: now, or vaguer. */

import { assert, assertEquals } from "@std/assert";
import type { Json } from "../support/world.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, settleNow } from "./support/person.ts";

const FORM = "/console/memories/new";
const API = "/api/v2/memory/texts";
const button = `document.querySelector("[aria-controls^=field-]")`;

async function begin(page: Page, title: string): Promise<void> {
  await page.visit(FORM);
  await page.type("Title", title);
  await page.type("In your words", "We swam.");
}

async function keep(page: Page, title: string): Promise<Json> {
  await page.click("Save");
  await page.heading(title);
  const { items } = await callAs(page, "GET", API);
  return items.find((item: Json) => item.title === title);
}

journey("A memory has the present time unless the person makes it vaguer", async (console) => {
  const page = await settleNow(console);
  await begin(page, "The lake");
  await page.until(`/^When: today, \\d/.test(${button}.innerText)`);
  const now = await keep(page, "The lake");
  assertEquals([now.memoryType, now.timePrecision], ["EVENT", "EXACT"]);
  assert(Math.abs(Date.now() - Date.parse(now.occurredAt)) < 300_000, now.occurredAt);

  await begin(page, "The sea");
  await page.evaluate(`${button}.click()`);
  await page.click("A year");
  await page.until(`document.activeElement.matches("input")`);
  await page.call("Input.insertText", { text: "1997" });
  await page.until(`${button}.innerText === "When: 1997"`);
  const year = await keep(page, "The sea");
  assertEquals([year.timePrecision, year.timeRange.from.slice(0, 4)], ["YEAR", "1997"]);

  await begin(page, "The pond");
  await page.evaluate(`${button}.click()`);
  await page.click("When I was …");
  await page.call("Input.insertText", { text: "when I was seven" });
  await page.until(`${button}.innerText.includes("when I was seven")`);
  const period = await keep(page, "The pond");
  const { timePrecision, timeText, occurredAt } = period;
  assertEquals([timePrecision, timeText, occurredAt], ["LIFE_PERIOD", "when I was seven", null]);

  await begin(page, "The river");
  await page.evaluate(`${button}.click()`);
  await page.click("Date unknown");
  assertEquals((await keep(page, "The river")).timePrecision, "UNKNOWN");
});
