/** A person who has just set the service up, in a page of a browser. */

import { ulid } from "@std/ulid";
import { issueSetupToken } from "../../../src/accounts/setup.ts";
import type { Json } from "../../support/world.ts";
import type { Page } from "./browser.ts";
import type { Console } from "./console.ts";

export const EMAIL = "someone@example.org";
export const PASSWORD = "a long password that nobody uses";

/** Opens a page and makes the first account in it. */
export async function settle(
  { world, open }: Console,
  size?: { readonly width: number; readonly height: number },
): Promise<Page> {
  const token = await issueSetupToken(world.database, world.now());
  const page = await open(size);
  await page.visit(`/#setup=${token}`);
  await page.type("Your name", "Someone");
  await page.type("Email", EMAIL);
  await page.type("New password", PASSWORD);
  await page.press("Enter");
  await page.heading("Home");
  return page;
}

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.heading("Sign in");
  await page.type("Email", email);
  await page.type("Password", password);
  await page.press("Enter");
}

/** Answers the dialog that asks for the password once more. */
export async function confirmPassword(page: Page, password: string, code = ""): Promise<void> {
  await page.type("Password", password);
  if (code !== "") await page.type("Code", code);
  await page.press("Enter");
}

/** Calls the API with the page's session, past the console. */
export async function callAs(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> {
  const answer = await page.evaluate(`fetch(${JSON.stringify(path)}, {
    method: ${JSON.stringify(method)},
    headers: { "Content-Type": "application/json", "Idempotency-Key": "${ulid()}" },
    ${body === undefined ? "" : `body: ${JSON.stringify(JSON.stringify(body))},`}
  }).then((response) => response.json())`);
  if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}
