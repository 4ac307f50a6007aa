/** People of tables: the questions about them, and the owner's answers. */

import { assertEquals } from "@std/assert";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { IMPORTS, itemsOf, planned, ran, settled } from "./imports.ts";

const world = sharedWorld();

const TABLE = "First Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label," +
  "Phone 1 - Value\nAda,Byron,* Home,ada@example.org,Mobile,+44 7700 900111\n" +
  "A.,Byron,Work,a.byron@example.net,Work,07700 900111\n";

/** Plans by a mapping. */
async function mapped(caller: Caller, importId: string, mapping: Json): Promise<Json> {
  const path = `${IMPORTS}/${importId}/mapping`;
  const { status, body } = await caller.call("PUT", path, { body: mapping });
  assertEquals(status, 200, JSON.stringify(body));
  return await settled(caller, importId);
}

const outcomesOf = async (caller: Caller, importId: string) =>
  (await itemsOf(caller, importId)).map(({ outcome, matches }: Json) => [outcome, matches]);

Deno.test("A contact of a table that shares a number waits for an answer", async () => {
  const caller = await world().createCaller();
  const { importId } = await planned(caller, "csv", TABLE, { name: "Contacts" });
  const preset = "google-contacts";
  await mapped(caller, importId, { preset });
  const [, asked] = await itemsOf(caller, importId);
  assertEquals(await outcomesOf(caller, importId), [["NEW", []], ["POSSIBLE_DUPLICATE", []]]);
  const { body: { data: sample } } = await caller.call("GET", `${IMPORTS}/${importId}/sample`);
  assertEquals(sample.questions.map(({ key }: Json) => key), [asked.key]);
  const answered = await mapped(caller, importId, { preset, duplicates: { [asked.key]: "join" } });
  const done = await ran(caller, answered);
  assertEquals([done.counts.person.new, done.counts.person.changed], [1, 1]);
  const [{ recordId }, joined] = await itemsOf(caller, importId);
  assertEquals(joined.recordId, recordId);
  const path = `/api/v2/relationship/people/${recordId}/details?limit=100`;
  const { body: { data: { items } } } = await caller.call("GET", path);
  const emails = items.filter(({ kind }: Json) => kind === "EMAIL");
  assertEquals(emails.map(({ value: { value }, privacy }: Json) => [value, privacy]).toSorted(), [
    ["a.byron@example.net", "PRIVATE"],
    ["ada@example.org", "PRIVATE"],
  ]);
});

Deno.test("A contact of a table that shares a number with a person here names the person", async () => {
  const caller = await world().createCaller();
  const [first = ""] = /^[^]*?\n[^]*?\n/.exec(TABLE) ?? [];
  const [, second = ""] = /\n[^\n]*\n([^]*)$/.exec(TABLE) ?? [];
  const preset = "google-contacts";
  const one = await planned(caller, "csv", first, { name: "Old" });
  const done = await ran(caller, await mapped(caller, one.importId, { preset }));
  const [{ recordId }] = await itemsOf(caller, done.importId);
  const header = first.split("\n", 1)[0];
  const other = await planned(caller, "csv", `${header}\n${second}`, { name: "New" });
  await mapped(caller, other.importId, { preset });
  assertEquals(await outcomesOf(caller, other.importId), [["POSSIBLE_DUPLICATE", [recordId]]]);
});
