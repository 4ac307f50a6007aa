import { assert, assertEquals } from "@std/assert";
import { snippetOf } from "../../support/snippet.ts";
import { findWord, fold, wordsOf } from "../../../src/records/search_index/words.ts";
import { mixedQuery, mixedText, naiveMatch } from "../../support/naive_search.ts";
import { seededRandom } from "../../support/random.ts";

const snippet = (q: string, ...texts: readonly string[]) => snippetOf(texts, wordsOf(q));

Deno.test("A snippet is from the first matching text, as stored", () => {
  assertEquals(snippet("gard", "The Gärden ", "A garden"), "The Gärden ");
  assertEquals(snippet("gard", "", "A  garden\n"), "A  garden\n");
  assertEquals(snippet("two one", "One", "One two"), "One");
  assertEquals(snippet("gard", "arden", "gar d"), null);
  assertEquals(snippet("one two", "one", "one"), null);
  assertEquals(snippet("one one", "one"), "one");
});

Deno.test("A long text is cut around its first match", () => {
  const filler = Array.from({ length: 100 }, (_, index) => `filler${index}`).join(" ");
  const text = `${filler} two ${filler} one ${filler}`;
  const found = snippet("one two", text) ?? "";
  assertEquals([...found].length, 200);
  assert(text.includes(found) && found.includes(" one ") && !found.includes("two"));
  assertEquals(found.indexOf("one "), 60);
  assertEquals(snippet("filler0", text), text.slice(0, 200));
  assertEquals(snippet("last", `${text} last`), `${text} last`.slice(-200));
});

Deno.test("Nothing is cut within a code point", () => {
  for (let length = 0; length < 8; length++) {
    const text = `${"x".repeat(length)}${"🙂".repeat(300)} word ${"🙂".repeat(300)}`;
    const found = snippet("word", text) ?? "";
    assertEquals([...found].length, 200);
    assert(found.isWellFormed() && text.includes(found) && found.includes(" word "));
  }
});

Deno.test("A snippet shows its word, whatever precedes it", () => {
  const random = seededRandom(22);
  let found = 0;
  for (let run = 0; run < 400; run++) {
    const before = Array.from({ length: random.integer(0, 40) }, () => mixedText(random, 40)).join(
      "",
    );
    const text = `${before} ${mixedText(random, 20)} ${mixedText(random, 300)}`;
    const q = mixedQuery(random, text);
    const words = wordsOf(q);
    if (words.length === 0) continue;
    const label = `run ${run}: ${JSON.stringify([q, text])}`;
    const shown = snippetOf([text], words);
    assertEquals(shown !== null, naiveMatch(q, [text]), label);
    if (shown === null) continue;
    found++;
    assert(text.includes(shown) && [...shown].length <= 200, label);
    // Preceding text may have joined the word.
    assert(words.some((word) => fold(shown).includes(word.text)), label);
    assert(findWord(fold(text), words[0] ?? { text: "", isUnspaced: false }) >= 0, label);
  }
  assert(found > 150, `${found} found`);
});

Deno.test("The position of a word is exact after characters that join", () => {
  const points = Array.from({ length: 0x20000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff).map((code) => String.fromCodePoint(code));
  /** An example of a base for each mark. */
  const bases = new Map<string, string>();
  for (const point of points) {
    if (point.normalize("NFC") !== point) continue;
    const [base = "", ...joined] = point.normalize("NFD");
    for (const one of joined) bases.set(one, base);
  }
  const joining = points.flatMap((point) => {
    const base = bases.get([...point.normalize("NFKD")][0] ?? "");
    return base === undefined ? [] : [[base, point] as const];
  });
  assert(joining.length > 150);
  const filler = "filler ".repeat(50);
  for (const [base, point] of joining) {
    // A part would end between the two.
    const text = `${"b".repeat(999)}${base}${point} ${filler}word ${filler}`;
    const shown = [...snippet("word", text) ?? ""].join("");
    assertEquals(shown.indexOf("word"), 60, `U+${point.codePointAt(0)?.toString(16)}`);
  }
});
