/** The first page: it stores a thought, lists due items, and has keyboard shortcuts. */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import { type Console, journey } from "./support/console.ts";
import type { Page } from "./support/browser.ts";
import { goOffline, goOnline } from "./support/latency.ts";
import { callAs, settle, untilKeysWork } from "./support/person.ts";

const CAPTURES = "/api/v2/records/capture";
const LADDER = { commitmentType: "BORROWED", content: "Bring it back", completionStatus: "OPEN" };
/** Modifiers of the protocol. */
const [CONTROL, SHIFT] = [2, 8];
const BOX = `document.querySelector("textarea[name=originalContent]")`;

/**
 * Settles at the browser's own time, because a capture's time must not be after the service's. The
 * sign-in is a day older, so that the session stays open if the clock goes back by a day.
 */
async function settleNow(console: Console): Promise<Page> {
  console.world.advance(Date.now() - DAY_MS - console.world.now().getTime());
  const page = await settle(console);
  console.world.advance(DAY_MS);
  await page.visit("/");
  await page.heading("Today");
  return page;
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

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
  await page.click("Make it an action: Sow peas");
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
  await page.until(`document.body.innerText.includes("Nothing is due.")`);
  // Saving marks the capture.
  await page.click("Make it an action: Sow peas");
  await page.heading("New: Action");
  await page.type("Success criteria", "They are in the ground");
  await page.click("Save");
  await page.heading("Sow peas");
  const peas = (await callAs(page, "GET", CAPTURES)).items
    .find(({ title }: { title: string }) => title === "Sow peas");
  assertEquals([peas.payload.routeStatus, peas.payload.targetModule], ["ROUTED", "action"]);
  await page.click("Today");
  await page.until(
    `document.querySelector("main li.done")?.innerText.includes("Made into: Action")`,
  );
  assertEquals(
    await page.evaluate(`document.querySelectorAll("main li.done a").length`),
    1,
  );
  await page.click("Undo: Sow peas");
  await page.until(`document.body.innerText.includes("Undone.")`);
  await page.until(`document.querySelector("main [aria-label='Undo: Sow peas']") === null`);
  assertEquals((await callAs(page, "GET", CAPTURES)).items.length, 1);

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
    .then(({ data }) => data.items.length === 2)`);
  await page.until(`!JSON.stringify(sessionStorage).includes("tunnel")`);
  assertEquals((await callAs(page, "GET", CAPTURES)).items.length, 2);

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
  assertEquals((await callAs(page, "GET", CAPTURES)).items.length, 3);

  // Unsent text is shown again, only in this tab.
  await page.type("What is on your mind?", "Half a thought");
  await page.until(`Object.keys(sessionStorage).some((name) => name.endsWith(":/"))`);
  assert(!(await page.evaluate("JSON.stringify(localStorage)")).includes("Half"));
  await page.visit("/");
  await page.until(`${BOX}?.value === "Half a thought"`);

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
  await page.until(`document.body.innerText.includes("Try again")`);
  await goOnline(page);
  await page.click("Save");
  await page.until(`document.body.innerText.includes("The file was not uploaded.")`);
  await page.click("Try again");
  await page.until(`document.body.innerText.includes("README.md")`);
  await page.click("Save");
  await page.until(`location.pathname === "${edited}"`);
  await page.until(`document.querySelector("a[download]") !== null`);
  const { payload } = await callAs(page, "GET", `${CAPTURES}/${first.recordId}`);
  assertEquals(payload.attachmentIds.length, 1);
}, { isFirstVisit: true });

journey("The home page lists due items, and keys move through them", async (console) => {
  const page = await settleNow(console);
  await page.until(`document.body.innerText.includes("Nothing is due.")`);
  const commitments: [string, Record<string, string>][] = [
    ["The ladder", { ...LADDER, dueAt: inDays(-3) }],
    ["The book", { ...LADDER, dueAt: inDays(3) }],
    ["The saw", { ...LADDER, dueAt: inDays(30) }],
    ["The key", { ...LADDER, dueAt: inDays(-3), completionStatus: "COMPLETED" }],
  ];
  for (const [title, payload] of commitments) {
    await callAs(page, "POST", "/api/v2/records/commitment", { title, payload });
  }
  await page.visit("/");
  const due = `document.querySelectorAll("main section")[1].innerText`;
  await page.until(`${due}.includes("The book")`);
  const lines = (await page.evaluate(due)).split("\n").filter((line: string) => line !== "");
  const weekday = new Intl.DateTimeFormat("en", { weekday: "long" }).format(new Date(inDays(3)));
  assertEquals(lines.map((line: string) => line.replace(/\d+:\d\d [AP]M/, "time")), [
    "Due",
    "Overdue",
    "The ladder",
    "Commitment · 3 days ago",
    "Done",
    weekday,
    "The book",
    "Commitment · time",
    "Done",
  ]);
  // Five requests, for any number of records.
  const asked = `performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith("/api/"))`;
  await page.until(`!document.body.innerText.includes("Loading…")`);
  assertEquals((await page.evaluate(asked)).length, 5);

  await untilKeysWork(page);
  for (const key of ["j", "j", "k", "Enter"]) await page.press(key);
  await page.heading("The ladder");
  await page.press("h");
  await page.heading("History");
  await page.call("Page.navigateToHistoryEntry", await entryBefore(page));
  await page.heading("The ladder");
  assertEquals(await page.evaluate("document.activeElement.innerText"), "History");
  await page.press("e");
  await page.heading("Edit: The ladder");
  await page.focus("Title");
  for (const key of ["n", "g", "h"]) await page.press(key);
  assert((await page.evaluate("document.activeElement.value")).endsWith("ngh"));
  await page.evaluate("document.activeElement.blur()");
  await page.press("n", 2);
  for (const key of ["g", "d"]) await page.press(key);
  await page.heading("Drafts");
  await page.press("x");
  await page.evaluate(`document.querySelector("a[href='/console/search']").focus()`);
  await page.press("?");
  await page.until(
    `document.querySelector("dialog[open]")?.innerText.includes("Keyboard shortcuts are on")`,
  );
  await page.press("n");
  await page.press("Escape");
  // Focus returns to the previous element.
  await page.until(`document.querySelector("dialog") === null`);
  assertEquals(await page.evaluate("document.activeElement.innerText"), "Search");
  await page.press("?");
  await page.until(`document.querySelector("dialog[open]") !== null`);
  await page.evaluate(`document.querySelector("dialog input").click()`);
  await page.press("Escape");
  await page.until(`document.querySelector("dialog") === null`);
  for (const key of ["g", "h"]) await page.press(key);
  await page.heading("Drafts");
});

const CURRENT = `[...document.querySelectorAll("header nav [aria-current]")].map((one) =>
  one.innerText.trim())`;

journey("Ten places lead everywhere, from a side bar or a sheet", async (console) => {
  const page = await settleNow(console);
  const body = { title: "The ladder", payload: LADDER };
  const { recordId } = await callAs(page, "POST", "/api/v2/records/commitment", body);
  await callAs(page, "POST", "/api/v2/records/commitment", body);
  await callAs(page, "POST", `/api/v2/records/commitment/${recordId}/archive`, {});
  await callAs(page, "POST", "/api/v2/identity/profile", { displayName: "Someone" });
  const names = `[...document.querySelectorAll("#places > ul > li > :is(a, button)")]
    .filter((one) => one.checkVisibility()).map((one) => one.innerText.trim())`;
  const places = ["Today", "Search", "People", "Memories", "Decisions", "Calendar", "Records"];
  assertEquals(await page.evaluate(names), [...places, "Files", "Tags", "Account"]);
  assertEquals(await page.evaluate(CURRENT), ["Today"]);

  await page.click("Records");
  await page.until(`document.querySelector("#kinds").innerText.includes("Commitments\\n1")`);
  assertEquals(await page.evaluate("document.querySelectorAll('#kinds > ul > li').length"), 2);
  const kinds = await page.evaluate(`document.querySelector("#kinds").innerText`);
  assert(!kinds.includes("Health"));
  // The profile has no record.
  assert(kinds.includes("Profile\n1"));
  await page.click("Nothing yet");
  await page.click("Health");
  await page.heading("Health");
  assertEquals(await page.evaluate(CURRENT), ["Records"]);

  // A page that cannot be loaded is marked all the same, and alone.
  await goOffline(page);
  await page.click("People");
  await page.heading("That didn't work");
  assertEquals(await page.evaluate(CURRENT), ["People"]);
  await goOnline(page);

  await page.resize(390, 844);
  await page.until(`${names}.length === 0`);
  await page.click("Menu");
  await page.until(`${names}.length === 10`);
  await page.press("Escape");
  await page.until(`${names}.length === 0`);
  assertEquals(await page.evaluate("document.activeElement.innerText.trim()"), "Menu");
  await page.click("Menu");
  await page.click("Files");
  await page.heading("Files");
  assertEquals(await page.evaluate(names), []);
});

journey("Ten places are reached and used with keys alone", async (console) => {
  const page = await settleNow(console);
  const focused = `(document.activeElement.getAttribute("aria-label") ??
    document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText).trim()`;
  const tabTo = async (name: string, back = false) => {
    for (let step = 0; await page.evaluate(focused) !== name; step++) {
      assert(step < 60, `No way to ${name} by Tab`);
      await page.press("Tab", back ? SHIFT : 0);
    }
  };
  const follow = async (name: string, heading: string, back = false) => {
    await tabTo(name, back);
    await page.press("Enter");
    await page.heading(heading);
  };
  const place = (name: string, heading = name) => follow(name, heading, true);
  const write = async (name: string, text: string) => {
    await tabTo(name);
    await page.call("Input.insertText", { text });
  };
  await write("What is on your mind?", "A kingfisher");
  await page.press("Enter");
  await page.until(`document.body.innerText.includes("Make it an action") ||
    document.querySelector("main .lines a")?.innerText === "A kingfisher"`);

  await place("Search");
  await page.call("Input.insertText", { text: "kingf" });
  await page.until(`document.querySelector("main mark") !== null`);
  await follow("A kingfisher", "A kingfisher");

  await place("People");
  await follow("More", "New: Person");
  await write("Person name", "Lena");
  await tabTo("Relationship type");
  for (const letter of "Frie") await page.press(letter);
  await write("Importance", "4");
  await page.press("Enter", CONTROL);
  await page.heading("Lena");

  await place("Memories");
  await follow("More", "New memory");
  await write("Title", "The river");
  await write("In your words", "It froze.");
  await tabTo("Kind");
  for (const letter of "Even") await page.press(letter);
  await page.press("Enter", CONTROL);
  await page.heading("The river");

  await place("Decisions");
  await follow("More", "New: Decision");
  await write("Question", "Stay?");
  for (const option of ["Yes", "No"]) {
    await write("Options", option);
    await page.press("Enter");
  }
  await page.press("Enter", CONTROL);
  await page.heading("Stay?");

  await place("Calendar");
  await follow("New calendar address", "New calendar address");

  await tabTo("Records", true);
  await page.press("Enter");
  await page.until(`document.querySelector("#kinds span") !== null`);
  await follow("Captures", "Captures");
  await page.press("j");
  await page.until(`document.activeElement.innerText === "A kingfisher"`);

  await place("Files");
  await place("Tags", "Tags and categories");
  await follow("More", "New: Tag");
  await write("Name", "Garden");
  await page.press("Enter", CONTROL);
  await page.heading("Garden");

  await place("Account");
  await tabTo("System");
  await page.press("ArrowDown");
  await page.until(`document.documentElement.dataset.theme === "light"`);
});

journey("The palette leads to pages, forms and records without a mouse", async (console) => {
  const page = await settleNow(console);
  const body = { title: "The ladder", payload: LADDER };
  await callAs(page, "POST", "/api/v2/records/commitment", body);
  await untilKeysWork(page);
  await page.focus("What is on your mind?");
  await page.press("k", 2);
  const chosen = `document.getElementById(
    document.activeElement.getAttribute("aria-activedescendant"))?.innerText`;
  await page.until(`${chosen} === "Today"`);
  await page.press("Escape");
  await page.until(`document.activeElement === ${BOX}`);
  for (
    const [words, option, heading] of [
      ["new commitment", "New: Commitment", "New: Commitment"],
      ["exp", "Exports and backups", "Exports and backups"],
      ["all ch", "All changes", "All changes"],
      ["the lad", "The ladder\nCommitment", "The ladder"],
    ] as const
  ) {
    await page.press("k", 2);
    await page.until(`document.activeElement.getAttribute("role") === "combobox"`);
    await page.call("Input.insertText", { text: words });
    await page.until(`${chosen} === ${JSON.stringify(option)}`);
    await page.press("Enter");
    await page.heading(heading);
  }
  await page.visit("/console/nowhere");
  await page.heading("Page not found");
  await untilKeysWork(page);
  await page.press("k", 2);
  await page.until(`document.activeElement.placeholder?.startsWith("A page")`);
});

journey("What is due is completed by one key", async (console) => {
  const page = await settleNow(console);
  const payload = { commitmentType: "BORROWED", content: "Back", completionStatus: "OPEN" };
  for (const title of ["The ladder", "The book"]) {
    const body = { title, payload: { ...payload, dueAt: inDays(title === "The book" ? 2 : 1) } };
    await callAs(page, "POST", "/api/v2/records/commitment", body);
  }
  const routine = { routineName: "Bins", area: "House", intervalDays: 30, active: true };
  const body = { title: "Bins", payload: { ...routine, nextDueAt: inDays(3) } };
  await callAs(page, "POST", "/api/v2/records/routine", body);
  const capture = { contentType: "TEXT", targetModule: "memory", routeStatus: "INBOX" };
  const thought = { ...capture, originalContent: "A thought", capturedAt: inDays(-1) };
  await callAs(page, "POST", CAPTURES, { title: "A thought", payload: thought });
  await page.visit("/");
  const shows = (title: string) => `document.body.innerText.includes(${JSON.stringify(title)})`;
  // Every list is drawn: a later one would move the lines below it.
  const lists = ["A thought", "Tomorrow", "Changed lately"].map(shows).join(" && ");
  await page.until(`${lists} && !${shows("Loading…")}`);
  await untilKeysWork(page);
  // One step a line.
  for (const key of ["j", "j", "j", "x"]) await page.press(key);
  await page.until(shows("Completed: The book"));
  const COMMITMENTS = "/api/v2/records/commitment";
  const { items } = await callAs(page, "GET", "/api/v2/due");
  assertEquals(items.map(({ title }: { title: string }) => title), ["The ladder", "Bins"]);
  const theBook = async () =>
    (await callAs(page, "GET", COMMITMENTS)).items
      .find(({ title }: { title: string }) => title === "The book");
  const book = await theBook();
  assertEquals(book.payload.completionStatus, "COMPLETED");
  assert(Math.abs(Date.parse(book.payload.completedAt) - Date.now()) < 60_000);
  await page.click("Undo: The book");
  await page.until(shows("Open again: The book"));
  const { completedAt: _, ...others } = book.payload;
  assertEquals((await theBook()).payload, { ...others, completionStatus: "OPEN" });
  await page.click("Done: Bins");
  await page.until(shows("Completed: Bins"));
  await page.click("Undo: Bins");
  await page.until(shows("Open again: Bins"));
  const { items: [bins] } = await callAs(page, "GET", "/api/v2/records/routine");
  assertEquals(bins.payload, body.payload);

  // One press records a conversation with a person, and one undoes it.
  const person = { personName: "Lena", relationshipType: "FRIEND", importance: 4 };
  const PEOPLE = "/api/v2/relationship/people";
  await callAs(page, "POST", PEOPLE, { ...person, desiredContactIntervalDays: 1 });
  await page.visit("/");
  await page.click("I spoke with them: Lena");
  await page.until(shows("Contact added."));
  const spokeAt = async () => (await callAs(page, "GET", PEOPLE)).items[0].lastContactAt;
  assert(Date.now() - Date.parse(await spokeAt()) < 120_000);
  await page.click("Undo: Lena");
  await page.until(shows("Contact taken back."));
  assertEquals(await spokeAt(), null);

  // So can a record's page, whose values follow, and the calendar.
  await page.visit(`/console/records/commitment/${book.recordId}`);
  await page.click("Done: The book");
  await page.until(`document.querySelector(".key-values").innerText.startsWith("Completed")`);
  // Undoing keeps changes made elsewhere, and other buttons use the new revision.
  const change = async (changed: object) => {
    const { recordId, revision } = await theBook();
    const body = { ...changed, expectedRevision: revision };
    await callAs(page, "PATCH", `${COMMITMENTS}/${recordId}`, body);
  };
  await change({ summary: "From Ana" });
  await page.click("Undo: The book");
  await page.until(`document.querySelector(".key-values").innerText.startsWith("Open")`);
  assertEquals((await theBook()).summary, "From Ana");
  await page.click("Archive");
  await page.until(shows("Archived on"));
  await page.click("Restore");
  await page.until(shows("Done"));
  const done = { completionStatus: "COMPLETED", completedAt: inDays(-1) };
  await change({ payload: done });
  await page.click("Done: The book");
  await page.until(shows("This was changed elsewhere."));
  assertEquals((await theBook()).payload.completedAt, done.completedAt);
  await change({ payload: { completionStatus: "OPEN" }, payloadRemove: ["completedAt"] });
  await page.click("Calendar");
  await page.until(`${shows("Addresses for calendar programs")} && ${shows("The book")}`);

  // The list has the same button, and its quick filters.
  const late = { ...payload, dueAt: inDays(-2) };
  await callAs(page, "POST", COMMITMENTS, { title: "The saw", payload: late });
  await page.visit("/console/records/commitment");
  await page.until(`document.querySelector("main .late")?.innerText === "Overdue 2 days ago"`);
  await page.click("Done: The ladder");
  await page.until(`document.querySelector("main li.done") !== null`);
  await page.click("Open");
  await page.until(`document.querySelectorAll("main .lines > li").length === 2`);
  await page.click("Overdue");
  await page.until(`document.querySelectorAll("main .lines > li").length === 1`);
  await page.click("This month");
  await page.until(
    `document.querySelector("main .chip[aria-pressed=true]")?.innerText === "This month"`,
  );

  assertEquals(await page.evaluate(`document.querySelectorAll("[aria-current]").length`), 1);
  // On a phone the controls are one row; the rest is behind one button.
  await page.resize(390, 844);
  await page.until(`document.querySelector(".controls").clientHeight < 60`);
  assert(!(await page.text()).includes("Jump to a date"));
  await page.click("Filter");
  await page.until(shows("Jump to a date"));
  await page.resize(1280, 900);

  // Numbers of one list are grouped alike.
  for (const value of [6450.5, 11549.5]) {
    const measured = { metricType: "STEPS", unit: "steps", quality: "MEASURED", value };
    const payload = { ...measured, measuredAt: inDays(-1) };
    await callAs(page, "POST", "/api/v2/records/health", { title: "Walk", payload });
  }
  await page.visit("/console/records/health");
  await page.until(`${shows("6,450.5 steps")} && ${shows("11,549.5 steps")}`);
});

// `browser/pages` compares the texts of every page with the English ones.
journey(
  "A form is filled in German, and a rule of the catalog is stated in German",
  async (console) => {
    const page = await settleNow(console);
    await page.evaluate(`localStorage.setItem("language", "de")`);
    await page.visit("/console/records/commitment/new");
    await page.heading("Neu: Zusage");
    await page.type("Titel", "Die Leiter");
    await page.focus("Art der Zusage");
    for (const letter of "Geli") await page.press(letter);
    await page.type("Inhalt", "Bring sie zurück");
    await page.press("Enter", 2);
    await page.heading("Die Leiter");
    const read = await page.text();
    for (const word of ["Geliehen", "Offen", "Fassung 1"]) assert(read.includes(word), word);
    assert(!/Commitment|Borrowed|Revision/.test(read));

    await page.click("Bearbeiten");
    await page.click("Mehr");
    await page.focus("Erledigt am (optional)");
    await page.set("completedAt", "2026-01-01T09:00");
    await page.click("Speichern");
    await page.until(`document.body.innerText.includes("Zu Erledigt am")`);
    const refusals = `[...document.querySelectorAll(".refusal")].map(({ innerText }) => innerText)`;
    const rule = "Nur eine erledigte Zusage hat diese Zeit.";
    assertEquals((await page.evaluate(refusals)).filter(Boolean), [rule, rule]);
  },
);

async function entryBefore(page: Page): Promise<{ entryId: number }> {
  const { currentIndex, entries } = await page.call("Page.getNavigationHistory");
  return { entryId: entries[currentIndex - 1].id };
}
