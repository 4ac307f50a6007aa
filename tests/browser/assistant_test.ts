/**
 * Assistants in the browser: modules lent, proposals seen field by field, accepted and rejected.
 */

import { assert, assertEquals } from "@std/assert";
import { COMMITMENT } from "../http/kernel.ts";
import { LIMITS } from "../http/assistants.ts";
import type { Json } from "../support/world.ts";
import { journey } from "./support/console.ts";
import { callAs, confirmPassword, PASSWORD, settle } from "./support/person.ts";

journey("Modules are lent to an assistant, and what it proposes is decided", async (console) => {
  const page = await settle(console);
  const record = await callAs(page, "POST", "/api/v2/records/commitment", {
    title: "Ladder",
    payload: { ...COMMITMENT, notes: "Ask Ana" },
  });
  await page.visit("/console/account");
  await page.click("Assistants");
  await page.heading("Assistants");
  await page.click("Lend to an assistant");
  await page.heading("Lend to an assistant");
  await page.type("Name", "Helper");
  await page.set("program", "TOKEN");
  await page.evaluate(`document.querySelector("input[value=commitment]").click()`);
  await page.evaluate(`document.querySelector("input[value=true]").click()`);
  await page.click("Lend to an assistant");
  await confirmPassword(page, PASSWORD);
  const secret = `document.body.innerText.match(/prs_a_[A-Za-z0-9_-]{43}/)?.[0]`;
  await page.until(`${secret} !== undefined`);
  const token = await page.evaluate(secret) as unknown as string;
  await page.click("I have stored it");
  await page.heading("Assistants");
  await page.until(`document.body.innerText.includes("Never used")`);
  assertEquals(await page.evaluate(`${secret} === undefined`), true);

  const propose = async (args: Json) => {
    const response = await fetch(`${console.origin}/mcp`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "propose_change", arguments: args },
      }),
    });
    assertEquals((await response.json()).result.structuredContent.state, "PENDING");
  };
  const key = { moduleCode: "commitment", recordId: record.recordId, expectedRevision: 1 };
  await propose({ ...key, payload: { notes: "Ask Lena" } });
  await propose({ ...key, title: "Tall ladder" });
  await page.click("Today");
  await page.click("Helper proposes 2 changes");
  await page.heading("Proposals");
  const shown =
    `[...document.querySelectorAll("del, ins")].map((part) => part.innerText).join("|")`;
  const changes = String(await page.evaluate(shown));
  assert(changes.includes("Ana|Lena") && changes.includes("Tall"), changes);
  const press = (name: string, told: string) =>
    page.evaluate(`[...document.querySelectorAll("li")]
      .find((entry) => entry.innerText.includes(${JSON.stringify(told)}))
      .querySelector("button[aria-label^=${name}]").click()`);
  await press("Reject", "Tall");
  await page.until(`document.querySelectorAll("main li.entry, main .entries > li").length === 1`);
  await press("Accept", "Lena");
  await page.until(`document.body.innerText.includes("Nothing is proposed.")`);
  const path = `/api/v2/records/commitment/${record.recordId}`;
  const { title, payload, revision } = await callAs(page, "GET", path);
  assertEquals([title, payload.notes, revision], ["Ladder", "Ask Lena", 2]);
  await page.visit("/console/assistants");
  await page.click("More for Helper");
  await page.click("End Helper");
  await page.until(`!document.body.innerText.includes("Helper")`);
}, { assistants: LIMITS });
