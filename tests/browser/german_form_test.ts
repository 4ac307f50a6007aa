/** A record is written in German. */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { settleNow } from "./support/person.ts";

// `browser/pages` compares the texts of every page with the English ones.
journey(
  "A form is filled in German, and a rule of the catalog is stated in German",
  async (console) => {
    const page = await settleNow(console);
    await page.evaluate(`localStorage.setItem("language", "de")`);
    await page.visit("/console/records/commitment/new");
    await page.heading("Neu: Zusage");
    await page.type("Titel", "Die Leiter");
    await page.focus("Art der Zusage");
    for (const letter of "Geli") await page.press(letter);
    await page.type("Inhalt", "Bring sie zurück");
    await page.press("Enter", 2);
    await page.heading("Die Leiter");
    const read = await page.text();
    for (const word of ["Geliehen", "Offen", "Angelegt"]) assert(read.includes(word), word);
    assert(!/Commitment|Borrowed|Revision/.test(read));

    await page.click("Bearbeiten");
    await page.click("Mehr");
    await page.focus("Erledigt am (optional)");
    await page.set("completedAt", "2026-01-01T09:00");
    await page.click("Speichern");
    await page.until(`document.body.innerText.includes("Zu Erledigt am")`);
    const refusals = `[...document.querySelectorAll(".refusal")].map(({ innerText }) => innerText)`;
    const rule = "Nur eine erledigte Zusage hat diese Zeit.";
    assertEquals((await page.evaluate(refusals)).filter(Boolean), [rule, rule]);
  },
);
