import { assert, assertEquals } from "@std/assert";
import { Authenticator, STEP, TOTP, WRONG_CODES_LIMIT } from "../http/second_factor.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { choose } from "./support/menu.ts";
import {
  callAs,
  confirmPassword,
  EMAIL,
  PASSWORD,
  prove,
  settle,
  signIn,
} from "./support/person.ts";

const NEW_PASSWORD = "another long password of mine";

/** Reads a list of pairs. */
async function valuesOn(page: Page): Promise<string[]> {
  return await page.evaluate(`[...document.querySelectorAll("dd")].map((dd) => dd.innerText)`);
}

journey(
  "A password change and a new second factor apply to the next sign-in",
  async (console) => {
    const { world } = console;
    const page = await settle(console);
    await page.visit("/console/account");
    await page.click("Password");
    await page.type("Current password", "not the present one");
    await page.type("New password", NEW_PASSWORD);
    await page.click("Change password");
    await page.until(`document.body.innerText.includes("The password is wrong.")`);
    await page.type("Current password", PASSWORD);
    await page.press("Enter");
    await page.until(`document.body.innerText.includes("Password changed.")`);

    await page.click("Second factor: Off");
    await page.click("Turn on");
    await confirmPassword(page, NEW_PASSWORD);
    await page.until(`document.body.innerText.includes("otpauth://")`);
    const picture = `document.querySelector("svg[aria-label='Scan'] path")`;
    assert(/^M4 4h1v1h-1z/.test(await page.evaluate(`${picture}.getAttribute("d")`)));
    const uri = (await valuesOn(page)).find((value) => value.startsWith("otpauth:")) ?? "";
    const authenticator = new Authenticator(uri);
    assert((await valuesOn(page)).some((value) => /^([A-Z2-7]{4} ?){8}$/.test(value)));
    await page.type("Authenticator code", "000000");
    await page.press("Enter");
    await page.until(`document.querySelector("[aria-invalid=true]") !== null`);
    await page.type("Authenticator code", await authenticator.codeAt(world.now()));
    await page.press("Enter");
    await page.click("I've saved them");
    await page.click("Second factor: On");
    await page.until(`document.body.innerText.includes("On: signing in")`);
    assertEquals(await page.evaluate(`document.querySelectorAll("main .exact").length`), 0);

    world.advance(STEP);
    await page.click("New recovery codes");
    await confirmPassword(page, NEW_PASSWORD, await authenticator.codeAt(world.now()));
    const codes = `[...document.querySelectorAll("main .exact li")].map((li) => li.innerText)`;
    await page.until(`${codes}.length === 10`);
    const [recoveryCode] = await page.evaluate(codes);

    await page.click("Sign out");
    await signIn(page, EMAIL, NEW_PASSWORD);
    await page.until(
      `document.querySelector("[role=alert]")?.innerText.includes("also requires a code")`,
    );
    await page.type("Code", recoveryCode);
    await page.press("Enter");
    await page.heading("Account");
    await page.click("Second factor: On");
    await page.click("Turn off");
    world.advance(STEP);
    await confirmPassword(page, NEW_PASSWORD, await authenticator.codeAt(world.now()));
    await page.click("Second factor: Off");
    await page.until(`document.body.innerText.includes("Off: signing in")`);
  },
);

journey(
  "A password change requires a code, or a recovery code after too many wrong codes",
  async (console) => {
    const { world } = console;
    const page = await settle(console);
    const proof = await prove(page, "SECOND_FACTOR_CHANGE");
    const { uri } = await callAs(page, "POST", TOTP, undefined, proof);
    const authenticator = new Authenticator(uri);
    const code = await authenticator.codeAt(world.now());
    const { recoveryCodes } = await callAs(page, "POST", `${TOTP}/confirm`, { code });
    const change = async (present: string, next: string, sent: string) => {
      await page.type("Current password", present);
      await page.type("New password", next);
      await page.press("Enter");
      await page.until(
        `document.querySelector("[role=alert]").innerText.includes("also requires a code")`,
      );
      await page.type("Code", sent);
      await page.press("Enter");
    };
    await page.visit("/console/account");
    await page.click("Password");
    await change(PASSWORD, NEW_PASSWORD, code);
    await page.until(`document.body.innerText.includes("The password or code is wrong.")`);
    world.advance(STEP);
    await page.type("Code", await authenticator.codeAt(world.now()));
    await page.press("Enter");
    await page.until(`document.body.innerText.includes("Password changed.")`);

    for (let index = 0; index < WRONG_CODES_LIMIT; index++) {
      await world.raw("update second_factors set wrong_codes = wrong_codes + 1");
    }
    const isRefused = `document.body.innerText.includes("Use a recovery code once")`;
    await page.visit("/console/account");
    await page.until(isRefused);
    await page.click("Password");
    await change(NEW_PASSWORD, PASSWORD, recoveryCodes[0]);
    await page.until(`document.body.innerText.includes("Password changed.")`);
    await page.visit("/console/account");
    await page.heading("Account");
    assertEquals(await page.evaluate(isRefused), false);
  },
);

journey("Device settings apply immediately and survive a sign-out", async (console) => {
  const page = await settle(console);
  await page.visit("/console/account");
  await page.focus("Dark");
  await page.press(" ");
  await page.until(`document.documentElement.dataset.theme === "dark"`);
  await page.focus("Off");
  await page.press(" ");
  await page.until(`localStorage.getItem("keys") === "off"`);
  const checked = `document.querySelector("main").spellcheck`;
  assertEquals(await page.evaluate(checked), false);
  await page.focus("Check spelling on this device");
  await page.press(" ");
  await page.until(`localStorage.getItem("spelling") === "on"`);
  assertEquals(await page.evaluate(checked), true);
  await page.focus("Deutsch");
  await page.press(" ");
  await page.heading("Konto");
  await page.click("Abmelden");
  await page.heading("Anmelden");
  await page.visit("/");
  assertEquals(await page.evaluate(`document.documentElement.dataset.theme`), "dark");
  assertEquals(await page.evaluate(`document.documentElement.spellcheck`), true);
  assertEquals(
    await page.evaluate("Object.entries({ ...localStorage }).sort().join()"),
    [
      ["keys", "off"],
      ["language", "de"],
      ["spelling", "on"],
      ["theme", "dark"],
    ].join(),
  );
});

journey("A session that was ended elsewhere shows nothing", async (console) => {
  const page = await settle(console);
  const other = await console.open();
  await other.visit("/console/about");
  await signIn(other, EMAIL, PASSWORD);
  await other.heading("About");
  await page.visit("/console/sessions");
  await page.until(`document.querySelectorAll(".lines li").length === 2`);
  const texts = await page.evaluate(
    `[...document.querySelectorAll(".lines li")].map((li) => li.innerText)`,
  );
  assertEquals(texts.filter((text: string) => text.includes("This session")).length, 1);
  assertEquals(texts.filter((text: string) => text.includes("Your current address")).length, 1);
  await page.evaluate(`document.querySelector(".lines [role=menuitem]").click()`);
  await page.until(`document.querySelectorAll(".lines li").length === 1`);
  await other.visit("/console/sessions");
  await other.heading("Sign in");

  await signIn(other, EMAIL, PASSWORD);
  await other.heading("Sessions");
  // The first message would pass for the second.
  await page.visit("/console/sessions");
  await page.until(`document.querySelectorAll(".lines li").length === 2`);
  await page.click("End all others");
  await page.until(`document.body.innerText.includes("Ended.")`);
  assertEquals((await callAs(page, "GET", "/api/v2/auth/sessions")).items.length, 1);
  await page.visit("/console/audit?kind=access");
  await page.until(`document.body.innerText.includes("Session ended")`);

  const beside = await console.openBeside(page);
  await beside.visit("/console/tokens/new");
  await beside.type("Name", "Half a token");
  await beside.click("Create token");
  await beside.until(`document.querySelector("dialog[open]") !== null`);
  await page.click("Sign out");
  await beside.heading("Sign in");
  assertEquals(await beside.evaluate(`document.querySelector("dialog")`), null);
});

/** Wider than a phone, and markup for a careless page. */
const HOSTILE = `<img src=x onerror="window.reached=1">${"W".repeat(80)}`;

journey("A token is shown once, works as configured, and can be revoked", async (console) => {
  const page = await settle(console, { width: 320, height: 700 });
  const isNarrow = "document.documentElement.scrollWidth <= innerWidth";
  await page.visit("/console/tokens/new");
  await page.type("Name", HOSTILE);
  await page.focus("Only add records and files");
  await page.press(" ");
  await page.click("Create token");
  await confirmPassword(page, "a wrong password, at first");
  await page.until(`document.querySelector("dialog").innerText.includes("is wrong")`);
  assert((await page.text()).includes(HOSTILE));
  await confirmPassword(page, PASSWORD);
  await page.until(`document.querySelector("main .exact li") !== null`);
  const token = await page.evaluate(`document.querySelector("main .exact li").innerText`);
  assert(/^prs_p_[\w-]{43}$/.test(token));
  assert(await page.evaluate(isNarrow));
  const kept = await page.evaluate(
    `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state])`,
  );
  assert(!kept.includes("prs_"));

  const ask = (method: string, path: string) =>
    console.world.call(method, path, { headers: { Authorization: `Bearer ${token}` } });
  assertEquals((await ask("GET", "/api/v2/records/commitment")).status, 403);
  assertEquals((await ask("GET", "/api/v2/catalog")).status, 200);
  await page.click("I've saved it");
  await page.heading("Tokens");
  await page.until(`document.body.innerText.includes("attachment.write, platform.operate")`);
  assert(!(await page.text()).includes(token));
  assert(await page.evaluate(isNarrow));
  await page.back();
  await page.heading("Create token");
  assert(!(await page.text()).includes(token));

  await page.visit("/console/tokens");
  await page.click(`More for ${HOSTILE}`);
  await page.click(`End ${HOSTILE}`);
  await page.until(`document.body.innerText.includes("Nothing here yet.")`);
  assertEquals((await ask("GET", "/api/v2/catalog")).status, 401);
  assertEquals(await page.evaluate("document.images.length"), 0);
});

journey("Going back after a sign-out shows nothing", async (console) => {
  const page = await settle(console);
  const { recordId } = await callAs(page, "POST", "/api/v2/records/commitment", {
    title: "The ladder",
    payload: { commitmentType: "BORROWED", content: "Bring it back", completionStatus: "OPEN" },
  });
  await page.visit(`/console/records/commitment/${recordId}`);
  await page.heading("The ladder");
  await page.visit("about:blank");
  await console.world.raw("update sessions set revoked_at = now()");
  await page.back();
  await page.heading("Sign in");
  assert(!(await page.text()).includes("The ladder"));

  await signIn(page, EMAIL, PASSWORD);
  await page.heading("The ladder");
  await choose(page, "More for The ladder", "History");
  await page.heading("History");
  await page.click("Sign out");
  await page.heading("Sign in");
  await page.back();
  await page.until(`location.pathname.endsWith("${recordId}")`);
  await page.until(`document.activeElement?.innerText === "Sign in"`);
  assert(!(await page.text()).includes("The ladder"));
});
