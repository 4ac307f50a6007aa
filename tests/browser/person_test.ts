/** The card of a person, and the records with their name. */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import type { Json } from "../support/world.ts";
import { violations } from "./support/axe.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, settleNow } from "./support/person.ts";

const API = "/api/v2/relationship/people";
const LENA = { personName: "Lena Öztürk", relationshipType: "FRIEND", importance: 4 };

/** The links of the card that leave the console, by name. */
async function waysOf(page: Page): Promise<Json> {
  return await page.evaluate(`Object.fromEntries(
    [...document.querySelectorAll('section.card a:not([href^="/"])')].map((link) =>
      [link.getAttribute("aria-label"), link.getAttribute("href")]))`);
}

async function addLena(page: Page): Promise<string> {
  const { personId } = await callAs(page, "POST", API, LENA);
  const birthday = new Date(Date.now() + 4 * DAY_MS);
  const [month, day] = [birthday.getMonth() + 1, birthday.getDate()]
    .map((part) => String(part).padStart(2, "0"));
  const details = [
    { kind: "PHONE", value: { value: "+49 (40) 123-456" } },
    { kind: "PHONE", value: { value: "0170 1234567" }, preferred: true },
    { kind: "PHONE", value: { value: "0171 99999" }, privacy: "SECRET" },
    { kind: "PHONE", value: { value: "040 11111", types: ["fax"] } },
    { kind: "EMAIL", value: { value: "lena+home@example.org" } },
    { kind: "ADDRESS", value: { street: "Kai 7", locality: "Hamburg" } },
    { kind: "URL", value: { value: "www.example.org/lena" } },
    { kind: "DATE", value: { what: "BIRTHDAY", date: `--${month}-${day}` } },
  ];
  for (const detail of details) {
    const body = { privacy: "PRIVATE", ...detail };
    await callAs(page, "POST", `${API}/${personId}/details`, body);
  }
  return personId;
}

journey("The card of a person calls, writes and keeps a note and a picture", async (console) => {
  const page = await settleNow(console);
  const personId = await addLena(page);
  await callAs(page, "POST", "/api/v2/memory/texts", {
    title: "Lena Öztürk mends the raft",
    originalContent: "With a door.",
    memoryType: "EVENT",
    timePrecision: "UNKNOWN",
  });
  await page.visit(`/console/people/${personId}`);
  await page.heading(LENA.personName);
  assertEquals(await waysOf(page), {
    "Call 0170 1234567": "tel:01701234567",
    "Message 0170 1234567": "sms:01701234567",
    "Call +49 (40) 123-456": "tel:+4940123456",
    "Message +49 (40) 123-456": "sms:+4940123456",
    "Mail lena+home@example.org": "mailto:lena%2Bhome@example.org",
    "Map Kai 7, Hamburg": "geo:0,0?q=Kai%207%2C%20Hamburg",
  });
  assert((await page.text()).includes("Birthday in 4 days"));
  assert(!(await page.text()).includes("0171 99999"));
  await page.until(`document.querySelector("[aria-label=Together] a")?.innerText ===
    "Lena Öztürk mends the raft"`);
  const requests = await page.evaluate(`performance.getEntriesByType("resource")
    .filter(({ name }) => name.includes("/api/v2/")).length`);
  assertEquals(requests, 7);
  assertEquals(await violations(page), []);

  await page.type("Note", "Likes tea");
  await page.click("Add note");
  await page.until(`document.querySelector(".lines > .top")?.innerText.includes("Likes tea")`);
  const { items: [note] } = await callAs(page, "GET", `${API}/${personId}/experiences`);
  assertEquals([note.title, note.narrative, note.privacy], ["Note", "Likes tea", "PRIVATE"]);

  await page.until(`document.querySelector(".card input[type=file]") !== null`);
  const { result } = await page.call("Runtime.evaluate", {
    expression: `document.querySelector(".card input[type=file]")`,
  });
  const files = [await Deno.realPath("src/console/screenshots/dialog.png")];
  await page.call("DOM.setFileInputFiles", { files, objectId: result.objectId });
  await page.until(`document.querySelector(".card .disc img")?.naturalWidth > 0`);
  const { items: details } = await callAs(page, "GET", `${API}/${personId}/details`);
  const picture = details.find(({ kind }: Json) => kind === "OTHER");
  assertEquals([picture.value.property, picture.privacy], ["PHOTO", "PRIVATE"]);
  // Without a focus, the page receives pasted files.
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(["Words"], "words.txt"));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
  })()`);
  await page.until(`document.querySelector("#status").innerText.includes("words.txt")`);

  await page.click("www.example.org/lena");
  await page.until(`document.querySelector("dialog h2")?.innerText === "Open www.example.org?"`);
  await page.click("Cancel");

  const place = { placeName: "The bench", placeType: "NATURE", latitude: 53.5, longitude: 9.9 };
  const body = { title: "The bench", summary: "", payload: place };
  const { recordId } = await callAs(page, "POST", "/api/v2/records/place", body);
  await page.visit(`/console/records/place/${recordId}`);
  await page.until(`document.querySelector('[href="geo:53.5,9.9"]')?.innerText ===
    "Map of The bench"`);

  await page.resize(320, 640);
  await page.evaluate(`localStorage.setItem("language", "de"), localStorage.setItem("veil", "on")`);
  await page.visit(`/console/people/${personId}`);
  await page.until(`document.querySelector("section.card")?.ariaLabel === "Karte"`);
  assertEquals([await waysOf(page), (await page.text()).includes("0170")], [{}, false]);
  await page.click("Erreichbar anzeigen");
  assertEquals(Object.keys(await waysOf(page)).slice(0, 2), [
    "0170 1234567 anrufen",
    "Nachricht an 0170 1234567",
  ]);
  assert(await page.evaluate(`document.documentElement.scrollWidth <= innerWidth`));
  assert((await page.text()).includes("Geburtstag in 4 Tagen"));

  await callAs(page, "POST", `${API}/${personId}/archive`, {
    expectedRevision: await revision(page, personId),
  });
  await page.visit(`/console/people/${personId}`);
  await page.until(`document.body.innerText.includes("Gemeinsam")`);
  const controls = `document.querySelectorAll(".card :is(textarea, input, button.main)").length`;
  assertEquals(await page.evaluate(controls), 0);
});

async function revision(page: Page, personId: string): Promise<number> {
  return (await callAs(page, "GET", `${API}/${personId}`)).revision;
}
