/** Detects rewritten trails and reports events. */

import { assert, assertEquals } from "@std/assert";
import { register } from "../http/access.ts";
import { attack, sealAll } from "../storage/audit_trail.ts";
import type { World } from "../support/world.ts";
import type { Page } from "./support/browser.ts";
import { type Console, journey } from "./support/console.ts";
import { callAs, EMAIL, PASSWORD, settle, settleAtHome, signIn } from "./support/person.ts";

const NOTHING = "Nothing was rewritten since your last check on";
const ALARM = "This is not the trail you saw before";
const FIRST = "This is your first check in this browser";

/** Counts its occurrences on the page. */
async function untilSaid(page: Page, text: string, times = 1): Promise<void> {
  await page.until(
    `document.querySelector("main").innerText.split(${JSON.stringify(text)}).length > ${times}`,
  );
}

/** Checks sealed trails again. */
async function look({ world }: Console, page: Page): Promise<void> {
  await sealAll(world);
  world.advance(60_000);
  await page.visit("/console/witness");
}

/** Stored seals of an account. */
async function keptIn(page: Page): Promise<string> {
  return await page.evaluate(
    `JSON.stringify(Object.entries(localStorage).filter(([name]) => name.startsWith("seals ")))`,
  );
}

function digestsIn(kept: string): string[] {
  return [...kept.matchAll(/[0-9a-f]{64}/g)].map(([digest]) => digest);
}

async function write(page: Page, world: World): Promise<void> {
  world.advance(1);
  await callAs(page, "POST", "/api/v2/records/commitment", {
    title: "The ladder",
    payload: {
      commitmentType: "BORROWED",
      counterparty: "Ana",
      content: "Bring it back",
      completionStatus: "OPEN",
    },
  });
}

/** Two checks of growing trails. */
async function witness(console: Console): Promise<Page> {
  const page = await settle(console);
  await write(page, console.world);
  await look(console, page);
  await untilSaid(page, FIRST, 2);
  await write(page, console.world);
  await look(console, page);
  await untilSaid(page, NOTHING, 2);
  return page;
}

/** Deletes all seals, before resealing everything. */
const UNSEALED = `
  delete from audit_late_entries; delete from audit_seals;
  alter table audit_sealing disable trigger all;
  update audit_sealing set sealed_below = 0;
  alter table audit_sealing enable trigger all;
  alter table audit_sealing enable always trigger only_rises`;

/** A lost connection, and another account in the same browser. */
async function interrupt(console: Console, page: Page): Promise<void> {
  const kept = await keptIn(page);
  assert(kept.includes("digest") && !kept.includes(EMAIL));
  await page.call("Network.setBlockedURLs", { urls: ["*/api/v2/audit/*"] });
  await page.visit("/console/witness");
  await untilSaid(page, "This couldn't be checked now.", 2);
  assertEquals(await keptIn(page), kept);
  await page.call("Network.setBlockedURLs", { urls: [] });
  const other = await register(console.world);
  await page.click("Sign out");
  await page.heading("Sign in");
  assertEquals(await keptIn(page), kept);
  await signIn(page, other.email, other.password);
  await page.heading("Since your last visit");
  await look(console, page);
  await untilSaid(page, FIRST);
  await page.click("Sign out");
  await signIn(page, EMAIL, PASSWORD);
  await page.heading("Since your last visit");
  await look(console, page);
  await untilSaid(page, NOTHING, 2);
}

journey(
  "Seals survive an interruption, and a rewritten and resealed trail is detected",
  async (console) => {
    const { world } = console;
    const page = await witness(console);
    await interrupt(console, page);
    const kept = await keptIn(page);
    const { account } = await callAs(page, "GET", "/api/v2/auth/session");
    const own = JSON.stringify(
      JSON.parse(kept).filter(([name]: [string]) => name.includes(account.accountId)),
    );
    await page.visit("/console/account");
    await untilSaid(page, NOTHING);
    for (const text of ["Seal 2, on", "1 open session", "Records and their history: ", "Off"]) {
      await untilSaid(page, text);
    }
    // Only the trail's page remembers newer seals.
    assertEquals(await keptIn(page), kept);
    await attack(
      world,
      `update audit_entries set operation = 'record.list'
      where audit_id = (select min(audit_id) from audit_entries); ${UNSEALED}`,
    );
    await look(console, page);
    await untilSaid(page, ALARM, 2);
    await untilSaid(page, "deno task audit:verify --anchor");
    for (const digest of digestsIn(own)) await untilSaid(page, digest);
    assertEquals(await keptIn(page), kept);
    await page.visit("/console/account");
    await untilSaid(page, ALARM);

    await look(console, page);
    await untilSaid(page, ALARM, 2);
    for (const left of [1, 0]) {
      await page.click("Remember the new trail instead");
      await page.until(`document.querySelector("dialog[open]") !== null`);
      await page.press("Enter");
      const main = `document.querySelector("main").innerText`;
      await page.until(
        `!${main}.includes("Checking…") && ${main}.split("${ALARM}").length - 1 === ${left}`,
      );
    }
    await look(console, page);
    await untilSaid(page, NOTHING, 2);
    assertEquals(digestsIn(await keptIn(page)).some((digest) => own.includes(digest)), false);
  },
);

journey("A changed entry is detected although its seals are unchanged", async (console) => {
  const page = await witness(console);
  const kept = await keptIn(page);
  await page.visit("/console/audit");
  await page.until(`document.querySelectorAll("main .lines > li").length === 2`);
  await untilSaid(page, "Commitment created", 2);
  await page.evaluate(`document.querySelector("main [aria-label^='Proof: Commit']").click()`);
  await page.heading("Proof");
  await untilSaid(page, "This entry is as it was sealed");
  await page.visit("/console/changes");
  await untilSaid(page, "Commitment created", 2);
  await page.until(`document.querySelectorAll("main li a[href*='/commitment/']").length === 2`);
  // One day, one level below the page's heading.
  const headings =
    `[...document.querySelectorAll("main :is(h1, h2, h3)")].map((one) => one.tagName)`;
  assertEquals(await page.evaluate(`${headings}.join(" ")`), "H1 H2");
  const { items } = await callAs(page, "GET", "/api/v2/audit?kind=access");
  await attack(
    console.world,
    `update access_events set client = 'curl'
      where event_id = (select min(event_id) from access_events)`,
  );
  await look(console, page);
  await untilSaid(page, "The trail doesn't fit its own seals");
  await untilSaid(page, "doesn't fit its entries");
  await page.visit(`/console/audit/${items.at(-1).eventId}?kind=access`);
  await untilSaid(page, "it was changed afterwards");
  await look(console, page);
  await untilSaid(page, NOTHING);
  assert(!(await page.text()).includes("Remember the new trail instead"));
  const access = (text: string) => JSON.parse(JSON.parse(text)[0][1]).access;
  assertEquals(access(await keptIn(page)), access(kept));
});

journey("After a sign-in the console lists events since the one before", async (console) => {
  const { world } = console;
  const page = await settleAtHome(console);
  await page.click("Sign out");
  await signIn(page, EMAIL, PASSWORD);
  await page.heading("Today");
  await page.until(`sessionStorage.getItem("signedIn") === null`);
  assert(!(await page.text()).includes("Since you last signed in"));
  world.advance(60_000);
  await callAs(page, "POST", "/api/v2/memory/texts", {
    title: "Quiet",
    memoryType: "PLACE",
    originalContent: "Here",
    privacyLevel: "SECRET",
  });
  await page.click("Sign out");
  await page.heading("Sign in");
  const wrong = { email: EMAIL, password: "not the password" };
  for (let index = 0; index < 2; index++) {
    world.advance(1_000);
    await page.evaluate(`fetch("/api/v2/auth/login", { method: "POST",
      headers: { "Content-Type": "application/json" },
      body: ${JSON.stringify(JSON.stringify(wrong))} }).then(() => null)`);
  }
  world.advance(60_000);
  await signIn(page, EMAIL, PASSWORD);
  await untilSaid(page, "Since you last signed in here on");
  await untilSaid(page, "2 wrong passwords or codes");
  await untilSaid(page, "Secret content was read once while signed in");
  await page.click("See what happened");
  await page.heading("Since your last visit");
  await untilSaid(page, "2 wrong passwords or codes");
  // The notice is shown once.
  await page.visit("/");
  await page.heading("Today");
  assert(!(await page.text()).includes("Since you last signed in"));
});

journey("On a shared computer seals are stored no longer than the tab", async (console) => {
  const page = await settleAtHome(console);
  await page.evaluate(`localStorage.setItem("shared", "yes")`);
  await write(page, console.world);
  await look(console, page);
  await untilSaid(page, FIRST);
  assertEquals(await keptIn(page), "[]");
  assert((await page.evaluate(`JSON.stringify(sessionStorage)`)).includes("seals "));
});
