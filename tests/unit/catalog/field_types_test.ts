import { assertEquals } from "@std/assert";
import {
  boolean,
  datetime,
  files,
  json,
  number,
  select,
  tags,
  text,
  textarea,
} from "../../../src/catalog/fields.ts";
import type { Field } from "../../../src/catalog/module.ts";
import type { JsonValue } from "../../../src/core/json.ts";
import { checkField, normaliseField } from "../../../src/catalog/field_types.ts";
import { seededRandom } from "../../support/random.ts";

const ULID = "01JD5A0000000000000000TEST";
const LONE_SURROGATE = "\ud800";

function assertAccepted(field: Field, ...values: JsonValue[]): void {
  for (const value of values) assertEquals(checkField(field, value), null, JSON.stringify(value));
}

function assertRefused(field: Field, violation: string, ...values: JsonValue[]): void {
  for (const value of values) {
    assertEquals(checkField(field, value), violation, JSON.stringify(value)?.slice(0, 80));
  }
}

Deno.test("checkField() rejects null for every edit type", () => {
  const fields = [
    text("a"),
    textarea("a"),
    select("a", ["A"]),
    number("a", { minimum: 0, maximum: 1 }),
    datetime("a"),
    boolean("a"),
    tags("a"),
    files("a"),
    json("a"),
  ];
  for (const field of fields) assertRefused(field, "field.null", null);
});

Deno.test("checkField() accepts a line of at most 500 code points without control characters", () => {
  const field = text("a");
  assertAccepted(field, "", "   ", " a ", "🙂".repeat(500), "\u2028\u200b");
  assertRefused(field, "field.type", 1, true, [], {});
  assertRefused(field, "field.length", "a".repeat(501), "🙂".repeat(501));
  assertRefused(field, "field.control_character", "a\n", "\t", "\u0000", "\u007f", "\u009f");
  assertRefused(field, "field.unicode", LONE_SURROGATE, `a\udc00\ud800`);
});

Deno.test("checkField() allows a field to override the length of a line", () => {
  const field = text("a", { maximumLength: 2048 });
  assertAccepted(field, "a".repeat(2048));
  assertRefused(field, "field.length", "a".repeat(2049));
});

Deno.test("checkField() accepts text of at most 100,000 code points with any line breaks", () => {
  const field = textarea("a");
  assertAccepted(field, "", "a\r\n\tb\u0007\u009f", "🙂".repeat(100_000));
  assertRefused(field, "field.type", 1, false, [], {});
  assertRefused(field, "field.length", "a".repeat(100_001));
  assertRefused(field, "field.control_character", "a\u0000b");
  assertRefused(field, "field.unicode", LONE_SURROGATE);
});

Deno.test("checkField() rejects blank required text", () => {
  assertRefused(text("a", { required: true }), "field.blank", "", " ", "\u00a0\u3000");
  assertRefused(textarea("a", { required: true }), "field.blank", "", "\n\t ");
  assertAccepted(text("a", { required: true }), " a ");
});

Deno.test("checkField() accepts an option of a select", () => {
  const field = select("a", ["ONE", "TWO"]);
  assertAccepted(field, "ONE", "TWO");
  assertRefused(field, "field.option", "", "one", "THREE", "toString");
  assertRefused(field, "field.type", 0, ["ONE"], {});
});

Deno.test("checkField() accepts a number within its range", () => {
  const field = number("a", { minimum: -1, maximum: 5 });
  assertAccepted(field, -1, 0, 0.5, 5);
  assertRefused(field, "field.range", -1.01, 5.01);
  assertRefused(field, "field.type", "1", true, [], NaN, Infinity, -Infinity);
});

Deno.test("checkField() accepts only whole numbers if the field requires it", () => {
  const field = number("a", { minimum: 1, maximum: 5, integer: true });
  assertAccepted(field, 1, 5);
  assertRefused(field, "field.integer", 1.5, 0.1, 5.0000001);
  assertRefused(field, "field.range", 0, 6);
});

Deno.test("checkField() accepts an RFC 3339 time", () => {
  const field = datetime("a");
  assertAccepted(field, "2026-11-20T17:24:00+02:00");
  assertRefused(field, "field.datetime", "", "2026-11-20", "2026-02-30T00:00:00Z", "now");
  assertRefused(field, "field.type", 0, {}, []);
});

Deno.test("checkField() accepts only true and false", () => {
  assertAccepted(boolean("a"), true, false);
  assertRefused(boolean("a"), "field.type", 0, 1, "true", "", [], {});
});

Deno.test("checkField() accepts at most 50 tags of 1 to 64 code points", () => {
  const field = tags("a");
  assertAccepted(field, [], ["a", "a"], Array(50).fill("🙂".repeat(64)));
  assertRefused(field, "field.type", "a", {}, ["a", 1], [null], [["a"]]);
  assertRefused(field, "field.tags_count", Array(51).fill("a"));
  assertRefused(field, "field.tag_length", ["a", "🙂".repeat(65)]);
  assertRefused(field, "field.blank", [""], ["a", " "]);
  assertRefused(field, "field.control_character", ["a\nb"]);
  assertRefused(field, "field.unicode", [LONE_SURROGATE]);
});

Deno.test("checkField() accepts at most 20 canonical ULIDs of files", () => {
  const field = files("a");
  assertAccepted(field, [], [ULID], Array(20).fill(ULID));
  assertRefused(field, "field.type", ULID, {}, [1], [null]);
  assertRefused(field, "field.files_count", Array(21).fill(ULID));
  assertRefused(field, "field.identifier", [""], [ULID.toLowerCase()], [`8${ULID.slice(1)}`]);
  assertRefused(field, "field.identifier", [ULID, `${ULID}0`], [`${ULID}\n`], [
    `${ULID.slice(1)}U`,
  ]);
});

Deno.test("checkField() accepts any JSON object or array", () => {
  const field = json("a");
  assertAccepted(field, {}, [], [null, 1, "a\n"], { a: { b: [true] } });
  assertRefused(field, "field.type", "{}", 1, true);
  assertRefused(field, "field.control_character", ["\u0000"], { a: [{ "\u0000": 1 }] });
  assertRefused(field, "field.unicode", { a: { b: LONE_SURROGATE } }, { [LONE_SURROGATE]: 1 });
});

Deno.test("checkField() returns null or a rule's name for every value", () => {
  const random = seededRandom(11);
  const values: JsonValue[] = [0, -0, 1e308, "", "x", [], {}, [[]], [{}], true, null];
  const fields = [text("a"), tags("a"), files("a"), json("a"), datetime("a"), boolean("a")];
  for (let run = 0; run < 2000; run++) {
    const value = random.chance(0.5) ? random.pick(values) : random.text(0, 600);
    const violation = checkField(random.pick(fields), value);
    assertEquals(violation === null || /^field\.[a-z_]+$/.test(violation), true);
  }
});

Deno.test("normaliseField() writes valid times as their clocks show them", () => {
  const field = datetime("a");
  assertEquals(
    normaliseField(field, "2026-11-20T17:24:00+02:00"),
    "2026-11-20T17:24:00.000+02:00",
  );
  assertEquals(normaliseField(field, "2026-11-20T17:24:00z"), "2026-11-20T17:24:00.000Z");
  assertEquals(normaliseField(field, "2026-11-20"), "2026-11-20");
  assertEquals(normaliseField(field, 5), 5);
});

Deno.test("normaliseField() removes repeated entries only if the field requires it", () => {
  const decomposed = "cafe\u0301";
  assertEquals(normaliseField(tags("a"), ["a", "a"]), ["a", "a"]);
  assertEquals(normaliseField(tags("a", { distinct: true }), ["café", decomposed, "b"]), [
    "café",
    "b",
  ]);
  assertEquals(normaliseField(tags("a", { distinct: true }), ["a", 1, "a"]), ["a", 1, "a"]);
  assertEquals(normaliseField(files("a", { distinct: true }), [ULID, ULID, ` ${ULID}`]), [
    ULID,
    ` ${ULID}`,
  ]);
});

Deno.test("normaliseField() never changes text", () => {
  for (const field of [text("a"), textarea("a"), select("a", ["A"])]) {
    assertEquals(normaliseField(field, " cafe\u0301 "), " cafe\u0301 ");
  }
});
