/** What the pages of memories show of hostile words, and of words that an account may not see. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { assertHarmless, HOSTILE, tagsOf, visitDrawn } from "./support/hostile.ts";
import { callAs, settle } from "./support/person.ts";

const LIST = "/console/memories";
const API = "/api/v2/memory/texts";
const PAGES = ["", "/edit", "/history", "/history?from=1", "/slices"];

/** Makes a memory with all that can be said of one, each text as it is given; and a draft of another. */
async function makeMemory(page: Page, text: string, draftId: string) {
  const short = text.slice(0, 180);
  const { memoryId } = await callAs(page, "POST", API, {
    ...{ title: short, summary: text, memoryType: "EVENT", originalContent: text },
    ...{ timeText: short, timePrecision: "LIFE_PERIOD", importance: 3 },
  });
  const post = (end: string, body: object) =>
    callAs(page, "POST", `${API}/${memoryId}${end}`, body);
  await post("/revisions", { expectedRevision: 1, currentContent: `${text} Later.` });
  await post("/ai-draft", { expectedRevision: 2, aiDraft: text, provider: short, model: short });
  await post("/slices", { label: short });
  const content = { title: short, originalContent: text };
  await callAs(page, "PUT", `/api/v2/memory/drafts/${draftId}`, { draftVersion: 1, content });
  return memoryId;
}

/** What the buttons of a page say. */
const BUTTONS = `[...document.querySelectorAll("main button")].map((button) => button.innerText)`;

const openAll = (page: Page) =>
  page.evaluate(`for (const part of document.querySelectorAll("details")) part.open = true`);

journey("No words of a memory become an element, and none widens a page", async (console) => {
  const page = await settle(console, { width: 320, height: 700 });
  const drafts = ["01KAGQ0000DRAFT00000000001", "01KAGQ0000DRAFT00000000002"];
  const plain = await makeMemory(page, "Words", drafts[0] ?? "");
  const hostile = await makeMemory(page, HOSTILE, drafts[1] ?? "");
  for (const end of PAGES) {
    const found = [];
    for (const memoryId of [plain, hostile]) {
      await visitDrawn(page, `${LIST}/${memoryId}${end}`);
      await openAll(page);
      found.push(await tagsOf(page, ["ins", "del", "span"]));
      await assertHarmless(page, end);
    }
    assertEquals(found[0], found[1], end);
  }
  for (const path of [LIST, "/console/drafts", `${LIST}/new?draft=${drafts[1]}`]) {
    await visitDrawn(page, path);
    await openAll(page);
    assertEquals(
      await page.evaluate(`document.querySelector("main img, main script, main svg")`),
      null,
    );
    await assertHarmless(page, path);
  }
});

journey("What an account may not see is hidden on every page, and breaks none", async (console) => {
  const page = await settle(console);
  const memoryId = await makeMemory(page, "Nobody else", "01KAGQ0000DRAFT00000000001");
  await callAs(page, "POST", `${API}/${memoryId}/privacy`, {
    ...{ expectedRevision: 3, privacyLevel: "SECRET" },
  });
  await console.world.raw("update accounts set role = 'VIEWER'");
  for (const end of PAGES) {
    await visitDrawn(page, `${LIST}/${memoryId}${end}`);
    await openAll(page);
    const text = await page.text();
    assert(text.includes("Hidden from this account"), `${end}: ${text}`);
    assert(!text.includes("Nobody else"), end);
    assertEquals(await page.evaluate(BUTTONS), end === "/history" ? ["Compare"] : [], end);
  }
  await visitDrawn(page, LIST);
  assert((await page.text()).includes("Hidden from this account"));
  assert(!(await page.text()).includes("New memory"));
});

journey("The list is narrowed by what is asked, and says so in its address", async (console) => {
  const page = await settle(console);
  for (const [year, memoryType] of [[1984, "EVENT"], [1999, "EVENT"], [1999, "PLACE"]]) {
    await callAs(page, "POST", API, {
      ...{ title: `${memoryType} of ${year}`, memoryType, originalContent: "Words" },
      ...{ timePrecision: "YEAR", occurredAt: `${year}-07-01T00:00:00Z` },
    });
  }
  const shown = `[...document.querySelectorAll(".lines a")].map((link) => link.innerText)`;
  await visitDrawn(page, `${LIST}?from=1990-01-01&to=1999-03-01`);
  // Both were made at one moment, so that either may come first.
  assertEquals(await page.evaluate(`${shown}.sort()`), ["EVENT of 1999", "PLACE of 1999"]);
  await page.focus("Kind");
  for (const letter of "Even") await page.press(letter);
  await page.press("Enter");
  await page.click("Apply");
  await page.until(`${shown}.join() === "EVENT of 1999"`);
  await page.click("Archived");
  await page.until(`document.body.innerText.includes("Nothing here is like that.")`);
  assertEquals(
    await page.evaluate("location.search"),
    "?memoryType=EVENT&from=1990-01-01&to=1999-03-01&archived=only",
  );
  await page.click("Show all");
  await page.until(`${shown}.length === 3`);
});
