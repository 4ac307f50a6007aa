import { assertEquals } from "@std/assert";
import { COMMITMENT } from "../../../src/catalog/modules/commitment.ts";
import { HEALTH } from "../../../src/catalog/modules/health.ts";
import { readListQuery } from "../../../src/records/list_query.ts";
import { seededRandom } from "../../support/random.ts";
import { refusalOf } from "../../support/refusals.ts";

function read(query: string, module = COMMITMENT) {
  return readListQuery(module, new URLSearchParams(query));
}

Deno.test("readListQuery() returns the newest 50 live records by default", () => {
  assertEquals(read(""), {
    limit: 50,
    cursor: null,
    sortBy: "createdAt",
    isDescending: true,
    archived: "exclude",
    created: {},
    updated: {},
    time: {},
    filters: [],
  });
});

Deno.test("readListQuery() reads every parameter", () => {
  const query = "limit=7&cursor=01JD5A0000000000000000RECD&sort=updatedAt&archived=include" +
    "&createdFrom=2026-01-01T01:00:00%2B01:00&updatedTo=2026-02-01T00:00:00Z" +
    "&time[to]=2026-03-01T00:00:00Z" +
    "&filter[dueAt][gte]=2026-01-01T01:00:00%2B01:00&filter[counterparty]=";
  assertEquals(read(query), {
    limit: 7,
    cursor: "01JD5A0000000000000000RECD",
    sortBy: "updatedAt",
    isDescending: false,
    archived: "include",
    created: { from: new Date("2026-01-01T00:00:00Z") },
    updated: { to: new Date("2026-02-01T00:00:00Z") },
    time: { to: new Date("2026-03-01T00:00:00Z") },
    filters: [
      { field: "dueAt", edit: "datetime", comparison: "gte", value: "2026-01-01T00:00:00.000Z" },
      { field: "counterparty", edit: "text", comparison: "equals", value: "" },
    ],
  });
});

Deno.test("readListQuery() writes a number in the digits of a payload", () => {
  const stored = (text: string) =>
    read(`filter[value]=${encodeURIComponent(text)}`, HEALTH).filters[0]?.value;
  assertEquals(stored("70"), "70");
  assertEquals(stored("070.00"), "70");
  assertEquals(stored("-0"), "0");
  assertEquals(stored("1E2"), "100");
  assertEquals(stored("0.0000001"), "1e-7");
  assertEquals(stored("0.30000000000000004"), "0.30000000000000004");
  const random = seededRandom(1);
  for (let run = 0; run < 500; run++) {
    const number = (random.next() - 0.5) * 10 ** random.integer(-12, 12);
    assertEquals(stored(String(number)), String(number));
  }
});

Deno.test("readListQuery() rejects non-decimal numbers", () => {
  const texts = ["", "-", "1.", ".5", "1e", "e1", "1e1000", "1_0", "0b1", "1,5", "1".repeat(33)];
  for (const text of texts) {
    const refusal = refusalOf(() => read(`filter[value]=${text}`, HEALTH));
    assertEquals(refusal, { rules: ["filter.value"], fields: ["filter[value]"] }, text);
  }
});

Deno.test("readListQuery() accepts ten filters and no more", () => {
  const names = ["commitmentType=LENT", "completionStatus=OPEN", "counterparty=a"];
  const ranges = ["dueAt", "completedAt", "reliabilityImpact"].flatMap((field) => {
    const value = field === "reliabilityImpact" ? "1" : "2026-01-01T00:00:00Z";
    return [`${field}]=${value}`, `${field}][gte]=${value}`, `${field}][lte]=${value}`];
  });
  const filters = [...names.map((name) => name.replace("=", "]=")), ...ranges];
  const query = (count: number) =>
    filters.slice(0, count).map((filter) => `filter[${filter}`).join("&");
  assertEquals(read(query(10)).filters.length, 10);
  assertEquals(refusalOf(() => read(query(11)))?.rules, ["filter.count"]);
});
