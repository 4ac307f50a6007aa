/** Passkeys in the browser, with the virtual authenticators of Chromium. */

import { assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { addPasskey, plugIn } from "./support/passkeys.ts";
import { callAs, PASSWORD, settle } from "./support/person.ts";

const shows = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

journey(
  "A passkey is added, signs in, confirms and is removed, each with one touch",
  async (console) => {
    const page = await settle(console);
    await plugIn(page);
    await page.visit("/console/account");
    await page.click("Passkeys");
    await page.heading("Passkeys");
    await addPasskey(page, "My phone", PASSWORD);
    await page.until(shows("Never used"));

    // The browser does not make a second one on the same device; the first one confirms that.
    await page.type("Name of the passkey", "My phone again");
    await page.press("Enter");
    await page.click("Use a passkey");
    await page.until(shows("already has a passkey"));
    await page.click("Sign out");
    await page.heading("Sign in");
    await page.click("Use a passkey");
    await page.heading("Passkeys");
    await page.until(shows("Last used"));
    await page.click("More for My phone");
    await page.click("Rename My phone");
    await page.type("New name", "My tablet");
    await page.click("Save");
    await page.until(shows("My tablet"));
    await page.click("More for My tablet");
    await page.click("Remove My tablet");
    await page.click("Use a passkey");
    await page.until(shows("Nothing here yet"));
    const { items } = await callAs(page, "GET", "/api/v2/auth/passkeys");
    assertEquals(items, []);
  },
);

journey(
  "A security key signs in, and one that cannot store the account is not added",
  async (console) => {
    const page = await settle(console);
    const limited = await plugIn(page, { transport: "usb", hasResidentKey: false });
    await page.visit("/console/passkeys");
    await addPasskey(page, "My old key", PASSWORD);
    await page.until(shows("No passkey was used"));
    await page.call("WebAuthn.removeVirtualAuthenticator", { authenticatorId: limited });
    await plugIn(page, { transport: "usb" });
    await page.visit("/console/passkeys");
    await addPasskey(page, "My security key", PASSWORD);
    await page.until(shows("Never used"));
    const { items: [passkey] } = await callAs(page, "GET", "/api/v2/auth/passkeys");
    assertEquals([passkey.algorithm, passkey.transports, passkey.rpId], [
      "ES256",
      ["usb"],
      "localhost",
    ]);
    await page.click("Sign out");
    await page.heading("Sign in");
    await page.click("Use a passkey");
    await page.heading("Passkeys");
  },
);

for (const [algorithm, alg] of Object.entries({ "ML-DSA-44": -48, "ML-DSA-65": -49 })) {
  journey(`A passkey of ${algorithm} is added, signs in and confirms`, async (console) => {
    const page = await settle(console);
    await plugIn(page);
    await page.visit("/console/passkeys");
    // The authenticator would choose the first algorithm that is offered.
    await page.evaluate(`
      const create = navigator.credentials.create.bind(navigator.credentials);
      navigator.credentials.create = ({ publicKey }) => create({
        publicKey: { ...publicKey, pubKeyCredParams: [{ type: "public-key", alg: ${alg} }] },
      });
      true`);
    await addPasskey(page, "My phone", PASSWORD);
    await page.until(shows("Never used"));
    const { items: [passkey] } = await callAs(page, "GET", "/api/v2/auth/passkeys");
    assertEquals(passkey.algorithm, algorithm);
    await page.click("Sign out");
    await page.heading("Sign in");
    await page.click("Use a passkey");
    await page.heading("Passkeys");
    await page.click("More for My phone");
    await page.click("Remove My phone");
    await page.click("Use a passkey");
    await page.until(shows("Nothing here yet"));
  });
}
