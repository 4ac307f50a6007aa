/** German words of the add line, in lower case. */

/** @type {LineWords} */
export const LINE_DE = {
  /** Days from today. */
  relative: { heute: 0, morgen: 1, übermorgen: 2, gestern: -1, vorgestern: -2 },
  nextWeek: ["nächste woche", "nächster woche"],
  /** In days. */
  units: {
    tag: 1,
    tage: 1,
    tagen: 1,
    woche: 7,
    wochen: 7,
    monat: 30,
    monate: 30,
    monaten: 30,
    jahr: 365,
    jahre: 365,
  },
  one: ["einem", "einer"],
  /** With a capital, a day only at the start of the text. */
  nouns: ["morgen"],
  /** Kinds of times after each preposition, which goes with the time. */
  prepositions: { am: ["named"], um: ["clock"], bis: [], "bis zum": ["named"] },
  binding: [
    ..."für von seit nach vor vom ab aus zu zum zur gegen über während zwischen als".split(" "),
    ..."am um bis in im an und oder der den dem die das guten jeden jeder jedes".split(" "),
    ..."nächsten nächster nächste letzten letzter letzte diesen dieser diese kommenden".split(" "),
  ],
  joining: ["bis", "und", "oder"],
  dayParts: ["morgen", "früh", "vormittag", "mittag", "nachmittag", "abend", "nacht"],
  every: {
    word: "alle",
    phrases: { täglich: 1, wöchentlich: 7, monatlich: 30, jährlich: 365 },
    whole: ["jeden", "jede", "jedes"],
  },
  area: "Allgemein",
  kinds: {
    gewicht: "WEIGHT",
    stimmung: "MOOD",
    energie: "ENERGY",
    schmerz: "PAIN",
    schmerzen: "PAIN",
    schlaf: "SLEEP_DURATION",
    training: "EXERCISE_DURATION",
    schritte: "STEPS",
    puls: "HEART_RATE",
    ruhepuls: "RESTING_HEART_RATE",
    blutdruck: "BLOOD_PRESSURE",
    blutzucker: "BLOOD_GLUCOSE",
    sauerstoff: "OXYGEN_SATURATION",
    temperatur: "BODY_TEMPERATURE",
  },
  steps: "schritte",
};
