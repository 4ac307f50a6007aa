/** Numbers, dates and percentages in forms, as the reader's language writes them. */

import { assertEquals } from "@std/assert";
import type { Json } from "../support/world.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { choose } from "./support/menu.ts";
import { callAs, settle } from "./support/person.ts";

/** The texts that describe the control of a name. */
async function described(page: Page, name: string, text: string): Promise<void> {
  await page.until(`(() => {
    const control = document.querySelector("[name='${name}']");
    return control.getAttribute("aria-describedby").split(" ").some((id) =>
      document.getElementById(id)?.innerText.replace("\\xa0", " ") === ${JSON.stringify(text)});
  })()`);
}

const valueOf = (page: Page, name: string) =>
  page.evaluate(`document.querySelector("[name='${name}']").value`);

journey("Forms read numbers, dates and percentages in German", async (console) => {
  const page = await settle(console);
  await page.speak("de-DE");
  await page.visit("/console/records/health/new");
  await page.type("Titel", "Gewicht");
  await page.set("metricType", "WEIGHT");
  await page.type("Wert", "74,x");
  await described(page, "value", "Das ist keine Zahl. Schreib sie wie 74,3.");
  await page.type("Wert", "1.074,3");
  await described(page, "value", "Verstanden als 1.074,3");
  await page.type("Wert", "74,3");
  await described(page, "value", "Verstanden als 74,3");
  await page.set("measuredAt", "2020-01-01T08:00");
  await page.click("Speichern");
  await page.heading("Gewicht");
  const { items: [weight] } = await callAs(page, "GET", "/api/v2/records/health");
  assertEquals([weight.payload.value, weight.payload.unit], [74.3, "kg"]);

  // A kind brings its unit, and mood is a row of ten.
  await page.visit("/console/records/health/new");
  await page.type("Titel", "Heute");
  await page.set("metricType", "MOOD");
  await page.focus("7");
  await page.press(" ");
  await page.set("measuredAt", "2020-01-02T08:00");
  await page.click("Speichern");
  await page.heading("Heute");
  const { items } = await callAs(page, "GET", "/api/v2/records/health");
  const mood = items.find(({ title }: Json) => title === "Heute");
  assertEquals([mood.payload.value, mood.payload.unit], [7, "of 10"]);

  // Forms and filters show a stored number as the language writes it.
  await page.visit(`/console/records/health/${weight.recordId}/edit`);
  await page.heading("Bearbeiten: Gewicht");
  assertEquals(await valueOf(page, "value"), "74,3");
  await page.visit("/console/records/health?filter[value][gte]=74.25");
  await page.until(`document.body.innerText.includes("Wert: von 74,25 ×")`);
  await page.click("Filter");
  await described(page, "filter[value][gte]", "Verstanden als 74,25");
  assertEquals(await valueOf(page, "filter[value][gte]"), "74,25");
  await page.type("Wert: von", "74,35");
  await page.click("Anwenden");
  await page.until(`location.search.includes("=74.35")`);

  const anna = { personName: "Anna", relationshipType: "FRIEND", importance: 3 };
  const { personId } = await callAs(page, "POST", "/api/v2/relationship/people", anna);
  await page.visit(`/console/people/${personId}`);
  await choose(page, "Hinzufügen: Angaben", "Datum hinzufügen");
  await page.until("document.querySelector('dialog select') !== null");
  await page.evaluate("document.querySelector('dialog select').value = 'BIRTHDAY'");
  await page.type("Datum", "März 1988");
  const missing = "Zum Monat gehört ein Tag, wie in 12. März 1988. Ein Jahr kann allein stehen.";
  await described(page, "date", missing);
  await page.type("Datum", "12.3.1988");
  await described(page, "date", "Verstanden als 12. März 1988");
  await page.press("Enter");
  await page.until(`document.body.innerText.includes("12. März 1988 (")`);
  const { items: [date] } = await callAs(
    page,
    "GET",
    `/api/v2/relationship/people/${personId}/details`,
  );
  assertEquals(date.value.date, "1988-03-12");

  const decision = await callAs(page, "POST", "/api/v2/decision/decisions", {
    question: "Umziehen?",
    options: { items: ["Ja", "Nein"] },
  });
  await page.visit(`/console/decisions/${decision.decisionId}/predictions/new`);
  await page.type("Aussage", "Die Miete steigt.");
  await page.type("Wahrscheinlichkeit", "70");
  await described(page, "probability", "Verstanden als 70 %");
  await page.set("dueAt", "2030-01-01T09:00");
  await page.click("Speichern");
  await page.until(`!location.pathname.endsWith("/new")`);
  const { items: [prediction] } = await callAs(
    page,
    "GET",
    `/api/v2/decision/decisions/${decision.decisionId}/predictions`,
  );
  assertEquals(prediction.probability, 0.7);
});
