/** A file of another product, from its choice to its withdrawal. */

import { assertEquals } from "@std/assert";
import { itemsFile, memoryItem } from "../http/imports.ts";
import { zip } from "../support/zip.ts";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { callAs, confirmPassword, PASSWORD, settle } from "./support/person.ts";
import { violations } from "./support/axe.ts";
import { unnamedControls } from "./support/names.ts";

async function choose(page: Page, path: string): Promise<void> {
  await page.until(`document.querySelector("input[type=file]") !== null`);
  const { result } = await page.call("Runtime.evaluate", {
    expression: `document.querySelector("input[type=file]")`,
  });
  await page.call("DOM.setFileInputFiles", { files: [path], objectId: result.objectId });
}

async function chooseFormat(page: Page, format: string): Promise<void> {
  await page.until(`document.querySelector("select[name=format]") !== null`);
  await page.evaluate(`document.querySelector("select[name=format]").value = "${format}"`);
}

const says = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

journey("A file is seen, brought in, reported and taken back", async (console) => {
  const folder = await Deno.makeTempDir({ prefix: "prs-import-" });
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => Deno.remove(folder, { recursive: true }));
  const items = [memoryItem("a"), memoryItem("b"), { ...memoryItem("c"), target: "none" }];
  await Deno.writeTextFile(`${folder}/items.jsonl`, itemsFile(items));
  await Deno.writeTextFile(`${folder}/tasks.csv`, "Task,State\nCall home,offen\nPay rent,\n");
  const page = await settle(console);
  await page.visit("/console/account");
  await page.click("Imports");
  await page.until(says("You have not imported anything yet."));
  await choose(page, `${folder}/items.jsonl`);
  await page.click("Show a preview");
  await page.until(says("Bring in 2, leave 1"));
  const reason = "its kind is not known, or another than before";
  for (
    const text of ["Memory a", "Unknown", `1 item: ${reason}`, `Place 4: ${reason}`]
  ) {
    await page.until(says(text));
  }
  // `browser/pages` checks an import's page with axe-core, as below.
  assertEquals(await unnamedControls(page), []);
  await page.click("Bring in 2, leave 1");
  await page.until(says("The import is finished."));
  await page.until(says("What came in"));
  await page.until(`document.querySelector("main a[href='/console/memories']") !== null`);
  await page.until(`document.querySelectorAll("main a[href^='/console/memories/']").length === 2`);
  await page.click("Prepare the report of every item");
  await page.until(`document.querySelector("a[download^='import-']") !== null`);
  await page.click("Take back");
  await confirmPassword(page, PASSWORD);
  await page.until(says("Archived: 2."));

  await page.moveTo("Asia/Tokyo");
  await page.call("Page.addScriptToEvaluateOnNewDocument", {
    source: `Intl.DateTimeFormat.prototype.resolvedOptions = () => ({ timeZone: "Etc/Unknown" })`,
  });
  await page.visit("/console/imports");
  await choose(page, `${folder}/tasks.csv`);
  await page.click("Show a preview");
  await page.until(says("What the columns become"));
  await page.until(says("Call home · Pay rent"));
  await page.until(says("Each row needs a title and these values"));
  const zone = `document.querySelector("[name=timeZone]").value`;
  assertEquals(await page.evaluate(zone), "+09:00");
  assertEquals(await unnamedControls(page), []);
  await page.evaluate(`(() => {
    const set = (name, value) => {
      const select = document.querySelector("select[name=" + JSON.stringify(name) + "]");
      select.value = value;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    };
    set("target", "commitment");
    set("Task", "@title");
    set("State", "completionStatus");
    document.querySelector("[name=values]").value = '{"State":{"offen":"OPEN"}}';
    document.querySelector("[name=constant-commitmentType]").value = "OUTGOING";
    document.querySelector("[name=constant-content]").value = "From a list";
  })()`);
  await page.click("Show the result");
  await page.until(says("Bring in 1, leave 1"));
  await page.until(says("Line 3: a required field is empty"));
  await page.click("Discard");
  await page.until(says("The import was discarded."));
});

journey("A table in another encoding is read again, and keyed by a column", async (console) => {
  const folder = await Deno.makeTempDir({ prefix: "prs-import-" });
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => Deno.remove(folder, { recursive: true }));
  const text = "My weight\n\nDate;Weight;Note\n1.5.2024;74,3;müde\n2.5.2024;x;\n";
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  await Deno.writeFile(`${folder}/weight.csv`, bytes);
  const page = await settle(console);
  await page.visit("/console/imports");
  await chooseFormat(page, "csv");
  await choose(page, `${folder}/weight.csv`);
  await page.click("Show a preview");
  await page.until(says("The table is not in UTF-8."));
  await page.until(says("74,3 · x"));
  assertEquals([...await unnamedControls(page), ...await violations(page)], []);
  await page.focus("Windows (1252)");
  await page.press(" ");
  await page.click("Read the table again");
  await page.until(`!${says("The table is not in UTF-8.")}`);
  await page.until(`document.querySelector("[data-name=key] input:checked").value === "Date"`);
  // The first row shows the form of dates and the decimal mark.
  const chosen = `["dates", "decimal"].map((name) =>
    document.querySelector("[data-name=" + name + "] input:checked").value)`;
  assertEquals(await page.evaluate(chosen), ["DMY", ","]);
  const set = (choices: Readonly<Record<string, string>>) =>
    page.evaluate(`(() => {
      for (const [name, value] of Object.entries(${JSON.stringify(choices)})) {
        const control = document.querySelector("form [name=" + name + "]");
        control.value = value;
        control.dispatchEvent(new Event("change", { bubbles: true }));
      }
    })()`);
  await set({ target: "health", Date: "measuredAt", Weight: "value", Note: "notes" });
  await page.until(`document.querySelector("[name=constant-metricType]") !== null`);
  await set({ "constant-metricType": "WEIGHT", "constant-unit": "kg" });
  // The title is made of the kind and of the row's date; columns take the place of constants.
  const title = `document.querySelector("[name=rowTitle]").value`;
  assertEquals(await page.evaluate(title), "Weight");
  assertEquals(
    await page.evaluate(`document.querySelector("[name=constant-value]").checkVisibility()`),
    false,
  );
  await page.click("Show the result");
  await page.until(says("Bring in 1, leave 1"));
  await page.until(says("Line 5: a number cannot be read"));
  await page.until(says("Weight, 1.5.2024"));
  await page.click("Bring in 1, leave 1");
  await page.until(says("The import is finished."));
  const { items: [record] } = await callAs(page, "GET", "/api/v2/records/health");
  assertEquals(record.title, "Weight, 1.5.2024");
  const { metricType, value, unit, notes } = record.payload;
  assertEquals([metricType, value, unit, notes], ["WEIGHT", 74.3, "kg", "müde"]);
});

journey("A vault is read again with its encoding and the tags of its texts", async (console) => {
  const folder = await Deno.makeTempDir({ prefix: "prs-import-" });
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => Deno.remove(folder, { recursive: true }));
  const notes = { "Vault/Notes/a.md": "Milk #shop", "Vault/Daily/b.md": "caf\u00e9" };
  const files = Object.entries(notes).map(([name, text]) => ({
    name,
    content: Uint8Array.from(text, (character) => character.charCodeAt(0)),
  }));
  await Deno.writeFile(`${folder}/vault.zip`, zip(files));
  const page = await settle(console);
  await page.visit("/console/imports");
  await choose(page, `${folder}/vault.zip`);
  await page.click("Show a preview");
  await page.until(says("Vault/Daily/b.md · Place 2: its text is not in UTF-8"));
  assertEquals([...await unnamedControls(page), ...await violations(page)], []);
  for (const choice of ["Windows (1252)", "Read #words in the text as tags"]) {
    await page.focus(choice);
    await page.press(" ");
  }
  await page.click("Show the result");
  await page.click("Bring in 2, leave 0");
  await page.until(says("What came in"));
  await page.until(`document.querySelectorAll("main a.words").length === 2`);
});

journey(
  "Notes of another app are recognized, and a label goes to the memories",
  async (console) => {
    const folder = await Deno.makeTempDir({ prefix: "prs-import-" });
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(() => Deno.remove(folder, { recursive: true }));
    const note = {
      title: "The lake",
      textContent: "We swam.",
      labels: [{ name: "Trips" }],
      createdTimestampUsec: 1544461016000000,
      userEditedTimestampUsec: 1544461016000000,
    };
    const files = [{ name: "Takeout/Keep/lake.json", content: JSON.stringify(note) }];
    await Deno.writeFile(`${folder}/takeout.zip`, zip(files));
    const page = await settle(console);
    await page.visit("/console/imports");
    await page.click("Export from other products");
    await page.click("Google Keep");
    await page.until(says("takeout.google.com"));
    assertEquals([...await unnamedControls(page), ...await violations(page)], []);
    await page.visit("/console/imports");
    await choose(page, `${folder}/takeout.zip`);
    await page.click("Show a preview");
    await page.until(says("Google Keep · "));
    await page.until(says("Bring in 1, leave 0"));
    await page.click("Options");
    await page.until(says("Trips (1)"));
    assertEquals([...await unnamedControls(page), ...await violations(page)], []);
    await page.evaluate(`document.querySelector("select[name=Trips]").value = "memory"`);
    await page.click("Show the result");
    await page.until(`document.querySelector("main .value")?.innerText.startsWith("1 Memor")`);
    await page.click("Bring in 1, leave 0");
    await page.until(`document.querySelector("main a[href^='/console/memories/']") !== null`);
  },
);

/** Each question's name and reason, and the facts of each card that has a mark. */
const QUESTIONS = `Array.from(document.querySelectorAll(".question"), (question) => [
  question.querySelector("legend").innerText,
  document.getElementById(question.getAttribute("aria-describedby").split(" ")[0]).innerText,
  ...Array.from(question.querySelectorAll(".cards > li"), (card) =>
    card.querySelector("mark").innerText.endsWith("@example.org") &&
    Array.from(card.querySelectorAll("p"), (fact) => fact.innerText)
      .filter((text) => text !== "" && text !== "No contact yet")),
])`;

journey("A possible duplicate joins the person who is here", async (console) => {
  const folder = await Deno.makeTempDir({ prefix: "prs-import-" });
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => Deno.remove(folder, { recursive: true }));
  const card = (name: string, more = "") =>
    `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:${name}\r\nEMAIL:l@example.org\r\n${more}END:VCARD\r\n`;
  await Deno.writeTextFile(`${folder}/one.vcf`, card("Lena", "UID:1\r\n"));
  const second = card("Lena M.", "URL:https://l.example\r\nNOTE:Sails\r\n").replace(
    "END",
    "CATEGORIES:Choir\r\nEND",
  );
  const alike = ["A", "B"].map((name) =>
    card(name, "N:Same\r\nUID:same-1\r\n").replace("l@example", "m@example")
  ).join("");
  await Deno.writeTextFile(`${folder}/two.vcf`, second + alike);
  const page = await settle(console);
  const bring = async (file: string) => {
    await page.visit("/console/imports");
    await choose(page, `${folder}/${file}`);
    await page.click("Show a preview");
  };
  await bring("one.vcf");
  await page.click("Bring in 1, leave 0");
  await page.until(says("The import is finished."));
  await bring("one.vcf");
  await page.until(says("Nothing new: all items that can come in are here already."));
  await page.until(says("Bring in 0, leave 1"));
  await bring("two.vcf");
  await page.until(says("Bring in 1, leave 2"));
  assertEquals([...await unnamedControls(page), ...await violations(page)], []);
  assertEquals(await page.evaluate(QUESTIONS), [
    ["Lena M. 1 of 2", "In both: l@example.org", ["In this file", "1 note"], ["Among your people"]],
    [
      "B 2 of 2",
      "An earlier card of the file has the same UID. In both: m@example.org",
      ["In this file"],
      ["Earlier in this file"],
    ],
  ]);
  // By the keyboard alone: Tab from one question to the next, Space to choose.
  await page.focus("Join with Lena");
  await page.press(" ");
  await page.press("Tab");
  await page.press(" ");
  await page.click("Show the result");
  await page.until(says("Bring in 3, leave 0"));
  await page.evaluate(`(() => {
    document.querySelector("[name=categoryInFile]").value = "Choir";
    document.querySelector("select[name=importance]").value = "5";
    document.querySelector("[name=categoryInFile]").form.requestSubmit();
  })()`);
  await page.until(says("Choir: 5 of 5"));
  await page.click("Bring in 3, leave 0");
  await page.until(says("The import is finished."));
});
