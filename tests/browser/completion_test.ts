/** Due items are completed on every page that lists them. */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { choose } from "./support/menu.ts";
import { callAs, inDays, settleNow, untilKeysWork } from "./support/person.ts";

const CAPTURES = "/api/v2/records/capture";

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
  for (const key of ["j", "j", "x"]) await page.press(key);
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
  await page.until(`document.querySelector(".kind > p").innerText.startsWith("Completed")`);
  // Undoing keeps changes made elsewhere, and other buttons use the new revision.
  const change = async (changed: object) => {
    const { recordId, revision } = await theBook();
    const body = { ...changed, expectedRevision: revision };
    await callAs(page, "PATCH", `${COMMITMENTS}/${recordId}`, body);
  };
  await change({ summary: "From Ana" });
  await page.click("Undo: The book");
  await page.until(`document.querySelector(".kind > p").innerText.startsWith("Open")`);
  assertEquals((await theBook()).summary, "From Ana");
  await choose(page, "More for The book", "Archive");
  await page.until(shows("Archived on"));
  await choose(page, "More for The book", "Restore");
  await page.until(`document.querySelector("main .tick") !== null`);
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
  // On a phone the controls are one row, and the order; the rest is in a panel.
  await page.resize(390, 844);
  await page.until(`document.querySelector(".controls").clientHeight < 110`);
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
  const values = `[...document.querySelectorAll("main .lines .value")]
    .map(({ innerText }) => innerText.trim()).sort().join()`;
  await page.until(`${values} === "11,549.5,6,450.5"`);
});
