import { isoText } from "../core/clock.ts";

/**
 * Moments, which the server writes in UTC as `0001-01-01 00:00:00+00`. The driver's own reading would
 * take the years 1 to 99 for years of the last two centuries.
 */
export const MOMENTS = {
  to: 1184,
  from: [1184],
  serialize: (moment: Date | string): string =>
    typeof moment === "string" ? moment : isoText(moment),
  parse: parseMoment,
};

/** As the server writes a moment in UTC: without zeros at the end of the fraction. */
const WRITTEN = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?\+00$/;

/**
 * A moment of the database with its ISO text: that is made of the server's own text in a fraction of the
 * time that a date takes to write it. Most are read only to be written into a response.
 */
class StoredMoment extends Date {
  readonly #text: string;

  constructor(text: string) {
    super(text);
    this.#text = text;
  }

  /** It is never changed, so that its first text stays right. */
  override toISOString(): string {
    return this.#text;
  }
}

let parsed: { readonly text: string; readonly moment: Date } = { text: "", moment: new Date(0) };

/** The moments of a row are often one and the same, and are then one object: none is ever changed. */
function parseMoment(text: string): Date {
  if (text !== parsed.text) parsed = { text, moment: readMoment(text) };
  return parsed.moment;
}

/** An invalid date for what is none, such as `infinity`. What is finer than a millisecond is cut off. */
function readMoment(text: string): Date {
  const [, day, time, fraction = "."] = WRITTEN.exec(text) ?? [];
  if (day === undefined) return new Date(NaN);
  return new StoredMoment(`${day}T${time}${fraction.padEnd(4, "0").slice(0, 4)}Z`);
}
