import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import { journey } from "./support/console.ts";
import { callAs, settle } from "./support/person.ts";

const LIST = "/console/records/health";
const WEIGHT = `document.querySelector("figure[aria-label='Weight, in kg']")`;
const STEPS = `document.querySelector("figure[aria-label='Steps']")`;
const ROWS = `${WEIGHT}.querySelectorAll("tbody tr").length`;

/** A weight each week, the last of them a week ago, without the tenth. */
const WEEKS = Array.from({ length: 60 }, (_, index) => index + 1).filter((week) => week !== 10);

const measured = (metricType: string, value: number, unit: string, weeksAgo: number) => ({
  title: metricType,
  payload: {
    metricType,
    value,
    unit,
    quality: "MEASURED",
    measuredAt: new Date(Date.now() - weeksAgo * 7 * DAY_MS).toISOString(),
  },
});

journey("A picture of health has the whole range, its gaps, and a reason", async (console) => {
  console.world.advance(Date.now() - console.world.now().getTime());
  const page = await settle(console);
  const weights = WEEKS.map((week) => measured("WEIGHT", 70 + week / 10, "kg", week));
  await page.visit("/console/about");
  await page.evaluate(`Promise.all(${JSON.stringify(weights)}.map((record, index) =>
    fetch("/api/v2/records/health", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": "measurement-" + index },
      body: JSON.stringify(record),
    }))).then(() => true)`);
  console.world.advance(1_000);
  const steps = measured("STEPS", 9_000, "steps", 1);
  await callAs(page, "POST", "/api/v2/records/health", steps);
  await page.call("Network.setBlockedURLs", { urls: ["*/insight/series*"] });
  await page.visit(LIST);
  const isRefused = `${WEIGHT}.innerText.includes("The service can't be reached.")`;
  await page.until(isRefused);
  assertEquals(await page.evaluate(`document.querySelectorAll("main .lines > li").length`), 50);
  await page.call("Network.setBlockedURLs", { urls: [] });
  await page.click("Try again");
  await page.until(`${STEPS}.innerText.includes("1 value, too few to say.")`);
  // Each figure fails and is read again alone.
  assert(await page.evaluate(isRefused));
  await page.click("Try again");
  await page.until(`${WEIGHT}.querySelector("svg") !== null`);

  await page.evaluate(`${WEIGHT}.querySelectorAll("button")[3].click()`);
  await page.until(`${ROWS} === ${WEEKS.length}`);
  assertEquals(await page.evaluate(`${WEIGHT}.querySelectorAll("polyline").length`), 2);
  const text = await page.evaluate(`${WEIGHT}.innerText`);
  assert(text.includes("59 values from 70.1 to 76."), text);
  const newest = `${WEIGHT}.querySelector("p.newest").innerText`;
  const latest = await page.evaluate(newest);
  assert(latest.startsWith("70.1 kg") && latest.includes("week of "), latest);
  // With a value that was just added.
  await page.evaluate(`document.querySelector("main [aria-label='Quick add']").focus()`);
  await page.call("Input.insertText", { text: "70 kg" });
  await page.press("Enter");
  await page.until(`${WEIGHT}.innerText.includes("60 values from 70 to 76.")`);
  assert((await page.evaluate(newest)).startsWith("70 kg"));
  const pressed = `${WEIGHT}.querySelector("[aria-pressed=true]").innerText`;
  assertEquals(await page.evaluate(pressed), "All");
});
