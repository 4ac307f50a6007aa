import { assert, assertEquals } from "@std/assert";
import { findWord, fold, wordsOf } from "../../../src/records/search_index/words.ts";
import {
  mixedQuery,
  mixedText,
  naiveFold,
  naiveMatch,
  naiveWords,
} from "../../support/naive_search.ts";
import { seededRandom } from "../../support/random.ts";

/** Unspaced ones in brackets. */
function shown(text: string): string[] {
  return wordsOf(text).map(({ text, isUnspaced }) => isUnspaced ? `[${text}]` : text);
}

Deno.test("Case, width, accents and spelling do not count", () => {
  const alike = [
    ["Straße", "STRASSE", "strasse"],
    ["Crème Brûlée", "creme brulee", "CRE\u0300ME BRU\u0302LE\u0301E"],
    ["ΟΔΟΣ", "οδός", "οδοσ"],
    ["İstanbul", "istanbul"],
    ["ﬁｒｅ", "fire"],
    ["ｶﾞ", "が".normalize("NFD"), "ガ", "ｶ\u3099"].filter((text) => text !== "が".normalize("NFD")),
    ["한", "\u1112\u1161\u11ab"],
    ["Å", "A\u030a", "\u212b"],
  ];
  for (const [first = "", ...others] of alike) {
    for (const other of others) assertEquals(fold(other), fold(first));
  }
  // Upper case doubles the small letter but not the capital one.
  assertEquals(fold("STRAẞE"), "straße");
});

Deno.test("A word is a run of letters, marks and digits of spaced or unspaced scripts", () => {
  assertEquals(shown("It's 3.5 km, isn't it?"), ["it", "s", "3", "5", "km", "isn", "t", "it"]);
  assertEquals(shown("東京タワーにiPhone15を買う"), ["[東京タワーに]", "iphone15", "[を買う]"]);
  assertEquals(shown("ไปเที่ยว2026ครั้ง"), ["[ไปเที่ยว]", "2026", "[ครั้ง]"]);
  assertEquals(shown("서울에서 만나요"), ["[서울에서]", "[만나요]"]);
  assertEquals(shown("काम किताब"), ["काम", "किताब"]);
  assertEquals(shown("one\u2028two\u2029three\u0085four"), ["one", "two", "three", "four"]);
  assertEquals(shown("—…!? \u200b😀 ()"), []);
});

Deno.test("findWord() finds unspaced words anywhere, others at the beginning, single ones exactly", () => {
  const stands = (q: string, text: string) => {
    const [word] = wordsOf(q);
    assert(word !== undefined);
    return findWord(fold(text), word) >= 0;
  };
  assert(stands("gard", "The Garden"));
  assert(!stands("arden", "The Garden"));
  assert(!stands("g", "garden"));
  assert(stands("g", "garden, g, other"));
  assert(
    stands("京", "東京タワー") && stands("京タ", "東京タワー") && !stands("東タ", "東京タワー"),
  );
  assert(stands("京", "in東京") && stands("in", "東京in東京") && stands("i", "東i京"));
  assert(!stands("d", "𐐷d") && !stands("𐐷", "𐐷𐐷") && stands("𐐷", "x 𐐷."));
  assert(!stands("a", "a\u0b4d".repeat(2)));
});

Deno.test("Words and matches follow the contract, for texts of many scripts", () => {
  const random = seededRandom(20);
  for (let run = 0; run < 1_500; run++) {
    const fields = Array.from({ length: random.integer(1, 3) }, () => mixedText(random, 14));
    const text = fields.join("");
    const label = `run ${run}: ${JSON.stringify(fields)}`;
    assertEquals(fold(text), naiveFold(text), label);
    assertEquals(
      wordsOf(text).map((word) => word.text),
      naiveWords(text).map(({ points }) => points.join("")),
      label,
    );
    const q = mixedQuery(random, random.pick(fields));
    const words = wordsOf(q);
    const folded = fields.map(fold);
    const isMet = words.every((word) => folded.some((field) => findWord(field, word) >= 0));
    assertEquals(isMet, naiveMatch(q, fields), `${label}: ${JSON.stringify(q)}`);
  }
});

/** The longest run of marks during the action. */
function longestNormalised(action: () => void): number {
  let longest = 0;
  const prototype = String.prototype;
  const { normalize } = prototype;
  prototype.normalize = function (form?: string) {
    for (const [run] of this.matchAll(/\p{M}+/gu)) longest = Math.max(longest, run.length);
    return normalize.call(this, form);
  };
  try {
    action();
  } finally {
    prototype.normalize = normalize;
  }
  return longest;
}

Deno.test("Normalisation, whose time grows with the square, is limited to a few marks at once", () => {
  for (const pair of ["\u0301\u0316", "\u05b0\u0591", "\u064b\u0651", "\u0f77\u0301"]) {
    const text = `a${pair.repeat(50_000)} b`;
    const longest = longestNormalised(() => assertEquals(wordsOf(text).at(-1)?.text, "b"));
    assert(longest > 0 && longest <= 120, `${longest} marks`);
  }
});
