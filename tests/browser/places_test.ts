/** The places of the console, its keyboard and its palette. */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { goOffline, goOnline } from "./support/latency.ts";
import { callAs, settleNow, untilKeysWork } from "./support/person.ts";

const LADDER = { commitmentType: "BORROWED", content: "Bring it back", completionStatus: "OPEN" };
/** Modifiers of the protocol. */
const [CONTROL, SHIFT] = [2, 8];
const BOX = `document.querySelector("textarea[name=originalContent]")`;

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

  // Each navigation has the entry of its page.
  await page.click("Account");
  await page.heading("Account");
  const unmarked = `[...document.querySelectorAll("nav")].filter((one) =>
    one.checkVisibility() && one.querySelectorAll("[aria-current]").length !== 1).length`;
  assertEquals(await page.evaluate(unmarked), 0);

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
  await page.until(`document.querySelector("main .lines a")?.innerText === "A kingfisher"`);

  await place("Search");
  await page.call("Input.insertText", { text: "kingf" });
  await page.until(`document.querySelector("main mark") !== null`);
  await follow("A kingfisher", "A kingfisher");

  await place("People");
  await follow("More", "New: Person");
  await write("Person name", "Lena");
  await tabTo("Relationship type");
  for (const letter of "Frie") await page.press(letter);
  // A row of five, of which the middle one is chosen.
  await tabTo("3");
  await page.press("ArrowRight");
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
  page.expectAbsent("/console/nowhere");
  await page.visit("/console/nowhere");
  await page.heading("Page not found");
  await untilKeysWork(page);
  await page.press("k", 2);
  await page.until(`document.activeElement.placeholder?.startsWith("A page")`);
});
