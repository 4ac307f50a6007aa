import { assertEquals } from "@std/assert";
import {
  closeQuery,
  neighbourLexemes,
  textQuery,
  titleQuery,
} from "../../src/records/search_index/lexemes.ts";
import { type FormedWord, formedWordsOf } from "../../src/records/search_index/word_forms.ts";
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
        select title from word_candidates(${query}::text::tsquery, 10)
               join records using (owner_id, record_id) order by title`;
      return rows.map(({ title }) => titles.indexOf(title));
    });
  const allClose = (owner: string, words: readonly FormedWord[]) =>
    closeQuery(owner, words, new Set(neighbourLexemes(owner, words)));
  assertEquals(await found(textQuery, "Mueller laerche"), [0]);
  assertEquals(await found(titleQuery, "mull gartenhaeusch"), [0]);
  assertEquals(await found(titleQuery, "larche"), []);
  assertEquals(await found(textQuery, "muler"), []);
  assertEquals(await found(allClose, "mulers wassre"), []);
  assertEquals(await found(allClose, "mulers larche"), [0]);
  assertEquals(await found(allClose, "wassre haus"), [1]);
  const longest = Array.from("abcd", (last) => `abcdefghijklmnopqrstuvwxyzabc${last}`).join(" ");
  assertEquals(await found(allClose, longest), []);
});
