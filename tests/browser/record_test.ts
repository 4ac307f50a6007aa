import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { insertInto } from "../storage/rows.ts";
import { journey } from "./support/console.ts";
import { API, LADDER, LIST } from "./support/ladder.ts";
import { choose } from "./support/menu.ts";
import { callAs, settle } from "./support/person.ts";

/** A line or a gap lies between the two buttons of a changed field. */
const APART = `(() => {
  const [show, restore] = ["Show Content", "Restore: Content"].map((name) =>
    document.querySelector("[aria-label='" + name + "']").getBoundingClientRect());
  return restore.top >= show.bottom || restore.left >= show.right + 8;
})()`;

journey(
  "A record is created and changed by keyboard, read, archived and found",
  async (console) => {
    const page = await settle(console);
    await page.visit(`${LIST}/new`);
    await page.type("Title", LADDER.title);
    await page.focus("Commitment type");
    for (const letter of "Borr") await page.press(letter);
    await page.type("Content", "Bring it back");
    await page.press("Enter", 2);
    await page.heading(LADDER.title);
    const { items: [made] } = await callAs(page, "GET", API);
    assertEquals([made.title, made.payload], [LADDER.title, LADDER.payload]);

    await page.click("Edit");
    await page.heading("Edit: The ladder");
    await page.type("Content", "Bring it back on Friday");
    await page.press("Enter", 2);
    await page.heading(LADDER.title);
    assert((await page.text()).includes("Bring it back on Friday"));
    await page.type("Add a tag", "Garden");
    await page.press("Enter");
    await page.until(`document.querySelector(".tags")?.innerText.includes("Garden")`);
    await page.click("Remove Garden");
    await page.until(`document.querySelector(".tags") === null`);
    // The device can hide sensitive texts.
    await page.evaluate(`localStorage.setItem("veil", "on")`);
    await page.visit(`${LIST}/${made.recordId}`);
    await page.heading(LADDER.title);
    assert(!(await page.text()).includes("Bring it back on Friday"));
    await page.click("Show Content");
    assert((await page.text()).includes("Bring it back on Friday"));
    await page.evaluate(`localStorage.removeItem("veil")`);
    await choose(page, `More for ${LADDER.title}`, "History");
    await page.heading("History");
    await page.click("Show Content, 2");
    assertEquals(await page.evaluate(`document.querySelector("ins").innerText`), " on Friday");
    await page.visit(`${LIST}/${made.recordId}/history?from=1`);
    await page.until(`document.querySelector("[aria-label='Restore: Content']") !== null`);
    assert(await page.evaluate(APART), "Show and Restore are apart");
    await page.click("Restore: Content");
    await page.until(`document.body.innerText.includes("Revision 3")`);
    assertEquals((await callAs(page, "GET", `${API}/${made.recordId}`)).payload, LADDER.payload);
    await choose(page, `More for ${LADDER.title}`, "History");
    await page.click("Bring this back: revision 2");
    await page.until(`document.body.innerText.includes("Revision 4")`);
    const { payload } = await callAs(page, "GET", `${API}/${made.recordId}`);
    assertEquals(payload, { ...LADDER.payload, content: "Bring it back on Friday" });

    await choose(page, `More for ${LADDER.title}`, "Archive");
    await page.until(`document.body.innerText.includes("Archived on")`);
    await page.visit(LIST);
    await page.until(`document.body.innerText.includes("Nothing here yet.")`);
    assert((await page.text()).includes("For example: Return the ladder"));
    await choose(page, "More for Commitments", "Archived");
    await page.click(LADDER.title);
    await choose(page, `More for ${LADDER.title}`, "Restore");
    await page.until(`!document.body.innerText.includes("Archived on")`);

    // The page of a missing record links to its list, and does not request the record again.
    const { account } = await callAs(page, "GET", "/api/v2/auth/session");
    const erased = ulid();
    await console.world.raw(insertInto("erased_subjects", {
      owner_id: account.accountId,
      subject_id: erased,
      module_code: "commitment",
      certificate_id: ulid(),
      erased_at: console.world.now().toISOString(),
    }));
    for (
      const [path, heading, text] of [
        [ulid(), "This is not here", "It may have been erased, or the address is wrong."],
        ["not-an-id/edit", "This is not here", "It may have been erased, or the address is wrong."],
        [erased, "This was erased", "The operator of this service erased this."],
        [`${erased}/edit`, "This was erased", "The operator of this service erased this."],
        [`${erased}/history`, "This was erased", "The operator of this service erased this."],
      ] as const
    ) {
      page.expectAbsent(`commitment/${path}`);
      await page.visit(`${LIST}/${path}`);
      await page.heading(heading);
      const shown = await page.text();
      assert(shown.includes(text) && !shown.includes("Try again"), shown);
    }
    assert(!page.failures.some((failure) => failure.includes("not-an-id")));
    await page.click("All: Commitments");
    await page.heading("Commitments");
  },
);

journey("Each field type can be filled by keyboard", async (console) => {
  const page = await settle(console);
  const letters = async (text: string) => {
    for (const letter of text) await page.press(letter);
  };
  const kept = async (module: string, title: string) => {
    await page.press("Enter", 2);
    await page.heading(title);
    const { items: [{ payload }] } = await callAs(page, "GET", `/api/v2/records/${module}`);
    return payload;
  };
  await page.visit("/console/records/community/new");
  // The name is the title.
  await page.type("Title", "The choir");
  await page.focus("Community type");
  await letters("Oth");
  await page.focus("4");
  await page.press(" ");
  await page.click("More");
  await page.focus("Joined (optional)");
  // Order of the browser's date field.
  await letters("06012020");
  await page.press("Tab");
  await letters("093000000a");
  const newPerson = (personName: string) =>
    callAs(page, "POST", "/api/v2/relationship/people", {
      personName,
      relationshipType: "OTHER",
      importance: 3,
    });
  const people = [await newPerson("Ada"), await newPerson("Ben")];
  const members = people.map(({ personId }) => personId);
  for (const member of members) {
    page.expectAbsent(member);
    await page.type("Members (optional)", member);
    await page.press("Enter");
  }
  const { communityName, importance, joinedAt, memberIds } = await kept("community", "The choir");
  assertEquals([communityName, importance, memberIds], ["The choir", 4, members]);
  assert(joinedAt.startsWith("2020-06-01T09:30:00"), joinedAt);

  await page.visit("/console/records/routine/new");
  await page.type("Title", "The windows");
  await page.type("Area", "Home");
  await page.type("Days between", "30");
  await page.focus("No");
  await page.press(" ");
  assertEquals((await kept("routine", "The windows")).active, false);

  await page.visit("/console/records/integration/new");
  await page.type("Title", "The calendar");
  for (const [name, text] of [["Connector type", "Cal"], ["Authorization status", "Not"]]) {
    await page.focus(name ?? "");
    await letters(text ?? "");
  }
  await page.type("Provider", "A provider");
  for (const choice of ["Manual", "Clean"]) {
    await page.focus(choice);
    await page.press(" ");
  }
  await page.click("More");
  await page.type("Mapping (optional)", '{ "a": [1, 2] ');
  await page.press("Enter", 2);
  await page.until(`document.querySelector("textarea[aria-invalid]") !== null`);
  await page.type("Mapping (optional)", '{ "a": [1, 2] }');
  assertEquals((await kept("integration", "The calendar")).mappingConfig, { a: [1, 2] });
});

journey(
  "A record change is merged with a change made elsewhere",
  async (console) => {
    const page = await settle(console);
    const { recordId } = await callAs(page, "POST", API, LADDER);
    await page.visit(`${LIST}/${recordId}/edit`);
    await page.type("Content", "Mine");
    await page.type("Title", "My ladder");
    await callAs(page, "PATCH", `${API}/${recordId}`, {
      payload: { content: "Theirs", notes: "Only theirs" },
    });
    await page.click("Save");
    await page.until(`document.body.innerText.includes("This was changed elsewhere")`);
    assertEquals((await callAs(page, "GET", `${API}/${recordId}`)).revision, 2);
    await page.click("Use theirs: Content");
    await page.click("Save");
    await page.heading("My ladder");
    const { title, payload, revision } = await callAs(page, "GET", `${API}/${recordId}`);
    assertEquals([title, payload.content, payload.notes, revision], [
      "My ladder",
      "Theirs",
      "Only theirs",
      3,
    ]);

    // Changes of another tab are shown before sending.
    await page.visit(`${LIST}/${recordId}/edit`);
    await page.type("Title", "Our ladder");
    const beside = await console.openBeside(page);
    await beside.visit(`${LIST}/${recordId}/history?from=1`);
    await beside.click("Restore: Content");
    await page.until(`document.querySelector("form [role=alert]")
      ?.innerText.includes("because you didn't change them: Content")`);
    await page.click("Save");
    await page.heading("Our ladder");
    const kept = await callAs(page, "GET", `${API}/${recordId}`);
    assertEquals([kept.payload.content, kept.revision], [LADDER.payload.content, 5]);

    // Also while they are still loading.
    await page.visit(`${LIST}/${recordId}/edit`);
    await page.type("Content", "Mine again");
    await page.evaluate(`{
      const send = fetch;
      globalThis.held = { ...Promise.withResolvers(), methods: [] };
      globalThis.fetch = async (url, options) => {
        held.methods.push(options?.method ?? "GET");
        await held.promise;
        return send(url, options);
      };
    }`);
    await beside.visit(`${LIST}/${recordId}/history?from=2`);
    await beside.click("Restore: Content");
    await page.until("held.methods.length > 0");
    await page.click("Save");
    await page.evaluate("held.resolve()");
    await page.until(`document.querySelector("form section")?.innerText.includes("Use theirs")`);
    assert(!(await page.evaluate("held.methods.join()")).includes("PATCH"));
    assertEquals((await callAs(page, "GET", `${API}/${recordId}`)).revision, 6);

    // An error states the violated rule at its fields, and links to them.
    await page.visit(`${LIST}/${recordId}/edit`);
    await page.focus("Completed on (optional)");
    await page.set("completedAt", "2026-01-01T09:00");
    await page.click("Save");
    await page.until(`document.querySelector("main").innerText
      .includes("Only a completed commitment has this time.")`);
    await page.click("Go to Completed on");
    assertEquals(await page.evaluate("document.activeElement.name"), "completedAt");
  },
);

journey("A list is filtered, and returning restores the position in it", async (console) => {
  const page = await settle(console, { width: 800, height: 500 });
  for (let count = 0; count < 30; count++) {
    const completionStatus = count % 2 === 0 ? "OPEN" : "BROKEN";
    console.world.advance(1_000);
    await callAs(page, "POST", API, {
      title: `Promise ${count}`,
      payload: { ...LADDER.payload, completionStatus },
    });
  }
  await page.visit(LIST);
  await page.click("Filter");
  await page.focus("Completion status");
  for (const letter of "Open") await page.press(letter);
  await page.focus("Order");
  for (const letter of "Olde") await page.press(letter);
  await page.click("Apply");
  await page.until(`document.querySelectorAll(".lines a").length === 15`);
  const first = `document.querySelector(".lines a").innerText`;
  assertEquals(await page.evaluate(first), "Promise 0");
  await page.click("Promise 20");
  await page.heading("Promise 20");
  await page.until("scrollY === 0");
  await page.evaluate("history.back()");
  await page.heading("Commitments");
  assertEquals(await page.evaluate("document.activeElement.innerText"), "Promise 20");
  await page.until("scrollY > 0");
  assertEquals(await page.evaluate(first), "Promise 0");
  await page.click("Remove filter: Completion status: Open");
  await page.until(`document.querySelectorAll(".lines a").length === 30`);
  assertEquals(await page.evaluate(first), "Promise 0");
  await page.focus("Order");
  await page.press("N");
  await page.until(`${first} === "Promise 29"`);

  // A long list grows, and a return finds it as long.
  await page.evaluate(`Promise.all(Array.from({ length: 25 }, (_, count) =>
    fetch("${API}", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": "long-list-" + count },
      body: JSON.stringify(${JSON.stringify(LADDER)}),
    }))).then(() => true)`);
  const count = `document.querySelectorAll("main .lines > li").length`;
  await page.visit(LIST);
  await page.until(`${count} === 50`);
  await page.click("Show more");
  await page.until(`${count} === 55`);
  await page.click("Promise 0");
  await page.heading("Promise 0");
  await page.evaluate("history.back()");
  await page.heading("Commitments");
  assertEquals(await page.evaluate(count), 55);
  assertEquals(await page.evaluate("document.activeElement.innerText"), "Promise 0");
});
