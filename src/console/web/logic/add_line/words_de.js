/** German words of the add line, in lower case. */

const ANY = ["named", "relative", "clock"];

/** @type {LineWords} */
export const LINE_DE = {
  /** Days from today. */
  relative: { heute: 0, morgen: 1, übermorgen: 2, gestern: -1, vorgestern: -2 },
  nextWeek: ["nächste woche", "nächster woche"],
  amounts: { einem: 1, einer: 1 },
  /** Days or months of a unit after "in". */
  units: {
    tag: { days: 1 },
    tagen: { days: 1 },
    woche: { days: 7 },
    wochen: { days: 7 },
    monat: { months: 1 },
    monaten: { months: 1 },
  },
  /** With a capital, a day only at the start of the text. */
  nouns: ["morgen"],
  /** Kinds of times after each preposition, which goes with the time. */
  prepositions: { am: ["named"], um: ["clock"], bis: ANY, "bis zum": ["named"] },
  binding: [
    ..."für von seit nach vor vom ab aus zu zum zur gegen über während zwischen als".split(" "),
    ..."am um bis in im an und oder der den dem die das guten jeden jeder jedes".split(" "),
    ..."nächsten nächster nächste letzten letzter letzte diesen dieser diese kommenden".split(" "),
  ],
  /** Words between two dates of a range, and words after a date that make it part of the text. */
  joining: ["bis", "und", "oder"],
  dayParts: ["morgen", "früh", "vormittag", "mittag", "nachmittag", "abend", "nacht"],
  every: {
    phrases: {
      täglich: 1,
      "jeden tag": 1,
      wöchentlich: 7,
      "jede woche": 7,
      monatlich: 30,
      "jeden monat": 30,
      jährlich: 365,
      "jedes jahr": 365,
    },
    word: "alle",
    units: { tage: 1, wochen: 7, monate: 30, jahre: 365 },
  },
  area: "Allgemein",
  kinds: {
    gewicht: "WEIGHT",
    stimmung: "MOOD",
    energie: "ENERGY",
    schmerz: "PAIN",
    schmerzen: "PAIN",
    schlaf: "SLEEP_DURATION",
    schlafdauer: "SLEEP_DURATION",
    training: "EXERCISE_DURATION",
    schritte: "STEPS",
    puls: "HEART_RATE",
    herzfrequenz: "HEART_RATE",
    ruhepuls: "RESTING_HEART_RATE",
    blutdruck: "BLOOD_PRESSURE",
    blutzucker: "BLOOD_GLUCOSE",
    sauerstoff: "OXYGEN_SATURATION",
    sauerstoffsättigung: "OXYGEN_SATURATION",
    temperatur: "BODY_TEMPERATURE",
    körpertemperatur: "BODY_TEMPERATURE",
  },
  steps: "schritte",
};
