// engines: postgres
/**
 * Export, import and export give identical files; `engines_test.ts` has a generated life on both
 * engines.
 */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { PEOPLE } from "../families/relationship/api.ts";
import { card } from "../families/relationship/cards.ts";
import { exportAccount, importFile } from "../http/account.ts";
import { imported, IMPORTS, itemsOf, planned, ran, settled } from "../http/imports.ts";
import { type Caller, createWorld, type World } from "../support/world.ts";
import { zip } from "../support/zip.ts";
import { fillAccount } from "./whole_account.ts";

/** Asserts that both exports are identical. */
async function assertComesBack(world: World, caller: Caller): Promise<void> {
  const first = await exportAccount(world, caller);
  const other = await world.createCaller();
  const imported = await importFile(other, first.bytes.slice());
  assertEquals(imported.status, 200, imported.text);
  assertEquals(imported.body.data.counts, first.description.counts);
  assertEquals(imported.body.data.sha256, first.description.sha256);
  const second = await exportAccount(world, other);
  assertEquals(new TextDecoder().decode(second.bytes), new TextDecoder().decode(first.bytes));
}

Deno.test("Account with everything that a copy could lose is restored to the byte", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await fillAccount(world, caller);
  // Some ids use the machine's time.
  world.advance(Math.max(0, Date.now() - world.now().getTime()));
  await assertComesBack(world, caller);
});

Deno.test("Entries and tables of imports are restored to the byte", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const vault = [{ name: "a.md", content: "a" }, { name: "a.ics", content: "BEGIN:VCALENDAR" }];
  await imported(caller, "markdown", zip(vault), { name: "Vault" });
  const known = "Title,Read Status,Star Rating\nA,read,4\n";
  const table = await planned(caller, "csv", known, { name: "Table" });
  const path = `${IMPORTS}/${table.importId}`;
  const columns = { Title: ["@title", "originalContent"] };
  const constants = { memoryType: "EVENT", timePrecision: "UNKNOWN" };
  await caller.call("PUT", `${path}/mapping`, { body: { target: "memory", columns, constants } });
  await ran(caller, await settled(caller, table.importId));
  await fillCards(caller);
  const rows = await world.rows(`
    select 1 from imports where table_facts is not null and presets is not null
    union all select 1 from imports where looks_like is not null
    union all select 1 from import_items where entry is not null
    union all select 1 from person_details where lines is not null
    union all select 1 from import_origins where kind = 'UID'
    union all select 1 from people where name_revision = 2`);
  assertEquals(rows.length, 6);
  world.advance(Math.max(0, Date.now() - world.now().getTime()));
  await assertComesBack(world, caller);
});

/** A person with lines of a card and a further UID, who was renamed. */
async function fillCards(caller: Caller): Promise<void> {
  const bytes = card("UID:one", "X-PRS-UID:two", "FN:Lea", 'TEL;X-A="é\\n":+49 30 1234567');
  const { importId } = await imported(caller, "vcard", bytes);
  const [{ recordId }] = await itemsOf(caller, importId);
  const renamed = await caller.call("PATCH", `${PEOPLE}/${recordId}`, {
    key: ulid(),
    body: { expectedRevision: 1, set: { personName: "Leah" } },
  });
  assertEquals(renamed.status, 200, renamed.text);
}
