import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { MODULE_CODES } from "../../../src/catalog/module_codes.ts";
import {
  closeOnlyQuery,
  closeQuery,
  lexemeQuery,
  lexemesOf,
  neighbourLexemes,
  queryInGroup,
  textOnlyQuery,
  textQuery,
  titleQuery,
} from "../../../src/records/search_index/lexemes.ts";
import { type IndexedText, markOf } from "../../../src/records/search_index/texts.ts";
import {
  type FormedWord,
  formedWordsOf,
  matchesWord,
} from "../../../src/records/search_index/word_forms.ts";
import { wordsOf } from "../../../src/records/search_index/words.ts";
import { mixedQuery, mixedText, naiveMatch } from "../../support/naive_search.ts";
import { seededRandom } from "../../support/random.ts";

const OWNER = "01JD5A00000000000000A1B2C3";

const PLAIN = { moduleCode: "commitment", guard: null };

/** Without the owner's code and the title. */
function lexemes(...texts: readonly IndexedText[]): string[] {
  return lexemesOf("", texts, PLAIN).split(" ");
}

/** Like tsvector and tsquery. */
function finds(query: string, lexemes: string): boolean {
  const held = lexemes.split(" ").map((lexeme) => OWNER.slice(-6) + lexeme);
  const isHeld = (term: string) =>
    term.endsWith(":*")
      ? held.some((lexeme) => lexeme.startsWith(term.slice(0, -2)))
      : held.includes(term);
  const isMet = (flat: string) =>
    flat.split(" | ").some((all) => all.split(" & ").every((term) => term === "1"));
  let terms = query.replaceAll(/[^ ()&|]+/g, (term) => isHeld(term) ? "1" : "0");
  while (terms.includes("(")) {
    terms = terms.replaceAll(/\(([^()]*)\)/g, (_all, flat) => isMet(flat) ? "1" : "0");
  }
  return isMet(terms);
}

function isCandidate(q: string, texts: readonly string[]): boolean {
  return finds(lexemeQuery(OWNER, wordsOf(q)), lexemesOf(texts[0] ?? "", texts, PLAIN));
}

Deno.test("A spaced word is one lexeme; an unspaced run its pairs and its end", () => {
  assertEquals(lexemes("The Garden", "", "the garden's"), ["the", "garden", "s"]);
  assertEquals(lexemes("東京タワー"), ["東京", "京タ", "タワ", "ワー", "ー"]);
  assertEquals(lexemes("京𠮷"), ["京𠮷", "𠮷"]);
  assertEquals(lexemes(""), [""]);
});

Deno.test("A query asks for prefixes, and for single code points exactly", () => {
  const prefixes = { prefixes: ["A"], marks: [] };
  const query = (q: string) => lexemeQuery(OWNER, wordsOf(q), prefixes).replaceAll("A1B2C3A", "");
  assertEquals(query("Gard 7"), "(gard:* & 7) | ");
  assertEquals(query("東京タ 京 𠮷"), "(東京 & 京タ & 京:* & 𠮷:*) | ");
  assertEquals(
    lexemeQuery(OWNER, wordsOf("a")).replaceAll("A1B2C3", ""),
    "((Aa | Sa | a)) | A | S | ",
  );
});

Deno.test("A word has the prefix of its widest audience; assistants find it in records with a mark", () => {
  const texts = [
    "a secret garden",
    { text: "A lake, the house", prefix: "S", mark: "MB" },
    { text: "The Garden 京都", prefix: "A", mark: "MB" },
  ];
  const lent = ["Athe", "Agarden", "A京都", "A都", "Sa", "Slake", "Shouse", "MB"];
  assertEquals(lexemes(...texts).sort(), [...lent, "secret"].sort());
  const query = (prefixes: string[], marks: string[]) =>
    lexemeQuery(OWNER, wordsOf("Gard 7"), { prefixes, marks }).replaceAll("A1B2C3", "");
  assertEquals(query(["A"], ["MB"]), "((Agard:* & A7) | A) & (MB)");
  assertEquals(
    query(["A", "S"], ["MB", "MC"]),
    "(((Agard:* | Sgard:*) & (A7 | S7)) | A | S) & (MB | MC)",
  );
});

Deno.test("Each module has a mark of two capitals, which no word has", () => {
  const marks = MODULE_CODES.map(markOf);
  assertEquals(new Set(marks).size, MODULE_CODES.length);
  assert(marks.every((mark) => /^M[A-Z]$/.test(mark)));
  assertEquals([markOf("relationship"), markOf("publication")], ["MA", "MX"]);
});

Deno.test("A query finds the words of its owner only", () => {
  const held = lexemesOf("a garden", ["a garden"], PLAIN);
  const finder = (owner: string) => finds(lexemeQuery(owner, wordsOf("garden")), held);
  assertEquals([OWNER, OWNER.replace("C3", "C4")].map(finder), [true, false]);
});

Deno.test("A long word is found by its beginning and as a whole", () => {
  const word = "𝒳y".repeat(200);
  for (const length of [2, 3, 31, 32, 33, 64, 256]) {
    assert(isCandidate([...word].slice(0, length).join(""), [word]), `${length}`);
  }
  const longest = Math.max(...lexemes(word).map((lexeme) => Buffer.byteLength(lexeme)));
  assert(longest < 2_000);
});

Deno.test("Texts of too many lexemes are found by every query", () => {
  const numbers = Array.from({ length: 120_000 }, (_, index) => `n${index}`).join(" ");
  assert(Buffer.byteLength(lexemesOf(numbers, [numbers], PLAIN)) < 2 ** 20);
  assert(isCandidate("anything 京", [numbers]));
  assert(!isCandidate("anything", [numbers.slice(0, 100_000)]));
  const held = lexemesOf("x", [
    { text: numbers, prefix: "A", mark: "MB" },
    { text: "x", prefix: "S", mark: "MB" },
  ], PLAIN);
  assertEquals(held, " A S MB");
});

Deno.test("The title's words, and further forms of all words, have lexemes of their own", () => {
  const held = lexemesOf("Die Müller", ["Die Müller", "Løft it 東京"], PLAIN).split(" ");
  assertEquals(
    held.sort().join(" "),
    "Floeft Floft Fmueller Tdie Tmueller Tmuller die it løft muller 京 東京",
  );
});

/** A query without the owner's code and the terms of words that assistants may find. */
function ownersQuery(build: typeof textQuery, q: string): string {
  return build(OWNER, formedWordsOf(q)).replaceAll(/A1B2C3[AS]\S+ \| /g, "").replaceAll(
    "A1B2C3",
    "",
  );
}

Deno.test("BEST asks for every form, for the title's words, and for neighbours among them", () => {
  const of = ownersQuery;
  assertEquals(
    textQuery(OWNER, formedWordsOf("gar")).replaceAll("A1B2C3", ""),
    "((Agar:* | Sgar:* | gar:* | Fgar:*)) | ",
  );
  assertEquals(of(textQuery, "Gör 7"), "((gor:* | Fgor:* | goer:* | Fgoer:*) & (7 | F7)) | ");
  assertEquals(of(titleQuery, "Gör 東京タ"), "((Tgor:* | Tgoer:*) & (((T東京) & (T京タ)))) | ");
  assertEquals(of(titleQuery, "ø"), "((Tø | To | Toe)) | ");
  const lakee = formedWordsOf("lakee");
  const neighbours = neighbourLexemes(OWNER, lakee);
  assertEquals(neighbours.slice(0, 2), ["A1B2C3Takee", "A1B2C3Tlkee"]);
  const present = new Set(neighbours.slice(1, 3));
  const close = ownersQuery((owner, words) => closeQuery(owner, words, present), "lakee");
  assertEquals(close, "((lakee:* | Flakee:* | Tlkee | Tlaee)) | ");
  assertEquals(neighbourLexemes(OWNER, formedWordsOf("a1b2")), []);
});

Deno.test("BEST asks for people, and for others with the marks of modules or of guarded records", () => {
  const held = (moduleCode: string, guard: "memory.secret" | null) =>
    lexemesOf("x", ["x"], { moduleCode, guard }).split(" ");
  assertEquals(held("relationship", null), ["Tx", "x", "P"]);
  assertEquals(held("memory", "memory.secret"), ["Tx", "x", "G"]);
  const query = (of: "PEOPLE" | "OTHERS" | "BOTH", marks: string[], seesGuarded: boolean) =>
    queryInGroup(OWNER, "q", { of, marks, seesGuarded }).replaceAll("A1B2C3", "");
  assertEquals(query("PEOPLE", ["MB"], true), "(q) & P");
  assertEquals(query("OTHERS", [], true), "(q) & !P");
  assertEquals(query("OTHERS", ["MB", "MC"], true), "(q) & !P & (MB | MC | P | G)");
  assertEquals(query("BOTH", [], true), "(q)");
  assertEquals(query("BOTH", ["MB"], false), "(q) & !G & (MB | P | G)");
});

Deno.test("Queries leave out a better class if the index has the words whole", () => {
  const of = ownersQuery;
  assertEquals(of(textOnlyQuery, "gard"), "(((gard:* | Fgard:*)) | ) & !((Tgard:*))");
  assertEquals(of(textOnlyQuery, "東京タ"), of(textQuery, "東京タ"));
  const close = of((owner, words) => closeOnlyQuery(owner, words, new Set()), "lakee");
  assert(close.endsWith(") & !((lakee:* | Flakee:*))"), close);
});

Deno.test("BEST's queries miss no matching text", () => {
  const random = seededRandom(22);
  let matches = 0;
  for (let run = 0; run < 1_500; run++) {
    const texts = [mixedText(random, 8), mixedText(random, 14)];
    const asked = formedWordsOf(mixedQuery(random, random.pick(texts)));
    if (asked.length === 0) continue;
    const label = `run ${run}: ${JSON.stringify([asked, texts])}`;
    const lexemes = lexemesOf(texts[0] ?? "", texts, PLAIN);
    const areIn = (words: readonly FormedWord[]) =>
      asked.every((word) => words.some((other) => matchesWord(word, other)));
    if (areIn(texts.flatMap(formedWordsOf))) {
      matches++;
      assert(finds(textQuery(OWNER, asked), lexemes), label);
      assert(finds(closeQuery(OWNER, asked, new Set()), lexemes), label);
    }
    if (areIn(formedWordsOf(texts[0] ?? ""))) {
      assert(finds(titleQuery(OWNER, asked), lexemes), label);
    }
  }
  assert(matches > 400, `${matches} matches`);
});

Deno.test("The index misses no matching text", () => {
  const random = seededRandom(21);
  let matches = 0;
  for (let run = 0; run < 6_000; run++) {
    const texts = Array.from({ length: random.integer(1, 3) }, () => mixedText(random, 14));
    const q = mixedQuery(random, random.pick(texts));
    if (wordsOf(q).length === 0 || !naiveMatch(q, texts)) continue;
    matches++;
    assert(isCandidate(q, texts), `run ${run}: ${JSON.stringify([q, texts])}`);
  }
  assert(matches > 2_000, `${matches} matches`);
});
