/** A thought is stored in two keystrokes, also without a connection. */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import { journey } from "./support/console.ts";
import { goOffline, goOnline } from "./support/latency.ts";
import { choose } from "./support/menu.ts";
import { callAs, settleNow, untilKeysWork } from "./support/person.ts";

const CAPTURES = "/api/v2/records/capture";
const BOX = `document.querySelector("textarea[name=originalContent]")`;

journey("A capture takes two keys, and a queued capture is sent once", async (console) => {
  const page = await settleNow(console);
  await untilKeysWork(page);
  await page.press("n");
  await page.until(`document.activeElement === ${BOX}`);
  await page.call("Input.insertText", { text: "The n key is for notes" });
  await page.press("Enter");
  const line = `document.querySelector("main .lines > li")`;
  await page.until(`${BOX}.value === "" && ${line}.querySelector("a") !== null`);
  const { items: [first] } = await callAs(page, "GET", CAPTURES);
  assertEquals(first.payload.originalContent, "The n key is for notes");
  assertEquals([first.payload.contentType, first.payload.routeStatus], ["TEXT", "INBOX"]);
  assertEquals(first.title, "The n key is for notes");
  // It can be told apart, becomes something else, and can be undone.
  await page.until(`${line}?.innerText.startsWith("The n key is for notes")`);
  await page.type("What is on your mind?", "Sow peas\nby the wall");
  await page.press("Enter");
  await page.until(`${line}?.querySelector("a")?.innerText === "Sow peas"`);
  const { items } = await callAs(page, "GET", CAPTURES);
  assert(items.some(({ title }: { title: string }) => title === "Sow peas"));
  await page.type("What is on your mind?", "A typo");
  await page.press("Enter");
  await page.click("Undo: A typo");
  await page.until(`document.body.innerText.includes("Undone.")`);
  await page.until(`document.querySelector("main [aria-label='Undo: A typo']") === null`);
  assertEquals((await callAs(page, "GET", CAPTURES)).items.length, 2);
  await choose(page, "Make it: Sow peas", "Make it a memory: Sow peas");
  await page.heading("New memory");
  await page.until(`document.querySelector("[name=originalContent]").value.includes("wall")`);
  await page.evaluate("history.back()");
  await choose(page, "Make it: Sow peas", "Make it an action: Sow peas");
  await page.heading("New: Action");
  const texts =
    `[...document.querySelectorAll("main [name]")].slice(0, 3).map(({ value }) => value)`;
  assertEquals(await page.evaluate(texts), ["Sow peas", "TASK", "Sow peas"]);
  // The module's own title follows.
  await page.type("Title", "Sow the peas");
  assertEquals(await page.evaluate(texts), ["Sow the peas", "TASK", "Sow the peas"]);
  await page.type("Title", "Sow peas");
  assertEquals((await callAs(page, "GET", "/api/v2/records/action")).items, []);
  await page.click("Today");
  await page.until(`document.body.innerText.includes("Last captures")`);
  // Saving marks the capture.
  await choose(page, "Make it: Sow peas", "Make it an action: Sow peas");
  await page.heading("New: Action");
  await page.type("Success criteria", "They are in the ground");
  await page.click("Save");
  await page.heading("Sow peas");
  const peas = (await callAs(page, "GET", CAPTURES)).items
    .find(({ title }: { title: string }) => title === "Sow peas");
  assertEquals([peas.payload.routeStatus, peas.payload.targetModule], ["ROUTED", "action"]);
  await page.click("Today");
  await page.until(`document.body.innerText.includes("Last captures")`);
  assert(
    await page.evaluate(`document.querySelector("[aria-label='Make it: Sow peas']") === null`),
  );
  assert(!(await page.text()).includes("Made into"));
  assert((await page.text()).includes("The n key is for notes"));

  await page.type("What is on your mind?", "Thought in a tunnel");
  await goOffline(page);
  await page.press("Enter");
  await page.until(`document.querySelector("#status").innerText.includes("It will be sent")`);
  // Drafts was never opened before.
  await page.click("Drafts");
  await page.heading("Drafts");
  await page.until(`document.querySelector("main").innerText.includes("Not sent yet")`);
  await page.evaluate("history.back()");
  await page.heading("Today");
  assertEquals(await page.evaluate(`${BOX}.value`), "");
  assert(!(await page.evaluate("JSON.stringify(localStorage)")).includes("tunnel"));
  await goOnline(page);
  await page.until(`fetch("${CAPTURES}").then((response) => response.json())
    .then(({ data }) => data.items.length === 3)`);
  await page.until(`!JSON.stringify(sessionStorage).includes("tunnel")`);
  assertEquals((await callAs(page, "GET", CAPTURES)).items.length, 3);

  // An entry that the service rejects while the page is closed can be read, edited and sent again.
  await goOffline(page);
  await page.type("What is on your mind?", "Thought too early");
  await page.press("Enter");
  await page.until(`${BOX}.value === ""`);
  console.world.advance(-DAY_MS);
  await page.click("Drafts");
  await page.heading("Drafts");
  await goOnline(page);
  await page.until(`JSON.stringify(sessionStorage).includes("PAYLOAD_INVALID")`);
  await page.visit("/console/drafts");
  await page.heading("Drafts");
  assert(!(await page.text()).includes("Thought too early"));
  const button = (name: string) => `document.querySelector('button[aria-label^="${name}"]')`;
  await page.evaluate(`${button("Show New: Capture")}.click()`);
  assert((await page.text()).includes("Thought too early"));
  await page.evaluate(`${button("Edit: New: Capture")}.click()`);
  await page.heading("Today");
  assertEquals(await page.evaluate(`${BOX}.value`), "Thought too early");
  console.world.advance(DAY_MS);
  await page.focus("What is on your mind?");
  await page.press("Enter");
  await page.until(`${line}?.querySelector("a")?.innerText === "Thought too early"`);
  assertEquals((await callAs(page, "GET", CAPTURES)).items.length, 4);

  // Unsent text is shown again, only in this tab.
  await page.type("What is on your mind?", "Half a thought");
  await page.until(`Object.keys(sessionStorage).some((name) => name.endsWith(":/"))`);
  assert(!(await page.evaluate("JSON.stringify(localStorage)")).includes("Half"));
  await page.visit("/");
  await page.until(`${BOX}?.value === "Half a thought"`);

  // On touch no keys are named, and Enter is a new line.
  await page.touch(true);
  await page.visit("/");
  await page.until(`${BOX}?.value === "Half a thought"`);
  assert(!(await page.text()).includes("Press Enter"));
  await page.focus("What is on your mind?");
  await page.press("Enter");
  await page.until(`${BOX}.value.includes("\\n")`);
  await page.touch(false);

  // A form is not kept without the file that was chosen for it.
  const edited = `/console/records/capture/${first.recordId}`;
  await page.visit(`${edited}/edit`);
  await page.until(`document.querySelector("input[type=file]") !== null`);
  const { result } = await page.call("Runtime.evaluate", {
    expression: `document.querySelector("input[type=file]")`,
  });
  await goOffline(page);
  const files = [await Deno.realPath("README.md")];
  await page.call("DOM.setFileInputFiles", { files, objectId: result.objectId });
  await page.until(`document.querySelector("[aria-label='Try again: README.md']") !== null`);
  await goOnline(page);
  await page.click("Save");
  await page.until(`document.body.innerText.includes("The file was not uploaded.")`);
  await page.click("Try again: README.md");
  await page.until(`document.querySelector("[data-name=attachmentIds] a") !== null`);
  await page.click("Save");
  await page.until(`location.pathname === "${edited}"`);
  await page.until(`document.querySelector("a[download]") !== null`);
  const { payload } = await callAs(page, "GET", `${CAPTURES}/${first.recordId}`);
  assertEquals(payload.attachmentIds.length, 1);
}, { isFirstVisit: true });
