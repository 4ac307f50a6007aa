import { assert, assertEquals } from "@std/assert";
import { EXAMPLE_SERVICES } from "../http/examples.ts";
import { COMMITMENT } from "../http/kernel.ts";
import { journey } from "./support/console.ts";
import { choose } from "./support/menu.ts";
import { callAs, settle } from "./support/person.ts";
import { pick } from "./support/picker.ts";

const API = "/api/v2/taxonomy";
const PAGE = "/console/tags";

journey(
  "Categories form a tree; tags are renamed, merged and assigned to records",
  async (console) => {
    const page = await settle(console);
    await callAs(page, "POST", "/api/v2/records/commitment", {
      title: "The ladder",
      payload: { commitmentType: "BORROWED", content: "Bring it back", completionStatus: "OPEN" },
    });
    await page.visit(PAGE);
    await choose(page, "More for Tags and categories", "New category");
    await page.heading("New: Category");
    await page.type("Name", "Places");
    await page.click("Save");
    await page.heading("Places");
    await choose(page, "More for Places", "New subcategory");
    await page.heading("New: Category");
    await page.type("Name", "Gardens");
    await page.click("Save");
    await page.heading("Gardens");
    await page.visit(PAGE);
    await page.until(`document.querySelector("main li ul li")?.innerText === "Gardens"`);
    await page.click("Gardens");
    await page.heading("Gardens");
    await choose(page, "More for Gardens", "Move");
    await page.until(`document.querySelector("dialog[open]") !== null`);
    await page.click("Remove: Places");
    await pick(page, "Parent", "to");
    await page.evaluate("document.querySelector('dialog button.main').click()");
    await page.until(`document.querySelector("#status").innerText === "Moved"`);
    const { items: tree } = await callAs(page, "GET", `${API}/categories/tree`);
    assertEquals(tree.map(({ name }: { name: string }) => name), ["Gardens", "Places"]);

    for (const name of ["lent things", "borrowed"]) {
      await page.visit(`${PAGE}/new`);
      await page.heading("New: Tag");
      await page.type("Name", name);
      await page.click("Save");
      await page.heading(name);
    }
    await choose(page, "More for borrowed", "Rename");
    await page.type("New name", "on loan");
    await page.press("Enter");
    await page.heading("on loan");
    assert((await page.text()).includes("borrowed"), "the former name is another name");
    await pick(page, "Record", "la");
    await page.click("Assign");
    await page.until(`document.querySelector(".lines a")?.innerText === "The ladder"`);
    await choose(page, "More for on loan", "Merge");
    await pick(page, "Merge into", "le");
    await page.evaluate("document.querySelector('dialog button.main').click()");
    await page.click("This tag was merged into another one.");
    await page.heading("lent things");
    assert((await page.text()).includes("The ladder"));
    const { items: [tag] } = await callAs(page, "GET", `${API}/tags`);
    assertEquals([tag.name, tag.aliases], ["lent things", ["on loan", "borrowed"]]);

    await page.visit(`${PAGE}/usage?kind=TAG`);
    await page.until(`document.querySelector("main .lines").innerText.includes("1 record")`);
    await page.click("lent things");
    await page.click("Remove The ladder");
    await page.until(`document.querySelector(".lines") === null`);
    await page.click("Edit");
    await page.heading("Edit: lent things");
    await page.type("Color (optional)", "#aabbcc");
    await page.click("Save");
    await page.heading("lent things");
    await choose(page, "More for lent things", "History");
    await page.heading("History");
    assertEquals(await page.evaluate(`document.querySelector("ins").innerText`), "#aabbcc");
    await page.visit(PAGE);
    await page.click("Find a tag or category");
    await page.type("Name or alias", "LOAN");
    await page.press("Enter");
    await page.until(
      `document.querySelector("[role=search] .lines a")?.innerText === "lent things"`,
    );
    await page.click("lent things");
    await choose(page, "More for lent things", "Deactivate");
    await page.until(`document.body.innerText.includes("Inactive: its name")`);
    await choose(page, "More for lent things", "Reactivate");
    await page.until(`!document.body.innerText.includes("Inactive: its name")`);
  },
);

journey("A feature is run on a record, and its result stays", async (console) => {
  const page = await settle(console);
  const { recordId } = await callAs(page, "POST", "/api/v2/records/commitment", {
    title: "The ladder",
    payload: COMMITMENT,
  });
  await page.visit(`/console/records/commitment/${recordId}`);
  await choose(page, "More for The ladder", "Features and runs");
  await page.until(`document.body.innerText.includes("Nothing was run on this record.")`);
  await page.click("Run outgoing commitment");
  await page.until(`document.querySelector("main .entries pre")?.textContent.includes("done")`);
}, EXAMPLE_SERVICES);
