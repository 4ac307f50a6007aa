/** Titles, tags and times that are brought into the limits of records. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../../src/core/json.ts";
import { fitMembers, fitPerson } from "../../../src/imports/fit_members.ts";

const NOW = new Date("2026-11-29T12:00:00.000Z");
const FUTURE = "2027-01-02T03:04:05.000+01:00";

function fitted(members: JsonObject, source: Parameters<typeof fitMembers>[1] = {}) {
  return fitMembers(members, source, NOW);
}

Deno.test("Title over 200 code points is cut, and counted unless the text has it", () => {
  const title = "é".repeat(200);
  assertEquals(fitted({ title }), {
    members: { title },
    rules: [],
    unmapped: [],
    modifiedAt: null,
  });
  const cut = { members: { title }, rules: ["title.cut"], unmapped: ["title"], modifiedAt: null };
  assertEquals(fitted({ title: `${title}é` }), cut);
  assertEquals(fitted({ title: `${title}é` }, { isTitleInText: true }), { ...cut, unmapped: [] });
  assertEquals(fitted({ title: "a\nb" }).members, { title: "a b" });
});

Deno.test("Item keeps its first 500 tags", () => {
  const tags = Array.from({ length: 501 }, (_, index) => `${index}`);
  const { members, rules, unmapped } = fitted({ tags });
  assertEquals(members, { tags: tags.slice(0, 500) });
  assertEquals([rules, unmapped], [["tag.too_many"], ["tag"]]);
  assertEquals(fitted({ tags: [...tags.slice(1), "1"] }).rules, []);
});

Deno.test("Times in the future are left out, and a memory keeps its own as a text", () => {
  const rules = ["import.future"];
  assertEquals(fitted({ recordedAt: FUTURE }), {
    members: {},
    rules,
    unmapped: [],
    modifiedAt: null,
  });
  const time = NOW.getTime();
  assertEquals(fitted({}, { modifiedAt: time }).modifiedAt, time);
  assertEquals(fitted({}, { modifiedAt: time + 3_600_000 }), {
    members: {},
    rules,
    unmapped: [],
    modifiedAt: null,
  });
  const dated = { futureRule: "import.date" } as const;
  assertEquals(fitted({ recordedAt: FUTURE }, dated).rules, ["import.date"]);
  const recent = "2026-11-29T12:05:00.000Z";
  assertEquals(fitted({ recordedAt: recent }).rules, []);
  const memory = (payload: JsonObject) => fitted({ target: "memory", payload }).members.payload;
  assertEquals(memory({ occurredAt: FUTURE }), {
    timePrecision: "UNKNOWN",
    timeText: "2027-01-02 03:04",
  });
  assertEquals(memory({ occurredAt: FUTURE, timePrecision: "DAY" }), {
    timePrecision: "UNKNOWN",
    timeText: "2027-01-02",
  });
  assertEquals(fitted({ target: "memory", payload: { occurredAt: FUTURE, timeText: "then" } }), {
    members: {
      target: "memory",
      payload: { timePrecision: "UNKNOWN", timeText: "2027-01-02 03:04" },
    },
    rules,
    unmapped: ["timeText"],
    modifiedAt: null,
  });
  const unknown = { occurredAt: FUTURE, timePrecision: "HOUR" };
  assertEquals(memory(unknown), unknown);
  const payload = { publishedAt: FUTURE, capturedAt: FUTURE, url: "u" };
  const facts = { optionalTimes: ["publishedAt"], runTimeField: "capturedAt" };
  assertEquals(fitted({ payload }, facts), {
    members: { payload: { url: "u" } },
    rules,
    unmapped: ["publishedAt"],
    modifiedAt: null,
  });
});

Deno.test("Contacts of a person in the future are left out and counted", () => {
  const past = { contactedAt: "2026-01-02T03:04:05.000Z" };
  const of = (...contacts: JsonObject[]) => ({ title: "A", payload: { importance: 3, contacts } });
  const fitting = { members: of(past), rules: [], unmapped: [], modifiedAt: null };
  assertEquals(fitPerson(of(past), NOW), fitting);
  assertEquals(fitPerson(of(past, { contactedAt: FUTURE }), NOW), {
    ...fitting,
    rules: ["import.future"],
    unmapped: ["contact"],
  });
});
