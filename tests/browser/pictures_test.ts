/** Pictures: small ones in lists, made by the browser, and large ones in the viewer. */

import { assertEquals, assertMatch } from "@std/assert";
import { zip } from "../support/zip.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, settleNow } from "./support/person.ts";
import { chooseFiles, orientedPictures, pictureOf, uploadAs } from "./support/pictures.ts";

const FILES = "/api/v2/attachments";
const PIER = "Open picture 1 of 3";

/** Requests of the page for originals. */
const originals = (page: Page): Promise<number> =>
  page.evaluate(`performance.getEntriesByType("resource")
    .filter(({ name }) => name.endsWith("/content")).length`);

const shown = (page: Page, count: number) =>
  page.until(`[...document.querySelectorAll("main .lines img")]
    .filter(({ src, naturalWidth }) => src.endsWith("/thumbnail") && naturalWidth > 0).length ===
    ${count}`);

/** The colours near the four corners of a thumbnail, and its sides. */
const corners = (page: Page, id: string): Promise<string> =>
  page.evaluate(`(async () => {
    const response = await fetch("${FILES}/${id}/thumbnail");
    const bitmap = await createImageBitmap(await response.blob());
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const at = (x, y) => {
      const [red, green, blue] = context.getImageData(x * width, y * height, 1, 1).data;
      return (red > 128 ? green > 128 ? "W" : "R" : green > 128 ? "G" : "B");
    };
    return [at(.1, .1), at(.9, .1), at(.1, .9), at(.9, .9), " ", width, "x", height].join("");
  })()`);

journey("Small pictures are upright, and lists load no original", async (console) => {
  const page = await settleNow(console);
  const pictures = await orientedPictures(page);
  await page.visit("/console/files");
  await chooseFiles(page, pictures, () => shown(page, 8));
  const { items } = await callAs(page, "GET", FILES);
  const seen = new Map<string, string>();
  for (const { filename, attachmentId } of items) {
    seen.set(filename, await corners(page, attachmentId));
  }
  assertEquals(Object.fromEntries([...seen].sort()), {
    "1.jpg": "RGBW 320x240",
    "2.jpg": "GRWB 320x240",
    "3.jpg": "WBGR 320x240",
    "4.jpg": "BWRG 320x240",
    "5.jpg": "RBGW 240x320",
    "6.jpg": "BRWG 240x320",
    "7.jpg": "WGBR 240x320",
    "8.jpg": "GWRB 240x320",
  });

  const [one, two, three] = items.map(({ attachmentId }: { attachmentId: string }) => attachmentId);
  const originalContent = `At the pier.\n\n${
    [one, two, three].map((id) => `![](attachment:${id})`).join("\n")
  }`;
  const memory = { title: "The lake", memoryType: "EVENT", originalContent };
  const { memoryId } = await callAs(page, "POST", "/api/v2/memory/texts", memory);
  await page.visit("/console/memories");
  await shown(page, 1);
  assertEquals(await originals(page), 0);

  // The viewer shows the original, and returns the focus.
  await page.click(PIER);
  const viewer = `document.querySelector("dialog[open]")`;
  const says = (count: string) =>
    page.until(`${viewer}?.getAttribute("aria-label") === "Pictures: The lake" &&
      ${viewer}.querySelector("[role=status]").innerText === "${count}" &&
      ${viewer}.querySelector("img").src.endsWith("/content")`);
  await says("1 of 3");
  await page.press("ArrowRight");
  await says("2 of 3");
  await page.click("Next picture");
  await says("3 of 3");
  await page.press("ArrowLeft");
  await page.click("Previous picture");
  await says("1 of 3");
  await page.press("Escape");
  await page.until(`${viewer} === null &&
    document.activeElement.getAttribute("aria-label") === "${PIER}"`);

  await page.visit(`/console/memories/${memoryId}`);
  await page.heading("The lake");
  await page.until(`document.querySelectorAll(".written button > img").length === 3`);
  await page.click("Open picture 3 of 3");
  await says("3 of 3");
  await page.touch(true);
  await swipe(page, 300, 100);
  await says("1 of 3");
  await page.touch(false);
  await page.click("Close");

  // A lost small picture leaves a sign in lists, and the original on a page.
  await page.call("Network.setBlockedURLs", { urls: ["*/thumbnail"] });
  await page.visit("/console/memories");
  await page.until(`document.querySelector("[aria-label='${PIER}'] > svg") !== null`);
  await page.visit(`/console/memories/${memoryId}`);
  await page.until(`[...document.querySelectorAll(".written button > img")]
    .filter(({ src, naturalWidth }) => src.endsWith("/content") && naturalWidth > 0).length === 3`);
});

async function swipe(page: Page, from: number, to: number): Promise<void> {
  const touch = (type: string, touchPoints: readonly { x: number; y: number }[]) =>
    page.call("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x: from, y: 300 }]);
  await touch("touchMove", [{ x: to, y: 310 }]);
  await touch("touchEnd", []);
}

journey("Photos of a Day One zip get small pictures when they are looked at", async (console) => {
  const page = await settleNow(console);
  const photos = [await pictureOf(page, 400, 300), await pictureOf(page, 300, 400)];
  const journal = {
    metadata: { version: "1.0" },
    entries: [{
      uuid: "443334DA000100000000000000000000",
      creationDate: "2015-08-03T12:00:00Z",
      timeZone: "UTC",
      text: "The lake\n\nWe swam.",
      photos: photos.map((_, index) => ({
        identifier: `P${index}`,
        md5: `${index}`,
        type: "jpeg",
      })),
    }],
  };
  const bytes = zip([
    { name: "Journal.json", content: JSON.stringify(journal) },
    ...photos.map((content, index) => ({ name: `photos/${index}.jpeg`, content })),
  ]);
  await page.visit("/console/imports");
  await chooseFiles(page, [{ name: "Journal.zip", bytes }], async () => {
    await page.click("Show a preview");
    await page.click("Bring in 1, leave 0");
    await page.until(`document.body.innerText.includes("The import is finished.")`);
  });
  // The list shows a sign until the memory's page has shown the originals.
  await page.visit("/console/memories");
  await page.until(`document.querySelector("[aria-label='Open picture 1 of 2'] > svg") !== null`);
  assertEquals(await originals(page), 0);
  await page.click("The lake");
  await page.heading("The lake");
  await page.until(`[...document.querySelectorAll(".written button > img")]
    .map(({ naturalWidth }) => naturalWidth).join() === "400,300"`);
  assertMatch(await page.text(), /Aug(ust)? 3, 2015|3 Aug(ust)? 2015/);
  const { items: [{ attachmentIds: [first, second] }] } = await callAs(
    page,
    "GET",
    "/api/v2/memory/texts",
  );
  for (const id of [first, second]) await untilMade(page, id);
  await page.visit("/console/memories");
  await shown(page, 1);

  const { personId } = await callAs(page, "POST", "/api/v2/relationship/people", {
    personName: "Anna",
    relationshipType: "FRIEND",
    importance: 3,
  });
  await callAs(page, "POST", `/api/v2/relationship/people/${personId}/details`, {
    kind: "OTHER",
    value: { property: "PHOTO", value: `attachment:${first}` },
    privacy: "PRIVATE",
  });
  await page.visit("/console/people");
  await page.until(`document.querySelector(".disc > img")?.naturalWidth === 320`);
});

journey("Files makes all small pictures, and a smaller copy if it is wanted", async (console) => {
  const page = await settleNow(console);
  const picture = await pictureOf(page, 400, 300);
  const id = await uploadAs(page, "one.jpg", "image/jpeg", picture);
  await uploadAs(page, "two.jpg", "image/jpeg", picture);
  await uploadAs(page, "broken.jpg", "image/jpeg", picture.slice(0, 9));
  await callAs(page, "POST", "/api/v2/records/capture", {
    title: "A thought",
    payload: {
      contentType: "TEXT",
      originalContent: "A thought",
      targetModule: "memory",
      capturedAt: console.world.now().toISOString(),
      routeStatus: "INBOX",
      attachmentIds: [id],
    },
  });
  await page.visit("/console/files");
  await page.click("Make small pictures");
  await page.until(`document.querySelector("#status").innerText ===
    "Small pictures made: 2. Not possible in this browser: 1."`);
  await shown(page, 2);

  // The choice stays on the device.
  await page.focus("Smaller copy");
  await page.press(" ");
  const large = { name: "pier.png", bytes: await pictureOf(page, 2_400, 600, "image/png") };
  await page.visit("/console/files");
  await chooseFiles(page, [large], () => shown(page, 3));
  const { items } = await callAs(page, "GET", FILES);
  const copy = items.find(({ filename }: { filename: string }) => filename === "pier.webp");
  assertEquals([copy?.mediaType, copy?.size < large.bytes.length], ["image/webp", true]);

  await page.visit("/");
  await shown(page, 1);

  // On a device that veils words, a picture waits, too.
  await page.evaluate(`localStorage.setItem("veil", "on")`);
  await page.click("A thought");
  await page.click("Show one.jpg");
  await page.until(`document.querySelector("main .file img")?.naturalWidth === 320`);
});

const untilMade = (page: Page, id: string) =>
  page.until(`(await (await fetch("${FILES}/${id}")).json()).data.thumbnail !== null`);
