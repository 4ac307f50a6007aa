/** Today: items due now come before overdue ones, and most of them take one tap. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { journey } from "./support/console.ts";
import type { Page } from "./support/browser.ts";
import { answered, goOffline, goOnline } from "./support/latency.ts";
import { callAs, confirmPassword, inDays, PASSWORD, settleNow } from "./support/person.ts";
import { countTaps } from "./support/taps.ts";

const COMMITMENTS = "/api/v2/records/commitment";
const HEALTH = "/api/v2/records/health";
const PEOPLE = "/api/v2/relationship/people";
const OPEN = { commitmentType: "BORROWED", content: "Back", completionStatus: "OPEN" };
const HEADINGS = `[...document.querySelectorAll("main :is(h2, summary)")]
  .map((one) => one.innerText)`;
const shows = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;
const owe = (page: Page, title: string, dueAt: string) =>
  callAs(page, "POST", COMMITMENTS, { title, payload: { ...OPEN, dueAt } });
/** A day of this device, at an hour that has not come or was not yesterday's. */
const atEnd = (days: number) => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 23, 59).toISOString();
};

async function fillLife(page: Page): Promise<void> {
  await owe(page, "The saw", inDays(-462));
  await owe(page, "The rake", inDays(-3));
  await owe(page, "The ladder", atEnd(0));
  await owe(page, "The book", inDays(3));
  await owe(page, "The boat", inDays(30));
  for (const [index, personName] of ["Lena", "Ines", "Tom", "Ruth"].entries()) {
    const person = { personName, relationshipType: "FRIEND", importance: 4 };
    const lastContactAt = inDays(-50 + index);
    await callAs(page, "POST", PEOPLE, { ...person, lastContactAt, desiredContactIntervalDays: 7 });
  }
  const memory = { memoryType: "EVENT", originalContent: "Cold", timePrecision: "DAY" };
  const year = new Date();
  year.setFullYear(year.getFullYear() - 2);
  const occurredAt = year.toISOString();
  await callAs(page, "POST", "/api/v2/memory/texts", { title: "The lake", ...memory, occurredAt });
  for (const digit of ["1", "2"]) {
    const draft = `/api/v2/memory/drafts/01KAGQ000000000000000000${digit}A`;
    await callAs(page, "PUT", draft, { draftVersion: 1, content: { title: "Half" } });
  }
}

journey(
  "Today asks at most eight times, and has one tap for a person and a mood",
  async (console) => {
    const page = await settleNow(console);
    await fillLife(page);
    const capture = { contentType: "TEXT", targetModule: "memory", capturedAt: inDays(-1) };
    for (const [title, routeStatus] of [["A thought", "INBOX"], ["Settled", "ROUTED"]]) {
      const payload = { ...capture, originalContent: title, routeStatus };
      await callAs(page, "POST", "/api/v2/records/capture", { title, payload });
    }
    const { account } = await callAs(page, "GET", "/api/v2/auth/session");
    const draft = JSON.stringify({ at: Date.now(), texts: { title: "In this browser" } });
    const name = `draft:${account.accountId}:/console/records/place/new`;
    await page.evaluate(`localStorage.setItem("${name}", ${JSON.stringify(draft)})`);
    await page.visit("/");
    const headings = [
      "Due today",
      "Next 7 days",
      "2 overdue, oldest 462 days",
      "People to call",
      "Waiting for you",
      "How are you?",
      "Last captures",
      "On this day",
      "Changed lately",
    ];
    await page.until(`JSON.stringify(${HEADINGS}) === ${JSON.stringify(JSON.stringify(headings))}`);
    const asked =
      `performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith("/api/"))`;
    assertEquals((await page.evaluate(asked)).length, 7);
    const shown = await page.text();
    for (const text of ["The ladder", "The book", "3 drafts", "A thought", "Ines", "2 years ago"]) {
      assert(shown.includes(text), text);
    }
    const section = (name: string) =>
      `[...document.querySelectorAll("main section")].find((one) => one.innerText.startsWith("${name}"))`;
    assert(!shown.includes("462 days ago"));
    assert(!(await page.evaluate(`${section("People to call")}.innerText`)).includes("Ruth"));
    assert(!(await page.evaluate(`${section("Last captures")}.innerText`)).includes("Settled"));
    // An item due by the end of the day shows no time.
    assertMatch(await page.evaluate(`${section("Due today")}.innerText`), /^Commitment$/m);
    await page.click("2 overdue, oldest 462 days");
    await page.until(`${shows("The rake")} && ${shows("462 days ago")}`);

    const taps = await countTaps(page);
    await page.click("I spoke with them: Lena");
    await page.until(shows("Contact added."));
    await taps.assertAtMost(1);
    const { items } = await callAs(page, "GET", PEOPLE);
    const lena = items.find(({ personName }: { personName: string }) => personName === "Lena");
    assert(Date.now() - Date.parse(lena.lastContactAt) < 120_000);
    await taps.restart();
    await page.click("How are you?, 7 of 10");
    await page.until(shows("Saved."));
    await taps.assertAtMost(1);
    const { items: [mood] } = await callAs(page, "GET", HEALTH);
    const { metricType, value, unit, quality, measuredAt } = mood.payload;
    assertEquals([metricType, value, unit, quality], ["MOOD", 7, "of 10", "SELF_REPORTED"]);
    assert(Date.now() - Date.parse(measuredAt) < 60_000 && mood.title.startsWith("Mood, "));
    // A second press corrects the record.
    await page.click("How are you?, 8 of 10");
    await page.until(`fetch("${HEALTH}").then((answer) => answer.json())
    .then(({ data: { items } }) => items.length === 1 && items[0].payload.value === 8)`);
    assertEquals(
      await page.evaluate(`document.querySelector("[role=radio][aria-checked=true]").innerText`),
      "8",
    );

    // Also one that waits.
    await page.visit("/");
    await page.until(`${shows("Ines")} && ${shows("Changed lately")}`);
    await goOffline(page);
    for (const value of [2, 3, 4]) {
      await page.click(`How are you?, ${value} of 10`);
      await page.until(shows("It will be sent when"));
      await page.evaluate(`document.querySelector("#status").textContent = ""`);
    }
    await goOnline(page);
    const isSent = `!Object.keys(localStorage).some((name) => name.startsWith("unsent"))`;
    await page.until(`dispatchEvent(new Event("online")) && ${isSent}`);
    const moods = (await callAs(page, "GET", HEALTH)).items;
    const values = moods.map(({ payload }: Record<string, { value: number }>) => payload?.value);
    assertEquals(values.sort(), [4, 8]);

    await page.click("Not now: Ines");
    await page.until(`${section("People to call")}.innerText.includes("Ruth")`);
    await page.visit("/");
    await page.until(`${shows("Ruth")} && ${shows("Changed lately")}`);
    assert(!(await page.evaluate(`${section("People to call")}.innerText`)).includes("Ines"));
    assertEquals((await callAs(page, "GET", "/api/v2/insight/contacts?zone=UTC")).items.length, 4);

    // A ticked row folds once the pointer and the focus have left it, and can be undone in the
    // message, which stays until then however slow the machine is.
    await page.evaluate(`globalThis.setTimeout = ((later) => (run, delay) =>
      delay >= 1_000 ? 0 : later(run, delay))(setTimeout)`);
    await page.click("Done: The ladder");
    await page.until(shows("Completed: The ladder"));
    const row = `document.querySelector("main li.done")`;
    assertEquals(await page.evaluate(`${row}.getAnimations().length`), 0);
    await page.evaluate("document.activeElement.blur()");
    await page.call("Input.dispatchMouseEvent", { type: "mouseMoved", x: 1, y: 1 });
    await page.until(`${row}.getAnimations().length === 1`);
    await page.evaluate(`${row}.getAnimations()[0].finish()`);
    await page.until(`${row}.getBoundingClientRect().height === 0`);
    await page.click("Undo");
    await page.until(`${shows("Open again: The ladder")} && ${row} === null`);
  },
);

journey("A due item is snoozed in two taps, and comes back exactly", async (console) => {
  const page = await settleNow(console, { width: 390, height: 844 });
  await page.moveTo("Europe/Berlin");
  const clock = new Date(inDays(1)).toISOString().slice(0, 10);
  const dueAt = `${clock}T21:00:00+09:00[Asia/Tokyo]`;
  const { recordId } = await owe(page, "The ladder", dueAt);
  const action = { actionType: "TASK", actionTitle: "Paint", actionStatus: "PLANNED" };
  const path = "/api/v2/records/action";
  const payload = { ...action, successCriteria: "Grey", targetDate: inDays(2) };
  const { recordId: painted } = await callAs(page, "POST", path, { title: "Paint", payload });
  const decision = { question: "Stay?", options: { items: ["Yes", "No"] }, reviewAt: inDays(3) };
  const { decisionId } = await callAs(page, "POST", "/api/v2/decision/decisions", decision);
  await page.visit("/");
  await page.until(`${shows("Stay?")} && ${shows("Changed lately")}`);
  const commitment = () => callAs(page, "GET", `${COMMITMENTS}/${recordId}`);
  const before = await commitment();
  const taps = await countTaps(page);
  await page.click("Snooze: The ladder");
  await page.click("Next week");
  await page.until(shows("Moved: The ladder"));
  await taps.assertAtMost(2);
  const moved = await commitment();
  assert(moved.localTimes.dueAt.endsWith("T21:00:00.000+09:00[Asia/Tokyo]"));
  const due = new Date(moved.payload.dueAt);
  assertEquals([due.getUTCDay(), due > new Date()], [1, true]);
  await page.click("Undo: The ladder");
  await page.until(shows("Back on its day: The ladder"));
  const back = await commitment();
  assertEquals([back.payload, back.localTimes], [before.payload, before.localTimes]);

  // Without a clock, and with the keyboard.
  await page.until(`document.querySelector("[aria-label='Snooze: Paint']").checkVisibility()`);
  await page.evaluate(`document.querySelector("[aria-label='Snooze: Paint']").focus()`);
  for (const key of ["Enter", "ArrowDown", "Enter"]) await page.press(key);
  await page.until(shows("Moved: Paint"));
  await page.until(`document.activeElement.getAttribute("aria-label") === "Undo: Paint"`);
  await page.press("Enter");
  await page.until(shows("Back on its day: Paint"));
  const restored = await callAs(page, "GET", `${path}/${painted}`);
  assertEquals([restored.payload, restored.localTimes], [payload, {}]);

  // After a failure the next choice counts.
  await page.evaluate(`(() => {
    const send = globalThis.fetch;
    globalThis.fetch = (path, request) => {
      if (request.method !== "PATCH") return send(path, request);
      globalThis.fetch = send;
      return Promise.resolve(new Response("{}", { status: 500 }));
    };
  })()`);
  await page.click("Snooze: Stay?");
  await page.click("Weekend");
  await page.until(shows("Something went wrong"));
  await page.click("Snooze: Stay?");
  await page.click("Next week");
  await page.until(shows("Moved: Stay?"));
  const { reviewAt } = await callAs(page, "GET", `/api/v2/decision/decisions/${decisionId}`);
  const inBerlin = { weekday: "long", timeZone: "Europe/Berlin" } as const;
  assertEquals(new Date(reviewAt).toLocaleDateString("en", inBerlin), "Monday");
  await page.click("Undo: Stay?");
  await page.until(shows("Back on its day: Stay?"));
  const decided = await callAs(page, "GET", `/api/v2/decision/decisions/${decisionId}`);
  assertEquals(decided.reviewAt, decision.reviewAt);
});

journey(
  "An empty account has three doors, and a sample life can be taken back",
  async (console) => {
    const page = await settleNow(console);
    await page.click("Write something");
    await page.until(`document.activeElement.name === "originalContent"`);
    await page.click("Bring in what you have");
    await page.heading("Imports");
    await page.click("Today");
    await page.click("Look around in a sample life");
    await page.heading("A sample life");
    await page.click("Bring in the sample life");
    await page.until(shows("The sample life is here."));
    const { items: [{ counts, state }] } = await callAs(page, "GET", "/api/v2/imports");
    const refused = Object.values(counts).map((each) => (each as { refused: number }).refused);
    assertEquals([state, refused.every((count) => count === 0)], ["DONE", true]);
    await page.click("Today");
    await page.until(`${shows("Bring back the ladder")} && ${shows("Sixty-one steps")}`);
    assert(!(await page.text()).includes("Where to begin"));
    await page.visit("/console/imports");
    await page.click("Sample life");
    await page.click("Take back");
    await confirmPassword(page, PASSWORD);
    await page.until(shows("Archived: "));
    await page.visit("/");
    await page.until(`document.querySelector("section[aria-labelledby=begin]") !== null`);

    // A record that no part of the page shows.
    const place = { title: "The bench", payload: { placeName: "The bench", placeType: "OTHER" } };
    await callAs(page, "POST", "/api/v2/records/place", place);
    await page.visit("/");
    await answered(page, "/record-counts");
    assert(!(await page.text()).includes("Where to begin"));
  },
);
