/** A person who has just set up the service. */

import { ulid } from "@std/ulid";
import { issueSetupToken } from "../../../src/accounts/setup_routes.ts";
import { DAY_MS } from "../../../src/core/clock.ts";
import type { Json } from "../../support/world.ts";
import type { Page } from "./browser.ts";
import type { Console } from "./console.ts";

export const EMAIL = "someone@example.org";
export const PASSWORD = "a long password that nobody uses";

/** Makes the first account, signed in on a page that has loaded nothing yet. */
export async function settle(
  { world, open }: Console,
  size?: { readonly width: number; readonly height: number },
): Promise<Page> {
  const setupToken = await issueSetupToken(world.database, world.now());
  const page = await open(size);
  const body = { setupToken, email: EMAIL, password: PASSWORD, displayName: "Someone" };
  const { headers } = await send(page, "POST", "/api/v2/auth/setup", body);
  await page.addCookie(headers.get("Set-Cookie") ?? "");
  return page;
}

/** As `settle`, with the first page. */
export async function settleAtHome(console: Console): Promise<Page> {
  const page = await settle(console);
  await page.visit("/");
  await page.heading("Today");
  return page;
}

/**
 * As `settleAtHome`, at the browser's own time, because a capture's time must not be after the
 * service's. The sign-in is a day older, so that the session stays open if the clock goes back by a
 * day.
 */
export async function settleNow(
  console: Console,
  size?: { readonly width: number; readonly height: number },
): Promise<Page> {
  console.world.advance(Date.now() - DAY_MS - console.world.now().getTime());
  const page = await settle(console, size);
  console.world.advance(DAY_MS);
  await page.visit("/");
  await page.heading("Today");
  return page;
}

/** On the browser's clock. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.heading("Sign in");
  await page.type("Email", email);
  await page.type("Password", password);
  await page.press("Enter");
}

/** Waits after a page load. */
export async function untilKeysWork(page: Page): Promise<void> {
  // `g` waits for a second key, which `Shift` is not.
  const press = (key: string) =>
    `dispatchEvent(new KeyboardEvent("keydown", {
    key: ${JSON.stringify(key)}, cancelable: true }))`;
  await page.until(`!${press("g")} && ${press("Shift")}`);
}

/** Answers the dialog. */
export async function confirmPassword(page: Page, password: string, code = ""): Promise<void> {
  await page.type("Password", password);
  if (code !== "") await page.type("Code", code);
  await page.press("Enter");
}

/** Uses the page's session, past the browser. */
export async function callAs(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
  proof?: string,
): Promise<Json> {
  const headers = proof === undefined ? {} : { "Step-Up-Proof": proof };
  const answer = await (await send(page, method, path, body, headers)).json();
  if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function send(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await fetch(`${page.origin}${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": ulid(),
      ...await page.headers(),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

export async function prove(page: Page, purpose: string, targetId?: string): Promise<string> {
  const body = { password: PASSWORD, purpose, targetId };
  return (await callAs(page, "POST", "/api/v2/auth/step-up", body)).proof;
}

/** Waits for modules loaded in the background, after which the page works without a connection. */
export async function waitForModules(page: Page, names: readonly string[]): Promise<void> {
  const base = await page.evaluate(`document.querySelector("script[type=module]").src`);
  const paths = names.map((name) => JSON.stringify(new URL(name, base).pathname));
  const imports = paths.map((path) => `import(${path})`);
  await page.evaluate(`Promise.all([${imports.join()}]).then(() => true)`);
}
