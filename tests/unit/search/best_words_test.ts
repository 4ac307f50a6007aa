/** Classes of titles and texts, and the ranges of order forms that find titles. */

import { assert, assertEquals } from "@std/assert";
import { orderForm } from "../../../src/records/search_index/order_form.ts";
import { formedWordsOf, matchesWord } from "../../../src/records/search_index/word_forms.ts";
import { BestFinder } from "../../../src/search/best_finder.ts";
import {
  askedWords,
  type Match,
  possibleMatches,
  titleMatch,
} from "../../../src/search/best_words.ts";
import { rangesOfBeginning, rangesOfTitle } from "../../../src/search/form_ranges.ts";
import { tagTokens, withoutTokens } from "../../../src/search/tag_tokens.ts";
import { mixedQuery, mixedText } from "../../support/naive_search.ts";
import { seededRandom } from "../../support/random.ts";

const match = (q: string, title: string) => titleMatch(askedWords(q, false), title);

Deno.test("A title's class follows from the words of the query in their order", () => {
  const classes: readonly [string, string, Match | null][] = [
    ["the lake", "The Lake!", "EXACT"],
    ["Mueller", "Müller", "EXACT"],
    ["Müller", "Mueller", "EXACT"],
    ["müller", "Muller", "EXACT"],
    ["lodz", "Łódź", "EXACT"],
    ["oel", "Øl", "EXACT"],
    ["lake ann", "Lake Anna 1997", "START"],
    ["lake", "Lakeside", "START"],
    ["lake anna", "Lake of Anna", "TITLE"],
    ["anna lake", "Lake Anna", "TITLE"],
    ["la anna", "Lake Anna", "TITLE"],
    ["the lake", "Lake", "TITLE"],
    ["l", "Lake", null],
    ["lake l", "Lake left", null],
    ["lake l", "Lake L north", "START"],
    ["ö", "Oe", "EXACT"],
    ["ö", "Oeland", null],
    ["東京", "東京タワー", "START"],
    ["タワー", "東京 タワー", "TITLE"],
    ["of the", "The end of", "TITLE"],
    ["house", "Lake", null],
  ];
  for (const [q, title, expected] of classes) {
    assertEquals(match(q, title), expected, `${q} in ${title}`);
  }
});

Deno.test("A query without counted words finds by tags, and one of many words nothing close", () => {
  const possible = (q: string, hasTag: boolean) => possibleMatches(askedWords(q, hasTag));
  const titles = ["EXACT", "START", "TITLE", "TEXT"] as const;
  assertEquals(possible("", true), ["TAG"]);
  assertEquals(possible("the", true), ["EXACT", "START", "TAG"]);
  assertEquals(possible("the", false), titles);
  assertEquals(possible("lake", false), [...titles, "CLOSE"]);
  assertEquals(possible("lake cake bake make lake", false), [...titles, "CLOSE"]);
  assertEquals(possible("lake cake bake make rake", false), titles);
});

Deno.test("A title is in a range of its query", () => {
  const random = seededRandom(58);
  const letters = ["ä", "ae", "a", "ö", "oe", "ue", "ü", "u", "å", "ø", "æ", "ł", "x", "e", " "];
  let found = 0;
  for (let run = 0; run < 3_000; run++) {
    const title = Array.from({ length: random.integer(1, 7) }, () => random.pick(letters)).join("");
    const other = title.replaceAll("ä", "ae").replaceAll("ue", "ü").replaceAll("å", "a");
    const q = random.pick([title, other, other.slice(0, random.integer(1, 4)), title.slice(0, 3)]);
    const kind = match(q, title);
    const words = formedWordsOf(q);
    if (kind !== "EXACT" && kind !== "START") continue;
    found++;
    const form = orderForm(title);
    const ranges = kind === "EXACT" ? rangesOfTitle(words) : rangesOfBeginning(words);
    const isIn = ranges.some(({ low, high }) => low <= form && form <= high);
    assert(isIn, JSON.stringify({ q, title, ranges }));
  }
  assert(found > 800, `${found} found`);
});

Deno.test("Ranges are few, whatever the words", () => {
  const words = formedWordsOf("aue aeoe ueaa ae oe ue");
  assert(rangesOfBeginning(words).length <= 32);
  assertEquals(rangesOfTitle(words), rangesOfBeginning(words));
  assertEquals(rangesOfBeginning(formedWordsOf("aeaeaeaeaeae")), [{ low: "", high: "\u{10ffff}" }]);
  const long = "x".repeat(80);
  assertEquals(rangesOfTitle(formedWordsOf(long))[0]?.low, orderForm(long));
});

/** The class by words, each compared with each. */
function isInTexts(q: string, texts: readonly string[]): boolean {
  const held = texts.flatMap(formedWordsOf);
  return askedWords(q, false).counted.every((word) => held.some((one) => matchesWord(word, one)));
}

function snippetOf(q: string, kind: Match, texts: readonly string[]): string | null {
  const finder = new BestFinder(askedWords(q, false), kind);
  for (const text of texts) finder.look(text);
  return finder.snippet;
}

Deno.test("A record has one class, and its snippet is a part of a text", () => {
  const random = seededRandom(59);
  const counts = new Map<string, number>();
  for (let run = 0; run < 1_500; run++) {
    const texts = [mixedText(random, 8), "", mixedText(random, 60), `ä ${mixedText(random, 20)}`];
    const q = mixedQuery(random, random.pick(texts));
    if (formedWordsOf(q).length === 0) continue;
    const label = `run ${run}: ${JSON.stringify([q, texts])}`;
    const kinds = (["EXACT", "START", "TITLE", "TEXT", "CLOSE"] as const)
      .filter((kind) => snippetOf(q, kind, texts) !== null);
    assert(kinds.length <= 1, label);
    const [kind = "none"] = kinds;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    assertEquals(["EXACT", "START", "TITLE", "TEXT"].includes(kind), isInTexts(q, texts), label);
    const shown = kind === "none" ? "" : snippetOf(q, kind, texts) ?? "";
    assert(texts.some((text) => text.includes(shown)), label);
  }
  for (const kind of ["EXACT", "START", "TITLE", "TEXT", "none"]) {
    assert((counts.get(kind) ?? 0) > 10, JSON.stringify([...counts]));
  }
});

Deno.test("A snippet begins and ends at words, and shows a word in any form", () => {
  const filler = "filler ".repeat(60);
  for (
    const [q, word] of [["mueller", "Müller"], ["øl", "oel"], ["muller", "Mu\u0308ller"]] as const
  ) {
    const shown = snippetOf(q, "TEXT", ["T", "", `${filler}${word} ${filler}`]) ?? "";
    assert(shown.includes(` ${word} `), shown);
    assert(/^ ?filler .* filler ?$/.test(shown), shown);
    assert([...shown].length > 180, shown);
  }
  const long = "y".repeat(100);
  assertEquals(
    snippetOf("lake", "TEXT", ["T", "", `${long}lake ${long} lake ${long}`])?.length,
    200,
  );
  const close = snippetOf("hosptal", "CLOSE", ["A hospital", "", "hospice"]);
  assertEquals(close, "A hospital");
  const run = "漢".repeat(300);
  assertEquals(
    snippetOf("lake", "TEXT", ["T", "", `${run}lake${run}`]),
    `${"漢".repeat(60)}lake${"漢".repeat(136)}`,
  );
});

Deno.test("The snippet of a tag is the beginning of the summary, a text or the title", () => {
  const shownFor = (q: string, ...texts: string[]) => {
    const finder = new BestFinder(askedWords(q, true), "TAG");
    for (const text of texts) finder.look(text);
    return finder.snippet;
  };
  const shown = (...texts: string[]) => shownFor("", ...texts);
  assertEquals(shownFor("the", "A lake"), "A lake");
  assertEquals(shownFor("the", "The lake", "Summary"), null);
  assertEquals(shown("Title", "Summary", "Text"), "Summary");
  assertEquals(shown("Title", "", "Text"), "Text");
  assertEquals(shown("Title", ""), "Title");
  assertEquals(shown("Title", "word ".repeat(50)), "word ".repeat(40));
});

Deno.test("A token names a tag at the start or after white space", () => {
  const forms = (q: string) => tagTokens(q).map(({ form }) => form);
  assertEquals(forms("#Summer-house lake #Łódź,x"), ["summer house", "lodz x"]);
  assertEquals(forms("a#b # c ##d #-e #_f"), []);
  assertEquals(forms("\t#1\n#東京#a"), ["1", "東京 a"]);
  assertEquals(forms("#\u0301"), []);
  const q = "one #two three #four";
  const [two, four] = tagTokens(q);
  assert(two && four);
  assertEquals(withoutTokens(q, [two, four]), "one   three  ");
  assertEquals(withoutTokens(q, [four]), "one #two three  ");
});
