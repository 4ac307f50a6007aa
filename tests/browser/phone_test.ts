/** The console on a phone: installed, shared into, and with a microphone. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, EMAIL, PASSWORD, settleNow, signIn } from "./support/person.ts";

const CAPTURES = "/api/v2/records/capture";
const AUDIO = `document.querySelector("main audio[controls][preload=none]")`;
const BOX = `document.querySelector("textarea[name=originalContent]")`;

/** Posts a form with a file, as the device's share sheet does. */
async function share(page: Page, text: string): Promise<void> {
  // Pages of the console may not send forms.
  await page.call("Page.setBypassCSP", { enabled: true });
  await page.visit("/console/about");
  await page.call("Page.setBypassCSP", { enabled: false });
  await page.evaluate(`(() => {
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: "/console/share", enctype: "multipart/form-data" });
    const [text, files] = ["text", "files"].map((name) => {
      const input = document.createElement("input");
      form.append(Object.assign(input, { name, type: name === "files" ? "file" : "hidden" }));
      return input;
    });
    text.value = ${JSON.stringify(text)};
    const data = new DataTransfer();
    data.items.add(new File(["GIF89a"], "shared.gif", { type: "image/gif" }));
    files.files = data.files;
    document.body.append(form);
    form.submit();
  })()`);
  await page.until(`location.pathname === "/console/capture"`);
}

journey("Other apps share words and files, also before a sign-in, once", async (console) => {
  const page = await settleNow(console);
  const shares = () =>
    console.world.log.filter(({ method, route }) => method === "POST" && route === "/console/share")
      .length;
  assertEquals(await page.call("Page.getInstallabilityErrors"), { installabilityErrors: [] });
  const { errors, manifest } = await page.call("Page.getAppManifest");
  assertEquals([errors, manifest.name, manifest.display], [
    [],
    "Personal Records",
    "kStandalone",
  ]);

  // Without a session the words wait for the sign-in, and the file is dropped.
  await page.call("Network.clearBrowserCookies");
  const words = `A </template><script>alert(1)</script> & "link"\nhttps://example.org/?a=b&c`;
  await share(page, words);
  await signIn(page, EMAIL, PASSWORD);
  await page.heading("Capture");
  assertEquals(await page.evaluate(`${BOX}.value`), words);
  assert((await page.text()).includes("One file did not arrive because you were not signed in."));
  await page.click("Save");
  await page.until(`${BOX}.value === "" && document.querySelector("main .lines a") !== null`);
  const { items: [first] } = await callAs(page, "GET", CAPTURES);
  assertEquals(first.payload.originalContent, words);
  assertEquals(first.payload.sourceApp, "SHARE_SHEET");

  // With one, the file is uploaded; nothing is posted or shown again.
  await share(page, "A picture");
  await page.until(`document.querySelector("main .files a")?.innerText === "shared.gif"`);
  assertEquals(await page.evaluate(`document.querySelector("#shared")`), null);
  await page.click("Save");
  await page.until(`document.querySelector("main .lines a")?.innerText === "A picture"`);
  // Both are of the same moment.
  const { items } = await callAs(page, "GET", CAPTURES);
  const [{ payload }] = items.filter(({ title }: { title: string }) => title === "A picture");
  assertEquals([payload.attachmentIds.length, payload.sourceApp], [1, "SHARE_SHEET"]);
  assertEquals(shares(), 2);
  await page.call("Page.reload");
  await page.until(`${BOX}?.value === "" && document.querySelector("main .lines a") === null`);
  await page.visit("/console/about");
  await page.heading("About");
  await page.back();
  await page.heading("Capture");
  assertEquals([await page.evaluate(`${BOX}.value`), shares()], ["", 2]);
});

journey(
  "A voice is recorded, kept with a thought and played, on a small phone",
  async (console) => {
    const page = await settleNow(console, { width: 320, height: 640 });
    await page.touch(true);
    await page.visit("/console/capture");
    await page.heading("Capture");
    const buttons = `[...document.querySelectorAll("main button")].map((one) => one.innerText)`;
    assertEquals(await page.evaluate(buttons), ["Take a picture", "Record", "Save"]);
    assert(await page.evaluate(`document.documentElement.scrollWidth <= 320`));
    await page.type("What is on your mind?", "Half a thought");
    await page.press("Enter");
    await page.until(`${BOX}.value === "Half a thought\\n"`);
    await page.visit("/console/capture");
    await page.until(`${BOX}?.value.startsWith("Half a thought")`);
    await page.type("What is on your mind?", " ");

    await page.click("Record");
    await page.click("Discard");
    await page.click("Record");
    await page.until(`document.querySelector("[role=timer]")?.innerText === "0:01"`);
    await page.click("Today");
    await page.until(
      `document.querySelector("dialog[open] h2")?.innerText === "Leave without saving?"`,
    );
    await page.click("Cancel");
    await page.click("Stop");
    await page.until(`document.querySelectorAll("main .files a").length === 1`);
    // Save ends a recording, and waits for it.
    await page.click("Record");
    await page.until(`document.querySelector("[role=timer]") !== null`);
    await page.click("Save");
    await page.until(`document.querySelector("main .lines a") !== null`);
    const { items: [{ recordId, title, payload }] } = await callAs(page, "GET", CAPTURES);
    const [name] = payload.originalContent.split("\n");
    assertEquals([title, payload.attachmentIds.length], [name, 2]);
    assert(/^voice-\d{4}-\d\d-\d\d-\d\d-\d\d\.webm$/.test(title), title);

    // It is played on the capture, and in a memory's text.
    const text = `The beep:\n[a beep](attachment:${payload.attachmentIds[0]})`;
    const { memoryId } = await callAs(page, "POST", "/api/v2/memory/texts", {
      title: "A beep",
      memoryType: "EVENT",
      originalContent: text,
    });
    for (const path of [`/console/memories/${memoryId}`, `/console/records/capture/${recordId}`]) {
      await page.visit(path);
      await page.until(`${AUDIO} !== null`);
      // Browsers play only for a person. The promise resolves once the sound begins.
      const { exceptionDetails } = await page.call("Runtime.evaluate", {
        expression: `${AUDIO}.play()`,
        userGesture: true,
        awaitPromise: true,
      });
      assertEquals(exceptionDetails, undefined);
    }
  },
);
