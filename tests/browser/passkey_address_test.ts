/** Passkeys under a new address of the service, which Chromium allows by the related origins. */

import { assertEquals } from "@std/assert";
import { givePassword, PASSWORD } from "../http/access.ts";
import { emailOf } from "../http/passkey.ts";
import { waitUntil } from "../support/wait.ts";
import { createWorld } from "../support/world.ts";
import { serveAddresses } from "./support/addresses.ts";
import { findBrowser, type Page } from "./support/browser.ts";
import { addPasskey, plugIn } from "./support/passkeys.ts";
import { signIn } from "./support/person.ts";

const [OLD, NEW, THIRD] = ["old.example", "new.example", "third.example"] as const;

const shows = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

Deno.test({
  name: "A passkey of the old address signs in at the new one, and is refused at a third",
  ignore: findBrowser() === null,
  // The browser's connections outlive tests.
  sanitizeResources: false,
  sanitizeOps: false,
  fn: async () => {
    await using world = await createWorld();
    await using addresses = await serveAddresses([OLD, NEW, THIRD]);
    const { apps, documents } = addresses;
    const appOf = (host: string) => world.again({ publicOrigin: `https://${host}` });
    const caller = await world.createCaller();
    await givePassword(world, caller);

    apps.set(OLD, appOf(OLD));
    const before = await addresses.open(OLD);
    const authenticatorId = await plugIn(before);
    await before.visit("/console/passkeys");
    await signIn(before, emailOf(caller), PASSWORD);
    await before.heading("Passkeys");
    await addPasskey(before, "My phone", PASSWORD);
    await before.until(shows("Never used"));
    const { credentials: [credential] } = await credentialsOf(before, authenticatorId);
    assertEquals(credential.rpId, OLD);

    const moved = appOf(NEW);
    for (const host of [OLD, NEW]) apps.set(host, moved);
    apps.set(THIRD, appOf(THIRD));
    const [after, elsewhere] = [await addresses.open(NEW), await addresses.open(THIRD)];
    const held = await hold(after, credential);
    await hold(elsewhere, credential);
    for (const page of [after, elsewhere]) {
      await page.visit("/console/passkeys");
      await page.heading("Sign in");
      await page.click("Use a passkey");
    }
    await elsewhere.until(shows(`The passkeys belong to ${OLD}`));
    await after.heading("Passkeys");
    await after.until(shows("Last used"));
    assertEquals(await after.evaluate(shows("Opens nothing")), false);
    assertEquals(new Set(documents), new Set([`${OLD}/.well-known/webauthn`]));

    // The browser forgets a removed passkey.
    await after.click("More for My phone");
    await after.click("Remove My phone");
    await after.click("Use a passkey");
    await after.until(shows("Nothing here yet"));
    await waitUntil("the passkey is forgotten", async () => {
      return (await credentialsOf(after, held)).credentials.length === 0;
    });
    for (const page of [before, after, elsewhere]) page.assertClean();
  },
});

const credentialsOf = (page: Page, authenticatorId: string) =>
  page.call("WebAuthn.getCredentials", { authenticatorId });

/** Adds an authenticator with the passkey of another page, as devices synchronise them. */
async function hold(page: Page, credential: unknown): Promise<string> {
  const authenticatorId = await plugIn(page);
  await page.call("WebAuthn.addCredential", { authenticatorId, credential });
  return authenticatorId;
}
