/** The line to add: its readings, and the limits of taps and fields. */

import { assertEquals, assertMatch } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import type { Json } from "../support/world.ts";
import type { Page } from "./support/browser.ts";
import { violations } from "./support/axe.ts";
import { type Console, journey } from "./support/console.ts";
import { withLatency } from "./support/latency.ts";
import { callAs, settle } from "./support/person.ts";
import { countTaps, type Taps } from "./support/taps.ts";

const LINE = `document.querySelector("main [name=line]")`;
const STATUS = `document.querySelector('main [role=status][aria-label="Understood as"]')`;
const FIRST = `document.querySelector("main .lines > li")`;

/** Settles at the browser's own time, because a measurement must not be after the service's. */
async function settleNow(console: Console): Promise<Page> {
  console.world.advance(Date.now() - DAY_MS - console.world.now().getTime());
  const page = await settle(console);
  console.world.advance(DAY_MS);
  return page;
}

journey("A line is understood before Enter, and stands first in its list", async (console) => {
  const page = await settleNow(console);
  await page.visit("/console/records/action");
  await page.until(`${LINE} !== null`);
  await page.press("Enter");
  await page.evaluate(`${LINE}.focus()`);
  await page.press("Enter");
  assertEquals((await callAs(page, "GET", "/api/v2/records/action")).items, []);
  await page.call("Input.insertText", { text: "Buy paint tomorrow" });
  await page.until(`${STATUS}.innerText.startsWith("Action · Buy paint · tomorrow, ")`);
  // A part that is taken back stays text.
  await page.click("Keep as text: tomorrow");
  await page.until(`${STATUS}.innerText === "Action · Buy paint tomorrow · no date"`);
  assertEquals(await page.evaluate(`document.activeElement === ${LINE}`), true);
  await page.evaluate(`addEventListener("keydown", () => requestAnimationFrame(() =>
    globalThis.after = [${LINE}.value, ${FIRST}?.innerText]), { once: true })`);
  await page.press("Enter");
  await page.until(`globalThis.after !== undefined`);
  assertEquals(await page.evaluate(`globalThis.after`), ["", "Buy paint tomorrow\nSaving…"]);
  await page.until(`${FIRST}?.querySelector("a")?.innerText === "Buy paint tomorrow"`);
  assertEquals((await page.text()).includes("Nothing here yet."), false);
  await page.call("Input.insertText", { text: "Call Maria on Friday" });
  await page.press("Enter");
  await page.until(`${FIRST}?.querySelector("a")?.innerText === "Call Maria"`);
  const { items } = await callAs(page, "GET", "/api/v2/records/action");
  assertEquals(items.map(({ title }: { title: string }) => title).sort(), [
    "Buy paint tomorrow",
    "Call Maria",
  ]);
  // By date, and last without one. A line waits for its reader, and the page warns before it is
  // left.
  await page.call("Network.setCacheDisabled", { cacheDisabled: true });
  await page.call("Fetch.enable", { patterns: [{ urlPattern: "*/logic/add_line*" }] });
  await page.visit("/console/records/action");
  await page.until(`${LINE} !== null`);
  await page.evaluate(`${LINE}.focus()`);
  await page.call("Input.insertText", { text: "Sort photos" });
  await page.press("Enter");
  assertEquals(
    await page.evaluate(`[${LINE}.value,
      !dispatchEvent(new Event("beforeunload", { cancelable: true }))]`),
    ["", true],
  );
  await page.call("Fetch.disable");
  await page.call("Network.setCacheDisabled", { cacheDisabled: false });
  await page.until(`${FIRST}?.querySelector("a")?.innerText === "Sort photos"`);
  await page.visit("/console/records/action");
  const shown = `[...document.querySelectorAll("main .lines a")].map((one) => one.innerText)`;
  await page.until(`${shown}.join() === "Call Maria,Buy paint tomorrow,Sort photos" ||
    ${shown}.join() === "Call Maria,Sort photos,Buy paint tomorrow"`);
});

const PEOPLE = "/api/v2/relationship/people";

/** Types into the focused line of Add and presses Enter. */
async function enter(page: Page, text: string): Promise<void> {
  await page.until(`document.activeElement?.matches("dialog [name=line]")`);
  await page.call("Input.insertText", { text });
  await page.press("Enter");
  await page.until(`document.querySelector("dialog") === null &&
    document.querySelector("#status a") !== null`);
}

/** Presses a choice of Add at its position. */
async function choose(page: Page, name: string): Promise<void> {
  const label = `[...document.querySelectorAll("dialog label")].find(({ innerText }) =>
    innerText.trim() === ${JSON.stringify(name)})`;
  await page.until(`${label} !== undefined`);
  const { x, y } = await page.evaluate(`${label}.getBoundingClientRect().toJSON()`);
  const at = { x: x + 12, y: y + 12, button: "left", clickCount: 1 };
  await page.call("Input.dispatchMouseEvent", { type: "mousePressed", ...at });
  await page.call("Input.dispatchMouseEvent", { type: "mouseReleased", ...at });
}

/** Counts from Today until each record is stored as the line was understood. */
async function countCeilings(page: Page, taps: Taps, round: 1 | 2): Promise<void> {
  await page.visit("/");
  await page.heading("Today");
  await taps.restart();
  await page.click("Add");
  await enter(page, "Buy paint tomorrow");
  await taps.assertAtMost(3);
  assertEquals(await page.evaluate(`document.activeElement.ariaLabel`), "Add");
  const { items: tasks } = await callAs(page, "GET", "/api/v2/records/action");
  const [task] = tasks;
  assertEquals([tasks.length, task.title, task.payload.actionStatus], [
    round,
    "Buy paint",
    "PLANNED",
  ]);

  await taps.restart();
  await page.click("Add");
  await choose(page, "Measurement");
  await enter(page, "74.3 kg");
  await taps.assertAtMost(4);
  const { items: values } = await callAs(page, "GET", "/api/v2/records/health");
  const [{ payload }] = values;
  assertEquals([values.length, payload.metricType, payload.value, payload.unit], [
    round,
    "WEIGHT",
    74.3,
    "kg",
  ]);

  await taps.restart();
  await page.click("Add");
  await choose(page, "Person");
  await enter(page, "Zoe 0170 1234567");
  await taps.assertAtMost(4);
  const { items: people } = await callAs(page, "POST", `${PEOPLE}/find`, { q: "Zoe" });
  assertEquals(people.length, round);
  const person = people.at(-1);
  const { items: [detail] } = await callAs(page, "GET", `${PEOPLE}/${person.personId}/details`);
  assertEquals([detail.kind, detail.value.value], ["PHONE", "0170 1234567"]);

  await taps.restart();
  await page.click("People");
  await page.heading("People");
  await page.evaluate(`document.querySelector("input[type=search]").focus()`);
  assertEquals(await page.evaluate(`document.querySelector("main .lines a").innerText`), "Ann 0");
  for (const text of "qui") await page.call("Input.insertText", { text });
  await page.until(`document.querySelector(".finder li") !== null`);
  await page.click("Quill Adler");
  await page.heading("Quill Adler");
  await taps.assertAtMost(3);
}

journey(
  "A task takes 3, a weight and a person with a number 4 taps and fields",
  async (console) => {
    const page = await settleNow(console);
    const about = { relationshipType: "OTHER", importance: 3 };
    for (const personName of ["Quill Adler", ...Array.from({ length: 52 }, (_, n) => `Ann ${n}`)]) {
      await callAs(page, "POST", PEOPLE, { personName, ...about });
    }
    await page.visit("/");
    const taps = await countTaps(page);
    await countCeilings(page, taps, 1);
    await page.resize(390, 844);
    await page.touch(true);
    await countCeilings(page, taps, 2);
    await page.touch(false);
  },
);

journey("A refused line returns above newer text, and More fills the form", async (console) => {
  const page = await settleNow(console);
  await callAs(page, "POST", "/api/v2/taxonomy/tags", { name: "Garden" });
  await page.visit("/console/tags");
  await page.until(`${LINE} !== null`);
  await page.evaluate(`${LINE}.focus()`);
  await page.call("Input.insertText", { text: "Garden" });
  await withLatency(page, 400);
  await page.press("Enter");
  await page.call("Input.insertText", { text: "Kitchen" });
  const lines = `[...document.querySelectorAll("main [name=line]")]`;
  await page.until(`${lines}.length === 2`);
  await withLatency(page, 0);
  assertEquals(await page.evaluate(`${lines}.map(({ value }) => value)`), ["Garden", "Kitchen"]);
  assertEquals(await page.evaluate(`document.activeElement === ${lines}[1]`), true);
  await page.until(`document.body.innerText.includes("A tag with this name already exists.")`);
  await page.press("Enter");
  await page.until(`${FIRST}?.querySelector("a")?.innerText === "Kitchen"`);
  await page.evaluate(`${lines}[0].focus()`);
  await page.evaluate(`${lines}[0].select()`);
  await page.call("Input.insertText", { text: "Orchard" });
  await page.press("Enter");
  await page.until(`${lines}.length === 1 && document.activeElement === ${lines}[0]`);
  await page.until(`${FIRST}?.querySelector("a")?.innerText === "Orchard"`);

  // The page is left between the two writes of a person: the list has the first one already.
  await page.visit("/console/people");
  await page.until(`${LINE} !== null`);
  await page.call("Network.setBlockedURLs", { urls: ["*/details"] });
  await page.evaluate(`${LINE}.focus()`);
  await page.call("Input.insertText", { text: "Zoe 0170 1234567" });
  await page.press("Enter");
  await page.until(`document.body.innerText.includes("Not sent yet")`);
  await page.visit("/console/people");
  const names = `[...document.querySelectorAll("main .lines > li .words")].map((one) =>
    one.innerText).join()`;
  await page.until(`${names} === "Zoe,Zoe"`);
  await page.call("Network.setBlockedURLs", { urls: [] });
  await page.until(`dispatchEvent(new Event("online")) && ${names} === "Zoe"`);

  // A list of one kind reads an amount alone.
  await page.visit("/console/records/health?filter[metricType]=WEIGHT");
  await page.until(`${LINE} !== null`);
  await page.evaluate(`${LINE}.focus()`);
  for (const text of ["74.3 kg", "120/80", "75"]) {
    await page.call("Input.insertText", { text });
    await page.press("Enter");
    await page.until(`${LINE}.value === "" && document.querySelector(".sending") === null`);
  }
  await page.until(`document.querySelectorAll("main .lines > li a").length === 4`);
  const { items } = await callAs(page, "GET", "/api/v2/records/health");
  const values = items.map(({ payload: { metricType, value, unit } }: Json) =>
    `${metricType} ${value} ${unit}`
  );
  assertEquals(values.sort(), [
    "BLOOD_PRESSURE_DIASTOLIC 80 mmHg",
    "BLOOD_PRESSURE_SYSTOLIC 120 mmHg",
    "WEIGHT 74.3 kg",
    "WEIGHT 75 kg",
  ]);

  // Too little for a decision opens its form, and a reload keeps it.
  await page.visit("/console/decisions");
  await page.until(`${LINE} !== null`);
  await page.evaluate(`${LINE}.focus()`);
  await page.call("Input.insertText", { text: "Where to live?" });
  await page.press("Enter");
  await page.heading("New: Decision");
  await page.visit(await page.evaluate("location.pathname + location.search"));
  await page.until(`document.querySelector("[name=question]")?.value === "Where to live?"`);
  await page.visit("/console/records/action");
  await page.until(`${LINE} !== null`);
  await page.evaluate(`${LINE}.focus()`);
  await page.call("Input.insertText", { text: "Buy paint tomorrow" });
  await page.click("More");
  await page.heading("New: Action");
  const texts = ["title", "actionTitle", "successCriteria"].map((name) =>
    `document.querySelector("[name=${name}]").value`
  );
  assertEquals(await page.evaluate(`[${texts.join()}]`), ["Buy paint", "Buy paint", "Buy paint"]);
  await page.click("Save");
  await page.heading("Buy paint");
});

journey("German: a line is understood, at 320 px and by #add", async (console) => {
  const page = await settleNow(console);
  await page.speak("de-DE");
  await page.resize(390, 700);
  await page.visit("/console/drafts");
  await page.heading("Entwürfe");
  await page.until(`document.querySelector("#waiting").checkVisibility()`);
  const isWide = "document.documentElement.scrollWidth > innerWidth";
  assertEquals(await page.evaluate(isWide), false);
  await page.resize(320, 700);
  await page.visit("/console/records/routine#add");
  const status = `document.querySelector('dialog [aria-label="Verstanden als"]')`;
  await page.until(`document.activeElement?.matches('dialog [aria-label="Schnell hinzufügen"]')`);
  assertEquals(await page.evaluate("location.hash"), "");
  const long = "Donaudampfschifffahrtsgesellschaftskapitän";
  await page.call("Input.insertText", { text: long });
  await page.until(`${status}.innerText.includes("${long}")`);
  assertEquals(await page.evaluate(`${status}.getBoundingClientRect().right <= innerWidth`), true);
  await page.evaluate("document.activeElement.select()");
  await choose(page, "Messwert");
  await page.evaluate(`document.querySelector("dialog [name=line]").select()`);
  await page.call("Input.insertText", { text: "74,3 kg" });
  await page.until(`${status}.innerText.includes(" · Gewicht · 74,3 kg")`);
  assertEquals(await violations(page), []);
  await page.press("Escape");
  await page.until(`document.querySelector("dialog") === null`);
  await page.evaluate(`${LINE}.focus()`);
  const text = "Fenster putzen und danach die Rahmen abwischen alle 2 Wochen";
  await page.call("Input.insertText", { text });
  await page.until(`document.querySelector("main [role=status]").innerText ===
    "Routine · Fenster putzen und danach die Rahmen abwischen · alle 14 Tage"`);
  assertEquals(await page.evaluate(isWide), false);
  assertEquals(await violations(page), []);
  await page.click("Hinzufügen");
  await page.until(`document.querySelector("dialog") !== null`);
  // The text is kept after the dialog was closed.
  assertEquals(
    await page.evaluate(`document.querySelector("dialog [name=line]").value`),
    "74,3 kg",
  );
  await page.press("Enter");
  await page.until(`document.querySelector("#status").innerText.includes("Hinzugefügt")`);
});

/** Adds a memory of one line with a picture, from Today. */
async function addWithPicture(page: Page, taps: Taps, text: string): Promise<void> {
  await page.visit("/");
  await page.heading("Today");
  await taps.restart();
  await page.click("Memories");
  await page.heading("Memories");
  await page.call("Page.setInterceptFileChooserDialog", { enabled: true });
  await page.click("Add files");
  const { result } = await page.call("Runtime.evaluate", {
    expression: `document.querySelector("main input[type=file]")`,
  });
  const files = [await Deno.realPath("src/console/screenshots/dialog.png")];
  await page.call("DOM.setFileInputFiles", { files, objectId: result.objectId });
  await page.evaluate(`${LINE}.focus()`);
  await page.call("Input.insertText", { text });
  // Enter waits for the upload.
  await page.press("Enter");
  await page.until(`${FIRST}?.querySelector("a")?.innerText === ${JSON.stringify(text)}`);
  await taps.assertAtMost(4);
}

journey("A memory with a picture takes 4 taps and fields", async (console) => {
  const page = await settleNow(console);
  await page.visit("/");
  const taps = await countTaps(page);
  await addWithPicture(page, taps, "Swam in the lake");
  await page.resize(390, 844);
  await page.touch(true);
  await addWithPicture(page, taps, "Saw a heron");
  await page.touch(false);
  const { items } = await callAs(page, "GET", "/api/v2/memory/texts");
  for (const { originalContent } of items) {
    assertMatch(originalContent, /^S.*\n\n!\[\]\(attachment:[0-9A-Z]{26}\)$/);
  }
  assertEquals(items.length, 2);
  // The line takes pasted files, too.
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(["Words"], "words.txt"));
    ${LINE}.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  })()`);
  await page.until(`document.querySelector("main .files a")?.innerText === "words.txt"`);
  await page.click("Remove words.txt");
});
