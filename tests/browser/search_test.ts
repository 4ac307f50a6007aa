/** Found text is never in an address. */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import type { Page } from "./support/browser.ts";
import { callAs, settle } from "./support/person.ts";

const FOUND = `[...document.querySelectorAll("main .lines > li")].map((line) => line.innerText)`;

async function search(page: Page, words: string): Promise<void> {
  await page.type("Words", words);
  await page.press("Enter");
}

/** Rejects a search as if the account had no place for it. */
async function refuseSearch(page: Page): Promise<void> {
  await page.evaluate(`{
    const present = fetch;
    const error = { code: "HTTP_429", message: "Too many requests", requestId: "R" };
    globalThis.fetch = (path, request) => {
      if (path !== "/api/v2/search") return present(path, request);
      globalThis.fetch = present;
      return Promise.resolve(Response.json({ error }, { status: 429 }));
    };
  }`);
}

journey("A search finds text, and its results are still there on return", async (console) => {
  const page = await settle(console);
  const hostile = `<img src=x onerror="window.reached=1"> plums`;
  const content = { sourceType: "NOTE", url: "urn:note:1", readingStatus: "UNREAD" };
  for (
    const [title, sourceTitle, annotation] of [
      ["Pruning plum trees", "The plum tree", "Plums want a dry day."],
      [hostile, "About plums", hostile],
      ["Bees", "The beekeeper", "Nothing about fruit."],
    ]
  ) {
    await callAs(page, "POST", "/api/v2/records/knowledge", {
      title,
      payload: { ...content, sourceTitle, annotation },
    });
  }
  for (let count = 0; count < 51; count++) {
    await callAs(page, "POST", "/api/v2/records/routine", {
      title: `Pick plums ${count}`,
      payload: { routineName: "Plums", area: "garden", intervalDays: 7, active: true },
    });
  }
  await page.press("/");
  await page.heading("Search");
  await page.until(`document.activeElement.name === "q"`);
  await search(page, "!");
  await page.until(`document.querySelector(".summary").innerText !== ""`);
  await search(page, "PLUM");
  await page.until(`${FOUND}.length === 50`);
  await page.click("Older");
  await page.until(`${FOUND}.length === 53`);
  assertEquals(await page.evaluate(`document.querySelector("main img, main script")`), null);
  assertEquals(await page.evaluate(`document.querySelector("mark").innerText`), "plums");

  await page.click("Filter");
  await page.evaluate(`document.querySelector("[value=knowledge]").click()`);
  await search(page, "plum dry");
  await page.until(`${FOUND}.length === 1`);
  assert((await page.evaluate(`${FOUND}[0]`)).includes("Knowledge"));
  await page.click("Pruning plum trees");
  await page.heading("Pruning plum trees");
  await page.evaluate("history.back()");
  await page.heading("Search");
  assertEquals(await page.evaluate(`document.querySelector("[name=q]").value`), "plum dry");
  assertEquals(await page.evaluate(`document.activeElement.innerText`), "Pruning plum trees");
  assertEquals(await page.evaluate("location.href"), `${console.origin}/console/search`);
  const kept = "JSON.stringify([history.state, localStorage, sessionStorage, document.title])";
  assert(!(await page.evaluate(kept)).includes("plum"));

  await search(page, "aubergine");
  await page.until(`document.body.innerText.includes("No record contains all of these words.")`);
  assertEquals(await page.evaluate("window.reached ?? null"), null);

  // The page advises and keeps the query.
  await refuseSearch(page);
  await search(page, "plum dry");
  await page.until(`document.querySelector(".summary").innerText.includes("Wait a moment")`);
  await search(page, "plum dry");
  await page.until(`${FOUND}.length === 1`);
});
