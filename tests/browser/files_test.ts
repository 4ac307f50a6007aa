/** Files: added to memories, captures, media and the page of files. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, settleNow } from "./support/person.ts";

const NO_LIMIT = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const PICTURE = "icon.png";
const WORDS = "words.txt";

/** Files on the disk, as a chooser gives them. */
async function withFiles(run: (path: (name: string) => string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwyBNBgAAEnXB/nQ4WpYAAAAAElFTkSuQmCC";
  await Deno.writeFile(`${folder}/${PICTURE}`, Uint8Array.fromBase64(png));
  await Deno.writeTextFile(`${folder}/${WORDS}`, "Words".repeat(4_000));
  try {
    await run((name) => `${folder}/${name}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function choose(
  page: Page,
  files: readonly string[],
  kind = ":not([capture])",
): Promise<void> {
  const expression = `document.querySelector("main input[type=file]${kind}")`;
  await page.until(`${expression} !== null`);
  const { result } = await page.call("Runtime.evaluate", { expression });
  await page.call("DOM.setFileInputFiles", { files, objectId: result.objectId });
}

/** Pastes or drops a file made by the page. */
async function give(page: Page, event: "paste" | "drop", target: string, name: string) {
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(["abc"], ${JSON.stringify(name)}, { type: "image/png" }));
    const about = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
    const Kind = ${event === "paste" ? "ClipboardEvent" : "DragEvent"};
    document.querySelector(${JSON.stringify(target)}).dispatchEvent(new Kind("${event}", about));
  })()`);
}

const says = (page: Page, text: string) =>
  page.until(`document.body.innerText.includes(${JSON.stringify(text)})`);

journey(
  "Files become lines of a memory's text, and Save waits for them",
  (console) =>
    withFiles(async (path) => {
      const page = await settleNow(console);
      await page.visit("/console/memories/new");
      await page.heading("New memory");
      await page.type("Title", "The lake");
      await page.type("In your words", "We swam.We slept.");
      await page.focus("Kind");
      for (const letter of "Plac") await page.press(letter);
      await page.until(`[...document.querySelectorAll("button")]
      .some(({ ariaLabel }) => ariaLabel === "Add files")`);
      const area = `document.querySelector("[name=originalContent]")`;
      await page.evaluate(`${area}.setSelectionRange(8, 8)`);
      // Slow enough to be seen.
      await page.call("Network.emulateNetworkConditions", {
        ...NO_LIMIT,
        offline: false,
        uploadThroughput: 20_000,
      });
      await give(page, "paste", "[name=originalContent]", "pasted.png");
      await choose(page, [path(PICTURE), path(WORDS)]);
      await page.until(
        `document.querySelector("progress[aria-label='Uploading ${WORDS}']") !== null`,
      );
      // Words that are typed during the upload keep their place.
      await page.evaluate(`${area}.setRangeText("Today. ", 0, 0, "preserve"),
      ${area}.dispatchEvent(new Event("input", { bubbles: true }))`);
      await page.click("Save");
      await says(page, "A file is still uploading. This is saved as soon as it is done.");
      await page.heading("The lake");
      await page.until(`document.querySelectorAll(".written img").length === 1`);
      const { items: [{ originalContent }] } = await callAs(page, "GET", "/api/v2/memory/texts");
      assertEquals(
        originalContent.replaceAll(/attachment:[0-9A-Z]{26}/g, "ID"),
        `Today. We swam.\n![](ID)\nWe slept.\n\n![](ID)\n[${WORDS}](ID)`,
      );
      const { items } = await callAs(page, "GET", "/api/v2/attachments");
      assertEquals(items.map(({ filename }: { filename: string }) => filename).sort(), [
        PICTURE,
        "pasted.png",
        WORDS,
      ]);
    }),
);

journey(
  "A media item has a file, a broken upload is tried again, and others go on",
  (console) =>
    withFiles(async (path) => {
      const page = await settleNow(console);
      await page.visit("/console/records/media/new");
      await page.heading("New: Media item");
      await page.type("Title", "The icon");
      await page.focus("Media type");
      for (const letter of "Pho") await page.press(letter);
      await page.until(`document.querySelector("main input[type=file]") !== null`);
      await page.call("Network.emulateNetworkConditions", { ...NO_LIMIT, offline: true });
      await choose(page, [path(PICTURE)]);
      await page.until(`document.querySelector("[aria-label='Try again: ${PICTURE}']") !== null`);
      await page.call("Network.emulateNetworkConditions", { ...NO_LIMIT, offline: false });
      const held = `document.querySelector("[data-name=fileId] a")?.innerText`;
      // The other file is uploaded.
      await choose(page, [path(WORDS)]);
      await page.until(`${held} === "${WORDS}"`);
      await page.click("Save");
      await says(page, "The file was not uploaded. Try again or remove it.");
      await page.click("Search");
      await page.until(
        `document.querySelector("dialog[open] h2")?.innerText === "Leave without saving?"`,
      );
      await page.click("Cancel");
      await page.click(`Try again: ${PICTURE}`);
      await page.until(`${held} === "${PICTURE}"`);
      await page.click("Save");
      await page.heading("The icon");
      await page.until(`document.querySelector("dd img")?.naturalWidth === 2`);
      const { items: [{ payload }] } = await callAs(page, "GET", "/api/v2/records/media");
      const { items } = await callAs(page, "GET", "/api/v2/attachments");
      const picture = items.find(({ filename }: { filename: string }) => filename === PICTURE);
      assertEquals(payload.fileId, picture.attachmentId);

      // Files are uploaded on their own page, too; several at once, with the camera on touch.
      await page.touch(true);
      await page.visit("/console/files");
      await page.heading("Files");
      const buttons = `[...document.querySelectorAll("main button")].map((one) => one.ariaLabel)`;
      await page.until(`${buttons}.includes("Take a picture")`);
      assertEquals(
        await page.evaluate(`document.querySelector("[capture]").outerHTML`).then(
          (html: string) =>
            html.includes(`capture="environment"`) && html.includes(`accept="image/*"`),
        ),
        true,
      );
      // The form has uploaded one already.
      await choose(page, [path(WORDS)]);
      await page.until(`document.querySelector("main .lines")?.innerText
        .split("${WORDS}").length === 3`);
      await give(page, "drop", "h1", "placed.png");
      await page.until(`document.querySelector("main .lines")?.innerText.includes("placed.png")`);
      await page.touch(false);

      // A capture keeps a dropped file in its field; the memory made of it gets a line.
      const { recordId } = await callAs(page, "POST", "/api/v2/records/capture", {
        title: "A thought",
        payload: {
          contentType: "TEXT",
          originalContent: "A thought",
          targetModule: "memory",
          capturedAt: console.world.now().toISOString(),
          routeStatus: "INBOX",
        },
      });
      await page.visit(`/console/records/capture/${recordId}/edit`);
      await page.until(`document.querySelector("main input[type=file]") !== null`);
      await give(page, "drop", "[name=originalContent]", "dropped.png");
      await page.until(
        `document.querySelector("[data-name=attachmentIds] a")?.innerText === "dropped.png"`,
      );
      await page.click("Save");
      await page.heading("A thought");
      const { items: [capture] } = await callAs(page, "GET", "/api/v2/records/capture");
      assertEquals(capture.payload.originalContent, "A thought");
      assertEquals(capture.payload.attachmentIds.length, 1);
      await page.visit(`/console/memories/new?capture=${recordId}`);
      await page.until(`document.querySelector("[name=originalContent]")?.value ===
      "A thought\\n\\n![](attachment:${capture.payload.attachmentIds[0]})"`);
      assert(page.failures.every((failure) => failure.includes("INTERNET_DISCONNECTED")));
    }),
);
