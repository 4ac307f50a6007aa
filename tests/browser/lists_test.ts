/** Orders of lists, months as headings, and letters. */

import { assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, settle } from "./support/person.ts";

const MEMORIES = "/console/memories";
const PEOPLE = "/console/people";

const HEADINGS = `[...document.querySelectorAll("main h2")].map((one) => one.innerText)`;
const NAMES = `[...document.querySelectorAll("main .lines .words")].map((one) => one.innerText)`;

async function keepMemory(page: Page, title: string, time: readonly [string, string] | null) {
  const [timePrecision, occurredAt] = time ?? [null, null];
  await callAs(page, "POST", "/api/v2/memory/texts", {
    title,
    originalContent: title,
    memoryType: "EVENT",
    privacyLevel: "NORMAL",
    ...(time !== null && { timePrecision, occurredAt }),
  });
}

/** Chooses the option that begins with a letter, as the keyboard does. */
async function order(page: Page, letter: string) {
  await page.focus("Order");
  await page.press(letter);
}

const until = (page: Page, list: string, expected: readonly string[]) =>
  page.until(`JSON.stringify(${list}) === ${JSON.stringify(JSON.stringify(expected))}`);

journey("Memories have months as headings, in the order that was chosen last", async (console) => {
  const page = await settle(console);
  await keepMemory(page, "Some day", null);
  await keepMemory(page, "The lake", ["EXACT", "2019-06-20T10:00:00Z"]);
  await keepMemory(page, "That year", ["YEAR", "2019-01-01T00:00:00+01:00[Europe/Berlin]"]);
  await keepMemory(page, "The sea", ["DAY", "2019-06-02T00:00:00Z"]);
  await keepMemory(page, "Snow", ["EXACT", "2018-12-24T10:00:00Z"]);
  await page.visit(MEMORIES);
  await until(page, HEADINGS, ["June 2019", "2019", "December 2018", "No date"]);
  await order(page, "E");
  await until(page, HEADINGS, ["December 2018", "2019", "June 2019", "No date"]);
  assertEquals(await page.evaluate("document.activeElement.value"), "occurredAt");
  await until(page, NAMES, ["Snow", "That year", "The sea", "The lake", "Some day"]);
  await page.visit(MEMORIES);
  await until(page, HEADINGS, ["December 2018", "2019", "June 2019", "No date"]);

  // New lines are under their headings.
  for (const text of ["2019: Much", "March 2019: Rain"]) {
    await page.evaluate(`document.querySelector("main [aria-label='Quick add']").focus()`);
    await page.call("Input.insertText", { text });
    await page.press("Enter");
    await page.until(`document.querySelector("main .sending") === null &&
      ${NAMES}.includes(${JSON.stringify(text.replace(/.*: /, ""))})`);
  }
  await until(page, HEADINGS, ["December 2018", "2019", "March 2019", "June 2019", "No date"]);
  await page.evaluate("document.activeElement.blur()");
  for (const key of ["j", "j", "j", "j"]) await page.press(key);
  assertEquals(await page.evaluate("document.activeElement.innerText"), "Rain");
  await page.visit(`${MEMORIES}?sort=-occurredAt`);
  await until(page, HEADINGS, ["June 2019", "March 2019", "2019", "December 2018", "No date"]);
  await order(page, "N");
  await until(page, HEADINGS, []);
  assertEquals(await page.evaluate("location.search"), "");
});

journey("Letters lead into the list of people", async (console) => {
  const page = await settle(console);
  // Fewer people have no letters.
  const others = ["Anton", "Emma", "Lea"];
  for (const personName of [...others, "Émile", "Anna", "Łukasz", "Ärztin Amsel", "Zoe"]) {
    console.world.advance(1_000);
    const body = { personName, relationshipType: "FRIEND", importance: 3 };
    await callAs(page, "POST", "/api/v2/relationship/people", body);
  }
  await page.visit(PEOPLE);
  const letters = `[...document.querySelectorAll("nav[aria-label=Letters] a")]
    .map((one) => one.innerText)`;
  await until(page, letters, ["A", "E", "L", "Z"]);
  await page.click("L");
  await until(page, NAMES, ["Lea", "Łukasz", "Zoe"]);
  await page.click("Show all");
  const byName = ["Anna", "Anton", "Ärztin Amsel", "Émile", "Emma", "Lea", "Łukasz", "Zoe"];
  await until(page, NAMES, byName);
  await order(page, "L");
  const newest = ["Zoe", "Ärztin Amsel", "Łukasz", "Anna", "Émile", "Lea", "Emma", "Anton"];
  await until(page, NAMES, newest);
  await until(page, letters, []);

  // An order that is not ready yet.
  await page.evaluate(`localStorage.clear()`);
  await console.world.raw("update search_index_build set order_is_complete = false");
  await page.visit(PEOPLE);
  await page.until(`document.body.innerText.includes("This order is being prepared.")`);
  await until(page, NAMES, newest);
  await console.world.raw("update search_index_build set order_is_complete = true");
});
