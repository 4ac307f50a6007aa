/** English words of the add line, in lower case. */

const ANY = ["named", "relative", "clock"];

/** @type {LineWords} */
export const LINE_EN = {
  /** Days from today. */
  relative: {
    today: 0,
    tomorrow: 1,
    yesterday: -1,
    "day after tomorrow": 2,
    "the day after tomorrow": 2,
    "day before yesterday": -2,
    "the day before yesterday": -2,
  },
  nextWeek: ["next week"],
  amounts: { a: 1, one: 1 },
  /** Days or months of a unit after "in". */
  units: {
    day: { days: 1 },
    days: { days: 1 },
    week: { days: 7 },
    weeks: { days: 7 },
    month: { months: 1 },
    months: { months: 1 },
  },
  nouns: [],
  /** Kinds of times after each preposition, which goes with the time. */
  prepositions: { on: ["named"], at: ["clock"], by: ANY, until: ANY },
  binding: [
    ..."for of since after before from to till through than about during within around".split(" "),
    ..."in on at by until every each next last this past coming other and or the".split(" "),
  ],
  /** Words between two dates of a range, and words after a date that make it part of the text. */
  joining: ["to", "and", "or", "until", "till", "through"],
  dayParts: ["morning", "noon", "afternoon", "evening", "night"],
  every: {
    phrases: {
      daily: 1,
      "every day": 1,
      weekly: 7,
      "every week": 7,
      monthly: 30,
      "every month": 30,
      yearly: 365,
      "every year": 365,
    },
    word: "every",
    units: { day: 1, days: 1, week: 7, weeks: 7, month: 30, months: 30, year: 365, years: 365 },
  },
  area: "General",
  kinds: {
    weight: "WEIGHT",
    mood: "MOOD",
    energy: "ENERGY",
    pain: "PAIN",
    sleep: "SLEEP_DURATION",
    exercise: "EXERCISE_DURATION",
    steps: "STEPS",
    pulse: "HEART_RATE",
    "heart rate": "HEART_RATE",
    "resting pulse": "RESTING_HEART_RATE",
    "resting heart rate": "RESTING_HEART_RATE",
    "blood pressure": "BLOOD_PRESSURE",
    glucose: "BLOOD_GLUCOSE",
    "blood glucose": "BLOOD_GLUCOSE",
    "blood sugar": "BLOOD_GLUCOSE",
    oxygen: "OXYGEN_SATURATION",
    "oxygen saturation": "OXYGEN_SATURATION",
    temperature: "BODY_TEMPERATURE",
    "body temperature": "BODY_TEMPERATURE",
  },
  steps: "steps",
};
