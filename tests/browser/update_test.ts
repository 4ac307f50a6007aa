/** Drafts and writes that an earlier release stored in the browser. */

import { assert, assertEquals } from "@std/assert";
import type { Json } from "../support/world.ts";
import { journey } from "./support/console.ts";
import { callAs, settle } from "./support/person.ts";

journey("Drafts and queued writes of an earlier release are kept", async (console) => {
  const page = await settle(console);
  await page.moveTo("Europe/Berlin");
  const { account } = await callAs(page, "GET", "/api/v2/auth/session");
  const at = Date.now();
  const draft = { base: null, seed: "5eed", sent: null, at };
  const title = "Written before the update";
  const payload = { placeName: title, placeType: "HOME" };
  const queued = {
    method: "POST",
    path: "/api/v2/records/place",
    body: { title, payload },
    key: "7ae5906caa07cc5106830bc22e7fa5a4",
    page: "/console/records/place/new",
    brief: false,
    at,
    refused: null,
  };
  const targetDate = "2026-05-04T10:30:00.000+02:00[Europe/Berlin]";
  const stored: [string, string, object][] = [
    ["localStorage", `unsent:${account.accountId}:${queued.key}`, queued],
    ["localStorage", `draft:${account.accountId}:/console/records/action/new`, {
      ...draft,
      texts: { title: "Paint", priority: "4", targetDate, parentId: "the garden" },
    }],
    ["sessionStorage", `draft:${account.accountId}:/`, {
      ...draft,
      texts: { originalContent: "A thought", capturedAt: targetDate },
    }],
  ];
  await page.visit("/console/about");
  for (const [place, name, entry] of stored) {
    const text = JSON.stringify(JSON.stringify(entry));
    await page.evaluate(`${place}.setItem("${name}", ${text})`);
  }
  await page.visit("/");
  await page.until(`document.querySelector("textarea")?.value === "A thought"`);
  await page.until(`!Object.keys(localStorage).some((name) => name.startsWith("unsent:"))`);
  const { items } = await callAs(page, "GET", "/api/v2/records/place");
  assertEquals(items.map((item: Json) => item.title), [title]);
  await page.visit("/console/records/action/new");
  await page.until(`document.querySelector("main [name=title]")?.value === "Paint"`);
  const texts = `[...document.querySelectorAll("main :is(input, [data-name])")]
    .map((one) => one.value ?? one.querySelector(":checked")?.value)`;
  const shown = [...await page.evaluate(texts), ...(await page.text()).split("\n")];
  for (const text of ["4", "2026-05-04T10:30", "the garden"]) assert(shown.includes(text), text);
});
