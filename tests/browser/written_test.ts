/** Texts with Markdown, as they are read. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, settle } from "./support/person.ts";

/** Two pixels. */
const PICTURE = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwyBNBgAAEnXB/nQ4WpYAAAAAElFTkSuQmCC",
);

async function uploadAs(page: Page, name: string, type: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { ...await page.headers(), "Content-Type": type, "X-Filename": name };
  const response = await fetch(`${page.origin}/api/v2/attachments`, {
    method: "POST",
    headers,
    body,
  });
  return (await response.json()).data.attachmentId as string;
}

journey(
  "A text with a picture, a heading, a list, a link and a table reads as such",
  async (console) => {
    const page = await settle(console);
    const picture = await uploadAs(page, "lake.png", "image/png", PICTURE);
    const report = await uploadAs(
      page,
      "report.txt",
      "text/plain",
      new TextEncoder().encode("Words"),
    );
    const text = [
      "## The lake",
      `![The *pier*](attachment:${picture}) ![](attachment:${report}) ![](attachment:${ulid()})`,
      "- swim **far**\n- [x] dry",
      "See <https://example.org/lake> and <b>this</b>.",
      "| Day | Metres |\n| --- | --- |\n| Monday | 400 |",
    ].join("\n\n");
    const { memoryId } = await callAs(page, "POST", "/api/v2/memory/texts", {
      title: "Swimming",
      memoryType: "EVENT",
      originalContent: text,
    });
    const { recordId } = await callAs(page, "POST", "/api/v2/records/knowledge", {
      title: "Swimming",
      payload: {
        sourceTitle: "Swimming",
        sourceType: "NOTE",
        readingStatus: "REFERENCE",
        url: "urn:uuid:0b6b1d0e-5f43-4b3a-9d5b-2f7a0a3c5e11",
        snapshot: text,
      },
    });
    for (
      const path of [`/console/memories/${memoryId}`, `/console/records/knowledge/${recordId}`]
    ) {
      await page.visit(path);
      await page.heading("Swimming");
      await page.until(`document.querySelector(".written img")?.naturalWidth === 2`);
      const shape = `[...document.querySelectorAll(".written :is(h2, img, li, strong, th, td)")]
      .map((element) => element.alt ?? element.textContent).join(", ")`;
      const expected = "The lake, The pier, swim far, far, ☑dry, Day, Metres, Monday, 400";
      assertEquals(await page.evaluate(shape), expected, path);
      const words = await page.evaluate(`document.querySelector(".written").innerText`);
      // A file that is not a picture is a link; one that does not exist is not asked for.
      assert(words.includes("report.txt") && words.includes("(This is not here)"), words);
      assert(words.includes("<b>this</b>") && !words.includes("**"), words);
      assertEquals(page.failures, []);
      await page.click("As written");
      assert((await page.text()).includes("| --- | --- |"));
      assertEquals(
        await page.evaluate(`document.querySelector("[aria-pressed=true]").innerText`),
        "As written",
      );
      await page.click("As written");
      assert(!(await page.text()).includes("| --- | --- |"));
    }

    // A link shows its host once, and opens in a tab that cannot reach this page.
    await page.evaluate(`globalThis.open = (...opened) => document.body.dataset.opened = opened`);
    await page.click("https://example.org/lake");
    await page.until(`document.querySelector("dialog h2")?.innerText === "Open example.org?"`);
    await page.click("Cancel");
    await page.click("https://example.org/lake");
    await page.click("Open");
    await page.until(`document.body.dataset.opened ===
    "https://example.org/lake,_blank,noopener,noreferrer"`);
    const isFree = `(() => {
    const link = document.querySelector(".written a[target]");
    addEventListener("click", (event) => (document.body.dataset.free = !event.defaultPrevented,
      event.preventDefault()), { once: true });
    link.click();
    return [document.body.dataset.free, link.rel].join(" ");
  })()`;
    assertEquals(await page.evaluate(isFree), "true noopener noreferrer");
  },
);
