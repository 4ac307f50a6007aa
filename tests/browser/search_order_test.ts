/** Best first: people on top, other spellings, close words and tags. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, settle } from "./support/person.ts";

const FOUND = `[...document.querySelectorAll("main .found .words:first-child")]
  .map((one) => one.innerText)`;
const MARKED = `[...document.querySelectorAll("main mark")].map((one) => one.innerText)`;

async function find(page: Page, words: string, found: readonly string[]) {
  await page.type("Words", words);
  await page.press("Enter");
  await page.until(`JSON.stringify(${FOUND}) === ${JSON.stringify(JSON.stringify(found))}`);
}

const keep = (page: Page, title: string) =>
  callAs(page, "POST", "/api/v2/records/knowledge", {
    title,
    payload: {
      sourceType: "NOTE",
      url: "urn:note:1",
      readingStatus: "UNREAD",
      sourceTitle: title,
    },
  });

journey("The best is first, with people on top", async (console) => {
  const page = await settle(console);
  const person = { personName: "Hans Müller", relationshipType: "FRIEND", importance: 3 };
  const { personId } = await callAs(page, "POST", "/api/v2/relationship/people", person);
  console.world.advance(1_000);
  await keep(page, "Mueller");
  const orchard = await keep(page, "The old orchard");
  const { termId } = await callAs(page, "POST", "/api/v2/taxonomy/tags", { name: "Harbour" });
  const { recordId, moduleCode } = orchard;
  const body = { recordId, moduleCode, termId };
  await callAs(page, "POST", "/api/v2/taxonomy/assignments", body);

  await page.visit("/console/search");
  await find(page, "Mueller", ["Hans Müller", "Mueller"]);
  assertEquals(await page.evaluate(MARKED), ["Müller", "Mueller"]);
  const headings = `[...document.querySelectorAll("main h2")].map((one) => one.innerText).join()`;
  assertEquals(await page.evaluate(headings), "People,Everything else");
  await find(page, "orchrad", ["The old orchard"]);
  assertEquals(await page.evaluate(MARKED), ["orchard"]);
  await find(page, "#harbour", ["The old orchard"]);
  await page.until(`${MARKED}.join() === "#harbour"`);
  await callAs(page, "POST", "/api/v2/taxonomy/assignments", {
    recordId: personId,
    moduleCode: "relationship",
    termId,
  });
  await find(page, "#Harbour", ["Hans Müller", "The old orchard"]);
  assert(!(await page.text()).includes("FRIEND"));

  await page.focus("Order");
  await page.press("N");
  await find(page, "Mueller", ["Mueller"]);
});
