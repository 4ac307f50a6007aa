/** Refusals, values and types in the reader's words. */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { choose } from "./support/menu.ts";
import { callAs, settle } from "./support/person.ts";

/** By the name of the control: the sentence under it. */
const REFUSALS =
  `Object.fromEntries([...document.querySelectorAll("[aria-invalid]")].map((control) =>
  [control.name || control.dataset.name, document.getElementById(control.id + "-refusal").innerText]))`;

journey(
  "In German, refused fields say why, with their bounds, and values are words",
  async (console) => {
    const page = await settle(console);
    await page.speak("de-DE");
    await page.visit("/console/records/community/new");
    await page.type("Titel", "x".repeat(201));
    await page.until(`document.querySelector("[data-name=importance] input") !== null`);
    await page.evaluate(`{
      const nine = document.querySelector("[data-name=importance] input");
      nine.value = "9";
      nine.click();
    }`);
    await page.evaluate(`document.querySelector("[name=communityType]")
    .append(Object.assign(document.createElement("option"), { value: "BAND" }))`);
    await page.set("communityType", "BAND");
    await page.click("Speichern");
    await page.until(`${REFUSALS}.title === "Höchstens 200 Zeichen."`);
    await page.type("Titel", "Chor");
    await page.click("Speichern");
    await page.until(`${REFUSALS}.importance !== undefined`);
    assertEquals(await page.evaluate(REFUSALS), {
      communityType: "Wähle eine der Möglichkeiten.",
      importance: "Von 1 bis 5.",
    });
    await page.click("Zu Wichtigkeit");
    const focused = `document.activeElement.closest("fieldset").dataset.name`;
    assertEquals(await page.evaluate(focused), "importance");

    const lena = { personName: "Lena", relationshipType: "FRIEND", importance: 3 };
    const { personId } = await callAs(page, "POST", "/api/v2/relationship/people", lena);
    const below = async (list: string, body: object) =>
      await callAs(page, "POST", `/api/v2/relationship/people/${personId}/${list}`, body);
    const privacy = "NORMAL";
    const mobile = { value: "0170 1234567", types: ["cell", "x-boat"] };
    await below("details", { kind: "PHONE", value: mobile, privacy });
    await below("details", { kind: "LINK", value: { name: "Ada", relation: "friend" }, privacy });
    const day = { title: "The boat", timePrecision: "DAY", occurredAt: "2020-06-01T00:00:00Z" };
    await below("experiences", { ...day, privacy });
    await page.visit("/console/calendar/new");
    await page.until(`document.body.innerText.includes("1 Tag vorher")`);
    await page.visit(`/console/people/${personId}/timeline`);
    await page.until(`document.querySelector("main time") !== null`);
    assertEquals(await page.evaluate(`document.querySelector("main time").title`), "01.06.2020");
    await page.visit(`/console/people/${personId}`);
    await page.until(`document.querySelectorAll(".lines > li").length > 1`);
    const shown = await page.text();
    for (const words of ["Telefon · Mobil · x-boat", "\nFreundin oder Freund"]) {
      assert(shown.includes(words), shown);
    }
    await choose(page, "Hinzufügen: Angaben", "Datum hinzufügen");
    await page.until(`document.querySelector("dialog select") !== null`);
    await page.evaluate(`document.querySelector("dialog select").value = "BIRTHDAY"`);
    await page.type("Datum", "1984-13-40");
    await page.press("Enter");
    await page.until(`${REFUSALS}.date !== undefined`);
    assertEquals((await page.evaluate(REFUSALS)).date, "Diesen Tag gibt es nicht.");
  },
);
