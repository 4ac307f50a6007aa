/** Figures of a life: mood, memories of a year, routines. */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import type { Page } from "./support/browser.ts";
import { violations } from "./support/axe.ts";
import { journey } from "./support/console.ts";
import { callAs, settleNow } from "./support/person.ts";

const YEAR = new Date().getFullYear();
const figureOf = (name: string) => `document.querySelector("figure[aria-label='${name}']")`;

/** Presses the middle of the first full square. */
async function pressSquare(page: Page, figure: string): Promise<void> {
  const [x, y] = await page.evaluate(`(() => {
    ${figure}.scrollIntoView();
    const svg = ${figure}.querySelector("svg");
    const [left, top] = /M([\\d.]+) ([\\d.]+)/.exec(svg.querySelector("path.accent").getAttribute("d"))
      .slice(1).map(Number);
    const { x, y } = svg.getBoundingClientRect();
    return [x + left + 2, y + top + 8 + 2];
  })()`);
  const at = { x, y, button: "left", clickCount: 1 };
  await page.call("Input.dispatchMouseEvent", { ...at, type: "mouseMoved", button: "none" });
  assert(await page.evaluate(`${figure}.querySelector("svg").matches(".linked")`));
  await page.call("Input.dispatchMouseEvent", { ...at, type: "mousePressed" });
  await page.call("Input.dispatchMouseEvent", { ...at, type: "mouseReleased" });
}

journey("A year of memories leads to its days, and a year of moods to others", async (console) => {
  const page = await settleNow(console, { width: 320, height: 700 });
  const remember = (title: string, timePrecision: string, occurredAt: string) =>
    callAs(page, "POST", "/api/v2/memory/texts", {
      title,
      originalContent: title,
      memoryType: "EVENT",
      privacyLevel: "NORMAL",
      timePrecision,
      occurredAt,
    });
  await remember("The lake", "DAY", "2019-07-04T00:00:00Z");
  await remember("The house", "DAY", "2019-12-31T00:00:00Z");
  await remember("The heat", "SEASON", "2019-07-01T00:00:00Z");
  const memories = figureOf("Memories of 2019");
  await page.visit("/console/memories?year=2019");
  await page.until(`${memories}?.querySelectorAll("tbody tr").length === 3`);
  const rows =
    `Array.from(${memories}.querySelectorAll("tbody a"), (link) => link.href.split("?")[1])`;
  assertEquals(await page.evaluate(rows), [
    "year=2019&from=2019-07-04&to=2019-07-04",
    "year=2019&from=2019-12-31&to=2019-12-31",
    "year=2019&from=2019-06-01&to=2019-08-31",
  ]);
  assert(await page.evaluate(`document.documentElement.scrollWidth <= innerWidth`));
  assertEquals(await violations(page), []);
  await pressSquare(page, memories);
  await page.until(`location.search === "?year=2019&from=2019-07-04&to=2019-07-04"`);
  // With the season that the day is in.
  await page.until(`document.querySelectorAll("main .lines > li").length === 2`);
  const listed = await page.evaluate(
    `Array.from(document.querySelectorAll("main .lines"), (list) => list.innerText).join()`,
  );
  assert(listed.includes("The lake") && listed.includes("The heat"), listed);
  // The year before, which is as empty as it is open.
  await page.click("‹ 2018");
  await page.until(`document.body.innerText.includes("0 memories, too few to say.")`);
  await page.until(`${figureOf("Memories of 2018")} !== null`);

  const mood = (value: number, daysAgo: number) =>
    callAs(page, "POST", "/api/v2/records/health", {
      title: "Mood",
      payload: {
        metricType: "MOOD",
        value,
        unit: "of 10",
        quality: "SELF_REPORTED",
        measuredAt: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
      },
    });
  for (const [value, daysAgo] of [[7, 0], [3, 370], [9, 372]] as const) await mood(value, daysAgo);
  await page.visit("/console/records/health");
  await page.until(`${figureOf("Mood")}?.innerText.includes("1 value, too few to say.")`);
  const before = new Date(Date.now() - 370 * DAY_MS).getFullYear();
  assertEquals(before, new Date(Date.now() - 372 * DAY_MS).getFullYear());
  for (let year = YEAR - 1; year >= before; year--) await page.click(`‹ ${year}`);
  await page.until(`${figureOf("Mood")}.querySelectorAll("tbody tr").length === 2`);
  const shades = `${figureOf("Mood")}.querySelectorAll("path.accent").length`;
  assertEquals(await page.evaluate(shades), 2);
});

journey("Routines show their last twelve weeks, in pages", async (console) => {
  const page = await settleNow(console);
  await page.speak("de");
  for (let number = 10; number < 21; number++) {
    const title = `Routine ${number}`;
    const payload = { routineName: title, area: "Haus", intervalDays: 7, active: true };
    const made = await callAs(page, "POST", "/api/v2/records/routine", { title, payload });
    if (number > 10) continue;
    const { recordId, revision } = made;
    const done = { lastCompletedAt: new Date().toISOString() };
    await page.evaluate(`fetch("/api/v2/records/routine/${recordId}", ${
      JSON.stringify({
        method: "PATCH",
        headers: { "Content-Type": "application/json", "Idempotency-Key": "routine-is-done" },
        body: JSON.stringify({ expectedRevision: revision, payload: done }),
      })
    }).then(() => null)`);
  }
  const figure = figureOf("Letzte 12 Wochen");
  await page.visit("/console/records/routine");
  await page.until(`${figure}?.querySelectorAll("tbody tr").length === 10`);
  const first =
    `Array.from(${figure}.querySelectorAll("tbody tr:first-child td"), (cell) => cell.textContent)`;
  const [name, count, times] = await page.evaluate(first);
  assertEquals([name, count], ["Routine 10", "1 von 12"]);
  assert(times.endsWith(": 1"), times);
  await page.click("Mehr zeigen");
  await page.until(`${figure}.querySelectorAll("tbody tr").length === 11`);
});
