import { assert, assertEquals } from "@std/assert";
import { orderForm, orderLetters } from "../../../src/records/search_index/order_form.ts";
import {
  countedWords,
  type FormedWord,
  formedWordsOf,
  furtherFormsOf,
  isBeginning,
  isSameWord,
  matchesWord,
} from "../../../src/records/search_index/word_forms.ts";
import { wordsOf } from "../../../src/records/search_index/words.ts";
import { mixedText, naiveWords } from "../../support/naive_search.ts";
import { seededRandom } from "../../support/random.ts";

function only(text: string): FormedWord {
  const [word, ...others] = formedWordsOf(text);
  assert(word !== undefined && others.length === 0);
  return word;
}

Deno.test("A word is folded, in the letters of the order form, and spelt out", () => {
  const forms = (text: string) => formedWordsOf(text).map(({ forms }) => forms);
  assertEquals(forms("Müller MU\u0308LLER mueller"), [
    ["muller", "mueller"],
    ["muller", "mueller"],
    ["mueller"],
  ]);
  assertEquals(forms("Łódź Ærø Åse Straße"), [
    ["łodz", "lodz"],
    ["ærø", "aero", "æroe"],
    ["ase", "aase"],
    ["strasse"],
  ]);
  assertEquals(forms("ä\u0301 A\u030a 東京ø"), [["a", "ae"], ["a", "aa"], ["東京"], [
    "ø",
    "o",
    "oe",
  ]]);
  assertEquals(forms("Þór Đorđe Ħal Eiður œuvre").map(([, letters]) => letters), [
    "thor",
    "dorde",
    "hal",
    "eidur",
    "oeuvre",
  ]);
  assertEquals([...furtherFormsOf("Müller, the Müller of Łódź")], ["mueller", "lodz"]);
});

Deno.test("An order form has at most 64 code points", () => {
  assertEquals(
    orderForm("𝒳".repeat(40) + " Ærø " + "é".repeat(40)),
    `${"x".repeat(40)} aero ${"e".repeat(18)}`,
  );
});

/** The forms by their definition, for each word. */
function naiveForms(text: string): string[][] {
  const spelt: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };
  const letters = Array.from(
    text.normalize("NFKC"),
    (point) => spelt[point.toLowerCase()] ?? point,
  );
  const [folded, speltOut] = [text, letters.join("")].map((text) =>
    naiveWords(text).map(({ points }) => points.join(""))
  );
  return (folded ?? []).map((word, index) => [
    ...new Set([word, orderLetters(word), speltOut?.[index] ?? "?"]),
  ]);
}

Deno.test("Forms follow the contract, for texts of many scripts", () => {
  const random = seededRandom(57);
  for (let run = 0; run < 1_500; run++) {
    const text = Array.from(
      { length: random.integer(1, 6) },
      () => random.chance(0.3) ? random.pick([..."äÄÖüÅåøØæŁđþœ\u212b"]) : mixedText(random, 3),
    ).join("");
    assertEquals(
      formedWordsOf(text).map(({ forms }) => forms),
      naiveForms(text),
      `run ${run}: ${JSON.stringify(text)}`,
    );
  }
});

Deno.test("Words match if a form of the asked one is the beginning of a form of the other", () => {
  const match = (q: string, text: string) => matchesWord(only(q), only(text));
  assert(match("Mueller", "Müller") && match("Müller", "mueller") && match("mull", "Müller"));
  assert(match("Müll", "Muellers") && match("Lodz", "Łódź") && match("Łódź", "lodz"));
  assert(!match("Muller", "Mueller") && !match("uller", "Müller"));
  assert(match("ø", "Ö") && match("ø", "o") && !match("ø", "ost") && !match("g", "garden"));
  assert(match("京", "東京タワー") && !match("東タ", "東京タワー") && !match("in", "東京"));
  assert(isBeginning(only("g"), only("garden")) && !isSameWord(only("gard"), only("garden")));
  assert(isSameWord(only("Müller"), only("MUELLER")));
});

Deno.test("Stop words count only if a query has nothing else", () => {
  const counted = (q: string, hasTag = false) =>
    countedWords(wordsOf(q), hasTag).map(({ text }) => text);
  assertEquals(counted("The garden for Anna"), ["garden", "anna"]);
  assertEquals(counted("Ein Haus für uns"), ["haus"]);
  assertEquals(counted("to be"), ["to", "be"]);
  assertEquals(counted("to be", true), []);
  assertEquals(counted("This is the"), ["this", "is", "the"]);
});
