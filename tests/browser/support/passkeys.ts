/** The virtual authenticators of Chromium. */

import type { Page } from "./browser.ts";
import { confirmPassword } from "./person.ts";

/** Plugs an authenticator in, which behaves as a person who touches it at once. */
export async function plugIn(
  page: Page,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  await page.call("WebAuthn.enable", {});
  const { authenticatorId } = await page.call("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
    },
  });
  return authenticatorId;
}

/** Adds a passkey on its page, which asks for the password. */
export async function addPasskey(page: Page, name: string, password: string): Promise<void> {
  await page.type("Name of the passkey", name);
  await page.press("Enter");
  await confirmPassword(page, password);
}
