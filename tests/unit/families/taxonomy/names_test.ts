/** The compared form of names, over every script and code point. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import {
  areDistinct,
  comparedForm,
  NAME_LENGTH,
  sortKey,
} from "../../../../src/families/taxonomy/name.ts";
import { isBlank } from "../../../../src/validate/text.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

function codePoints(first: number, last: number): string[] {
  const points = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return points.filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point));
}

/** Emphasises difficult letters; without capital ß, which is its own upper case. */
const LETTERS: readonly string[] = [
  ...codePoints(0x20, 0x7e),
  ...codePoints(0xa0, 0x24f),
  ...codePoints(0x300, 0x36f),
  ...codePoints(0x370, 0x5ff),
  ...codePoints(0x600, 0x6ff),
  ...codePoints(0x1e00, 0x1fff),
  ...codePoints(0xfb00, 0xfdff),
  ...codePoints(0xff01, 0xffee),
  ...codePoints(0x1d400, 0x1d4ff),
  ..."ßßßİİİııΣσςςﬁﬂﬀÅÅéé漢字かなカナ한국어שלוםمرحبا🙂👩‍👩‍👧",
].filter((letter) => letter !== "\u1e9e");

const SPACES = [" ", "  ", "\u00a0", "\u3000", "\u2003", "\u202f ", " \u2009"];

function makeName(random: Random): string {
  const letters = Array.from({ length: random.integer(1, 12) }, () => random.pick(LETTERS));
  return `x${letters.join("")}`;
}

Deno.test("Spellings of one name have one compared form, other names another", () => {
  const same: readonly (readonly string[])[] = [
    ["Straße", "STRASSE", "strasse", "  Straße "],
    ["ΟΔΟΣ", "οδος", "οδοσ", "Οδος"],
    ["ΣΑΣ και ΣΑΣ", "σας και σας", "σασ ΚΑΙ σασ"],
    ["ﬁsh", "fish", "FISH", "Ｆｉｓｈ", "ＦＩＳＨ"],
    ["Café", "Cafe\u0301", "CAFÉ", "CAFE\u0301"],
    ["Ångström", "\u212bngström", "A\u030angstro\u0308m"],
    ["İzmir", "I\u0307zmir", "i\u0307zmir"],
    ["Isı", "ISI", "isi"],
    ["House and garden", "house\u00a0and  garden", "\u3000HOUSE\u2003AND GARDEN"],
    ["q\u0323\u0307", "q\u0307\u0323"],
    ["ﻻ", "لا"],
    ["한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"],
    ["ガーデン", "ｶﾞｰﾃﾞﾝ"],
    ["5²", "52", "５２"],
    ["ŉ", "ʼn", "ʼN"],
    ["ΐ", "Ϊ\u0301", "ϊ\u0301"],
  ];
  const forms = same.map(([first = "", ...others]) => {
    const form = comparedForm(first);
    for (const other of others) assertEquals(comparedForm(other), form, `${first}, ${other}`);
    return form;
  });
  assertEquals(new Set(forms).size, same.length);
  for (
    const [one, other] of [
      ["Cafe", "Café"],
      ["Izmir", "İzmir"],
      ["שלום", "שָׁלוֹם"],
      ["a b", "ab"],
      ["a\u200bb", "ab"],
      ["O", "Ø"],
      ["か", "カ"],
    ] as const
  ) {
    assertNotEquals(comparedForm(one), comparedForm(other), `${one}, ${other}`);
  }
});

Deno.test("Case, composition and width never change a compared form", () => {
  const random = seededRandom(181);
  for (let round = 0; round < 2_000; round++) {
    const name = makeName(random);
    const form = comparedForm(name);
    const spellings = [
      name.normalize("NFC"),
      name.normalize("NFD"),
      name.normalize("NFKC"),
      name.normalize("NFKD"),
      name.toUpperCase(),
      name.toLowerCase(),
      name.replaceAll(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
      form,
    ];
    for (const spelling of spellings) assertEquals(comparedForm(spelling), form, escape(name));
  }
});

Deno.test("A prefix of a word has a prefix of its form", () => {
  for (
    const [word, longer] of [["ΟΔΟΣ", "Οδοσήμανση"], ["fi", "ﬁsh"], ["STRASS", "Straße"]] as const
  ) {
    assert(comparedForm(longer).startsWith(comparedForm(word)), longer);
  }
});

Deno.test("White space becomes one space between words, and none at the ends", () => {
  const random = seededRandom(182);
  for (let round = 0; round < 400; round++) {
    const words = Array.from({ length: random.integer(1, 4) }, () => random.text(1, 6).trim())
      .flatMap((text) => text.split(/\s+/));
    const spaced = words.map((word) => `${random.pick(SPACES)}${word}`).join("");
    assertEquals(comparedForm(`${spaced}${random.pick(SPACES)}`), comparedForm(words.join(" ")));
  }
});

Deno.test("Every letter's form is short, and empty only for blanks", () => {
  const encoder = new TextEncoder();
  let longest = 0;
  // Other planes are unassigned or private.
  for (const letter of [...codePoints(0, 0x3ffff), ...codePoints(0xe0000, 0xe0fff)]) {
    const form = comparedForm(letter);
    if ((form === "") !== isBlank(letter)) {
      assertEquals(form === "", isBlank(letter), escape(letter));
    }
    if (form.length > 1) longest = Math.max(longest, encoder.encode(form).length);
  }
  // PostgreSQL's limit of index entries, less owner and kind.
  assert(NAME_LENGTH * longest < 2_704 - 60, `${longest}`);
});

Deno.test("Keys sort as their forms' code points do", () => {
  const random = seededRandom(183);
  const names = Array.from(
    { length: 2_000 },
    () =>
      `${random.pick(["", "a", "漢"])}${random.pick(LETTERS)}${
        random.pick(["", "b", "🙂", "\ufb01"])
      }`,
  );
  names.push("\ue000", "\uffee", "\ufffd", "\u{10000}", "\u{10ffff}", "\ud7ff", "\uf8ff");
  const points = (name: string) =>
    Array.from(comparedForm(name), (letter) => letter.codePointAt(0) ?? 0);
  const inPoints = (one: readonly number[], other: readonly number[]): number => {
    const at = one.findIndex((point, index) => point !== other[index]);
    return at === -1 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
  };
  for (let round = 0; round < 8_000; round++) {
    const [one, other] = [random.pick(names), random.pick(names)];
    const [left, right] = [sortKey(one), sortKey(other)];
    const order = left === right ? 0 : left < right ? -1 : 1;
    assertEquals(order, Math.sign(inPoints(points(one), points(other))), `${one}, ${other}`);
  }
});

Deno.test("Names are distinct by compared form; too long ones equal none", () => {
  assert(areDistinct([]));
  assert(areDistinct(["Garden", "Yard"]));
  assert(!areDistinct(["Garden", "Yard", "ＧＡＲＤＥＮ "]));
  const long = "\u0301".repeat(NAME_LENGTH + 1);
  assert(areDistinct(["Garden", "garden", long]));
});

/** Escapes a name for failure messages. */
function escape(name: string): string {
  return Array.from(name, (letter) => `U+${letter.codePointAt(0)?.toString(16)}`).join(" ");
}
