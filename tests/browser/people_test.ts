import { assert, assertEquals } from "@std/assert";
import { ready } from "../families/relationship/evaluation.ts";
import type { Json } from "../support/world.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { choose as chooseIn } from "./support/menu.ts";
import { callAs, PASSWORD, settle } from "./support/person.ts";
import { pick } from "./support/picker.ts";
import { countTaps } from "./support/taps.ts";

const LIST = "/console/people";
const API = "/api/v2/relationship/people";
const LENA = { personName: "Lena", relationshipType: "FRIEND", importance: 4 };

async function choose(page: Page, name: string): Promise<void> {
  await page.focus(name);
  await page.evaluate("document.activeElement.click()");
}

const shows = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

journey("A person is created, described, paused and sealed", async (console) => {
  const page = await settle(console);
  // The form's current minute must not be in the service's future.
  console.world.advance(Date.now() - console.world.now().getTime());
  await page.visit(LIST);
  await page.click("More");
  await page.heading("New: Person");
  await page.type("Person name", "Lena");
  await page.set("relationshipType", "FRIEND");
  await page.focus("4");
  await page.press(" ");
  await page.type("Opinion (optional)", "Says what she means");
  await page.press("Enter", 2);
  await page.heading("Lena");
  assertEquals(await page.evaluate("document.title"), "Person · Personal Records");
  assert((await page.text()).includes("Says what she means"));
  await page.click("I spoke with them");
  await page.until(shows("Last contact today"));
  await page.until(`document.querySelector("time[title]")?.title
    .includes("${new Date().getFullYear()}")`);
  await takeBackTheContact(page);
  await page.until(shows("No contact yet"));

  await chooseIn(page, "Add: What happened", "Log a contact");
  await page.heading("New: Contact");
  await page.set("channel", "CALL");
  await page.type("Note (optional)", "She called about the boat");
  await page.click("Save");
  await page.heading("Lena");
  await page.until(shows("She called about the boat"));
  await chooseIn(page, "Add: What happened", "Add an experience");
  await page.heading("New: Experience");
  await page.type("Title", "The raft");
  await page.type("Narrative (optional)", "Four drums and a door");
  await page.set("timePrecision", "LIFE_PERIOD");
  await page.type("Time in words (optional)", "The summer after school");
  await choose(page, "Private");
  await page.click("Save");
  await page.heading("Lena");
  assert(!(await page.text()).includes("Four drums"));
  await page.click("Show Experience, The summer after school (1)");
  await page.until(shows("Four drums and a door"));
  await takeBackTheContact(page);

  await page.click("More");
  await chooseIn(page, "Change the status", "Pause");
  await page.until(shows("Pause this relationship?"));
  await page.type("Reason (optional)", "Some distance");
  await page.press("Enter");
  await page.until(shows("This relationship is paused."));
  await chooseIn(page, "Change the status", "Seal permanently");
  await page.until(shows("This can't be undone."));
  await page.click("Cancel");
  const { items: [before] } = await callAs(page, "GET", API);
  assertEquals(before.status, "PAUSED");
  await chooseIn(page, "Change the status", "Seal permanently");
  await page.until("document.querySelector('dialog[open]') !== null");
  await page.evaluate("document.querySelector('dialog button.main').click()");
  await page.until(shows("Sealed permanently: everything stays readable"));
  const { items: [person] } = await callAs(page, "GET", API);
  assertEquals([person.status, person.lastContactAt], ["SEALED", null]);
  const offered: string[] = await page.evaluate(
    `[...document.querySelectorAll("a, button")].map((control) =>
      control.getAttribute("aria-label") ?? control.innerText)`,
  );
  assert(offered.includes("History"));
  for (const gone of ["Edit", "Log a contact", "Retract", "Pause"]) {
    assert(!offered.some((name) => name === gone || name.startsWith(`${gone}: `)), gone);
  }
  await chooseIn(page, "More for Lena", "History");
  await page.heading("History");
  await page.until(shows("Some distance"));
  await page.visit(`${LIST}?status=SEALED`);
  await page.click("Lena");
  await page.heading("Lena");
});

async function takeBackTheContact(page: Page): Promise<void> {
  await page.until("document.querySelector('[aria-label^=\"Retract\"]') !== null");
  await page.evaluate("document.querySelector('[aria-label^=\"Retract\"]').click()");
  await page.until("document.querySelector('dialog[open]') !== null");
  await page.press("Enter");
  await page.until("document.querySelector('dialog') === null");
  await page.until(`document.querySelector('[aria-label^="Retract:"]') === null &&
    document.querySelector("main").innerText.includes("Retracted")`);
}

journey(
  "Evidence is made secret and replaced, and a proposal confirmed with the password",
  async (console) => {
    const page = await settle(console);
    const { personId } = await callAs(page, "POST", API, LENA);
    const evidence = (content: string) =>
      callAs(page, "POST", `${API}/${personId}/evidence`, {
        stance: "SUPPORTING",
        content,
        sourceKind: "OBSERVATION",
        privacy: "NORMAL",
        providerConsent: false,
      });
    const first = await evidence("Always calls back");
    console.world.advance(60_000);
    const second = await evidence("Calls back within the hour");
    await page.visit(`${LIST}/${personId}/ledger/evidence`);
    await page.until(`document.querySelectorAll(".lines > li").length === 2`);
    await clickIn(page, first, "Replace");
    await page.until("document.querySelector('dialog select, dialog input') !== null");
    await choose(page, "Calls back within the hour");
    await page.press("Enter");
    await page.until(shows("Superseded"));
    await clickIn(page, second, "Make more private");
    await choose(page, "Private");
    await page.press("Enter");
    await page.until(`!${shows("Calls back within the hour")}`);

    await page.visit(`${LIST}/${personId}`);
    await page.click("More");
    await page.click("Request an evaluation");
    await choose(page, "No");
    await page.press("Enter");
    await page.until(shows("Waiting for a proposal"));
    const { items: [proposal] } = await callAs(page, "GET", `${API}/${personId}/proposals`);
    await ready(console.world, proposal, { candidate: "One entry speaks for her." });
    await page.visit(`${LIST}/${personId}`);
    await page.click("More");
    await page.until(shows("One entry speaks for her."));
    assert(await page.evaluate(`document.querySelector(".note")?.innerText.includes("for her")`));
    await page.click("Confirm this evaluation");
    await page.type("Password", PASSWORD);
    await page.press("Enter");
    await page.until(shows("you confirmed it"));
    await page.click("All proposals");
    await page.heading("Proposals");
    await page.until(`document.querySelectorAll("main ol li").length === 3`);
    const steps = `[...document.querySelectorAll("main ol li")].map((step) =>
      step.innerText.split(" · ")[0]).join()`;
    assertEquals(await page.evaluate(steps), "Requested,Ready,Confirmed");
    const person = await callAs(page, "GET", `${API}/${personId}`);
    assertEquals(person.currentEvaluationRevision, 1);
  },
);

/** Clicks within the entry written at that time. */
async function clickIn(page: Page, { recordedAt }: Json, name: string): Promise<void> {
  const entry = `[...document.querySelectorAll(".lines > li")].find((entry) =>
    entry.querySelector("time")?.dateTime === ${JSON.stringify(recordedAt)})`;
  const button = `[...${entry}.querySelectorAll("button")].find((button) =>
    button.innerText === ${JSON.stringify(name)})`;
  await page.until(`${button} !== undefined`);
  await page.evaluate(`${button}.click()`);
}

journey("A phone number takes one field and Enter, and dates tell an age", async (console) => {
  const page = await settle(console);
  const { personId } = await callAs(page, "POST", API, LENA);
  const anna = await callAs(page, "POST", API, { ...LENA, personName: "Anna" });
  await page.visit(`${LIST}/${personId}`);
  await page.heading("Lena");
  await page.type("Phone number, email or page", "+49 30 1234567");
  await page.press("Enter");
  await page.until(shows("+49 30 1234567"));
  await page.until(`document.activeElement.name === "value"`);
  await page.call("Input.insertText", { text: "lena@example.org" });
  await page.press("Enter");
  await page.until(shows("lena@example.org"));
  await chooseIn(page, "Add: Details", "Add a date");
  await page.until("document.querySelector('dialog select') !== null");
  await page.evaluate("document.querySelector('dialog select').value = 'OTHER'");
  await page.type("Name of the day (optional)", "Name day");
  const year = new Date().getUTCFullYear() - 40;
  await page.type("Date", `${year}-01-01`);
  await page.press("Enter");
  await page.until(shows(`January 1, ${year} (40 years)`));
  await page.until(shows("Name day · Every year · Private"));
  await chooseIn(page, "Add: Details", "Add a relation");
  await page.until("document.querySelector('dialog[open]') !== null");
  await pick(page, "Who (optional)", "an");
  await page.until("document.querySelector('dialog [aria-label=\"Remove: Anna\"]') !== null");
  await page.type("Relation", "sister");
  await page.press("Enter");
  // The dialog has this link, too, until the relation is stored.
  await page.until(`document.querySelector("dialog") === null &&
    document.querySelector('main a[href="${LIST}/${anna.personId}"]') !== null`);
  await page.evaluate("document.querySelector('[aria-label=\"Retract: Phone (1)\"]').click()");
  await page.until("document.querySelector('dialog[open]') !== null");
  await page.press("Enter");
  await page.until("!document.body.innerText.includes('+49 30 1234567')");
  const { items } = await callAs(page, "GET", `${API}/${personId}/details`);
  assertEquals(items.map((item: Json) => item.kind).sort(), ["DATE", "EMAIL", "LINK"]);
  const date = items.find((item: Json) => item.kind === "DATE");
  assertEquals(date.label, "Name day");
  assertEquals(date.value, { what: "OTHER", date: `${year}-01-01`, yearly: true });
});

journey("A wrong number is corrected in three taps, and never half", async (console) => {
  const page = await settle(console);
  const { personId } = await callAs(page, "POST", API, LENA);
  const path = `${API}/${personId}/details`;
  const former = await callAs(page, "POST", path, {
    kind: "PHONE",
    value: { value: "0170 1234567", types: ["cell"] },
    label: "Mobile",
    preferred: true,
    privacy: "PRIVATE",
  });
  await page.visit(`${LIST}/${personId}`);
  const taps = await countTaps(page);
  await page.click("Edit 0170 1234567");
  await page.type("Phone", "0170 7654321");
  await page.press("Enter");
  await page.until(`document.querySelector('[aria-label="Edit 0170 7654321"]') !== null`);
  await taps.assertAtMost(3);
  const { items } = await callAs(page, "GET", `${path}?all=true`);
  const ended = items.find((item: Json) => item.detailId === former.detailId);
  const { detailId, value, label, preferred, privacy, state } = items.find((item: Json) =>
    item !== ended
  );
  assertEquals([state, ended.state, ended.supersededBy], ["LIVE", "SUPERSEDED", detailId]);
  assertEquals(value, { value: "0170 7654321", types: ["cell"] });
  assertEquals([label, preferred, privacy], ["Mobile", true, "PRIVATE"]);

  // The connection ends between the two writes: the second waits.
  await page.call("Network.setBlockedURLs", { urls: ["*/control"] });
  await page.click("Edit 0170 7654321");
  await page.type("Phone", "0170 1111111");
  await page.press("Enter");
  await page.until("document.querySelector('dialog') === null");
  await page.call("Network.setBlockedURLs", { urls: [] });
  const live = `fetch("${path}").then((answer) => answer.json())
    .then(({ data }) => data.items.map(({ value }) => value.value).join())`;
  await page.evaluate("dispatchEvent(new Event('online'))");
  await page.until(`${live}.then((numbers) => numbers === "0170 1111111")`);

  await page.visit(`${LIST}/${personId}`);
  await page.click("More for 0170 1111111");
  await page.until(`document.activeElement.getAttribute("role") === "menuitem"`);
  await page.press("ArrowDown");
  assertEquals(await page.evaluate("document.activeElement.innerText"), "Make more private");
  await page.press("Escape");
  const named = `document.activeElement.getAttribute("aria-label")`;
  assertEquals(await page.evaluate(named), "More for 0170 1111111");
});
