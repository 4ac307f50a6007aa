import { assert, assertEquals } from "@std/assert";
import { isClose, neighboursOf } from "../../../src/records/search_index/close_words.ts";
import { formedWordsOf } from "../../../src/records/search_index/word_forms.ts";
import { seededRandom } from "../../support/random.ts";

/** Edits from one word to another, with neighbours exchanged as one edit (optimal alignment). */
function distance(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, i) => [i]);
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  for (let j = 1; j <= other.length; j++) rows[0]?.push(j);
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const isExchange = i > 1 && j > 1 && one[i - 1] === other[j - 2] &&
        one[i - 2] === other[j - 1];
      rows[i]?.push(Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + cost,
        isExchange ? at(i - 2, j - 2) + 1 : Infinity,
      ));
    }
  }
  return at(one.length, other.length);
}

const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyz",
  "αβγδεζηθικλμνξοπρστυφχψω",
  "абвгдежзиклмнопрстуфхцчшщъыьэюя",
];

Deno.test("The neighbours of a word are those at a distance of one edit", () => {
  const random = seededRandom(15);
  let close = 0;
  for (let run = 0; run < 150; run++) {
    const letters = [...random.pick(ALPHABETS)];
    const some = letters.slice(0, random.pick([3, letters.length]));
    const word = Array.from({ length: random.integer(4, 12) }, () => random.pick(some)).join("");
    const neighbours = neighboursOf(word);
    for (const neighbour of neighbours) assertEquals(distance(word, neighbour), 1, word);
    for (let other = 0; other < 20; other++) {
      const points = [...word];
      for (let edit = 0; edit < random.integer(1, 2); edit++) {
        const place = random.integer(0, points.length);
        points.splice(
          place,
          random.integer(0, 1),
          ...(random.chance(0.5) ? [random.pick(some)] : []),
        );
      }
      const edited = points.join("");
      const isNeighbour = distance(word, edited) === 1;
      if (isNeighbour) close++;
      assertEquals(neighbours.has(edited), isNeighbour, `${word} ${edited}`);
    }
  }
  assert(close > 800, `${close}`);
});

Deno.test("Only words of four letters or more, of one alphabet, have neighbours, at most 1,500", () => {
  for (const word of ["abc", "ab1cd", "łodz", "abcд", "東京東京", "काम"]) {
    assertEquals(neighboursOf(word).size, 0, word);
  }
  assertEquals(neighboursOf("gardens").size, 7 + 6 + 25 * 7 + 26 * 8 - 7);
  assertEquals(neighboursOf("а".repeat(6)).size, 1 + 6 * 30 + 7 * 30 + 1);
  assertEquals(neighboursOf("abcdefghijklmnopqrstuvwxyzabcdef").size, 1_500);
});

Deno.test("A word is close to a title's word of at least five letters, in any of its forms", () => {
  const close = (q: string, title: string) => {
    const neighbours = neighboursOf(q);
    return formedWordsOf(title).some((word) => isClose(neighbours, word));
  };
  assert(close("lkaes", "The lakes") && close("lkes", "lakes") && close("gardenn", "Garden"));
  assert(!close("lkae", "lake") && !close("laske", "lake") && !close("garrdenn", "garden"));
  assert(close("muler", "Müller") && close("muellr", "Müller") && close("smorebrod", "Smørrebrød"));
  assert(!close("garden", "gardening") && !close("gardne", "東京"));
});
