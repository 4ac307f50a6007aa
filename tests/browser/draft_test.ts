/**
 * Unsaved input in the browser: kept until the service stores it, sent once, and never lost.
 */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { API, LADDER, LIST } from "./support/ladder.ts";
import { goOffline, goOnline } from "./support/latency.ts";
import { callAs, EMAIL, PASSWORD, settle, signIn, waitForModules } from "./support/person.ts";

journey("A draft survives a reload and ends when it is saved", async (console) => {
  const page = await settle(console);
  await page.visit(`${LIST}/new`);
  await page.type("Title", "Half a thought");
  await page.until(`localStorage.length > 0`);
  await page.visit("/");
  await page.click("Drafts");
  await page.heading("Drafts");
  await page.click("New: Commitment");
  await page.heading("New: Commitment");
  assertEquals(
    await page.evaluate(`document.querySelector("[name=title]").value`),
    "Half a thought",
  );
  // Text typed immediately before the page closes is also kept.
  await page.click("More");
  await page.type("Notes (optional)", "And a word more");
  await page.call("Page.reload");
  await page.until(`document.querySelector("[name=notes]")?.value === "And a word more"`);
  await page.click("Discard");
  await page.until(
    `document.querySelector("dialog")?.innerText.includes("2 fields have unsaved text")`,
  );
  await page.click("Cancel");
  await page.until(`document.querySelector("dialog") === null`);
  assertEquals(
    await page.evaluate(`document.querySelector("[name=title]").value`),
    "Half a thought",
  );
  await page.click("Discard");
  await page.click("Discard text");
  await page.heading("Commitments");
  assertEquals(await page.evaluate("Object.keys(localStorage)"), []);

  // If the browser's storage is full, the page asks before it closes.
  await page.click("More");
  await page.heading("New: Commitment");
  await page.evaluate(`Storage.prototype.setItem = () => {
    throw new DOMException("", "QuotaExceededError");
  }`);
  await page.type("Title", "A whole thought");
  await page.evaluate("globalThis.same = true");
  for (const leave of [() => page.click("Today"), () => page.back()]) {
    await leave();
    await page.until(
      `document.querySelector("dialog")?.innerText.includes("One form has unsaved text.")`,
    );
    await page.click("Cancel");
    await page.until(`document.querySelector("dialog") === null`);
    await page.heading("New: Commitment");
    assertEquals(
      await page.evaluate(`document.querySelector("[name=title]").value`),
      "A whole thought",
    );
  }
  await page.click("Today");
  await page.click("Leave without saving");
  await page.heading("Today");
  assert(await page.evaluate("globalThis.same"));
});

/** Delays a page's write requests until it calls `goOn`. */
const HELD = `(() => {
  const real = fetch;
  globalThis.fetch = (path, request) => !["POST", "PATCH"].includes(request.method)
    ? real(path, request)
    : new Promise((resolve) => {
      globalThis.goOn = () => resolve(real(path, request));
    });
})()`;

journey("A form submits the text as of the click, and focus stays where it is", async (console) => {
  const page = await settle(console);
  const CRLF = {
    ...LADDER.payload,
    content: "Bring it\r\nback",
    dueAt: "2026-11-30T10:20:30.456Z",
  };
  const { recordId } = await callAs(page, "POST", API, { ...LADDER, payload: CRLF });
  const read = () => callAs(page, "GET", `${API}/${recordId}`);
  await page.visit(`${LIST}/${recordId}/edit`);
  await page.heading("Edit: The ladder");
  // A time that is half there is neither sent nor taken for none.
  await page.focus("Due (optional)");
  await page.press("Delete");
  await page.type("Title", "My ladder");
  await page.click("Save");
  await page.until(`document.activeElement.name === "dueAt"`);
  await page.until(`document.body.innerText.includes("This time is incomplete.")`);
  assertEquals((await read()).revision, 1);
  await page.call("Page.reload");
  await page.heading("Edit: The ladder");
  await page.evaluate(HELD);
  await page.click("Save");
  await page.until("globalThis.goOn !== undefined");
  await page.type("Title", "Typed while it is sent");
  assertEquals(await page.evaluate(`document.querySelector("[name=title]").value`), "My ladder");
  await page.click("Search");
  await page.heading("Search");
  await page.type("Words", "Something else");
  await page.evaluate("goOn()");
  await page.until(`document.querySelector("#status").innerText === "Saved."`);
  await page.heading("Search");
  assertEquals(await page.evaluate(`document.querySelector("[name=q]").value`), "Something else");
  const kept = await read();
  assertEquals([kept.title, kept.payload, kept.revision], ["My ladder", CRLF, 2]);
  assertEquals(await page.evaluate("localStorage.length"), 0);

  // Two tabs change one draft in different ways: both versions are kept.
  await page.visit(`${LIST}/new`);
  await page.type("Title", "Begun");
  for (const name of ["commitmentType", "completionStatus"] as const) {
    await page.set(name, LADDER.payload[name]);
  }
  await page.type("Notes (optional)", "Here");
  await page.until("localStorage.length > 0");
  const beside = await console.openBeside(page);
  await beside.visit(`${LIST}/new`);
  await beside.until(`document.querySelector("[name=notes]")?.value === "Here"`);
  await page.type("Notes (optional)", "Here and there");
  await beside.until(`document.querySelector("[name=notes]").value === "Here and there"`);
  for (const [tab, words] of [[page, "Of this tab"], [beside, "Of that tab"]] as const) {
    await tab.type("Content", words);
    await tab.click("Save");
    await tab.heading("Begun");
  }
  const { items } = await callAs(page, "GET", API);
  const begun = items.filter(({ title }: typeof LADDER) => title === "Begun");
  assertEquals(begun.map(({ payload }: typeof LADDER) => payload.content).sort(), [
    "Of that tab",
    "Of this tab",
  ]);
});

journey(
  "When a session ends while typing, signing in again keeps the text",
  async (console) => {
    const page = await settle(console);
    const { recordId } = await callAs(page, "POST", API, LADDER);
    await page.visit(`${LIST}/${recordId}/edit`);
    await page.type("Content", "Written while the session ended");
    await console.world.raw("update sessions set revoked_at = now()");
    await page.click("Save");
    await page.type("Password", "a wrong password, at first");
    await page.press("Enter");
    await page.until(`document.querySelector("dialog [role=alert]").innerText !== ""`);
    await page.type("Password", PASSWORD);
    await page.press("Enter");
    await page.heading(LADDER.title);
    const { revision, payload } = await callAs(page, "GET", `${API}/${recordId}`);
    assertEquals([revision, payload.content], [2, "Written while the session ended"]);
  },
);

async function writeLadder(page: Page): Promise<void> {
  await page.visit(`${LIST}/new`);
  await page.type("Title", LADDER.title);
  await page.type("Content", LADDER.payload.content);
  for (const name of ["commitmentType", "completionStatus"] as const) {
    await page.set(name, LADDER.payload[name]);
  }
}

journey(
  "A form is saved without the module that only refusals and conflicts need",
  async (console) => {
    const page = await settle(console);
    await page.call("Network.setBlockedURLs", { urls: ["*/form_parts.js"] });
    await writeLadder(page);
    await page.click("Save");
    await page.heading(LADDER.title);
  },
  { isFirstVisit: true },
);

journey(
  "A write that cannot be sent is queued, and sent once when the service is back",
  async (console) => {
    const page = await settle(console);
    await writeLadder(page);
    await waitForModules(page, ["pages/form_parts.js", "core/browser_outbox.js"]);
    await goOffline(page);
    await page.click("Save");
    await page.until(
      `document.querySelector("[role=status] .note")?.innerText.includes("It will be sent")`,
    );
    // Sensitive, so that it goes with the tab.
    assert(!(await page.evaluate("JSON.stringify(localStorage)")).includes("Bring it back"));
    // After a change, the form no longer matches the queued write.
    await page.type("Title", "The long ladder");
    await page.until(`document.querySelector("[role=status] .note") === null`);
    await page.click("Save");
    await page.until(`document.querySelector("[role=status] .note") !== null`);
    await goOnline(page);
    await page.heading("The long ladder");
    assertEquals((await callAs(page, "GET", API)).items.length, 1);
    assertEquals(await page.evaluate("Object.keys(localStorage)"), []);

    // A queued update that the service rejects is shown with its reason, and can be sent again.
    // Another device, because a second tab would send this tab's queued write.
    const other = await console.open();
    await other.visit("/");
    await signIn(other, EMAIL, PASSWORD);
    await other.heading("Today");
    await page.click("Edit");
    await page.type("Notes (optional)", "Of this tab");
    await waitForModules(page, ["pages/form_parts.js", "core/browser_outbox.js"]);
    await goOffline(page);
    await page.click("Save");
    await page.until(`document.querySelector("[role=status] .note") !== null`);
    const { items: [{ recordId }] } = await callAs(other, "GET", API);
    await callAs(other, "PATCH", `${API}/${recordId}`, { title: "Their ladder" });
    await goOnline(page);
    await page.until(
      `document.querySelector("[role=status] .note").innerText.includes("elsewhere")`,
    );
    await page.click("Drafts");
    await page.heading("Drafts");
    await page.click("Change to Commitment");
    await page.heading("Edit: Their ladder");
    await page.click("Save");
    await page.until(`document.body.innerText.includes("This was changed elsewhere")`);
    await page.click("Save");
    await page.heading("Their ladder");
    const { payload, revision } = await callAs(page, "GET", `${API}/${recordId}`);
    assertEquals([payload.notes, revision], ["Of this tab", 3]);
    await page.until(`!document.querySelector("#waiting").checkVisibility()`);
    await page.visit("/console/drafts");
    await page.until(`document.body.innerText.includes("Everything is saved.")`);
  },
  { isFirstVisit: true },
);

journey(
  "Signing out in one tab signs out the others and clears the browser",
  async (console) => {
    const page = await settle(console);
    const { recordId } = await callAs(page, "POST", API, LADDER);
    const beside = await console.openBeside(page);
    await beside.visit(`${LIST}/${recordId}/edit`);
    await beside.type("Content", "Half a secret");
    await beside.until(`sessionStorage.length > 0`);
    await page.visit(`${LIST}/new`);
    await page.type("Title", "Half a thought");
    await page.until(`localStorage.length > 0`);
    // If the service does not make the browser clear its storage, as over plain HTTP.
    await console.world.raw("update sessions set revoked_at = now()");
    await beside.evaluate("globalThis.held = true");
    await beside.type("Content", "Half a secret, not yet kept");
    await page.click("Sign out");
    await page.until(`document.querySelector("dialog")?.innerText.includes("1 unsaved item")`);
    await page.click("Sign out anyway");
    await page.heading("Sign in");
    await beside.heading("Sign in");
    assert(!(await beside.text()).includes(LADDER.title));
    // The values of scripts disappear with the page.
    await beside.until(`globalThis.held === undefined &&
      document.querySelector("h1")?.innerText === "Sign in"`);
    for (const tab of [page, beside]) {
      await tab.until("localStorage.length + sessionStorage.length === 0");
    }

    await beside.focus("This is a shared computer");
    await beside.press(" ");
    await signIn(beside, EMAIL, PASSWORD);
    await beside.heading(`Edit: ${LADDER.title}`);
    // It holds for every tab of the browser.
    await page.visit(`${LIST}/new`);
    await page.type("Title", "Half a thought");
    await page.until(`sessionStorage.length > 0`);
    assertEquals(await page.evaluate("Object.keys(localStorage)"), ["shared"]);
  },
);
