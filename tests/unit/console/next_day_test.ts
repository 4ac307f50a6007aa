import { assertEquals } from "@std/assert";
import { nextDay } from "../../../src/console/web/pages/people_details/next_day.js";

const TODAY = "2026-11-29";
const dateOf = (
  date: string,
  what = "BIRTHDAY",
  more: { label?: string; yearly?: boolean } = {},
) => {
  const { label = null, yearly } = more;
  return { kind: "DATE", value: { what, date, ...(yearly !== undefined && { yearly }) }, label };
};
const next = (details: readonly unknown[], today = TODAY) => nextDay(details, today)?.day ?? null;

Deno.test("The next day is today or the first after it, in this year or the next", () => {
  assertEquals(next([dateOf("1984-12-03")]), "2026-12-03");
  assertEquals(next([dateOf("1984-11-29")]), TODAY);
  assertEquals(next([dateOf("--11-28")]), "2027-11-28");
  assertEquals(next([dateOf("2030-01-01")]), "2030-01-01");
  assertEquals(next([dateOf("--03-01"), dateOf("2011-12-24", "ANNIVERSARY")]), "2026-12-24");
});

Deno.test("29 February is 28 February in other years", () => {
  const leap = [dateOf("1984-02-29")];
  assertEquals(next(leap, "2027-01-01"), "2027-02-28");
  assertEquals(next(leap, "2027-03-01"), "2028-02-29");
  assertEquals(next(leap, "2028-02-28"), "2028-02-29");
  assertEquals(next([dateOf("--02-29")], "2099-12-31"), "2100-02-28");
});

Deno.test("Only days return that the service repeats", () => {
  const once = [
    dateOf("1984"),
    dateOf("2011-12-24", "MET"),
    dateOf("2011-12-24", "OTHER"),
    dateOf("2011-12-24", "BIRTHDAY", { yearly: false }),
    { kind: "DATE", value: null, label: null },
    { kind: "PHONE", value: { value: "1" }, label: null },
  ];
  assertEquals(next(once), null);
  assertEquals(next([dateOf("2011-12-24", "MET", { yearly: true })]), "2026-12-24");
  assertEquals(next([dateOf("2011-12-24", "OTHER", { label: "Name day" })]), "2026-12-24");
});

Deno.test("After a death only its own day returns", () => {
  const birthday = dateOf("1940-12-01");
  const other = (property: string) => ({ kind: "OTHER", value: { property, value: "true" } });
  assertEquals(next([birthday, dateOf("2020-05-07", "DEATH")]), "2027-05-07");
  assertEquals(next([birthday, dateOf("2020", "DEATH")]), null);
  assertEquals(next([birthday, dateOf("--05-07", "DEATH")]), "2027-05-07");
  assertEquals(next([birthday, other("x-monica-dead")]), null);
  assertEquals(next([birthday, other("X-MONICA-GIFT")]), "2026-12-01");
  const secret = { ...dateOf("2020-05-07", "DEATH"), effectivePrivacy: "SECRET" };
  assertEquals(next([birthday, secret]), null);
  // On the day itself the person still counts as living.
  assertEquals(next([dateOf("1940-11-29"), dateOf(TODAY, "DEATH")]), TODAY);
});
