import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { callAs, inDays, settleNow } from "./support/person.ts";

const figure = (name: string) => `document.querySelector("figure[aria-label='${name}']")`;
const rowsOf = (name: string) =>
  `[...${figure(name)}.querySelectorAll("tbody tr")].map((row) =>
    [...row.cells].map((cell) => cell.textContent))`;

journey("People near, places and a week are drawn, each with its table", async (console) => {
  const page = await settleNow(console);
  for (const [personName, days] of [["Anna", 12], ["Henning", 3]] as const) {
    const { personId } = await callAs(page, "POST", "/api/v2/relationship/people", {
      personName,
      relationshipType: "FRIEND",
      importance: 3,
      desiredContactIntervalDays: 10,
    });
    await callAs(page, "POST", `/api/v2/relationship/people/${personId}/contacts`, {
      contactedAt: inDays(-days),
      channel: "CALL",
      direction: "MUTUAL",
      privacy: "NORMAL",
    });
  }
  for (const [title, longitude] of [["Suva", 178], ["Apia", -172], ["Nowhere"]] as const) {
    await callAs(page, "POST", "/api/v2/records/place", {
      title,
      payload: {
        placeName: title,
        placeType: "CITY",
        ...(longitude !== undefined && { latitude: -18, longitude }),
      },
    });
  }
  const near = "Days since the last contact";
  await page.call("Network.setBlockedURLs", { urls: ["*/insight/contacts*"] });
  await page.visit("/console/people");
  await page.until(`${figure(near)}?.innerText.includes("The service can't be reached.")`);
  assertEquals(await page.evaluate(`document.querySelectorAll("main .lines > li").length`), 2);
  await page.call("Network.setBlockedURLs", { urls: [] });
  await page.click("Try again");
  await page.until(`${figure(near)}.querySelector("svg") !== null`);
  assertEquals(await page.evaluate(rowsOf(near)), [
    ["Anna", "12", "10", "2 overdue"],
    ["Henning", "3", "10", "7 left"],
  ]);
  assert(await page.evaluate(`${figure(near)}.innerText.includes("to be near, 1 overdue.")`));

  await page.evaluate(`localStorage.setItem("veil", "on")`);
  await page.visit("/console/records/place");
  await page.click("Show Places");
  await page.until(`${figure("Places")}?.querySelectorAll("circle").length === 2`);
  const text = `${figure("Places")}.querySelector("p").innerText`;
  assertEquals(await page.evaluate(text), "2 places with coordinates. 1 place has none.");
  const rows = await page.evaluate(rowsOf("Places"));
  assertEquals(rows.sort(), [["Apia", "18° S", "172° W"], ["Suva", "18° S", "178° E"]]);

  await page.visit("/console/records/review/new");
  await page.until(`${figure("This week")} !== null`);
  const week: string[][] = await page.evaluate(rowsOf("This week"));
  assertEquals(week.find(([name]) => name === "Written"), [
    "Written",
    "5",
    "People (2), Places (3)",
  ]);
  assertEquals(
    await page.evaluate(`[...document.querySelectorAll("form > .columns .field label")].length`),
    1,
  );
  await page.click("Last week");
  await page.until(`${figure("Last week")}?.innerText.includes("0 due: 0 met, 0 missed.")`);
  await page.type("Review summary (optional)", "A quiet one.");
  await page.click("Save");
  await page.until(`document.querySelector("h1").innerText.startsWith("Week of ")`);
  const { items: [review] } = await callAs(page, "GET", "/api/v2/records/review");
  const { reviewType, periodStart, periodEnd, reviewSummary } = review.payload;
  assertEquals([reviewType, reviewSummary], ["WEEKLY", "A quiet one."]);
  const [start, end] = [new Date(periodStart), new Date(periodEnd)];
  assertEquals([start.getDay(), start.getHours(), end.getDay(), end.getHours()], [1, 0, 0, 23]);
  const age = (Date.now() - start.getTime()) / 86_400_000;
  assert(age >= 7 && age < 14.1, String(age));
});
