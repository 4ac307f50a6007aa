import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { choose } from "./support/menu.ts";
import { callAs, settle } from "./support/person.ts";

const API = "/api/v2/resource/resources";
const PAGE = "/console/resources";

journey("A resource is created, measured, drawn and reported as overloaded", async (console) => {
  const page = await settle(console);
  await page.visit(PAGE);
  await page.click("New resource");
  await page.heading("New: Resource");
  await page.focus("Resource type");
  for (const letter of "Time") await page.press(letter);
  await page.type("Name", "Hours for the garden");
  for (const [name, value] of [["Unit", "h"], ["Capacity", "6"], ["Available", "0.5"]] as const) {
    await page.type(`${name} (optional)`, value);
  }
  await page.click("Save");
  await page.heading("Hours for the garden");
  const { items: [resource] } = await callAs(page, "GET", API);
  assertEquals([resource.resourceType, resource.available], ["TIME", 0.5]);

  const own = `${PAGE}/${resource.resourceId}`;
  for (const [day, available] of [["2026-01-05", "4"], ["2026-02-05", "2.5"]] as const) {
    await page.visit(`${own}/snapshots/new`);
    await page.heading("New: Measurement");
    await page.set("observedAt", `${day}T09:00`);
    await page.type("Available (optional)", available);
    await page.click("Save");
    await page.heading("Hours for the garden");
  }
  assertEquals(
    await page.evaluate(`[...document.querySelectorAll("main figure svg")].map((svg) =>
      [svg.getAttribute("aria-label"), svg.querySelectorAll("circle").length])`),
    [["Available, in h", 2]],
  );
  await page.click("Edit");
  await page.heading("Edit: Hours for the garden");
  await page.type("Available (optional)", "");
  await page.type("Notes (optional)", "Ask Ana.");
  await callAs(page, "PATCH", `${API}/${resource.resourceId}`, {
    expectedRevision: 1,
    set: { capacity: 8, available: 0 },
  });
  await page.click("Save");
  await page.until(`document.body.innerText.includes("This was changed elsewhere")`);
  await page.click("Use theirs: Available");
  await page.click("Save");
  await page.heading("Hours for the garden");
  const { capacity, available, notes } = await callAs(page, "GET", `${API}/${resource.resourceId}`);
  assertEquals([capacity, available, notes], [8, 0, "Ask Ana."]);
  await choose(page, "More for Hours for the garden", "History");
  await page.heading("History");
  assert((await page.text()).includes("Hours for the garden"));

  await page.visit(`${PAGE}/overload`);
  await page.click("Analyse resources");
  await page.type("Nearly overloaded from", "0.5");
  await page.press("Enter");
  await page.until(`document.body.innerText.includes("1 overloaded, 0 nearly")`);
  await page.evaluate(`document.querySelector(".lines a").click()`);
  await page.until(
    `document.querySelector("main figure svg")?.getAttribute("aria-label") === "In use"`,
  );
  await page.click("Hours for the garden");
  await choose(page, "More for Hours for the garden", "Archive");
  await page.until(`document.body.innerText.includes("Archived on")`);
});
