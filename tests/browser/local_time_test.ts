/** Local times in the browser: each keeps the clock of its place. */

import { assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { goOffline, goOnline } from "./support/latency.ts";
import { callAs, settle, settleAtHome, waitForModules } from "./support/person.ts";

const HEALTH = "/api/v2/records/health";
const ROUTINES = "/api/v2/records/routine";
const NEW_YEAR = "2025-12-31T23:30:00.000-05:00[America/New_York]";
const WEIGHT = { metricType: "WEIGHT", value: 70, unit: "kg", quality: "MEASURED" };

journey("A time is shown and changed on the clock of its place", async (console) => {
  const page = await settle(console);
  await page.moveTo("Pacific/Auckland");
  const body = { title: "Weight", payload: { ...WEIGHT, measuredAt: NEW_YEAR } };
  const { recordId } = await callAs(page, "POST", HEALTH, body);
  const read = async () =>
    (await callAs(page, "GET", `${HEALTH}/${recordId}`)).localTimes.measuredAt;
  const path = `/console/records/health/${recordId}`;
  const shown = `document.querySelector(".kind > p time").title`;
  const texts = {
    de: "31.12.2025, 23:30, New York (bei dir 01.01.2026, 17:30)",
    "en-GB": "31 Dec 2025, 23:30, New York (1 Jan 2026, 17:30 your time)",
  };
  for (const [language, text] of Object.entries(texts)) {
    await page.speak(language);
    await page.visit(path);
    await page.heading("Weight");
    assertEquals(await page.evaluate(shown), text);
  }

  // A changed time stays on its clock, whose offset follows the season.
  await page.click("Edit");
  await page.heading("Edit: Weight");
  const input = `document.querySelector("[name=measuredAt]")`;
  const place = `document.getElementById(${input}.getAttribute("aria-describedby").split(" ")[0])`;
  assertEquals(await page.evaluate(`[${input}.value, ${place}.innerText]`), [
    "2025-12-31T23:30",
    "New York",
  ]);
  await page.type("Title", "My weight");
  await page.click("Save");
  await page.heading("My weight");
  assertEquals(await read(), NEW_YEAR);
  await page.click("Edit");
  await page.set("measuredAt", "2025-07-01T07:00");
  await page.click("Save");
  await page.heading("My weight");
  assertEquals(await read(), "2025-07-01T07:00:00.000-04:00[America/New_York]");
  await page.click("Edit");
  await page.click("Use this device's time zone");
  assertEquals(await page.evaluate(`[${input}.value, ${place}.innerText]`), [
    "2025-07-01T07:00",
    "Auckland",
  ]);
  await page.click("Save");
  await page.heading("My weight");
  assertEquals(await read(), "2025-07-01T07:00:00.000+12:00[Pacific/Auckland]");
  assertEquals(await page.evaluate(shown), "1 Jul 2025, 07:00");
  await page.visit(`${path}/history?from=1`);
  await page.click("Restore: Measured");
  await page.heading("My weight");
  assertEquals(await read(), NEW_YEAR);
});

journey(
  "A time has the zone in which it was entered, whenever it is sent, or else its offset",
  async (console) => {
    console.world.advance(Date.now() - console.world.now().getTime());
    const page = await settleAtHome(console);
    await page.moveTo("Asia/Tokyo");
    await waitForModules(page, ["pages/drafts.js"]);
    await goOffline(page);
    await page.type("What is on your mind?", "From the airport");
    await page.press("Enter");
    await page.until(`document.body.innerText.includes("Saved on this device.")`);
    await page.moveTo("Europe/Berlin");
    await goOnline(page);
    const captures = "/api/v2/records/capture";
    await page.until(`fetch("${captures}").then((answer) => answer.json())
      .then(({ data }) => data.items.length === 1)`);
    const { items: [capture] } = await callAs(page, "GET", captures);
    assertEquals(capture.localTimes.capturedAt.slice(23), "+09:00[Asia/Tokyo]");

    // Completing carries the device's zone, and undoing it brings the former clocks back.
    const payload = { routineName: "Bins", area: "House", intervalDays: 1, active: true };
    const lastCompletedAt = "2026-01-02T03:04:05.678+09:00[Asia/Tokyo]";
    const body = { title: "Bins", payload: { ...payload, lastCompletedAt } };
    const { recordId, localTimes } = await callAs(page, "POST", ROUTINES, body);
    const read = async () => (await callAs(page, "GET", `${ROUTINES}/${recordId}`)).localTimes;
    await page.moveTo("America/St_Johns");
    await page.visit(`/console/records/routine/${recordId}`);
    await page.click("Done: Bins");
    await page.until(`document.body.innerText.includes("Completed: Bins")`);
    assertEquals((await read()).lastCompletedAt.slice(29), "[America/St_Johns]");
    await page.click("Undo: Bins");
    await page.until(`document.body.innerText.includes("Open again: Bins")`);
    assertEquals(await read(), localTimes);

    // A zone that only the browser knows.
    await page.call("Page.addScriptToEvaluateOnNewDocument", {
      source:
        `Intl.DateTimeFormat.prototype.resolvedOptions = () => ({ timeZone: "Mars/Olympus" })`,
    });
    await page.visit("/console/records/health/new");
    await page.type("Title", "On Mars");
    for (const [name, value] of Object.entries(WEIGHT)) await page.set(name, String(value));
    await page.set("measuredAt", "2026-01-02T03:04");
    await page.click("Save");
    await page.heading("On Mars");
    const { items: [measured] } = await callAs(page, "GET", HEALTH);
    assertEquals(measured.localTimes, { measuredAt: "2026-01-02T03:04:00.000-03:30" });
  },
);
