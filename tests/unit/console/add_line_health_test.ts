/// <reference types="../../../src/console/web/logic/types.d.ts" />

/** Lines that make measurements. */

import { assert, assertEquals } from "@std/assert";
import { problemSentence } from "../../../src/console/web/logic/add_line/shown.js";
import { at, made, NOON, read, SENTENCES, show } from "../../support/add_line.ts";

/** Language, text, kind, values, unit, local time, notes, shown. */
type Measured = readonly [
  LineLanguage,
  string,
  string,
  readonly number[],
  string,
  string,
  string,
  string,
];
const MEASURES: readonly Measured[] = [
  ["de", "74,3 kg", "WEIGHT", [74.3], "kg", NOON, "", "Gewicht · 74,3 kg"],
  [
    "en",
    "74.3 kg yesterday 7:30",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-11-27T07:30",
    "",
    "Weight · 74.3 kg · yesterday, 7:30 AM",
  ],
  [
    "en",
    "74.3 kg yesterday",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-11-27T12:00",
    "",
    "Weight · 74.3 kg · yesterday, Fri, Nov 27",
  ],
  ["de", "74.3 kg", "WEIGHT", [74.3], "kg", NOON, "", "Gewicht · 74,3 kg"],
  ["de", "10.250 Schritte", "STEPS", [10_250], "steps", NOON, "", "Schritte · 10.250"],
  ["en", "10,250 steps", "STEPS", [10_250], "steps", NOON, "", "Steps · 10,250"],
  ["en", "120/80", "BLOOD_PRESSURE", [120, 80], "mmHg", NOON, "", "Blood pressure · 120/80 mmHg"],
  [
    "en",
    "62 bpm after the run",
    "HEART_RATE",
    [62],
    "bpm",
    NOON,
    "after the run",
    "Heart rate · 62 bpm",
  ],
  ["en", "mood 7", "MOOD", [7], "of 10", NOON, "", "Mood · 7"],
  ["de", "Stimmung 7", "MOOD", [7], "of 10", NOON, "", "Stimmung · 7"],
  ["en", "energy 3", "ENERGY", [3], "of 10", NOON, "", "Energy · 3"],
  ["en", "pain 10", "PAIN", [10], "of 10", NOON, "", "Pain · 10"],
  ["de", "Energie 3", "ENERGY", [3], "of 10", NOON, "", "Energie · 3"],
  ["de", "Schmerz 1", "PAIN", [1], "of 10", NOON, "", "Schmerz · 1"],
  ["de", "Schlaf 7,5 h", "SLEEP_DURATION", [7.5], "h", NOON, "", "Schlafdauer · 7,5 h"],
  ["en", "37.2 °C", "BODY_TEMPERATURE", [37.2], "°C", NOON, "", "Body temperature · 37.2 °C"],
  ["en", "95 mg/dL", "BLOOD_GLUCOSE", [95], "mg/dL", NOON, "", "Blood glucose · 95 mg/dL"],
  ["en", "5.4 mmol/L", "BLOOD_GLUCOSE", [5.4], "mmol/L", NOON, "", "Blood glucose · 5.4 mmol/L"],
  ["en", "165 lb", "WEIGHT", [165], "lb", NOON, "", "Weight · 165 lb"],
  ["en", "oxygen 98 %", "OXYGEN_SATURATION", [98], "%", NOON, "", "Oxygen saturation · 98 %"],
  // More than the table
  ["de", "74,3kg", "WEIGHT", [74.3], "kg", NOON, "", "Gewicht · 74,3 kg"],
  ["en", "Weight: 74.3 KG", "WEIGHT", [74.3], "kg", NOON, "", "Weight · 74.3 kg"],
  ["en", "MOOD 7, a good day", "MOOD", [7], "of 10", NOON, "a good day", "Mood · 7"],
  [
    "en",
    "after the run 62 bpm",
    "HEART_RATE",
    [62],
    "bpm",
    NOON,
    "after the run",
    "Heart rate · 62 bpm",
  ],
  [
    "en",
    "resting heart rate 51",
    "RESTING_HEART_RATE",
    [51],
    "bpm",
    NOON,
    "",
    "Resting heart rate · 51 bpm",
  ],
  [
    "de",
    "Blutdruck 120/80 mmHg heute 8:00",
    "BLOOD_PRESSURE",
    [120, 80],
    "mmHg",
    "2026-11-28T08:00",
    "",
    "Blutdruck · 120/80 mmHg · heute, 08:00",
  ],
  [
    "de",
    "7,5 h Schlaf gestern",
    "SLEEP_DURATION",
    [7.5],
    "h",
    "2026-11-27T12:00",
    "",
    "Schlafdauer · 7,5 h · gestern, Fr., 27. Nov.",
  ],
  [
    "en",
    "74.3 kg on Friday",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-11-27T12:00",
    "",
    "Weight · 74.3 kg · yesterday, Fri, Nov 27",
  ],
  [
    "en",
    "74.3 kg saturday",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-11-21T12:00",
    "",
    "Weight · 74.3 kg · Sat, Nov 21",
  ],
  [
    "en",
    "74.3 kg 12 March",
    "WEIGHT",
    [74.3],
    "kg",
    "2026-03-12T12:00",
    "",
    "Weight · 74.3 kg · Thu, Mar 12",
  ],
  [
    "en",
    "74.3 kg 31 December",
    "WEIGHT",
    [74.3],
    "kg",
    "2025-12-31T12:00",
    "",
    "Weight · 74.3 kg · Wed, Dec 31, 2025",
  ],
  [
    "en",
    "74.3 kg 29 February",
    "WEIGHT",
    [74.3],
    "kg",
    "2024-02-29T12:00",
    "",
    "Weight · 74.3 kg · Thu, Feb 29, 2024",
  ],
  ["en", "7:30 mood 7", "MOOD", [7], "of 10", "2026-11-28T07:30", "", "Mood · 7 · today, 7:30 AM"],
  [
    "en",
    "mood 7 15:30",
    "MOOD",
    [7],
    "of 10",
    "2026-11-27T15:30",
    "",
    "Mood · 7 · yesterday, 3:30 PM",
  ],
  ["en", "mood 7 tomorrow", "MOOD", [7], "of 10", NOON, "tomorrow", "Mood · 7"],
  ["en", "mood 7 2027-05-31", "MOOD", [7], "of 10", NOON, "2027-05-31", "Mood · 7"],
  ["en", "1,234.5 steps", "STEPS", [1234.5], "steps", NOON, "", "Steps · 1,234.5"],
  ["de", "1.234,5 Schritte", "STEPS", [1234.5], "steps", NOON, "", "Schritte · 1.234,5"],
];

Deno.test("A measurement is read with its unit, its notes and its time", () => {
  for (const [language, text, kind, values, unit, time, notes, shown] of MEASURES) {
    const found = read(language, "health", text);
    const kinds = kind === "BLOOD_PRESSURE"
      ? ["BLOOD_PRESSURE_SYSTOLIC", "BLOOD_PRESSURE_DIASTOLIC"]
      : [kind];
    const isSummer = time > "2026-03-29" && time < "2026-10-25";
    assertEquals(
      found.records.map(({ body }) => body.payload),
      kinds.map((metricType, index) => ({
        metricType,
        value: values[index],
        unit,
        measuredAt: at(time, isSummer ? "+02:00" : "+01:00"),
        quality: "SELF_REPORTED",
        ...(notes !== "" && { notes }),
      })),
      text,
    );
    assertEquals(show(language, found), shown, text);
  }
});

Deno.test("The title of a measurement is its kind and its day", () => {
  const titles = (language: LineLanguage, text: string) =>
    read(language, "health", text).records.map(({ body }) => body.title);
  assertEquals(titles("en", "74.3 kg yesterday"), ["Weight, Nov 27, 2026"]);
  assertEquals(titles("de", "74,3 kg"), ["Gewicht, 28.11.2026"]);
  assertEquals(titles("en", "120/80").length, 2);
});

Deno.test("A measurement without a kind is not guessed", () => {
  const cases: readonly [LineLanguage, string, string, string][] = [
    ["en", "74.3", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "98 %", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "mood 11", "From 1 to 10.", "From 1 to 10."],
    ["en", "mood 0", "From 1 to 10.", "From 1 to 10."],
    ["de", "Stimmung 11", "Von 1 bis 10.", "Von 1 bis 10."],
    ["en", "7.5 h", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "weight 74.3", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "weight 62 bpm", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "12 stone", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "a good day", "Which measurement?", "Say what it is, for example 74.3 kg."],
    ["en", "Stimmung 7", "Which measurement?", "Say what it is, for example 74.3 kg."],
  ];
  for (const [language, text, shown, refusal] of cases) {
    const found = read(language, "health", text);
    assertEquals([found.records, show(language, found)], [[], shown], text);
    assert(found.problem !== null);
    assertEquals(SENTENCES[language][problemSentence(found.problem)], refusal);
  }
});

Deno.test("A list of one kind gives a number its kind and last unit", () => {
  const one = (text: string, measure: { kind: string; unit?: string }) => {
    const { records: [first] } = read("en", "health", text, { measure });
    const { metricType, value, unit } = first?.body.payload ?? {};
    return [metricType, value, unit];
  };
  assertEquals(one("74.3", { kind: "WEIGHT", unit: "lb" }), ["WEIGHT", 74.3, "lb"]);
  assertEquals(one("74.3", { kind: "WEIGHT" }), [undefined, undefined, undefined]);
  assertEquals(one("62 bpm", { kind: "RESTING_HEART_RATE" }), ["RESTING_HEART_RATE", 62, "bpm"]);
  assertEquals(one("62 bpm", { kind: "WEIGHT", unit: "kg" }), ["HEART_RATE", 62, "bpm"]);
  assertEquals(one("98 %", { kind: "OXYGEN_SATURATION" }), ["OXYGEN_SATURATION", 98, "%"]);
  assertEquals(one("7", { kind: "MOOD", unit: "of 10" }), ["MOOD", 7, "of 10"]);
  assertEquals(one("81", { kind: "CUSTOM", unit: "cm" }), ["CUSTOM", 81, "cm"]);
  assertEquals(
    one("120", { kind: "BLOOD_PRESSURE_SYSTOLIC", unit: "mmHg" })[0],
    "BLOOD_PRESSURE_SYSTOLIC",
  );
});

Deno.test("A measurement of this morning is not ahead of now", () => {
  const found = read("en", "health", "74.3 kg today", { at: "2026-11-28T09:20:40+01:00" });
  assertEquals(made(found).measuredAt, at("2026-11-28T09:20"));
});
