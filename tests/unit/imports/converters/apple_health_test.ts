/** Exports of Apple Health: types, units, zones, days, nights, sources, sensors and workouts. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { JsonObject } from "../../../../src/core/json.ts";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import { APPLE_HEALTH } from "../../../../src/imports/converters/health/apple_health.ts";
import { customKind } from "../../../../src/imports/converters/health/health_types.ts";
import { rounded } from "../../../../src/imports/converters/health/health_units.ts";
import { FileRefusal } from "../../../../src/imports/refusal.ts";
import {
  type ConvertedHealth,
  convertHealth,
  element,
  exportText,
  recordText,
  type TestRecord,
  writtenTime,
} from "../../../support/health_export.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** A Monday in summer. */
const DAY = Date.UTC(2024, 6, 1);

async function convert(
  records: readonly (TestRecord | string)[],
  mapping: JsonObject | null = null,
): Promise<ConvertedHealth> {
  const elements = records.map((each) => typeof each === "string" ? each : recordText(each));
  return await convertHealth(exportText(elements), mapping);
}

/** The value, unit and notes of each item by key. */
function measured({ items }: ConvertedHealth): JsonObject {
  return Object.fromEntries(Array.from(items, ([key, { payload }]) => {
    const { value, unit, notes } = payload as JsonObject;
    return [key, [value ?? null, unit ?? null, ...(notes === undefined ? [] : [notes])]];
  }));
}

/** The time of measuring of each item by key. */
function times({ items }: ConvertedHealth): JsonObject {
  return Object.fromEntries(
    Array.from(items, ([key, { payload }]) => [key, (payload as JsonObject).measuredAt ?? null]),
  );
}

function steps(start: number, value: number, more: Partial<TestRecord> = {}): TestRecord {
  return { type: "StepCount", unit: "count", start, end: start + MINUTE, value, ...more };
}

function sleep(start: number, hours: number, more: Partial<TestRecord> = {}): TestRecord {
  return { type: "SleepAnalysis", value: "AsleepCore", start, end: start + hours * HOUR, ...more };
}

Deno.test("Each type of the table becomes its record", async () => {
  const at = DAY + 8 * HOUR;
  const one = (type: string, value: string | number, unit: string): TestRecord => ({
    type,
    start: at,
    value,
    unit,
  });
  const converted = await convert([
    steps(at, 100),
    steps(at + HOUR, 20.5),
    sleep(DAY - 2 * HOUR, 7.5),
    one("HeartRate", 48, "count/min"),
    { ...one("HeartRate", 51, "count/min"), start: at + 1000 },
    one("OxygenSaturation", 0.97, "%"),
    one("RestingHeartRate", 55, "count/min"),
    { ...one("RestingHeartRate", 53, "count/min"), end: at + HOUR },
    one("BodyMass", "80.125", "kg"),
    one("BloodPressureSystolic", 120, "mmHg"),
    one("BloodPressureDiastolic", 80, "mmHg"),
    one("BloodGlucose", 98, "mg/dL"),
    one("BodyTemperature", 36.6, "degC"),
  ]);
  const each = "2024-07-01T08:00:00Z:a71e7573";
  assertEquals(measured(converted), {
    "STEPS:2024-07-01": [120.5, "steps"],
    "SLEEP_DURATION:2024-07-01": [7.5, "h"],
    "HEART_RATE:2024-07-01": [49.5, "bpm", "Least: 48\nGreatest: 51\nValues: 2"],
    "OXYGEN_SATURATION:2024-07-01": [97, "%", "Least: 97\nGreatest: 97\nValues: 1"],
    "RESTING_HEART_RATE:2024-07-01": [53, "bpm"],
    [`WEIGHT:${each}`]: [80.125, "kg"],
    [`BLOOD_PRESSURE_SYSTOLIC:${each}`]: [120, "mmHg"],
    [`BLOOD_PRESSURE_DIASTOLIC:${each}`]: [80, "mmHg"],
    [`BLOOD_GLUCOSE:${each}`]: [98, "mg/dL"],
    [`BODY_TEMPERATURE:${each}`]: [36.6, "°C"],
  });
  assertEquals(converted.items.get("STEPS:2024-07-01"), {
    key: "STEPS:2024-07-01",
    target: "health",
    title: "Steps",
    payload: {
      metricType: "STEPS",
      value: 120.5,
      unit: "steps",
      measuredAt: "2024-07-01T09:01:00.000+00:00",
      quality: "IMPORTED",
    },
  });
  assertEquals(converted.groups, { Watch: 13 });
  assertEquals(converted.series["HeartRate of Watch"], 2);
});

Deno.test("Values have the units of records, or those of the mapping", async () => {
  const values: readonly (readonly [string, string | number, string])[] = [
    ["BodyMass", "176.40", "lb"],
    ["BodyMass", 70125, "g"],
    ["BodyMass", 12, "st"],
    ["BodyTemperature", 98.6, "degF"],
    ["BloodGlucose", 5.5, "mmol<180.15588000005408>/L"],
    ["BloodGlucose", 4.59, "mmol/L"],
  ];
  const records = values.map(([type, value, unit], index) => ({
    type,
    value,
    unit,
    start: DAY + index * MINUTE,
  }));
  const valuesOf = async (mapping: JsonObject | null) =>
    Object.values(measured(await convert(records, mapping)));
  assertEquals(await valuesOf(null), [
    [80.01, "kg", "As written: 176.4 lb"],
    [70.13, "kg", "As written: 70125 g"],
    [76.2, "kg", "As written: 12 st"],
    [37, "°C", "As written: 98.6 degF"],
    [99.09, "mg/dL", "As written: 5.5 mmol/L"],
    [82.69, "mg/dL", "As written: 4.59 mmol/L"],
  ]);
  const units = { WEIGHT: "lb", BODY_TEMPERATURE: "°F", BLOOD_GLUCOSE: "mmol/L" };
  assertEquals(await valuesOf({ units }), [
    [176.4, "lb"],
    [154.6, "lb", "As written: 70125 g"],
    [168, "lb", "As written: 12 st"],
    [98.6, "°F"],
    [5.5, "mmol/L"],
    [4.59, "mmol/L"],
  ]);
  const rates = await convert([
    { type: "HeartRate", unit: "count/s", start: DAY, value: 1.21 },
    { type: "RestingHeartRate", unit: "count/s", start: DAY, value: 0.91 },
    { type: "OxygenSaturation", unit: "%", start: DAY, value: 97.5 },
    { type: "OxygenSaturation", unit: "%", start: DAY, value: 1 },
  ]);
  assertEquals(Object.values(measured(rates)), [
    [72.6, "bpm", "Least: 72.6\nGreatest: 72.6\nValues: 1"],
    [54.6, "bpm", "As written: 0.91 count/s"],
    [98.75, "%", "Least: 97.5\nGreatest: 100\nValues: 2"],
  ]);
});

Deno.test("A day lies in the zone of the value, the mapping, most values, or its offset", async () => {
  const at = Date.UTC(2024, 0, 1, 22, 30);
  const zoned = (zone: string, index: number) => steps(at, index, { zone, source: "Zoned" });
  const values = (mapping: JsonObject | null, records: readonly TestRecord[]) =>
    convert(records, mapping).then(measured);
  assertEquals(await values(null, [steps(at, 1)]), { "STEPS:2024-01-01": [1, "steps"] });
  assertEquals(
    await values({ timeZone: "+0200" }, [steps(at, 1)]),
    { "STEPS:2024-01-02": [1, "steps"] },
  );
  assertEquals(await values({ timeZone: "Europe/Berlin" }, [zoned("Europe/Helsinki", 1)]), {
    "STEPS:2024-01-02": [1, "steps"],
  });
  // Two zones have as many values; an unknown one does not count.
  const records = [
    zoned("Europe/Helsinki", 1),
    zoned("Europe/Berlin", 2),
    zoned("Mars/Olympus", 3),
    zoned("Mars/Olympus", 4),
    steps(at, 5, { source: "B" }),
  ];
  assertEquals(await values(null, records), {
    "STEPS:2024-01-01": [9, "steps"],
    "STEPS:2024-01-02": [1, "steps"],
  });
});

Deno.test("The offset of the export does not matter", async () => {
  const records = [
    steps(DAY - HOUR, 10, { zone: "America/St_Johns" }),
    steps(DAY + 3 * HOUR, 20),
    sleep(DAY + 4 * HOUR, 6),
    { type: "BodyMass", unit: "kg", start: DAY + 12 * HOUR, value: 80 },
  ];
  const at = (offset: number) =>
    convertHealth(
      exportText(records.map((each) => recordText(each, offset))),
    );
  assertEquals((await at(-420)).items, (await at(345)).items);
  assertEquals(times(await at(60)), {
    "WEIGHT:2024-07-01T12:00:00Z:a71e7573": "2024-07-01T09:30:00.000-02:30[America/St_Johns]",
    "STEPS:2024-06-30": "2024-06-30T12:00:00.000-02:30[America/St_Johns]",
    "STEPS:2024-07-01": "2024-07-01T00:31:00.000-02:30[America/St_Johns]",
    "SLEEP_DURATION:2024-07-01": "2024-07-01T07:30:00.000-02:30[America/St_Johns]",
  });
});

/** Days whose clocks change, with the length of the day in hours. */
const CHANGED_DAYS: readonly (readonly [zone: string, day: string, hours: number])[] = [
  ["Europe/Berlin", "2025-03-30", 23],
  ["Europe/Berlin", "2025-10-26", 25],
  ["America/New_York", "2024-03-10", 23],
  ["America/St_Johns", "2024-11-03", 25],
  ["America/Sao_Paulo", "2018-11-04", 23],
  ["Australia/Lord_Howe", "2025-04-06", 24.5],
  ["Australia/Sydney", "2024-10-06", 23],
  ["Pacific/Auckland", "2024-04-07", 25],
  ["Pacific/Chatham", "2024-09-29", 23],
  ["Asia/Beirut", "2023-03-26", 23],
  ["America/Santiago", "2024-09-08", 23],
  ["Africa/Casablanca", "2024-03-10", 25],
  ["Asia/Kolkata", "2024-03-10", 24],
];

Deno.test("A day has the hours that its zone has, and a night begins at 18:00 of its clock", async () => {
  for (const [zone, day, hours] of CHANGED_DAYS) {
    const begin = Temporal.PlainDate.from(day).toZonedDateTime(zone);
    const next = begin.add({ days: 1 }).startOfDay();
    const [first, end] = [begin.startOfDay().epochMilliseconds, next.epochMilliseconds];
    assertEquals((end - first) / HOUR, hours, `${zone} ${day}`);
    const evening = Temporal.PlainDate.from(day).toZonedDateTime({
      timeZone: zone,
      plainTime: "18:00",
    }).epochMilliseconds;
    const converted = await convert([
      steps(first - MINUTE, 1),
      steps(first, 2),
      steps(end - MINUTE, 4),
      steps(end, 8),
      sleep(evening - HOUR, 0.5),
      sleep(evening, 1),
    ], { timeZone: zone, from: day, until: next.toPlainDate().toString() });
    const noon = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: "12" });
    assertEquals(measured(converted), {
      [`STEPS:${day}`]: [6, "steps"],
      [`STEPS:${next.toPlainDate()}`]: [8, "steps"],
      [`SLEEP_DURATION:${day}`]: [0.5, "h"],
      [`SLEEP_DURATION:${next.toPlainDate()}`]: [1, "h"],
    });
    const written = noon.toString({ fractionalSecondDigits: 3 });
    assertEquals(times(converted)[`STEPS:${day}`], written);
    assertEquals(converted.counts, { "health.outside": 1 });
  }
});

Deno.test("A night is the union of the intervals of one source", async () => {
  const evening = DAY + 21 * HOUR;
  const converted = await convert([
    sleep(evening, 2, { value: "AsleepDeep" }),
    sleep(evening + HOUR, 2, { value: "AsleepREM" }),
    sleep(evening + 3 * HOUR, 0.25, { value: "Asleep" }),
    sleep(evening + 5 * HOUR, 1, { value: "AsleepUnspecified" }),
    sleep(evening + 5 * HOUR, 0.5, { value: "AsleepCore" }),
    sleep(evening + 4 * HOUR, 0.5, { value: "Awake" }),
    sleep(evening, 8, { value: "InBed", source: "Phone" }),
    sleep(evening, 4, { source: "Phone" }),
    sleep(evening, 4, { value: "anything else, such as words" }),
  ]);
  assertEquals(measured(converted), { "SLEEP_DURATION:2024-07-02": [4.25, "h"] });
  assertEquals(times(converted), { "SLEEP_DURATION:2024-07-02": "2024-07-02T03:00:00.000+00:00" });
  assertEquals(converted.counts, {
    "health.SleepAnalysis.Awake": 1,
    "health.SleepAnalysis.InBed": 1,
    "health.invalid": 1,
    "health.other_source": 1,
  });
});

Deno.test("A day counts one source", async () => {
  const records = [
    steps(DAY, 10, { source: "B" }),
    steps(DAY + HOUR, 10, { source: "A" }),
    steps(DAY + HOUR, 8, { source: "C" }),
    steps(DAY + 2 * HOUR, 1, { source: "C" }),
    { type: "HeartRate", unit: "count/min", start: DAY, value: 60, source: "A" },
    { type: "HeartRate", unit: "count/min", start: DAY, value: 70, source: "B" },
    { type: "HeartRate", unit: "count/min", start: DAY + HOUR, value: 80, source: "B" },
  ];
  const chosen = async (sources: readonly string[]) => {
    const converted = await convert(records, { sources: [...sources] });
    const [first, second] = Object.values(measured(converted)) as number[][];
    return [first?.[0], second?.[0], converted.counts["health.other_source"]];
  };
  assertEquals(await chosen([]), [10, 75, 4]);
  assertEquals(times(await convert(records))["STEPS:2024-07-01"], "2024-07-01T01:01:00.000+00:00");
  assertEquals(await chosen(["X", "C", "A"]), [9, 60, 4]);
  assertEquals(await chosen(["B", "A", "C"]), [10, 75, 4]);
});

Deno.test("Equal values count once, also those of a correlation", async () => {
  const pressure = {
    type: "BloodPressureSystolic",
    unit: "mmHg",
    start: DAY,
    value: 120,
    zone: "Europe/Berlin",
  };
  const water = { type: "DietaryWater", unit: "mL", start: DAY, value: 250 };
  const converted = await convert([
    element(
      "Correlation",
      { type: "HKCorrelationTypeIdentifierBloodPressure" },
      recordText(pressure),
    ),
    pressure,
    { ...pressure, start: DAY + MINUTE },
    steps(DAY, 10),
    steps(DAY, 10),
    steps(DAY, 10, { end: DAY + 2 * MINUTE }),
    steps(DAY, 9),
    steps(DAY, 10, { source: "Phone" }),
    element("Correlation", { type: "HKCorrelationTypeIdentifierFood" }, recordText(water)),
    water,
  ]);
  assertEquals(Object.values(measured(converted)), [[120, "mmHg"], [120, "mmHg"], [29, "steps"]]);
  assertEquals(converted.counts, {
    "health.DietaryWater": 1,
    "health.Food": 1,
    "health.other_source": 1,
  });
  assertEquals(converted.groups, { Watch: 7, Phone: 1 });
});

Deno.test("A sensor has more than 50 glucose values in 24 hours", async () => {
  const glucose = (source: string, count: number, apart: number, more: Partial<TestRecord> = {}) =>
    Array.from({ length: count }, (_, index): TestRecord => ({
      type: "BloodGlucose",
      unit: "mg/dL",
      source,
      start: DAY + 12 * HOUR + index * apart,
      value: 100 + index,
      ...more,
    }));
  const apart = 24 * HOUR / 50;
  const counts = async (records: readonly TestRecord[], mapping: JsonObject | null = null) => {
    const keys = [...(await convert(records.toReversed(), mapping)).items.keys()];
    const days = keys.filter((key) => key.split(":").length === 2).length;
    return [days, keys.length - days];
  };
  assertEquals(await counts(glucose("Meter", 50, 1000)), [0, 50]);
  assertEquals(await counts(glucose("Sensor", 51, 1000)), [1, 0]);
  assertEquals(await counts(glucose("Sensor", 51, apart - 1000)), [2, 0]);
  assertEquals(await counts(glucose("Meter", 51, apart)), [0, 51]);
  // Equal values count once.
  const twice = glucose("Meter", 30, 1000);
  assertEquals(await counts([...twice, ...twice]), [0, 30]);
  const both = [...glucose("Sensor", 60, 1000), ...glucose("Meter", 2, HOUR)];
  assertEquals(await counts(both), [1, 2]);
  assertEquals(await counts(both, { detail: "EACH" }), [0, 62]);
  assertEquals(await counts(both, { kinds: { BloodGlucose: "EACH" } }), [0, 62]);
  assertEquals(await counts(both, { kinds: { BloodGlucose: "DAY" } }), [1, 0]);
});

Deno.test("A workout has its statistics, else its own totals", async () => {
  const workout = (more: Readonly<Record<string, string>>, content = "") =>
    element("Workout", {
      workoutActivityType: "HKWorkoutActivityTypeTraditionalStrengthTraining",
      duration: "40.5",
      durationUnit: "min",
      totalDistance: "4.6",
      totalDistanceUnit: "mi",
      totalEnergyBurned: "1904",
      totalEnergyBurnedUnit: "kJ",
      sourceName: "Watch",
      startDate: writtenTime(DAY + HOUR),
      endDate: writtenTime(DAY + 2 * HOUR),
      ...more,
    }, content);
  const statistic = (type: string, more: Readonly<Record<string, string>>) =>
    element("WorkoutStatistics", { type: `HKQuantityTypeIdentifier${type}`, ...more });
  const statistics = statistic("DistanceWalkingRunning", { sum: "7.4", unit: "km" }) +
    statistic("ActiveEnergyBurned", { sum: "455", unit: "Cal" }) +
    statistic("HeartRate", { average: "151", unit: "count/min" });
  const activity = element("WorkoutActivity", {}, statistic("HeartRate", { average: "99" }));
  const route = element("WorkoutRoute", {}, element("Location", {}) + element("Location", {}));
  const converted = await convert([
    workout({}),
    workout({ duration: "0.675", durationUnit: "hr", startDate: writtenTime(DAY) }, statistics),
    workout({ duration: "90", durationUnit: "s", sourceName: "Phone" }, activity + route),
    workout({ duration: "" }),
    workout({ durationUnit: "" }),
  ]);
  const own = "Distance: 7.4 km\nEnergy: 455.07 kcal";
  assertEquals(measured(converted), {
    "WORKOUT:2024-07-01T01:00:00Z:a71e7573": [40.5, "min", own],
    "WORKOUT:2024-07-01T00:00:00Z:a71e7573": [
      40.5,
      "min",
      "Distance: 7.4 km\nEnergy: 455 kcal\nHeart rate: 151\nAs written: 0.675 hr",
    ],
    "WORKOUT:2024-07-01T01:00:00Z:63dceb88": [1.5, "min", `${own}\nAs written: 90 s`],
  });
  const [{ title } = {}] = converted.items.values();
  assertEquals(title, "Traditional Strength Training");
  assertEquals(converted.counts, { "health.WorkoutRoute": 1, "health.invalid": 2 });
  assertEquals(converted.series, { "Workout of Watch": 4, "Workout of Phone": 1 });
});

Deno.test("A name that a person gave a device is written only if it is asked for", async () => {
  const own = "Anna’s iPhone";
  const records = [
    steps(DAY, 1, { source: own, device: "iPhone" }),
    steps(DAY + 24 * HOUR, 1, { source: own, device: own }),
    steps(DAY + 48 * HOUR, 1, { source: own, device: "iPhone" }),
    steps(DAY + 49 * HOUR, 1, { source: own, device: "Apple Watch" }),
    { type: "BodyMass", unit: "kg", start: DAY, value: 80, source: own, device: "iPhone" },
  ];
  const devices = ({ items }: ConvertedHealth) =>
    Array.from(items.values(), ({ payload }) => (payload as JsonObject).sourceDevice ?? null);
  const usual = await convert(records);
  assertEquals(devices(usual), ["iPhone", "iPhone", null, null]);
  assertEquals(JSON.stringify([[...usual.items], usual.counts]).includes("Anna"), false);
  assertEquals(Object.keys(usual.groups), [own]);
  assertEquals(devices(await convert(records, { deviceNames: true })), [own, own, own, own]);
});

Deno.test("A mapping chooses the records of each type", async () => {
  const records = [
    steps(DAY, 5),
    steps(DAY + HOUR, 6),
    { type: "HeartRate", unit: "count/min", start: DAY, value: 60 },
    { type: "HeartRate", unit: "count/min", start: DAY + HOUR, value: 62 },
    { type: "DietaryWater", unit: "mL", start: DAY, value: 250 },
    { type: "DietaryWater", unit: "mL", start: DAY + HOUR, value: 500.125 },
    { type: "DietaryWater", unit: "fl_oz_us", start: DAY + HOUR, value: 8 },
    { type: "RespiratoryRate", unit: "count/min", start: DAY, value: 14 },
    { type: "BodyMassIndex", unit: "count", start: DAY, value: 22.5 },
    { type: "BodyMassIndex", unit: "count", start: DAY + HOUR, value: 22.7 },
    { type: "BodyFatPercentage", unit: "%", start: DAY, value: 0.2231 },
    { type: "HeartRateVariabilitySDNN", unit: "ms", start: DAY, value: 41 },
  ];
  const usual = await convert(records);
  assertEquals(usual.counts, {
    "health.BodyFatPercentage": 1,
    "health.BodyMassIndex": 2,
    "health.DietaryWater": 3,
    "health.HeartRateVariabilitySDNN": 1,
    "health.RespiratoryRate": 1,
  });
  const each = ":2024-07-01T00:00:00Z:a71e7573";
  const chosen = await convert(records, {
    detail: "EACH",
    kinds: {
      BodyFatPercentage: "EACH",
      BodyMassIndex: "DAY",
      DietaryWater: "DAY",
      HeartRateVariabilitySDNN: "leave",
      RespiratoryRate: "DAY",
    },
  });
  assertEquals(measured(chosen), {
    [`HEART_RATE${each}`]: [60, "bpm"],
    "HEART_RATE:2024-07-01T01:00:00Z:a71e7573": [62, "bpm"],
    [`BodyFatPercentage${each}`]: [22.31, "%", "As written: 0.2231 %"],
    "STEPS:2024-07-01": [11, "steps"],
    "DietaryWater:2024-07-01": [750.13, "mL"],
    "RespiratoryRate:2024-07-01": [14, "count/min", "Least: 14\nGreatest: 14\nValues: 1"],
    "BodyMassIndex:2024-07-01": [22.6, "count", "Least: 22.5\nGreatest: 22.7\nValues: 2"],
  });
  assertEquals(chosen.items.get("DietaryWater:2024-07-01")?.title, "Dietary Water");
  assertEquals(chosen.counts, { "health.HeartRateVariabilitySDNN": 1, "health.invalid": 1 });
});

Deno.test("Values of other types are added if their unit is that of an amount", () => {
  const ruleOf = (unit: string) => customKind("DietaryProtein", unit, "DAY").dayRule;
  for (const unit of ["count", "kcal", "Cal", "kJ", "km", "mi", "m", "min", "mL", "L", "g"]) {
    assertEquals(ruleOf(unit), "sum", unit);
  }
  for (const unit of ["ms", "count/min", "kg", "%"]) assertEquals(ruleOf(unit), "mean", unit);
  assertEquals([1.005, 17.775, 2 / 3].map(rounded), [1.01, 17.78, 0.67]);
});

Deno.test("A mapping may only name what the file and the table have", () => {
  const context = {
    columns: null,
    presets: [],
    groups: ["Watch"],
    series: ["DietaryWater"],
    fieldsOf: () => null,
  };
  const check = (mapping: JsonObject) => APPLE_HEALTH.mapping?.check(mapping, context);
  check({
    detail: "EACH",
    kinds: { DietaryWater: "DAY", BodyMass: "leave" },
    sources: ["Watch"],
    timeZone: "Europe/Berlin",
    units: { WEIGHT: "st" },
    from: "2024-02-29",
    until: "2024-12-31",
    deviceNames: true,
  });
  const wrong: readonly (readonly [string, JsonObject])[] = [
    ["mapping.kind", { kinds: { Unknown: "DAY" } }],
    ["mapping.kind", { kinds: { StepCount: "DAY", BodyMass: "WEEK" } }],
    ["mapping.source", { sources: ["Phone"] }],
    ["mapping.source", { sources: "Watch" }],
    ["mapping.unit", { units: { WEIGHT: "g" } }],
    ["mapping.unit", { units: { STEPS: "steps" } }],
    ["mapping.time_zone", { timeZone: "Mars/Olympus" }],
    ["mapping.day", { from: "2023-02-29" }],
  ];
  for (const [rule, mapping] of wrong) {
    const { details } = assertThrows(() => check(mapping), ServiceError);
    assertEquals(details?.rules, [rule]);
  }
});

Deno.test("Elements and values that do not come in are counted", async () => {
  const rate = (value: string | number, more: Partial<TestRecord> = {}): TestRecord => ({
    type: "HeartRate",
    unit: "count/min",
    start: DAY,
    value,
    ...more,
  });
  const broken = ["", "NaN", "Infinity", "0x10", "1,5", "1.2.3", "1e10", " "].map((value) =>
    rate(value)
  );
  const times = ["2024-07-01 08:00:00", "2024-02-30 08:00:00 +0000", "2024-07-01T08:00:00Z"];
  const converted = await convert([
    ...broken,
    rate(60, { end: DAY - 1000 }),
    rate(60, { unit: "furlong" }),
    rate(60, { unit: "" }),
    ...times.map((time) =>
      element("Record", {
        type: "HKQuantityTypeIdentifierHeartRate",
        unit: "count/min",
        startDate: time,
        endDate: time,
        value: "60",
      })
    ),
    element("Me", { HKCharacteristicTypeIdentifierDateOfBirth: "1990-02-02" }),
    element("ActivitySummary", {}),
    element("ClinicalRecord", { type: "X" }, element("Record", {})),
    element("Audiogram", {}),
    element("VisionPrescription", {}),
    element("Record", { type: "HKDataTypeSleepDurationGoal", value: "8" }),
  ]);
  assertEquals(converted.items.size, 0);
  assertEquals(converted.counts, {
    "health.ActivitySummary": 1,
    "health.Audiogram": 1,
    "health.ClinicalRecord": 1,
    "health.Me": 1,
    "health.SleepDurationGoal": 1,
    "health.VisionPrescription": 1,
    "health.invalid": broken.length + times.length + 3,
  });
});

Deno.test("A file that ends early is refused wherever it is cut", async () => {
  const text = exportText([recordText(steps(DAY, 1)), recordText(sleep(DAY, 1))]);
  const whole = await convertHealth(text);
  for (let end = text.indexOf("<HealthData") + 1; end < text.trimEnd().length; end += 7) {
    const { rule } = await assertRejects(() => convertHealth(text.slice(0, end)), FileRefusal);
    assertEquals(rule, "xml.end");
  }
  assertEquals(whole.items.size, 2);
});
