import { assertEquals } from "@std/assert";
import { closeQuery, textQuery, titleQuery } from "../../src/records/search_index/lexemes.ts";
import { formedWordsOf } from "../../src/records/search_index/word_forms.ts";
import { COMMITMENT } from "../http/kernel.ts";
import { createWorld } from "../support/world.ts";

Deno.test("Records are found by forms of words, words of the title, and up to 6,000 neighbours", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const titles = ["Müllers Gartenhäuschen", "Ein Haus am Wasser", "Anna"];
  for (const title of titles) {
    await caller.create("commitment", { ...COMMITMENT, content: "Lärche" }, title);
  }
  const found = (build: typeof textQuery, q: string) =>
    world.database.read(async (sql) => {
      const query = build(caller.accountId, formedWordsOf(q));
      const rows = await sql<{ title: string }>`
        select title from search_candidates(${query}::text::tsquery, 10)
               join records using (owner_id, record_id) order by title`;
      return rows.map(({ title }) => titles.indexOf(title));
    });
  assertEquals(await found(textQuery, "Mueller laerche"), [0]);
  assertEquals(await found(titleQuery, "mull gartenhaeusch"), [0]);
  assertEquals(await found(titleQuery, "larche"), []);
  assertEquals(await found(textQuery, "muler"), []);
  assertEquals(await found(closeQuery, "mulers wassre"), []);
  assertEquals(await found(closeQuery, "mulers larche"), [0]);
  assertEquals(await found(closeQuery, "wassre haus"), [1]);
  const longest = Array.from("abcd", (last) => `abcdefghijklmnopqrstuvwxyzabc${last}`).join(" ");
  assertEquals(await found(closeQuery, longest), []);
});
