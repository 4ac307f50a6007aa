/** Keys that move through lines and pages. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, inDays, settleNow, untilKeysWork } from "./support/person.ts";

const LADDER = { commitmentType: "BORROWED", content: "Bring it back", completionStatus: "OPEN" };

journey("Keys move through the lines of a page, and lead to others", async (console) => {
  const page = await settleNow(console);
  for (const [title, days] of [["The ladder", 1], ["The book", 3]] as const) {
    const payload = { ...LADDER, dueAt: inDays(days) };
    await callAs(page, "POST", "/api/v2/records/commitment", { title, payload });
  }
  await page.visit("/");
  // "Changed lately" names the records, too, and may come before the due ones.
  await page.until(`document.body.innerText.includes("Next 7 days") &&
    !document.body.innerText.includes("Loading…")`);
  await untilKeysWork(page);
  for (const key of ["j", "j", "k", "Enter"]) await page.press(key);
  await page.heading("The ladder");
  await page.press("h");
  await page.heading("History");
  await page.call("Page.navigateToHistoryEntry", await entryBefore(page));
  await page.heading("The ladder");
  assertEquals(await page.evaluate("document.activeElement.ariaLabel"), "More for The ladder");
  await page.press("e");
  await page.heading("Edit: The ladder");
  await page.focus("Title");
  for (const key of ["n", "g", "h"]) await page.press(key);
  assert((await page.evaluate("document.activeElement.value")).endsWith("ngh"));
  await page.evaluate("document.activeElement.blur()");
  await page.press("n", 2);
  await pressTogether(page, ["g", "d"]);
  await page.heading("Drafts");
  await page.press("x");
  await page.evaluate(`document.querySelector("a[href='/console/search']").focus()`);
  await page.press("?");
  await page.until(
    `document.querySelector("dialog[open]")?.innerText.includes("Keyboard shortcuts are on")`,
  );
  await page.press("n");
  await page.press("Escape");
  // Focus returns to the previous element.
  await page.until(`document.querySelector("dialog") === null`);
  assertEquals(await page.evaluate("document.activeElement.innerText"), "Search");
  await page.press("?");
  await page.until(`document.querySelector("dialog[open]") !== null`);
  await page.evaluate(`document.querySelector("dialog input").click()`);
  await page.press("Escape");
  await page.until(`document.querySelector("dialog") === null`);
  await pressTogether(page, ["g", "h"]);
  await page.heading("Drafts");
});

/** The second key is within the wait of the first one on a busy machine, too. */
async function pressTogether(page: Page, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.press(key)));
}

async function entryBefore(page: Page): Promise<{ entryId: number }> {
  const { currentIndex, entries } = await page.call("Page.getNavigationHistory");
  return { entryId: entries[currentIndex - 1].id };
}
