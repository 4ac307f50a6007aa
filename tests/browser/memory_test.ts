/**
 * Memories in the browser: written as drafts of the service, kept, read, guarded, and brought back.
 */

import { assert, assertEquals } from "@std/assert";
import type { Json } from "../support/world.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { goOffline, goOnline } from "./support/latency.ts";
import { choose } from "./support/menu.ts";
import { callAs, EMAIL, PASSWORD, settle, waitForModules } from "./support/person.ts";

const LIST = "/console/memories";
const API = "/api/v2/memory/texts";
const LAKE = {
  title: "The lake",
  memoryType: "PLACE",
  originalContent: "We swam until dark.",
  occurredAt: "1999-07-14T00:00:00+02:00",
  timePrecision: "SEASON",
};
const WORDS = "In your words";
const NOW = "Current text";

/** The value of a control. */
const valueOf = (page: Page, name: string) =>
  page.evaluate(`document.querySelector("[name=${name}]").value`);

const MENU = "More for The lake";

const says = (page: Page, text: string) =>
  page.until(`document.body.innerText.includes(${JSON.stringify(text)})`);

journey(
  "A memory begun by keyboard on one device continues on another and is saved once",
  async (console) => {
    const page = await settle(console);
    await page.visit(LIST);
    await page.click("More");
    await page.heading("New memory");
    await page.type("Title", "The lake");
    await page.type(WORDS, "We swam");
    await says(page, "Draft saved");
    assertEquals(await page.evaluate("localStorage.length + sessionStorage.length"), 0);
    await page.call("Page.reload");
    await page.heading("New memory");
    await page.until(`document.querySelector("[name=title]")?.value === "The lake"`);

    const other = await console.open();
    await other.visit("/console/drafts");
    await other.heading("Sign in");
    await other.type("Email", EMAIL);
    await other.type("Password", PASSWORD);
    await other.press("Enter");
    await other.heading("Drafts");
    await other.click("The lake");
    await other.heading("New memory");
    assertEquals(await valueOf(other, "originalContent"), "We swam");
    await other.type(WORDS, "We swam until dark.");
    await says(other, "Draft saved");
    // Here the title alone is changed: the words come from there.
    await page.type("Title", "The lake at dusk");
    await says(page, "This was changed elsewhere");
    assertEquals(await valueOf(page, "originalContent"), "We swam until dark.");
    await page.focus("Kind");
    for (const letter of "Plac") await page.press(letter);
    await page.until(`document.querySelector("[aria-controls^=field-]") !== null`);
    await page.evaluate(`document.querySelector("[aria-controls^=field-]").click()`);
    await page.focus("Date precision (optional)");
    for (const letter of "Seas") await page.press(letter);
    await page.focus("Season");
    for (const letter of "Summ") await page.press(letter);
    await page.type("Year", "1999");
    await page.press("Enter", 2);
    await page.heading("The lake at dusk");
    await says(page, "Summer 1999");
    const { items } = await callAs(page, "GET", API);
    assertEquals(items.map((item: typeof LAKE) => [item.title, item.originalContent]), [
      ["The lake at dusk", "We swam until dark."],
    ]);

    // The draft no longer exists: later input becomes a new draft, and is not lost.
    await other.type("Title", "A sea");
    await other.until(
      `document.querySelector("#status").innerText.includes("continues as a new draft")`,
    );
    await says(other, "Draft saved");
    await other.click("Discard");
    await other.click("Discard text");
    await other.heading("Memories");
    assertEquals((await callAs(page, "GET", "/api/v2/memory/drafts")).items, []);
  },
);

journey(
  "A memory change is merged with a change made elsewhere",
  async (console) => {
    const page = await settle(console);
    const { memoryId } = await callAs(page, "POST", API, LAKE);
    const revise = (expectedRevision: number, change: object) =>
      callAs(page, "POST", `${API}/${memoryId}/revisions`, { expectedRevision, ...change });
    await page.visit(`${LIST}/${memoryId}/edit`);
    await page.type(NOW, "We swam for hours.");
    await says(page, "Draft saved");
    await revise(1, { currentContent: "We swam until night.", summary: "Only theirs" });
    await page.click("Save");
    await says(page, "This was changed elsewhere");
    assertEquals((await callAs(page, "GET", `${API}/${memoryId}`)).revision, 2);
    await page.click("Keep mine: Current content");
    await page.click("Save");
    await page.heading("The lake");
    const kept = await callAs(page, "GET", `${API}/${memoryId}`);
    assertEquals([kept.currentContent, kept.summary, kept.revision, kept.timeRange], [
      "We swam for hours.",
      "Only theirs",
      3,
      { from: "1999-05-31T22:00:00.000Z", to: "1999-08-31T22:00:00.000Z" },
    ]);
    const sides = `[...document.querySelectorAll(".reading")].map((side) => side.innerText)`;
    await page.click("Original text");
    await page.until(`document.querySelector("main details[open]") !== null`);
    assertEquals(await page.evaluate(sides), ["We swam for hours.", "We swam until dark."]);
    await page.visit(`/console/memories/${(await callAs(page, "POST", API, LAKE)).memoryId}`);
    await page.heading("The lake");
    await page.resize(1_600, 900);
    const zeros = await page.evaluate(`(() => {
      const column = document.querySelector(".reading");
      const zero = document.createElement("span");
      zero.append("0");
      column.append(zero);
      const [whole, one] = [column, zero].map((each) => each.getBoundingClientRect().width);
      return whole / one;
    })()`);
    assert(zeros > 40 && zeros < 75, `${zeros} zeros wide`);
    await page.visit(`/console/memories/${memoryId}`);

    // A draft that is found again after a change elsewhere shows it before anything is written.
    await page.click("Edit");
    await page.heading("Edit: The lake");
    await page.type("Title", "My lake");
    await says(page, "Draft saved");
    console.world.advance(1_000);
    await revise(3, { title: "Their lake" });
    await page.visit(`${LIST}/${memoryId}/edit`);
    await says(page, "This was changed elsewhere");
    await page.click("Use theirs: Title");
    await page.type("Time in your words (optional)", "that summer");
    await page.click("Save");
    await page.heading("Their lake");
    const timed = await callAs(page, "GET", `${API}/${memoryId}`);
    assertEquals([timed.timeText, timed.timeRange], ["that summer", kept.timeRange]);

    // A change that came before the first letter is seen with the first save.
    await page.click("Edit");
    await page.heading("Edit: Their lake");
    await revise(timed.revision, { summary: "Theirs again" });
    await page.type(NOW, "We swam.");
    await says(page, "This was changed elsewhere");
    assertEquals(await valueOf(page, "summary"), "Theirs again");
  },
);

journey(
  "A memory is made secret, sliced, compared and restored, separate from a model's text",
  async (console) => {
    const page = await settle(console);
    const { memoryId } = await callAs(page, "POST", API, LAKE);
    const read = () => callAs(page, "GET", `${API}/${memoryId}`);
    await page.visit(`${LIST}/${memoryId}/slices`);
    await page.type("Name", "Before the model");
    await page.press("Enter");
    await page.until(`document.querySelector(".cards")?.innerText.includes("Before the model")`);
    await page.click("The lake");
    await page.heading("The lake");
    await choose(page, MENU, "Add a model's text");
    await page.type("Provider", "A provider");
    await page.type("Text", "We swam until the light was gone.");
    // A closed or rejected dialog has the same text when it is opened again.
    await page.press("Escape");
    await page.until(`document.querySelector("dialog") === null`);
    await callAs(page, "POST", `${API}/${memoryId}/revisions`, {
      expectedRevision: 1,
      currentContent: "We swam all night.",
    });
    await choose(page, MENU, "Add a model's text");
    await page.until(`document.querySelector("dialog[open]") !== null`);
    await page.press("Enter", 2);
    await says(page, "We swam all night.");
    await choose(page, MENU, "Add a model's text");
    await page.until(`document.querySelector("dialog[open]") !== null`);
    await page.press("Enter", 2);
    await says(page, "Written by a model");
    const model = `getComputedStyle(document.querySelector("section.note .words")).fontFamily`;
    assert(!(await page.evaluate(model)).includes("serif,"));
    await page.click("Use this text");
    await page.until(`document.querySelector("dialog[open]") !== null`);
    await page.press("Enter");
    await page.until(
      `[...document.querySelectorAll(".reading")].at(0)?.innerText.includes("light was gone")`,
    );
    assertEquals((await read()).currentContent, "We swam until the light was gone.");

    await choose(page, MENU, "Make secret");
    await page.until(`document.querySelector("#status").innerText === "Privacy: Secret."`);
    assertEquals((await read()).privacyLevel, "SECRET");
    // The browser does not keep its title, and its words are shown when that is asked for.
    await page.until(`document.title === "Memory · Personal Records"`);
    assert(!(await page.text()).includes("We swam"));
    await page.click("Show the text");
    await page.until(`document.activeElement.innerText.includes("until the light was gone")`);
    for (const [end, heading] of [["slices", "Slices"], ["history", "History"]]) {
      await page.visit(`${LIST}/${memoryId}/${end}`);
      await page.heading(heading ?? "");
      await page.evaluate(
        `for (const one of document.querySelectorAll("details")) one.open = true`,
      );
      assert(!(await page.text()).includes("We swam"), end);
    }
    await page.visit(`${LIST}/${memoryId}/edit`);
    await page.heading("Edit: The lake");
    assertEquals(await page.evaluate("document.title"), "Memory · Personal Records");
    await page.visit(`${LIST}/${memoryId}`);
    await choose(page, MENU, "Make normal");
    await page.type("Password", "not the password at all");
    await page.press("Enter");
    await page.until(`document.querySelector("dialog [role=alert]").innerText !== ""`);
    assertEquals((await read()).privacyLevel, "SECRET");
    await page.type("Password", PASSWORD);
    await page.press("Enter");
    await page.until(`document.querySelector("#status").innerText === "Privacy: Normal."`);
    assertEquals((await read()).privacyLevel, "NORMAL");

    await choose(page, MENU, "History");
    await page.heading("History");
    await says(page, "Model text used");
    await page.click("Compare two revisions");
    await page.click("Compare");
    await page.heading("Revisions 5 and 6");
    assertEquals(await page.evaluate(`document.querySelector("ins").innerText`), "Normal");
    await page.visit(`${LIST}/${memoryId}/history?from=1`);
    await page.heading("Revision 1 and current (6)");
    await page.click("Restore: Current text");
    await page.until(`document.body.innerText.includes("Revision 7")`);
    assertEquals((await read()).currentContent, LAKE.originalContent);
    await choose(page, MENU, "Archive");
    await says(page, "Archived on");
    await choose(page, MENU, "Restore");
    await page.until(`!document.body.innerText.includes("Archived on")`);
    await callAs(page, "POST", `${API}/${memoryId}/revisions`, {
      expectedRevision: 9,
      title: "Another name",
    });
    await page.visit(`${LIST}/${memoryId}/slices`);
    await page.heading("Slices");
    await page.click("Restore: Before the model");
    await page.heading("The lake");
  },
);

journey("A failed save is reported and retried as soon as possible", async (console) => {
  const page = await settle(console);
  await page.visit(`${LIST}/new`);
  await page.heading("New memory");
  await waitForModules(page, ["core/acts.js"]);
  await goOffline(page);
  await page.type("Title", "Half a thought");
  await says(page, "Draft not saved.");
  await page.click("Search");
  await page.until(`document.querySelector("dialog[open]") !== null`);
  await page.click("Cancel");
  await page.heading("New memory");
  assertEquals(await valueOf(page, "title"), "Half a thought");
  await goOnline(page);
  await says(page, "Draft saved");
  // Input that can be saved is saved before the page closes.
  await page.type("Title", "Half a thought, and more");
  await page.click("Search");
  await page.heading("Search");
  await page.back();
  await page.until(`document.querySelector("[name=title]")?.value === "Half a thought, and more"`);
  await console.world.raw("update sessions set revoked_at = now()");
  await page.type("Title", "A whole thought");
  await says(page, "Draft not saved.");
  await page.click("Save now");
  await page.type("Password", PASSWORD);
  await page.press("Enter");
  await says(page, "Draft saved");
  const { items } = await callAs(page, "GET", "/api/v2/memory/drafts");
  const contents: readonly Record<string, string>[] = items.map(({ content }: Json) => content);
  assertEquals(contents.map(({ title, timePrecision }) => [title, timePrecision]), [
    ["A whole thought", "EXACT"],
  ]);
  // Words without a title are shown when that is asked for.
  await page.type("Title", "");
  await page.type(WORDS, "Whispered");
  await page.until(
    `fetch("/api/v2/memory/drafts").then((response) => response.text())
      .then((text) => text.includes("Whispered"))`,
  );
  await page.visit("/console/drafts");
  await page.heading("Drafts");
  assert(!(await page.text()).includes("Whispered"));
  await page.evaluate(`document.querySelector("[aria-label^='Show New: Memory']").click()`);
  assertEquals(await page.evaluate("document.activeElement.innerText"), "Whispered");
}, { isFirstVisit: true });
