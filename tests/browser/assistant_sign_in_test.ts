/** The sign-in of assistants in the browser: an assistant is created, allowed and denied. */

import { assert, assertEquals } from "@std/assert";
import { LIMITS } from "../http/assistants.ts";
import { PASSWORD as ENROLLED } from "../http/access.ts";
import { enrol, STEP } from "../http/second_factor.ts";
import { requestOf } from "../http/sign_in.ts";
import { violations } from "./support/axe.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import {
  callAs,
  confirmPassword,
  EMAIL,
  PASSWORD,
  prove,
  settle,
  signIn,
} from "./support/person.ts";
import { startProgram } from "./support/program.ts";

const QUESTION = "Allow Helper to sign in?";
const IMPOSSIBLE = "This sign-in is not possible";
const STATE = "a state & more";

const shows = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

const ALLOW = `document.querySelector("main button.main")`;

/** Waits until a press counts: a double click must not allow anything. */
async function settleDown(page: Page): Promise<void> {
  await page.call("Page.bringToFront");
  await page.until("new Promise((done) => setTimeout(done, 510, true))");
}

journey("An assistant's program signs in on a page that keeps its request", async (console) => {
  await using program = startProgram();
  const page = await settle(console);

  // The account's pages say what to enter in the program.
  await page.visit("/console/assistants/new");
  await page.type("Name", "Helper");
  await page.set("program", "CHATGPT");
  await page.until(shows("needs a public https address"));
  await page.set("program", "OTHER");
  await page.type("Callbacks", "http://127.0.0.1/elsewhere\nhttp://elsewhere.example");
  await page.evaluate(`document.querySelector("input[value=commitment]").click()`);
  await page.click("Lend to an assistant");
  await confirmPassword(page, PASSWORD);
  await page.until(shows("Each callback is an https address"));
  await page.set("program", "CLAUDE_CODE");
  await page.click("Lend to an assistant");
  await confirmPassword(page, PASSWORD);
  await page.until(shows("--client-id"));
  const command = /--client-id (\S{26}) records (\S+)/.exec(await page.text());
  const [, client = "", address] = command ?? [];
  assertEquals(address, `${console.origin}/mcp`);
  await page.click("I have entered it");
  await page.until(shows("Claude Code · Not signed in yet"));

  const request = (more: Record<string, string | undefined> = {}) =>
    requestOf(client, { redirect_uri: program.callback, state: STATE, ...more });
  const ask = async (more?: Record<string, string | undefined>) =>
    await page.visit(`/oauth/authorize?${request(more)}`);
  /** The answer that the callback received, by the one request that leaves the console's origin. */
  const answer = async (of: Page) => {
    await of.heading("Signed in");
    const [method = "", query = ""] = program.received.at(-1)?.split(" ") ?? [];
    const sent = of.problems.splice(0).filter((problem) => !problem.endsWith("/favicon.ico"));
    assertEquals([method, sent], ["GET", [`request: ${program.callback}${query}`]]);
    const { state, iss, ...rest } = Object.fromEntries(new URLSearchParams(query));
    assertEquals([state, iss], [STATE, console.origin]);
    return rest;
  };

  // A popup of another origin keeps its opener, and nothing is allowed by accident.
  const opener = await console.openBeside(page, program.origin);
  await opener.visit("/");
  const authorize = `${console.origin}/oauth/authorize?${request()}`;
  await opener.evaluate(`globalThis.address = ${JSON.stringify(authorize)}`);
  const popup = await opener.opened(console.origin, () => opener.click("Sign in"));
  await popup.heading(QUESTION);
  for (const text of ["Commitments", "It only reads", "A program on this device", EMAIL]) {
    await popup.until(shows(text));
  }
  await popup.until(shows("Allow only if you have just started this in the program."));
  assertEquals(await popup.evaluate("document.activeElement.tagName"), "H1");
  await popup.press("Enter");
  // The second half of a double click that began in another window.
  await popup.evaluate(`dispatchEvent(new Event("focus")), ${ALLOW}.click()`);
  await popup.until(shows("Press Allow again to confirm."));
  assertEquals(await popup.evaluate("document.forms.length"), 0);
  assertEquals(await violations(popup), []);
  assert(!(await opener.evaluate("popup.closed")));
  await settleDown(popup);
  await popup.click("Allow");
  assertEquals(Object.keys(await answer(popup)), ["code"]);
  await opener.until("answers.length === 1 && !popup.closed");
  assertEquals(await popup.evaluate("history.length"), 1);
  await popup.close();

  await ask();
  await page.heading(QUESTION);
  await page.click("Deny");
  assertEquals(await answer(page), { error: "access_denied" });

  // In German, on a phone; a session that is not new needs the password.
  console.world.advance(6 * 60_000);
  await page.speak("de");
  await page.resize(320, 700);
  await ask();
  await page.heading("Darf sich Helper anmelden?");
  assert(await page.evaluate("document.documentElement.scrollWidth <= 320"));
  await settleDown(page);
  await page.click("Erlauben");
  await page.until(`document.querySelector("dialog") !== null`);
  await page.type("Passwort", PASSWORD);
  await page.press("Enter");
  assertEquals(Object.keys(await answer(page)), ["code"]);
  await ask();
  await page.heading("Darf sich Helper anmelden?");
  await page.click("Ablehnen");
  assertEquals(await answer(page), { error: "access_denied" });
  await page.speak("en");
  await page.resize(1280, 900);

  // Mistakes of programs.
  await ask({ response_type: "token" });
  await page.heading(IMPOSSIBLE);
  await page.click("Back to the program");
  assertEquals(await answer(page), { error: "unsupported_response_type" });

  // Registered programs name no assistant.
  const registered = { client_id: "personal-records" };
  await ask({ ...registered, redirect_uri: "http://127.0.0.1:9/" });
  await page.until(shows("None of your assistants is for this program"));
  await callAs(
    page,
    "POST",
    "/api/v2/auth/assistants",
    { name: "Second", modules: ["memory"], signIn: { program: "CLAUDE_CODE" } },
    await prove(page, "TOKEN_CREATE"),
  );
  await ask(registered);
  await page.heading("Which assistant signs in?");
  await settleDown(page);
  await page.click("Allow");
  await page.until(shows("This field is required"));
  assert(!(await page.evaluate(shows("Memories"))));
  await page.evaluate(`[...document.querySelectorAll("main label")]
    .find(({ innerText }) => innerText === "Second").click()`);
  await page.until(shows("Memories"));

  // The page keeps the request through a sign-in. Another account has no such client.
  const other = await enrol(console.world);
  console.world.advance(STEP);
  await page.clear();
  await ask();
  await page.until(shows("A program asks to read your records"));
  await signIn(page, other.email, ENROLLED);
  await page.until(shows("also requires a code"));
  await page.type("Code", await other.authenticator.codeAt(console.world.now()));
  await page.press("Enter");
  await page.heading(IMPOSSIBLE);
  await page.until(shows("no assistant with the client ID"));
  assertEquals(await page.evaluate(`document.querySelectorAll("main button").length`), 0);
  await page.clear();
  await ask();
  await signIn(page, EMAIL, PASSWORD);
  await page.heading(QUESTION);
  assertEquals(await page.evaluate("location.search.slice(1)"), request());
  await settleDown(page);
  await page.click("Allow");
  assertEquals(Object.keys(await answer(page)), ["code"]);
  await page.visit("/console/assistants");
  await page.until(shows("Claude Code"));
  await page.click("More for Helper");
  await page.click("Connect Helper");
  await page.until(shows(client));
}, { assistants: { ...LIMITS, registration: true } });
