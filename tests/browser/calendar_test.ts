/** Calendar addresses in the browser: made behind the password, shown once, replaced, ended. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { callAs, confirmPassword, PASSWORD, settleAtHome } from "./support/person.ts";

journey("A calendar address is made, replaced and ended", async (console) => {
  const page = await settleAtHome(console);
  // A device whose zone is an offset, which the service refuses.
  await page.call("Page.addScriptToEvaluateOnNewDocument", {
    source: `Intl.DateTimeFormat.prototype.resolvedOptions = () => ({ timeZone: "+05:30" })`,
  });
  page.expectAbsent("/console/");
  await page.visit("/console/");
  await page.click("Account");
  await page.click("Calendar");
  await page.heading("Calendar");
  await page.click("How to add an address");
  for (const program of ["Remove Alerts", "once or twice a day", "Thunderbird", "ICSx5"]) {
    assert((await page.text()).includes(program), program);
  }
  await page.click("New calendar address");
  await page.type("Name", "My phone");
  await page.press("Enter");
  await confirmPassword(page, PASSWORD);
  const address = `document.querySelector("main .exact li")?.innerText ?? ""`;
  const shown = async (): Promise<string> => {
    await page.until(`${address} !== ""`);
    return await page.evaluate(address);
  };
  const read = async (address: string) => {
    const response = await fetch(address);
    await response.text();
    return response.status;
  };
  const first = await shown();
  assertMatch(first, /^http:\/\/localhost:\d+\/calendar\/prs_c_[A-Za-z0-9_-]{43}\/My-phone\.ics$/);
  assertEquals(await read(first), 200);
  const { items: [feed] } = await callAs(page, "GET", "/api/v2/calendar/feeds");
  const { name, detail, kinds, timeZone } = feed;
  assertEquals([name, detail, kinds.length, timeZone], ["My phone", "BUSY", 6, "UTC"]);
  await page.click("I have added it");
  await page.heading("Calendar");
  assertEquals(await page.evaluate(address), "");
  assert((await page.text()).includes("Times alone"));

  await page.click("Replace address: My phone");
  await confirmPassword(page, PASSWORD);
  const second = await shown();
  assertNotEquals(second, first);
  assertEquals([await read(first), await read(second)], [404, 200]);
  await page.click("I have added it");
  // The page is loaded again: a click before that is lost.
  await page.until(`!document.body.innerText.includes("I have added it")`);
  await page.click("End: My phone");
  await page.until(`document.querySelector('[aria-label="End: My phone"]') === null`);
  assertEquals(await read(second), 404);
  assert(
    !(await page.evaluate("JSON.stringify([localStorage, sessionStorage])")).includes("prs_c_"),
  );
});
