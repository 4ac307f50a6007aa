import { assertEquals } from "@std/assert";
import * as forms from "../../../src/console/web/logic/word_forms.js";
import { closeFormsOf, neighboursOf } from "../../../src/records/search_index/close_words.ts";
import { orderForm } from "../../../src/records/search_index/order_form.ts";
import { countedWords, formedWordsOf } from "../../../src/records/search_index/word_forms.ts";
import { seededRandom } from "../../support/random.ts";

const TITLES = [
  "Łódź, Straße",
  "Ærø & Þór",
  "🌊 Sea",
  "ＡＢＣ ½",
  "a".repeat(80),
  "Œuvre Ångström",
];

Deno.test("Titles are in the service's order", () => {
  const random = seededRandom(59);
  const texts = [...TITLES, ...Array.from({ length: 300 }, () => random.text(1, 40))];
  for (const text of texts) assertEquals(forms.orderForm(text), orderForm(text), text);
});

Deno.test("Words have the forms that the service compares", () => {
  for (const word of ["Müller", "Ångström", "Ærø", "Łódź", "straße", "Smørrebrød", "garden"]) {
    const [formed] = formedWordsOf(word);
    assertEquals(new Set(forms.formsOf(word)), new Set(formed?.forms), word);
  }
  for (const words of [["the", "lake"], ["und", "der"], ["für", "Anna"], ["to", "be"]]) {
    const counted = countedWords(formedWordsOf(words.join(" ")), false).map(({ text }) => text);
    assertEquals(forms.countedWords(words).map(forms.fold), counted);
  }
});

Deno.test("A word is close to those that the service calls close", () => {
  const others = ["orchard", "orchards", "orcard", "orchrad", "orxchard", "hardorch", "archard"];
  for (const asked of ["orchard", "orchrad", "orchar", "orch", "orc", "örchard"]) {
    const neighbours = neighboursOf(forms.fold(asked));
    for (const other of others) {
      const isClose = formedWordsOf(other)
        .some((word) => [...closeFormsOf(word)].some((form) => neighbours.has(form)));
      const isHere = forms.isClose(forms.fold(asked), forms.formsOf(other));
      assertEquals(isHere, isClose, `${asked} ${other}`);
    }
  }
});
