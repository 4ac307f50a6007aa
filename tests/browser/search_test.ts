/** Found text is never in an address. */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import type { Page } from "./support/browser.ts";
import { callAs, settleAtHome } from "./support/person.ts";

const FOUND = `[...document.querySelectorAll("main .lines > li")].map((line) => line.innerText)`;

const MARKED = `[...new Set(Array.from(document.querySelectorAll("main mark"), (mark) =>
  mark.innerText))].sort()`;

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
  const page = await settleAtHome(console);
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
  await callAs(page, "POST", "/api/v2/records/knowledge", {
    title: "Pflaumenkuchen",
    payload: { ...content, sourceTitle: "Backen in München", annotation: "" },
  });
  await callAs(page, "POST", "/api/v2/records/action", {
    title: "Mehl kaufen",
    payload: {
      actionType: "TASK",
      actionTitle: "Pflaumen, München",
      actionStatus: "PLANNED",
      successCriteria: "Mehl",
    },
  });
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
  await page.click("Show more");
  await page.until(`${FOUND}.length === 53`);
  assertEquals(await page.evaluate(`document.querySelector("main img, main script")`), null);
  assertEquals(await page.evaluate(MARKED), ["plum", "plums"]);

  await page.click("Filter");
  await page.evaluate(`document.querySelector("[value=knowledge]").click()`);
  await search(page, "plum dry");
  await page.until(`${FOUND}.length === 1`);
  assert((await page.evaluate(`${FOUND}[0]`)).includes("Source"));
  await page.click("Pruning plum trees");
  await page.heading("Pruning plum trees");
  await page.evaluate("history.back()");
  await page.heading("Search");
  assertEquals(await page.evaluate(`document.querySelector("[name=q]").value`), "plum dry");
  assertEquals(await page.evaluate(`document.activeElement.innerText`), "Pruning plum trees");
  assertEquals(await page.evaluate("location.href"), `${console.origin}/console/search`);
  const kept = "JSON.stringify([history.state, localStorage, sessionStorage, document.title])";
  assert(!(await page.evaluate(kept)).includes("plum"));

  // While typing, without accents, and with the date of each record.
  await page.type("Words", "pflaumen munchen");
  await page.until(`${FOUND}.join().includes("Pflaumenkuchen")`);
  const now = console.world.now().toISOString().slice(0, 10);
  const time = `document.querySelector("main .lines time")`;
  assertEquals((await page.evaluate(`${time}.dateTime`)).slice(0, 10), now);
  await page.click("All kinds");
  await page.until(`${FOUND}.length === 2`);
  assertEquals(await page.evaluate(MARKED), ["München", "Pflaumen", "Pflaumenkuchen"]);
  await page.click("Only Actions");
  await page.until(`${FOUND}.length === 1 && document.activeElement.innerText === "Mehl kaufen"`);

  await page.type("Words", "aubergine <b>x</b>");
  await page.until(`document.body.innerText.includes("No record contains all of these words.")`);
  assertEquals(await page.evaluate("window.reached ?? null"), null);
  await page.set("kind", "commitment");
  await page.click("Create “aubergine <b>x</b>”");
  await page.heading("New: Commitment");
  assertEquals(
    await page.evaluate(`document.querySelector("[name=title]").value`),
    "aubergine <b>x</b>",
  );
  assertEquals(await page.evaluate("location.search"), "");
  await page.back();
  await page.heading("Search");
  await page.evaluate(`document.querySelector("[value=action]").click()`);

  // The page advises and keeps the query.
  await refuseSearch(page);
  await search(page, "plum dry");
  await page.until(`document.querySelector(".summary").innerText.includes("Wait a moment")`);
  await search(page, "plum dry");
  await page.until(`${FOUND}.length === 1`);
});
