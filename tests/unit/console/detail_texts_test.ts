import { assert, assertEquals } from "@std/assert";
import { isSameDetail } from "../../../src/console/web/pages/import_question.js";
import {
  detailText,
  guessDetail,
  yearsBetween,
} from "../../../src/console/web/pages/people_entries/details.js";

Deno.test("The kind of a detail follows from its form", () => {
  const kinds = {
    "+49 (30) 12-34/5": "PHONE",
    " lena@example.org ": "EMAIL",
    "https://example.org/a": "URL",
    "www.example.org": "URL",
    "@lena": "HANDLE",
  };
  for (const [text, kind] of Object.entries(kinds)) {
    assertEquals(guessDetail(text), { kind, value: { value: text.trim() } });
  }
});

Deno.test("Years count from the day of the year, and dates without a year have none", () => {
  assertEquals(yearsBetween("1984-06-02", "2026-06-01"), 41);
  assertEquals(yearsBetween("1984-06-02", "2026-06-02"), 42);
  assertEquals(yearsBetween("1984", "2026-06-02"), 42);
  assertEquals(yearsBetween("--06-02", "2026-06-02"), null);
  assertEquals(yearsBetween("2030-01-01", "2026-06-02"), null);
});

Deno.test("Values read as one text", () => {
  const value = { street: "A 1", postalCode: "10115", locality: "Berlin" };
  assertEquals(detailText({ kind: "ADDRESS", value }), "A 1, 10115, Berlin");
  const name = { given: "Lena", family: "Ö", nickname: "Le" };
  assertEquals(detailText({ kind: "NAME", value: name }), "Lena Ö Le");
});

Deno.test("Details are the same as the service compares them", () => {
  const isSame = (kind: string, one: string, other: string) => {
    const detail = (value: string) => ({ kind, value: { value }, label: null });
    const found = isSameDetail(detail(one), detail(other));
    assertEquals(isSameDetail(detail(other), detail(one)), found);
    return found;
  };
  for (
    const [one, other, expected] of [
      ["0170 1234567", "+49 170 1234567", true],
      ["0049 170 1234567", "tel:+49-170-1234567;ext=5", true],
      ["030 123456", "(0)30/123456 x7", true],
      ["+1 30 1234567", "+49 30 1234567", false],
      ["123456", "+49 123456", false],
      ["12345", "12345", false],
      ["1234567", "+1234 1234567", false],
    ] as const
  ) assertEquals(isSame("PHONE", one, other), expected, `${one}, ${other}`);
  assert(isSame("EMAIL", "Lena@Example.org ", "lena@example.org"));
  assert(!isSame("URL", "https://a.example/a", "https://a.example/b"));
});
