/** English words of the add line, in lower case. */

/** @type {LineWords} */
export const LINE_EN = {
  /** Days from today. */
  relative: { today: 0, tomorrow: 1, yesterday: -1, "the day after tomorrow": 2 },
  nextWeek: ["next week"],
  /** In days. */
  units: { day: 1, days: 1, week: 7, weeks: 7, month: 30, months: 30, year: 365, years: 365 },
  one: ["a", "one"],
  nouns: [],
  /** Kinds of times after each preposition, which goes with the time. */
  prepositions: { on: ["named"], at: ["clock"], by: [], until: [] },
  binding: [
    ..."for of since after before from to till through than about during within around".split(" "),
    ..."in on at by until every each next last this past coming other and or the".split(" "),
  ],
  joining: ["to", "and", "or", "until", "till", "through"],
  dayParts: ["morning", "noon", "afternoon", "evening", "night"],
  every: {
    word: "every",
    phrases: { daily: 1, weekly: 7, monthly: 30, yearly: 365 },
    whole: ["every"],
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
    "resting heart rate": "RESTING_HEART_RATE",
    "blood pressure": "BLOOD_PRESSURE",
    glucose: "BLOOD_GLUCOSE",
    oxygen: "OXYGEN_SATURATION",
    temperature: "BODY_TEMPERATURE",
  },
  steps: "steps",
};
