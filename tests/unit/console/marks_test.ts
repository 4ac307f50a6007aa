import { assert, assertEquals } from "@std/assert";
import { markedParts } from "../../../src/console/web/pages/search.js";
import { snippetOf } from "../../support/snippet.ts";
import { wordsOf } from "../../../src/records/search_index/words.ts";
import { seededRandom } from "../../support/random.ts";

const marked = (text: string, sought: string) =>
  markedParts(text, sought).filter(({ isMarked }) => isMarked).map(({ text }) => text);

Deno.test("Words are marked as the service finds them, in any case, accents and width", () => {
  assertEquals(marked("Gardening in the garden of Anna", "garden ANNA"), [
    "Gardening",
    "garden",
    "Anna",
  ]);
  assertEquals(marked("Das Café, ein Straßencafe", "cafe"), ["Café"]);
  assertEquals(marked("a banana, vitamin A", "a"), ["a", "A"]);
  assertEquals(marked("東京都の公園", "公園"), ["公園"]);
  assertEquals(marked("ｇａｒｄｅｎ", "garden"), ["ｇａｒｄｅｎ"]);
  assertEquals(marked("<b>bold</b>", "bold <i>"), ["bold"]);
  assertEquals(marked("nothing of it", ""), []);
});

Deno.test("Best matches are marked in other spellings, close to a word, and without small words", () => {
  const best = (text: string, sought: string, match: string) =>
    markedParts(text, sought, match).filter(({ isMarked }) => isMarked).map(({ text }) => text);
  assertEquals(best("Hans Müller, Mueller & Söhne", "Mueller", "TITLE"), ["Müller", "Mueller"]);
  assertEquals(best("Muellers Mühle", "müller", "TEXT"), ["Muellers"]);
  assertEquals(best("Łódź and Straße", "lodz strasse", "TEXT"), ["Łódź", "Straße"]);
  assertEquals(best("The old orchard", "orchrad", "CLOSE"), ["orchard"]);
  assertEquals(best("The old orchard", "orchrad", "TEXT"), []);
  assertEquals(best("The lake, then there", "the lake", "TEXT"), ["lake"]);
  assertEquals(best("The lake", "the lake", "EXACT"), ["The", "lake"]);
  assertEquals(best("The old harbour", "#harbour", "TAG"), ["harbour"]);
});

Deno.test("The parts make up the text, and the service's matches are marked", () => {
  const random = seededRandom(27);
  let found = 0;
  for (let round = 0; round < 1_000; round++) {
    const text = random.text(1, 80);
    const start = random.integer(0, text.length);
    const sought = random.chance(0.2) ? random.text(1, 6) : text.slice(start, start + 6);
    const parts = markedParts(text, sought);
    assertEquals(parts.map((part) => part.text).join(""), text);
    const words = wordsOf(sought);
    if (words.length === 0 || snippetOf([text], words) === null) continue;
    found++;
    assert(parts.some(({ isMarked }) => isMarked), JSON.stringify([text, sought]));
  }
  assert(found > 100);
});
