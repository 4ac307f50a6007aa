import { assert, assertEquals } from "@std/assert";
import { issueSetupToken } from "../../src/accounts/setup_routes.ts";
import { PASSWORD as ENROLLED, register } from "../http/access.ts";
import { enrol, STEP } from "../http/second_factor.ts";
import { journey } from "./support/console.ts";
import { settle } from "./support/person.ts";

const PASSWORD = "a long password that nobody uses";

journey(
  "The printed link makes the first account and is removed from the address bar",
  async ({ world, open, origin }) => {
    const token = await issueSetupToken(world.database, world.now());
    const page = await open();
    await page.visit(`/#setup=${token}`);
    await page.heading("Set up your records");
    assertEquals(await page.evaluate("location.hash"), "");
    // The link brought the token.
    assertEquals(
      await page.evaluate(`[...document.querySelectorAll("main :is(label, summary)")]
        .filter((one) => one.checkVisibility()).map((one) => one.innerText)`),
      ["Your name", "Email", "New password", "Set-up link or token"],
    );
    assert(!(await page.evaluate(`document.querySelector("[name=setupToken]").checkVisibility()`)));
    await page.type("Your name", "Someone");
    await page.type("Email", "someone@example.org");
    await page.type("New password", "password1234");
    await page.press("Enter");
    await page.until(`${described("New password")}.includes("known from leaks or easily guessed")`);
    assert(!(await page.text()).includes("account.password_known"));
    await page.type("New password", PASSWORD);
    await page.press("Enter");
    await page.heading("Today");
    // Otherwise a request that is under way would be refused too.
    await page.until(
      `performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/record-counts"))`,
    );
    await page.click("Sign out");
    await page.heading("Sign in");
    // Attributes for password managers.
    assertEquals(
      await page.evaluate(`[...document.querySelectorAll("main input:not([type=checkbox])")]
        .filter((input) => input.checkVisibility())
        .map(({ type, autocomplete }) => [type, autocomplete])`),
      [["email", "username"], ["password", "current-password"]],
    );
    await page.type("Email", "someone@example.org");
    await page.type("Password", "not the password at all");
    await page.press("Enter");
    await page.until(`document.querySelector("[role=alert]")?.innerText.includes("is wrong")`);
    await page.type("Password", PASSWORD);
    await page.press("Enter");
    await page.heading("Today");
    assertEquals(page.failures.filter((text) => text.includes("(Unauthorized)")), [
      `Failed to load resource: the server responded with a status of 401 (Unauthorized) ${origin}/api/v2/auth/login`,
    ]);
  },
);

/** An expression for the description of a field that assistive technology reads aloud. */
const described = (label: string) =>
  `[...document.querySelectorAll("label")].find(({ innerText }) => innerText === "${label}").control
    .getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id).innerText)
    .join(" ")`;

journey("A module that fails to load is reported, and works once it loads", async (console) => {
  const page = await settle(console);
  await page.call("Network.setBlockedURLs", { urls: ["*/background.js"] });
  await page.visit("/console/sessions");
  await page.heading("Sessions");
  await page.click("Sign out");
  await page.until(`document.querySelector("#status").innerText.includes("Check your connection")`);
  await page.call("Network.setBlockedURLs", { urls: [] });
  await page.visit("/console/sessions");
  await page.heading("Sessions");
  await page.click("Sign out");
  await page.heading("Sign in");
}, { isFirstVisit: true });

journey("An account with a second factor is asked for its code", async ({ world, open }) => {
  const { email, authenticator } = await enrol(world);
  world.advance(STEP);
  const page = await open();
  await page.visit("/");
  await page.heading("Sign in");
  await page.type("Email", email);
  await page.type("Password", ENROLLED);
  await page.press("Enter");
  await page.until(
    `document.querySelector("[role=alert]")?.innerText.includes("also requires a code")`,
  );
  const code = await authenticator.codeAt(world.now());
  await page.type("Code", `${code.slice(0, 3)} ${code.slice(3)}`);
  await page.press("Enter");
  await page.heading("Today");
});

journey("A moved account is shown its new address as a link", async ({ world, open }) => {
  const known = await register(world);
  const page = await open();
  const signIn = async () => {
    await page.visit("/");
    await page.heading("Sign in");
    await page.type("Email", known.email);
    await page.type("Password", known.password);
    await page.press("Enter");
  };
  await signIn();
  await page.heading("Today");
  const at = world.now().toISOString();
  await world.raw(`
    update accounts set frozen_at = '${at}', moved_to = 'https://two.example', retired_at = '${at}';
    update sessions set revoked_at = '${at}'`);
  const link = (place: string) =>
    `[...document.querySelectorAll('${place} a[target=_blank][rel="noopener noreferrer"]')]
       .map(({ href, parentNode }) => [href, parentNode.innerText]).join()`;
  const words = "This account has moved. Sign in at its new address: https://two.example";
  // The browser still sends the cookie of the session.
  await page.visit("/");
  await page.heading("Sign in");
  assertEquals(await page.evaluate(link("main")), `https://two.example/,${words}`);
  await signIn();
  await page.until(
    `${link("[role=alert]")} === ${JSON.stringify(`https://two.example/,${words}`)}`,
  );
});
