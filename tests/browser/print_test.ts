/** Records on paper: ink on white, without chrome, and secrets only where they are asked for. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { goOffline, goOnline } from "./support/latency.ts";
import { choose } from "./support/menu.ts";
import { callAs, settle } from "./support/person.ts";

const API = "/api/v2/records/commitment";

/** Prints a page to PDF, and returns the printed text. */
async function textOnPaper(page: Page): Promise<string> {
  const { data } = await page.call("Page.printToPDF", { printBackground: true });
  const pdf = Uint8Array.fromBase64(data);
  assertEquals(new TextDecoder().decode(pdf.subarray(0, 5)), "%PDF-");
  await page.call("Emulation.setEmulatedMedia", { media: "print" });
  const text = await page.text();
  const ground = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  assertEquals(ground, "rgb(255, 255, 255)");
  const pressed = `[...document.querySelectorAll("button, input, select")]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .map((control) => control.outerHTML)`;
  assertEquals(await page.evaluate(pressed), [], "nothing to press");
  await page.call("Emulation.setEmulatedMedia", { media: "" });
  return text;
}

journey(
  "A module, a record and its history can be printed, with sensitive fields on request",
  async (console) => {
    const page = await settle(console);
    await page.prefer("prefers-color-scheme", "dark");
    const payload = {
      commitmentType: "BORROWED",
      completionStatus: "OPEN",
      content: "A secret promise",
      reliabilityImpact: 3,
    };
    const { recordId } = await callAs(page, "POST", API, { title: "The ladder", payload });
    await callAs(page, "PATCH", `${API}/${recordId}`, {
      payload: { notes: "It leans at the wall" },
    });
    await callAs(page, "POST", API, { title: "The saw", payload });

    await page.visit("/console/records/commitment");
    await choose(page, "More for Commitments", "Print view");
    await page.until(`document.body.innerText.includes("2 records")`);
    const plain = await textOnPaper(page);
    for (const shown of ["The ladder", "The saw", "leans at the wall", "Revision 2", "Printed "]) {
      assert(plain.includes(shown), shown);
    }
    for (const hidden of ["A secret promise", "Sign out", "Include sensitive fields", "someone@"]) {
      assert(!plain.includes(hidden), hidden);
    }
    await page.evaluate(`document.querySelector("main input[type=checkbox]").click()`);
    await page.until(`document.body.innerText.includes("A secret promise")`);
    assert((await textOnPaper(page)).includes("A secret promise"));
    const box = `document.querySelector("main input[type=checkbox]")`;
    await goOffline(page);
    await page.evaluate(`${box}.click()`);
    await page.until(`document.querySelector("main").innerText.includes("can't be reached")`);
    assert(!(await textOnPaper(page)).includes("A secret promise"), "without what was unticked");
    await goOnline(page);

    await page.visit(`/console/records/commitment/${recordId}`);
    await page.heading("The ladder");
    const record = await textOnPaper(page);
    assert(record.includes("It leans at the wall") && record.includes("Revision 2"));
    for (const shown of ["Open", "Borrowed", "created ", String(new Date().getFullYear())]) {
      assert(record.includes(shown), shown);
    }
    assert(!record.includes(" ago"), record);

    await page.visit(`/console/records/commitment/${recordId}/history`);
    await page.heading("History");
    assert(!(await page.text()).includes("Borrowed"));
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    assert((await textOnPaper(page)).includes("Borrowed"), "what is folded on the screen");

    const { memoryId } = await callAs(page, "POST", "/api/v2/memory/texts", {
      title: "The kitchen",
      memoryType: "PLACE",
      originalContent: "It smelled of plums",
    });
    await page.visit("/console/print/memory");
    await page.until(`document.body.innerText.includes("1 record")`);
    assert(!(await textOnPaper(page)).includes("plums"));
    await page.evaluate(`document.querySelector("main input[type=checkbox]").click()`);
    await page.until(`document.body.innerText.includes("plums")`);

    await page.visit(`/console/memories/${memoryId}`);
    await page.heading("The kitchen");
    assert((await page.text()).includes("Edit"));
    assert(!(await textOnPaper(page)).includes("Edit"));
  },
);
