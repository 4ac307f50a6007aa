/** The counter of taps and fields. */

import { assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { countTaps } from "./support/taps.ts";

const CONTROLS = `
  <form onsubmit="return false">
    <label>Title <input name="title"></label>
    <label><input type="radio" name="kind"> Task</label>
    <button>Save</button>
  </form>
  <button onclick="chooser.click()">Add files</button>
  <input type="file" id="chooser" hidden>
  <input type="file" id="other" aria-label="File">`;

journey("A press, Enter, a choice, a field and a file chooser count once", async ({ open }) => {
  const page = await open();
  await page.call("Page.setBypassCSP", { enabled: true });
  await page.visit("/");
  await page.heading("Set up your records");
  await page.evaluate(`document.querySelector("main").innerHTML = ${JSON.stringify(CONTROLS)}`);
  const taps = await countTaps(page);
  for (const text of ["Sow", "Sow peas"]) await page.type("Title", text);
  await page.press("Enter");
  await page.click("Save");
  await page.evaluate(`document.querySelector("[type=radio]").parentElement.click()`);
  const choose = async (id: string) => {
    const { result } = await page.call("Runtime.evaluate", { expression: id });
    const files = [await Deno.realPath("README.md")];
    await page.call("DOM.setFileInputFiles", { files, objectId: result.objectId });
  };
  await choose("other");
  await page.call("Page.setInterceptFileChooserDialog", { enabled: true });
  await page.click("Add files");
  await choose("chooser");
  assertEquals(await taps.list(), [
    "fill Title",
    "Enter in Title",
    "press Save",
    "press Task",
    "choose File",
    "press Add files",
  ]);
});
