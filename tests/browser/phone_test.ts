/** The console on a phone: a thought with a recording. */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { callAs, settleNow } from "./support/person.ts";

const CAPTURES = "/api/v2/records/capture";
const BOX = `document.querySelector("textarea[name=originalContent]")`;

journey("A voice is recorded, and kept with a thought, on a small phone", async (console) => {
  const page = await settleNow(console, { width: 320, height: 640 });
  await page.touch(true);
  await page.visit("/console/capture");
  await page.heading("Capture");
  const buttons = `[...document.querySelectorAll("main button")].map((one) => one.innerText)`;
  assertEquals(await page.evaluate(buttons), ["Take a picture", "Record", "Save"]);
  assert(await page.evaluate(`document.documentElement.scrollWidth <= 320`));
  await page.type("What is on your mind?", "Half a thought");
  await page.press("Enter");
  await page.until(`${BOX}.value === "Half a thought\\n"`);
  await page.visit("/console/capture");
  await page.until(`${BOX}?.value.startsWith("Half a thought")`);
  await page.type("What is on your mind?", " ");

  await page.click("Record");
  await page.click("Discard");
  await page.click("Record");
  await page.until(`document.querySelector("[role=timer]")?.innerText === "0:01"`);
  await page.click("Today");
  await page.until(
    `document.querySelector("dialog[open] h2")?.innerText === "Leave without saving?"`,
  );
  await page.click("Cancel");
  await page.click("Stop");
  await page.until(`document.querySelectorAll("main .files a").length === 1`);
  await page.click("Save");
  await page.until(`document.querySelector("main .lines a") !== null`);
  const { items: [{ title, payload }] } = await callAs(page, "GET", CAPTURES);
  assertEquals([title, payload.attachmentIds.length], [payload.originalContent, 1]);
  assert(/^voice-\d{4}-\d\d-\d\d-\d\d-\d\d\.webm$/.test(title), title);
});
