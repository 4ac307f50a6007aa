import { assertEquals } from "@std/assert";
import {
  detailText,
  guessDetail,
  nextContact,
  yearsBetween,
} from "../../../src/console/web/logic/detail_texts.js";

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

Deno.test("Values read as one text, and the next contact follows the last one", () => {
  const value = { street: "A 1", postalCode: "10115", locality: "Berlin" };
  assertEquals(detailText({ kind: "ADDRESS", value }), "A 1, 10115, Berlin");
  const name = { given: "Lena", family: "Ö", nickname: "Le" };
  assertEquals(detailText({ kind: "NAME", value: name }), "Lena Ö Le");
  const person = { lastContactAt: null, createdAt: "2026-01-01T00:00:00.000Z" };
  assertEquals(nextContact({ ...person, desiredContactIntervalDays: null }), null);
  assertEquals(
    nextContact({ ...person, desiredContactIntervalDays: 31 }),
    "2026-02-01T00:00:00.000Z",
  );
});
