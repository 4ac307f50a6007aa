/** Fields for stored records: found by two letters, shown by their titles at both ends. */

import { ulid } from "@std/ulid";
import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { answered, goOnline, withLatency } from "./support/latency.ts";
import { callAs, settle } from "./support/person.ts";
import { pick } from "./support/picker.ts";

const ACTIONS = "/api/v2/records/action";
const PEOPLE = "/api/v2/relationship/people";
const ANNA = { personName: "Anna Berg", relationshipType: "FRIEND", importance: 4 };

const action = (actionTitle: string, more: object = {}) => ({
  title: actionTitle,
  payload: {
    actionType: "PROJECT",
    actionTitle,
    actionStatus: "PLANNED",
    successCriteria: "Done",
    ...more,
  },
});
const linkTo = (path: string) => `document.querySelector('main a[href="${path}"]')?.innerText`;

journey("A whole is found by two letters, and both ends show it", async (console) => {
  const page = await settle(console);
  const whole = await callAs(page, "POST", ACTIONS, action("Build a shed"));
  const part = await callAs(page, "POST", ACTIONS, action("Buy a roof"));
  const place = `/console/records/action/${whole.recordId}`;
  await page.visit(`/console/records/action/${part.recordId}/edit`);
  await page.heading("Edit: Buy a roof");

  // A late answer to an earlier question is dropped.
  await withLatency(page, 700);
  await page.type("Part of (optional)", "bu");
  await page.until(`document.body.innerText.includes("Loading…")`);
  await page.type("Part of (optional)", "zz");
  await page.until(`document.body.innerText.includes("Nothing fits.")`);
  await goOnline(page);
  assertEquals(await page.evaluate(`document.querySelector("[role=option]")`), null);

  await page.type("Part of (optional)", "bu");
  // The record itself is not offered.
  await page.until(`document.querySelectorAll("[role=option]").length === 1`);
  const state = `(() => {
    const { ariaExpanded, role } = document.activeElement;
    const of = (name) => document.getElementById(document.activeElement.getAttribute(name));
    return [role, ariaExpanded, of("aria-controls").role, of("aria-activedescendant").innerText];
  })()`;
  assertEquals(await page.evaluate(state), ["combobox", "true", "listbox", "Build a shed"]);
  await page.press("Escape");
  await pick(page, "Part of (optional)", "sh");
  assertEquals(await page.evaluate(linkTo(place)), "Build a shed");
  await page.click("Remove: Build a shed");
  await pick(page, "Part of (optional)", "sh");
  await page.click("Save");
  await page.heading("Buy a roof");
  await page.until(`${linkTo(place)} === "Build a shed"`);
  const { payload } = await callAs(page, "GET", `${ACTIONS}/${part.recordId}`);
  assertEquals(payload.parentId, whole.recordId);
  await page.click("Build a shed");
  await page.heading("Build a shed");
  await page.until(`${linkTo(`/console/records/action/${part.recordId}`)} === "Buy a roof"`);

  await page.visit(`/console/records/action/${part.recordId}/history`);
  await page.until(`document.querySelector("ins")?.innerText === "Build a shed"`);

  await page.visit(`/console/records/action?filter[parentId]=${whole.recordId}`);
  await page.until(
    `document.querySelector(".chip[aria-label='Remove filter: Part of: Build a shed']")
    !== null`,
  );

  await page.visit("/console/print/action");
  await page.until(`[...document.querySelectorAll("dt")].some((name) =>
    name.innerText === "Part of" && name.nextElementSibling.innerText === "Build a shed")`);

  const parentId = ulid();
  page.expectAbsent(parentId);
  const lost = await callAs(page, "POST", ACTIONS, action("Adrift", { parentId }));
  await page.visit(`/console/records/action/${lost.recordId}`);
  await page.until(`document.querySelector("main").innerText.includes("This is not here")`);
});

journey("Names lead to people, and short lists are there at once", async (console) => {
  const page = await settle(console);
  const { personId } = await callAs(page, "POST", PEOPLE, ANNA);
  const person = `/console/people/${personId}`;
  await page.visit("/console/records/commitment/new");
  await page.type("Title", "The ladder");
  await page.type("Content", "Bring it back");
  await page.set("commitmentType", "BORROWED");
  await pick(page, "Counterparty (optional)", "ber");
  await page.click("Save");
  await page.heading("The ladder");
  await page.until(`${linkTo(person)} === "Anna Berg"`);
  const { items: [{ payload }] } = await callAs(page, "GET", "/api/v2/records/commitment");
  assertEquals(payload.counterparty, "Anna Berg");
  // Two people of one name: the name is text.
  await callAs(page, "POST", PEOPLE, ANNA);
  await page.visit("/console/records/commitment");
  await page.click("The ladder");
  await answered(page, "/people/find");
  await page.until(`document.querySelector("main .kind > p span.words") !== null`);
  assertEquals(await page.evaluate(linkTo(person)), undefined);

  await page.visit("/console/records/community/new");
  await page.focus("Members (optional)");
  for (let count = 0; count < 2; count++) await pick(page, "Members (optional)", "an");
  await page.press("Backspace");
  const chosen = `document.querySelectorAll("[aria-label='Remove: Anna Berg']").length`;
  assertEquals(await page.evaluate(chosen), 2);

  await page.visit("/console/records/capture/new");
  await page.focus("Target module");
  await page.press("ArrowDown");
  const options = `[...document.querySelectorAll("[role=option]")].map((one) => one.innerText)`;
  assert((await page.evaluate(options)).includes("Commitments"));
  await pick(page, "Target module", "memo");
  assertEquals(await page.evaluate(linkTo("/console/memories")), "Memories");
});
