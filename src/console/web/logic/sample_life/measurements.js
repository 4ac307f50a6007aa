/** The health values of the sample life. */

import { item } from "./calendar.js";

/** The days between values, their hour, and the values from the newest back; null for a gap. */
const SERIES = [
  {
    type: "WEIGHT",
    unit: "kg",
    step: 7,
    hour: 7,
    values: [
      72.4,
      72.6,
      72.5,
      72.9,
      72.8,
      73.1,
      null,
      73.4,
      73.2,
      73.6,
      73.5,
      73.9,
      74.1,
      73.8,
      74.2,
      74.4,
      null,
      74.3,
      74.6,
      74.5,
      74.8,
      74.6,
      74.9,
      75.1,
    ],
  },
  {
    type: "MOOD",
    unit: "of 10",
    step: 1,
    hour: 21,
    values: [
      7,
      8,
      6,
      7,
      7,
      5,
      8,
      9,
      7,
      6,
      null,
      4,
      5,
      6,
      7,
      7,
      8,
      6,
      6,
      7,
      null,
      null,
      8,
      7,
      5,
      6,
      7,
      8,
      8,
      7,
      6,
    ],
  },
  {
    type: "SLEEP_DURATION",
    unit: "h",
    step: 1,
    hour: 8,
    values: [7.5, 7, 6.5, 8, 7.5, 6, 7, 8.5, 7.5, 7, null, 5.5, 6.5, 7],
  },
  {
    type: "RESTING_HEART_RATE",
    unit: "bpm",
    step: 7,
    hour: 8,
    values: [58, 59, 58, 60, 61, 60, 62, 61, 63, 62, 64, 63],
  },
];

/** @type {LifePart} */
export function measurements({ kinds, language }, on) {
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  return SERIES.flatMap(({ type, unit, step, hour, values }) =>
    values.flatMap((value, index) => {
      const days = -index * step - 1;
      const payload = {
        metricType: type,
        value,
        unit,
        measuredAt: on.at(days, hour),
        quality: type === "MOOD" ? "SELF_REPORTED" : "MEASURED",
      };
      const title = `${kinds[type]}, ${day.format(new Date(on.day(0, days)))}`;
      return value === null ? [] : [item(`${type}-${-days}`, "health", title, payload)];
    })
  );
}
