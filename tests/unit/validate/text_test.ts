import { assertEquals } from "@std/assert";
import {
  comparisonKey,
  countCodePoints,
  distinctTexts,
  firstCodePoints,
  hasControlCharacter,
  isBlank,
  isLongerThan,
} from "../../../src/validate/text.ts";
import { seededRandom } from "../../support/random.ts";

Deno.test("isLongerThan() counts code points, not UTF-16 units", () => {
  assertEquals(countCodePoints("🙂🙂"), 2);
  assertEquals(isLongerThan("🙂🙂", 2), false);
  assertEquals(isLongerThan("🙂🙂a", 2), true);
  assertEquals(isLongerThan("", 0), false);
});

Deno.test("isLongerThan() matches counting", () => {
  const random = seededRandom(7);
  for (let run = 0; run < 1000; run++) {
    const text = random.text(0, 30);
    const maximum = random.integer(0, 30);
    assertEquals(isLongerThan(text, maximum), [...text].length > maximum, text);
  }
});

Deno.test("firstCodePoints() cuts between code points only", () => {
  const random = seededRandom(8);
  for (let run = 0; run < 1000; run++) {
    const text = random.text(0, 30);
    const count = random.integer(0, 30);
    assertEquals(firstCodePoints(text, count), [...text].slice(0, count).join(""), text);
  }
  assertEquals(firstCodePoints("a🙂🙂🙂", 2), "a🙂");
});

Deno.test("isBlank() recognises Unicode white space", () => {
  for (const blank of ["", " ", "\t\n", "\u00a0\u3000\ufeff"]) assertEquals(isBlank(blank), true);
  assertEquals(isBlank(" . "), false);
});

Deno.test("hasControlCharacter() finds exactly C0, DEL and C1", () => {
  for (let code = 0; code <= 0x2ff; code++) {
    const isControl = code <= 0x1f || (code >= 0x7f && code <= 0x9f);
    assertEquals(hasControlCharacter(`a${String.fromCharCode(code)}`), isControl, `U+${code}`);
  }
});

Deno.test("distinctTexts() keeps the first of equal texts as written", () => {
  assertEquals(distinctTexts([" café", "cafe\u0301 ", "Café", "tea", "tea"]), [
    " café",
    "Café",
    "tea",
  ]);
  assertEquals(comparisonKey("\u2126 "), "\u03a9");
});
