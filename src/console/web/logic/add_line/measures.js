/** Measurements: a kind, a number and a unit. */

import { lookUp, simplified } from "../entered/calendar_words.js";
import { readNumber } from "../entered/numbers.js";
import { UNITS } from "../entered/units.js";
import { LINE_WORDS } from "./line_words.js";
import { cut, plainText } from "./tokens.js";

/** Kinds that a unit alone means. @type {Readonly<Record<string, string | null>>} */
const KIND_OF_UNIT = {
  "%": null,
  h: null,
  kg: "WEIGHT",
  lb: "WEIGHT",
  bpm: "HEART_RATE",
  mmHg: "BLOOD_PRESSURE",
  "mg/dL": "BLOOD_GLUCOSE",
  "mmol/L": "BLOOD_GLUCOSE",
  "°C": "BODY_TEMPERATURE",
  steps: "STEPS",
};

export const PAIRED = "BLOOD_PRESSURE";
const TOP = 10;
const MAX_MEASURE_WORDS = 6;
const PAIR = /^(\d{2,3})\/(\d{2,3})(\D*)$/;
const GLUED = /^([+-]?\d(?:[\d.,]*\d)?)(\D*)$/;

/**
 * The measurement at the start or the end of the words, and how many words it has.
 * @type {(tokens: readonly LineToken[], language: LineLanguage, of: ListMeasure) => FoundMeasure}
 */
export function findMeasure(tokens, language, of) {
  for (const isStart of [true, false]) {
    for (let count = Math.min(MAX_MEASURE_WORDS, tokens.length); count > 0; count--) {
      const [near] = cut(tokens, count, isStart);
      const read = readWords(near, language);
      const found = read === null ? null : measured(read, of);
      if (typeof found === "string") return { problem: found };
      if (found !== null) return { ...found, count, isStart };
    }
  }
  return { problem: "whichMeasurement" };
}

/** A kind stands before its number, or at the end. @type {ReadMeasure} */
function readWords(tokens, language) {
  for (const count of [0, 1, 2, 3]) {
    const [name, figure] = cut(tokens, count, true);
    const [end, before] = cut(tokens, count, false);
    const named = figureOf(figure, language, plainText(name).replace(/:$/, "")) ??
      figureOf(before, language, plainText(end));
    if (named !== null) return named;
  }
  return null;
}

/** @type {ReadFigure} */
function figureOf([first, second, ...more], language, name) {
  const { kinds, steps } = LINE_WORDS[language];
  const kind = lookUp(kinds, name);
  if (first === undefined || more.length > 0 || (name !== "" && kind === undefined)) return null;
  const [, systolic, diastolic = "", after] = PAIR.exec(first.word) ?? [];
  const [, digits = "", glued = ""] = GLUED.exec(first.word) ?? [];
  const typed = after ?? glued.replace(/^[,;]$/, "");
  const unit = unitOf(simplified(typed + (second?.word ?? "")), steps);
  const numbers = systolic === undefined ? [digits] : [systolic, diastolic];
  const values = numbers.flatMap((number) => readNumber(number, language) ?? []);
  const isFigure = values.length === numbers.length && unit !== undefined &&
    (typed === "" || second === undefined);
  return isFigure ? { kind, values, unit } : null;
}

/** Null for none, undefined for an unknown one. @param {string} typed @param {string} steps */
function unitOf(typed, steps) {
  if (typed === "") return null;
  if (typed === steps) return "steps";
  return Object.keys(KIND_OF_UNIT).find((unit) =>
    unit.toLowerCase() === typed.replace(/^lbs$/, "lb")
  );
}

/**
 * Null for a number that means nothing.
 * @type {(figure: LineFigure, of: ListMeasure) => LineMeasure | MeasureProblem | null}
 */
function measured({ kind: named, values, unit }, of) {
  const isPair = values.length === 2;
  const isOfList = unit === null || unitsOf(of?.kind).includes(unit);
  const alone = isPair ? PAIRED : isOfList ? of?.kind : KIND_OF_UNIT[unit] ?? undefined;
  const kind = named ?? alone;
  if (kind === undefined) return null;
  const units = unitsOf(kind);
  const last = kind === of?.kind ? of?.unit : units.length === 1 ? units[0] : undefined;
  const found = unit ?? last;
  const isKnown = found !== undefined && (units.includes(found) || found === last);
  if (!isKnown || (kind === PAIRED) !== isPair) return "whichMeasurement";
  const isBeyond = values.some((value) => value < 1 || value > TOP);
  return found === "of 10" && isBeyond ? "fromOneToTen" : { kind, values, unit: found };
}

/** @param {string | undefined} kind @returns {readonly string[]} */
function unitsOf(kind = "") {
  return lookUp(UNITS, kind) ?? [];
}
