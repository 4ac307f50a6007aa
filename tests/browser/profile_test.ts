/**
 * The profile in the browser: written, lived through, compared, published to the world and taken
 * back.
 */

import { assert, assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { choose } from "./support/menu.ts";
import { callAs, PASSWORD, settle } from "./support/person.ts";
import { load } from "./support/walk.ts";

const PAGE = "/console/profile";
const API = "/api/v2/identity";

const shows = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

journey("Pages about what does not exist yet ask only for what exists", async (console) => {
  const page = await settle(console);
  const visitAll = async (path: string, ends: readonly string[]) => {
    for (const end of ends) await load(page, `${path}${end}`);
  };
  await visitAll(PAGE, ["", "/public", "/legacy", "/history", "/compare"]);
  await callAs(page, "POST", `${API}/profile`, { displayName: "Ada" });
  await visitAll(PAGE, ["", "/public", "/legacy", "/legacy/edit"]);
  const categories = "/api/v2/taxonomy/categories";
  const { termId } = await callAs(page, "POST", categories, { name: "Home" });
  await visitAll("/console/tags", ["", `/${termId}`, `/${termId}/edit`, `/${termId}/history`]);
  // This service has no assistants.
  await visitAll("/console", ["/assistants", "/assistants/new", "/proposals"]);
  assertEquals([...page.problems, ...page.failures], []);
});

journey(
  "A profile is created with a stage and a role, and compared with a snapshot",
  async (console) => {
    const page = await settle(console);
    await page.visit(PAGE);
    await page.click("Create profile");
    await page.heading("New: Profile");
    await page.type("Display name", "Ada");
    await page.type("Public summary (optional)", "Rows before work");
    await page.type("Biography (optional)", "Not for anyone");
    await page.click("Save");
    await page.heading("Ada");

    await page.click("Add a stage");
    await page.heading("New: Life stage");
    await page.type("Title", "The years at the lake");
    await page.set("lifeStage", "EARLY_ADULTHOOD");
    await page.set("startedAt", "2001-09-01T00:00");
    await page.click("Save");
    await page.heading("Ada");
    await page.until(shows("Sep 1, 2001"));
    await page.click("Create a snapshot");
    await page.heading("New: Snapshot");
    await page.type("Name", "Before the move");
    await page.click("Save");
    await page.heading("Ada");
    await page.click("Add a role");
    await page.type("Role", "Boat builder");
    await page.set("changedAt", "2020-01-01T09:00");
    await page.click("Save");
    await page.heading("Ada");
    const profile = await callAs(page, "GET", `${API}/profile`);
    assertEquals([profile.currentRole, profile.revision], ["Boat builder", 2]);

    await page.click("Before the move");
    await page.heading("Before the move");
    await page.click("Compare");
    await page.heading("Compare");
    await page.evaluate(`[...document.querySelectorAll("fieldset")].at(-1)
    .querySelector("input[value=now]").click()`);
    await page.click("Compare");
    await page.heading("Before the move → Profile, revision 2");
    assertEquals(await page.evaluate(`document.querySelector("ins").innerText`), "Boat builder");
    assertEquals(await page.evaluate(`document.querySelectorAll("dt").length`), 1);
  },
);

journey(
  "A release is planned and drilled with the password, and delivers nothing",
  async (console) => {
    const page = await settle(console);
    const PLAN = `${API}/legacy-release/plan`;
    await callAs(page, "POST", `${API}/profile`, { displayName: "Ada" });
    await page.visit(PAGE);
    await choose(page, "More for Ada", "Legacy");
    await page.click("Create a plan");
    await page.heading("New: Plan");
    await page.type("Recipient", "My sister");
    await page.type("Condition", "A year after I am gone");
    for (const name of ["Display name", "Biography"]) {
      await page.focus(name);
      await page.press(" ");
    }
    await page.click("Save");
    await page.heading("Legacy");
    // Sensitive, so it is shown when it is asked for.
    assert((await page.text()).includes("My sister"));
    await page.click("Run a drill");
    await page.type("Password", PASSWORD);
    await page.press("Enter");
    await page.until(shows("Would be released: Display name."));
    assert((await page.text()).includes("Empty: Biography."));
    const { items: [drill] } = await callAs(page, "GET", `${API}/legacy-release/drills`);
    assertEquals([drill.delivery, drill.planRevision], ["BLOCKED", 1]);

    await page.click("Edit");
    await page.heading("Edit: Plan");
    await page.type("Condition", "Two years after");
    const plan = {
      recipientDescription: "My brother",
      releaseCondition: "A year after I am gone",
      fields: ["displayName", "biography"],
    };
    await callAs(page, "POST", PLAN, { ...plan, instructions: "Theirs", expectedRevision: 1 });
    await page.click("Save");
    await page.until(shows("This was changed elsewhere"));
    await page.click("Save");
    await page.heading("Legacy");
    const { recipientDescription, releaseCondition, instructions, fields, revision } = await callAs(
      page,
      "GET",
      PLAN,
    );
    assertEquals(
      { recipientDescription, releaseCondition, instructions, fields, revision },
      { ...plan, releaseCondition: "Two years after", instructions: "Theirs", revision: 3 },
    );
  },
);

journey(
  "A publication is previewed, readable by anyone, and gone once revoked",
  async (console) => {
    const page = await settle(console);
    await callAs(page, "POST", `${API}/profile`, {
      displayName: "Ada",
      publicSummary: "Rows before work",
      biography: "Not for anyone",
    });
    await page.visit(`${PAGE}/public`);
    await page.type("Name in the address", "ada-of-the-lake");
    const preview = `document.querySelector("form .note").innerText`;
    assert(!(await page.evaluate(preview)).includes("Rows before work"));
    await page.focus("Public summary");
    await page.evaluate("document.activeElement.click()");
    assert((await page.evaluate(preview)).includes("Rows before work"));
    await page.click("Publish");
    await page.type("Password", PASSWORD);
    await page.press("Enter");
    await page.until(shows("Anyone with this address can read it"));
    const address = `${console.origin}${API}/public/ada-of-the-lake`;
    assert((await page.text()).includes(address));
    const anyone = async () => {
      const response = await fetch(address);
      return { status: response.status, view: (await response.json()).data };
    };
    const { status, view: { updatedAt: _, ...view } } = await anyone();
    assertEquals([status, view], [200, {
      slug: "ada-of-the-lake",
      displayName: "Ada",
      publicSummary: "Rows before work",
    }]);

    await callAs(page, "PATCH", `${API}/profile`, {
      expectedRevision: 1,
      set: { publicSummary: "Rows after work" },
    });
    await page.visit(`${PAGE}/public`);
    await page.click("Publish the current profile");
    await page.until(`!${shows("Your profile has changed since")}`);
    assertEquals((await anyone()).view.publicSummary, "Rows after work");
    await page.click("Unpublish");
    await page.until(shows("Nothing in your profile is public."));
    assertEquals((await anyone()).status, 404);
  },
);
