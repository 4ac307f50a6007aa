/** Exports and imports in the browser. */

import { assert, assertEquals } from "@std/assert";
import { sha256Hex } from "../../src/core/digest.ts";
import { givePassword, PASSWORD as THEIRS } from "../http/access.ts";
import { waitUntil } from "../support/wait.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, confirmPassword, PASSWORD, settle, signIn } from "./support/person.ts";

/** Finds the link by its beginning; waits for the file. */
async function save(page: Page, folder: string, beginning: string): Promise<string> {
  await page.call("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  const link = `document.querySelector("a[download^='${beginning}']")`;
  await page.until(`${link} !== null`);
  const [name, sha256] = await page.evaluate(
    `[${link}.download, ${link}.parentElement.parentElement.innerText.match(/[0-9a-f]{64}/)?.[0] ?? null]`,
  );
  await page.click(`Save ${name}`);
  const path = `${folder}/${name}`;
  // A complete file gets its final name.
  await waitUntil(`${name} is saved`, () => Deno.stat(path).then(() => true, () => false));
  // Tags have no digest.
  if (sha256 !== null) assertEquals(sha256Hex(await Deno.readTextFile(path)), sha256);
  return path;
}

async function chooseFile(page: Page, path: string): Promise<void> {
  const chosen = await page.call("Runtime.evaluate", {
    expression: `document.querySelector("main input[type=file]")`,
  });
  const { objectId } = chosen.result;
  await page.call("DOM.setFileInputFiles", { files: [path], objectId });
}

const RESOURCE = { resourceType: "TIME", name: "Hours for the garden" };
/** The page's section, its button, and the file name's beginning. */
const ALONE = [
  ["Resources", "Export resources", "resources"],
  ["Profile, stages, roles and snapshots", "Export profile", "identity"],
  ["Tags and categories", "Export tags and categories", "tags"],
] as const;

journey(
  "Secret content is exported after the password, verified, and imported completely",
  async (console) => {
    const { world } = console;
    const folder = await Deno.makeTempDir({ prefix: "prs-download-" });
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(() => Deno.remove(folder, { recursive: true }));
    const page = await settle(console);
    const remember = (title: string, privacyLevel: string) =>
      callAs(page, "POST", "/api/v2/memory/texts", {
        title,
        originalContent: `Nobody knows of ${title}`,
        memoryType: "EVENT",
        privacyLevel,
      });
    await remember("the forest", "PRIVATE");
    const { memoryId } = await remember("the lake", "SECRET");
    await callAs(page, "POST", "/api/v2/identity/profile", { displayName: "Ada" });
    await callAs(page, "POST", "/api/v2/taxonomy/tags", { name: "Rowing" });
    await callAs(page, "POST", "/api/v2/resource/resources", RESOURCE);
    await page.visit("/console/export");
    // The side bar has a place of this name, too.
    await page.until(`document.querySelector("main summary")?.innerText === "Memories"`);
    await page.evaluate(`document.querySelector("main summary").click()`);
    await page.click("Export memories");
    await page.until(`document.body.innerText.includes("That's all.")`);
    const open = await Deno.readTextFile(await save(page, folder, "memories"));
    assert(open.includes("the forest") && !open.includes("the lake"));

    await page.focus("Include secret memories");
    await page.press(" ");
    await page.click("Export memories");
    await confirmPassword(page, "a wrong password, at first");
    await page.until(`document.querySelector("dialog").innerText.includes("is wrong")`);
    await page.press("Escape");
    await page.until(`document.querySelector("dialog") === null`);
    assertEquals((await callAs(page, "GET", "/api/v2/memory/exports")).items.length, 1);
    await page.click("Export memories");
    await confirmPassword(page, PASSWORD);
    await page.until(`document.body.innerText.includes("2 entries")`);

    for (const [part, action, file] of ALONE) {
      await page.click(part);
      await page.click(action);
      const link = `document.querySelector("a[download^='${file}']")`;
      await page.until(`${link} !== null && document.activeElement === ${link}`);
    }
    const tags = JSON.parse(await Deno.readTextFile(await save(page, folder, "tags")));
    assertEquals(tags.terms.map(({ name }: { name: string }) => name), ["Rowing"]);
    await save(page, folder, "identity");

    // They can be brought in again.
    for (
      const [kind, file, said] of [
        ["tags", "tags.json", "Imported: 0. Already there: 1."],
        ["profile", "identity.json", "snapshots: 0. Already there: 0."],
      ] as const
    ) {
      await page.visit(`/console/imports/own/${kind}`);
      await page.until(`document.querySelector("main [name=file]") !== null`);
      await chooseFile(page, `${folder}/${file}`);
      await page.click("Import file");
      await page.until(`document.querySelector("main").innerText.includes("${said}")`);
    }
    await page.visit("/console/export");

    await page.focus("Markdown archive: readable files of the current state");
    await page.press(" ");
    await page.click("Export account");
    await confirmPassword(page, PASSWORD);
    await page.until(`document.body.innerText.includes(".tar")`);
    // As for files too large for the page.
    await page.evaluate(`Object.defineProperty(crypto, "subtle", { value: undefined })`);
    await page.focus("JSON Lines: everything with its history, secrets included. Can be imported.");
    await page.press(" ");
    await page.click("Export account");
    await confirmPassword(page, PASSWORD);
    await page.until(`document.body.innerText.includes("sha256sum --check")`);
    const path = await save(page, folder, "prs-account");

    world.advance(1);
    const other = await world.createCaller();
    await givePassword(world, other);
    const [{ email }] = await world.rows(
      `select email from accounts where account_id = '${other.accountId}'`,
    );
    const theirs = await console.open();
    await theirs.visit("/console/export");
    await signIn(theirs, email, THEIRS);
    await theirs.heading("Exports and backups");
    // Backups concern all accounts: only the oldest sees them.
    await theirs.until(
      `document.body.innerText.includes("The operator of this service manages")`,
    );
    await theirs.visit("/console/account");
    await theirs.heading("Account");
    assertEquals(theirs.failures.filter((text) => text.includes("backup")), []);
    await theirs.visit("/console/export");
    await theirs.heading("Exports and backups");
    await chooseFile(theirs, path);
    await theirs.click("Import file");
    await theirs.until(`document.body.innerText.includes("Imported ")`);
    const kept = await callAs(theirs, "GET", `/api/v2/memory/texts/${memoryId}`);
    assertEquals(kept.currentContent, "Nobody knows of the lake");
    await chooseFile(theirs, path);
    await theirs.click("Import file");
    await theirs.until(`document.querySelector(".summary:not([hidden])") !== null`);
  },
);
