import { assertEquals } from "@std/assert";
import {
  detailText,
  guessDetail,
  yearsBetween,
} from "../../../src/console/web/pages/people_entries.js";

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
