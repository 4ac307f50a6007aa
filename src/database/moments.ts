import { isoText } from "../core/clock.ts";

/**
 * Timestamps, which the server writes in UTC as `0001-01-01 00:00:00+00`. The driver's own parser would
 * move the years 1 to 99 to the last two centuries.
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
 * A timestamp with its ISO text, which is derived from the server's text in a fraction of the time that a
 * Date needs. Most timestamps are only written into a response.
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

/** Timestamps of a row are often equal, and then share one object: none is ever changed. */
function parseMoment(text: string): Date {
  if (text !== parsed.text) parsed = { text, moment: readMoment(text) };
  return parsed.moment;
}

/** An invalid date for special values such as `infinity`. Fractions of a millisecond are cut off. */
function readMoment(text: string): Date {
  const [, day, time, fraction = "."] = WRITTEN.exec(text) ?? [];
  if (day === undefined) return new Date(NaN);
  return new StoredMoment(`${day}T${time}${fraction.padEnd(4, "0").slice(0, 4)}Z`);
}
