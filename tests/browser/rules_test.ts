/** Refusals in words: at each field its sentence and bound, above the form the fields' names. */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { callAs, settle } from "./support/person.ts";

/** By the name of the control: the sentence under it. */
const REFUSALS =
  `Object.fromEntries([...document.querySelectorAll("[aria-invalid]")].map((control) =>
  [control.name, document.getElementById(control.id + "-refusal").innerText]))`;

journey("In German, each refused field says why, and within which bounds", async (console) => {
  const page = await settle(console);
  await page.speak("de-DE");
  await page.visit("/console/records/community/new");
  await page.type("Titel", "x".repeat(201));
  await page.set("communityName", "Chor");
  await page.set("importance", "9");
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
  assertEquals(await page.evaluate("document.activeElement.name"), "importance");

  const lena = { personName: "Lena", relationshipType: "FRIEND", importance: 3 };
  const { personId } = await callAs(page, "POST", "/api/v2/relationship/people", lena);
  await page.visit(`/console/people/${personId}`);
  await page.click("Datum hinzufügen");
  await page.evaluate(`document.querySelector("dialog select").value = "BIRTHDAY"`);
  await page.type("Datum", "1984-13-40");
  await page.press("Enter");
  await page.until(`${REFUSALS}.date !== undefined`);
  assert((await page.evaluate(REFUSALS)).date.includes("1984-02-29"));
});
