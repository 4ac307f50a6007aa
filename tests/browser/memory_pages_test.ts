/** Pages of memories hide texts that an account may not see. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { keepMemory } from "./support/hostile_life.ts";
import { choose } from "./support/menu.ts";
import { callAs, settle } from "./support/person.ts";
import { load } from "./support/walk.ts";

const LIST = "/console/memories";
const API = "/api/v2/memory/texts";
const PAGES = ["", "/edit", "/history", "/history?from=1", "/slices"];

/** The labels of a page's buttons. */
const BUTTONS = `[...document.querySelectorAll("main button")].map((button) =>
  button.ariaLabel ?? button.innerText)`;

/** It has links only. */
const MENU = ["More for Hidden: your account doesn't have permission"];

const openAll = (page: Page) =>
  page.evaluate(`for (const part of document.querySelectorAll("details")) part.open = true`);

journey(
  "Content without permission is hidden on every page, and no page breaks",
  async (console) => {
    const page = await settle(console);
    const memoryId = await keepMemory(page, "Nobody else");
    await callAs(page, "POST", `${API}/${memoryId}/privacy`, {
      expectedRevision: 3,
      privacyLevel: "SECRET",
    });
    const payload = { commitmentType: "LENT", completionStatus: "OPEN", content: "The saw" };
    const { recordId } = await callAs(page, "POST", "/api/v2/records/commitment", {
      title: "The saw",
      payload,
    });
    await console.world.raw("update accounts set role = 'VIEWER'");
    for (const end of PAGES) {
      await load(page, `${LIST}/${memoryId}${end}`);
      await openAll(page);
      const text = await page.text();
      assert(text.includes("Hidden: your account doesn't have permission"), `${end}: ${text}`);
      assert(!text.includes("Nobody else"), end);
      const known: Readonly<Record<string, string[]>> = { "": MENU, "/history": ["Compare"] };
      assertEquals(await page.evaluate(BUTTONS), known[end] ?? [], end);
    }
    await load(page, LIST);
    assert((await page.text()).includes("Hidden: your account doesn't have permission"));
    assert(await page.evaluate(`document.querySelector("main [name=line]") === null`));
    const places = await page.evaluate(
      `[...document.querySelectorAll("#places a[id]")].map(({ pathname }) => pathname)`,
    );
    assertEquals(places.length, 9);
    for (const path of places) await load(page, path);
    await load(page, `/console/records/commitment/${recordId}`);
    const acts = `[...document.querySelectorAll("main a, main button")]
      .map((act) => act.innerText || act.ariaLabel)`;
    assertEquals(await page.evaluate(acts), [
      "Commitments",
      "More for The saw",
      "History",
      "Features and runs",
    ]);
  },
);

journey("The list is filtered, and the filters are in its address", async (console) => {
  const page = await settle(console);
  for (const [year, memoryType] of [[1984, "EVENT"], [1999, "EVENT"], [1999, "PLACE"]]) {
    await callAs(page, "POST", API, {
      title: `${memoryType} of ${year}`,
      memoryType,
      originalContent: "Words",
      timePrecision: "YEAR",
      occurredAt: `${year}-07-01T00:00:00Z`,
    });
  }
  const shown = `[...document.querySelectorAll(".lines a")].map((link) => link.innerText)`;
  await load(page, `${LIST}?from=1990-01-01&to=1999-03-01`);
  // Both were made at one moment, so that either may come first.
  assertEquals(await page.evaluate(`${shown}.sort()`), ["EVENT of 1999", "PLACE of 1999"]);
  // Filters are words; the form opens on demand.
  const removals = `[...document.querySelectorAll("main [aria-label^='Remove filter: ']")]
    .map((button) => button.innerText)`;
  assertEquals(await page.evaluate(removals), ["From: Jan 1, 1990 ×", "To: Mar 1, 1999 ×"]);
  assert(await page.evaluate(`document.querySelector("main form.groups") === null`));
  await page.click("Filter");
  await page.focus("Kind");
  for (const letter of "Even") await page.press(letter);
  await page.press("Enter");
  await page.click("Apply");
  await page.until(`${shown}.join() === "EVENT of 1999"`);
  await choose(page, "More for Memories", "Archived");
  await page.until(`document.body.innerText.includes("No results.")`);
  assertEquals(
    await page.evaluate("location.search"),
    "?memoryType=EVENT&from=1990-01-01&to=1999-03-01&archived=only",
  );
  await page.click("Remove filter: Kind: Event");
  await page.until(`!location.search.includes("memoryType")`);
  await page.click("Show all");
  await page.until(`${shown}.length === 3`);
  const day = new Date();
  await callAs(page, "POST", API, {
    title: "Years ago",
    memoryType: "EVENT",
    originalContent: "Words",
    timePrecision: "DAY",
    occurredAt: new Date(Date.UTC(2004, day.getMonth(), day.getDate(), 12)).toISOString(),
  });
  await choose(page, "More for Memories", "On this day");
  await page.until(`${shown}.join() === "Years ago"`);
  await page.visit(`${LIST}?from=1984-01-01&to=1984-12-31`);
  await page.click("Jul");
  await page.until(`${removals}.join() === "July 1984 ×"`);
  assertEquals(await page.evaluate("location.search"), "?from=1984-07-01&to=1984-07-31");
  assertEquals(await page.evaluate(`${shown}.join()`), "EVENT of 1984");
  await page.click("Remove filter: July 1984");
  await page.until(`${shown}.length === 4`);
});
