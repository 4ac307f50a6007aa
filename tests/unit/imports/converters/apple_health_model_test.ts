/** Random exports of Apple Health against a slow model, with days of `Temporal`. */

import { assertEquals } from "@std/assert";
import { type Random, seededRandom } from "../../../support/random.ts";
import {
  convertHealth,
  exportText,
  recordText,
  type TestRecord,
} from "../../../support/health_export.ts";

/** Exports that are made; `HEALTH_EXPORTS=5000 deno task test …` makes more. */
const EXPORTS = Number(Deno.env.get("HEALTH_EXPORTS") ?? 40);
const MINUTE = 60_000;

/** In the order of their names. */
const ZONES = ["America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "Europe/Berlin"];
/** Around changes of the clocks of some of the zones. */
const BEGINNINGS = ["2025-03-29T10:00Z", "2025-10-25T10:00Z", "2025-04-05T00:00Z"];
const OFFSETS = [-420, -210, 0, 60, 345, 630];
const SOURCES = ["Phone", "Old phone", "Watch", "App"];

type Rule = "sum" | "mean" | "last" | "night";

const RULES: ReadonlyMap<string, readonly [key: string, rule: Rule]> = new Map([
  ["StepCount", ["STEPS", "sum"]],
  ["HeartRate", ["HEART_RATE", "mean"]],
  ["RestingHeartRate", ["RESTING_HEART_RATE", "last"]],
  ["SleepAnalysis", ["SLEEP_DURATION", "night"]],
]);

type Mapping = Partial<Record<"timeZone", string> & Record<"sources", string[]>>;

function randomRecords(random: Random): readonly TestRecord[] {
  const first = Temporal.Instant.from(random.pick(BEGINNINGS)).epochMilliseconds;
  const records = Array.from({ length: random.integer(1, 60) }, (): TestRecord => {
    const type = random.pick([...RULES.keys()]);
    const start = first + random.integer(0, 3 * 24 * 60) * MINUTE;
    const zone = random.chance(0.3) ? random.pick(ZONES) : null;
    return {
      type,
      source: random.pick(SOURCES),
      start,
      end: start + random.integer(0, 120) * MINUTE,
      value: type === "SleepAnalysis" ? "AsleepCore" : random.integer(1, 20_000) / 100,
      ...type === "StepCount" && { unit: "count" },
      ...type.endsWith("Rate") && { unit: "count/min" },
      zone,
    };
  });
  const again = records.filter(() => random.chance(0.1));
  return [...records, ...again];
}

function randomMapping(random: Random): Mapping {
  return {
    ...random.chance(0.5) && { timeZone: random.pick(ZONES) },
    ...random.chance(0.5) && { sources: SOURCES.filter(() => random.chance(0.4)) },
  };
}

interface Measured {
  readonly value: number;
  readonly measuredAt: string;
}

interface Modelled {
  readonly items: Readonly<Record<string, Measured>>;
  readonly others: number;
}

/** A value with its zone, and the record that it belongs to. */
interface Zoned extends TestRecord {
  readonly until: number;
  readonly zone: string;
  readonly key: string;
  readonly day: Temporal.PlainDate;
  readonly rule: Rule;
}

/** @param offset The offset of the export, in minutes. */
function model(records: readonly TestRecord[], mapping: Mapping, offset: number): Modelled {
  const fallback = mapping.timeZone ?? commonZone(records) ?? offsetName(offset);
  const values = distinct(records).map((record) => zoned(record, record.zone ?? fallback));
  const items: Record<string, Measured> = {};
  let others = 0;
  for (const ofKey of Map.groupBy(values, ({ key }) => key).values()) {
    const bySource = Map.groupBy(ofKey, ({ source = "" }) => source);
    const names = [...bySource.keys()].toSorted();
    const preferred = (mapping.sources ?? []).find((name) => bySource.has(name));
    const sizes = names.map((name) => sizeOf(bySource.get(name) ?? []));
    const largest = names[sizes.indexOf(Math.max(...sizes))];
    const chosen = bySource.get(preferred ?? largest ?? "") ?? [];
    others += ofKey.length - chosen.length;
    const last = lastOf(chosen);
    items[last.key] = { value: valueOf(chosen), measuredAt: timeOf(last) };
  }
  return { items, others };
}

/** The zone that most values state, the first by name among equals. */
function commonZone(records: readonly TestRecord[]): string | null {
  const counts = ZONES.map((zone) => records.filter((each) => each.zone === zone).length);
  const most = Math.max(...counts);
  return most === 0 ? null : ZONES[counts.indexOf(most)] ?? null;
}

/** The first of equal values. */
function distinct(records: readonly TestRecord[]): readonly TestRecord[] {
  const contents = records.map(({ type, source, start, end, value }) =>
    JSON.stringify([type, source, start, end, value])
  );
  return records.filter((_, index) => contents.indexOf(contents[index] ?? "") === index);
}

function zoned(record: TestRecord, zone: string): Zoned {
  const { type, start, end: until = start } = record;
  const at = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone);
  const [name, rule] = RULES.get(type) ?? ["", "sum"];
  const isNextNight = rule === "night" && at.hour >= 18;
  const day = at.toPlainDate().add({ days: isNextNight ? 1 : 0 });
  return { ...record, until, zone, rule, day, key: `${name}:${day}` };
}

function offsetName(offset: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const size = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** In hundredths, which all values have. */
function total(values: readonly Zoned[]): number {
  return values.reduce((sum, { value }) => sum + Math.round(Number(value) * 100), 0);
}

/** Counts the minutes of all intervals one by one. */
function minutesAsleep(values: readonly Zoned[]): number {
  const minutes = new Set<number>();
  for (const { start, until } of values) {
    for (let minute = start; minute < until; minute += MINUTE) minutes.add(minute);
  }
  return minutes.size;
}

function sizeOf(values: readonly Zoned[]): number {
  const { rule } = lastOf(values);
  if (rule === "night") return minutesAsleep(values);
  return rule === "sum" ? total(values) : values.length;
}

function valueOf(values: readonly Zoned[]): number {
  const last = lastOf(values);
  switch (last.rule) {
    case "sum":
      return total(values) / 100;
    case "mean":
      return Math.round(total(values) / values.length) / 100;
    case "night":
      return Math.round(minutesAsleep(values) * 100 / 60) / 100;
    case "last":
      return Number(last.value);
  }
}

function lastOf(values: readonly Zoned[]): Zoned {
  return values.reduce((last, each) => {
    const later = each.until - last.until || each.start - last.start ||
      Number(each.value) - Number(last.value) || (each.zone < last.zone ? 1 : -1);
    return later > 0 ? each : last;
  });
}

/** 12:00, or the end of the last value if that is earlier; of a night its end. */
function timeOf({ until, zone, day, rule }: Zoned): string {
  const end = Temporal.Instant.fromEpochMilliseconds(until).toZonedDateTimeISO(zone);
  const noon = day.toZonedDateTime({ timeZone: zone, plainTime: "12:00" });
  const isEarlier = rule === "night" || Temporal.ZonedDateTime.compare(end, noon) < 0;
  const text = (isEarlier ? end : noon).toString({ fractionalSecondDigits: 3 });
  return text.replace(/\[[+-].*/, "");
}

Deno.test(`${EXPORTS} random exports become the records of a slow model`, async () => {
  const random = seededRandom(5);
  for (let index = 0; index < EXPORTS; index++) {
    const records = randomRecords(random);
    const mapping = randomMapping(random);
    const offset = random.pick(OFFSETS);
    const text = exportText(records.map((record) => recordText(record, offset)));
    const { items, counts } = await convertHealth(text, mapping);
    const read = Object.fromEntries(Array.from(items, ([key, { payload }]) => {
      const { value, measuredAt } = payload as unknown as Measured;
      return [key, { value, measuredAt }];
    }));
    const expected = model(records, mapping, offset);
    assertEquals(read, expected.items, `export ${index}`);
    assertEquals(counts["health.other_source"] ?? 0, expected.others, `export ${index}`);
  }
});
