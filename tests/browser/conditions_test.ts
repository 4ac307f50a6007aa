/**
 * The console where something is missing: the right address, script, patience, colours, movement.
 */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { EMAIL, PASSWORD, settle, settleAtHome } from "./support/person.ts";

const MINUTE_MS = 60_000;

journey("At a foreign address nothing runs, and the shell explains why", async (console) => {
  const page = await console.open();
  await page.visit(console.origin.replace("localhost", "127.0.0.1"));
  const text = await page.text();
  assert(
    text.includes("only works at the service's own address") && text.includes("PUBLIC_ORIGIN"),
    text,
  );
  // The browser refused the files of another origin: neither script nor style.
  assert(!await page.evaluate(`document.querySelector("header").hasChildNodes()`));
  const colour = `getComputedStyle(document.documentElement).getPropertyValue("--paper")`;
  assertEquals(await page.evaluate(colour), "");
  const refused = page.problems.filter((problem) => problem.startsWith("policy:"));
  assert(refused.some((problem) => problem.includes("app.js")), page.problems.join("\n"));
  // These problems are expected, so they are cleared.
  page.problems.length = 0;
});

journey("Without JavaScript the shell explains what it needs", async (console) => {
  const page = await console.open();
  await page.forbidScripts();
  await page.visit("/console/records/health");
  // Hidden at first, because the script usually replaces it at once.
  await page.until(`document.querySelector("main").innerText.includes("needs JavaScript")`);
});

journey("After too many attempts a sign-in waits, then works", async (console) => {
  const page = await settleAtHome(console);
  await page.click("Sign out");
  await page.heading("Sign in");
  const guess = JSON.stringify({ email: EMAIL, password: "not the password at all" });
  for (let count = 0; count < 10; count++) {
    await page.evaluate(`fetch("/api/v2/auth/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: ${JSON.stringify(guess)},
    })`);
  }
  await page.type("Email", EMAIL);
  await page.type("Password", PASSWORD);
  await page.press("Enter");
  await page.until(
    `document.querySelector("[role=alert]").innerText.includes("Too many attempts")`,
  );
  console.world.advance(20 * MINUTE_MS);
  await page.click("Sign in");
  await page.heading("Today");
});

journey(
  "Forced colours keep controls visible, and reduced motion is respected",
  async (console) => {
    const page = await settle(console);
    const durations = `[...new Set([...document.querySelectorAll("*")].flatMap((element) => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
      const moves = [transitionDuration, animationName === "none" ? "0s" : animationDuration];
      return moves.join().split(",").map((text) => parseFloat(text));
    }))].filter((seconds) => seconds > 0)`;
    await page.visit("/console/records/commitment/new");
    await page.heading("New: Commitment");
    const moving: number[] = await page.evaluate(durations);
    assert(moving.length > 0);
    assert(moving.every((seconds) => seconds >= 0.12 && seconds <= 0.18), moving.join());
    await page.prefer("prefers-reduced-motion", "reduce");
    assertEquals(await page.evaluate(durations), []);

    const colour = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).color`);
    assert(await colour(".quiet") !== await colour("h1"));
    await page.prefer("prefers-contrast", "more");
    assertEquals(await colour(".quiet"), await colour("h1"));

    await page.prefer("forced-colors", "active");
    assert(await page.evaluate(`matchMedia("(forced-colors: active)").matches`));
    await page.focus("Title");
    const outline = await page.evaluate(`(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
    return [outlineStyle, outlineWidth];
  })()`);
    assertEquals(outline, ["solid", "2px"]);
    // States that a background colour marks otherwise have a border here.
    await page.click("Save");
    await page.until(`document.querySelector("[aria-invalid]") !== null`);
    assertEquals(
      await page.evaluate(
        `getComputedStyle(document.querySelector("[aria-invalid]")).borderInlineStartWidth`,
      ),
      "4px",
    );
    await page.visit("/console/records/review");
    await page.heading("Reviews");
    const border = `getComputedStyle(document.querySelector("a.main")).borderTopColor`;
    assert(!/, 0\)$/.test(await page.evaluate(border)));
  },
);
