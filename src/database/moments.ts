import { isoText } from "../core/clock.ts";

/**
 * Driver options to read timestamps. The server writes them in UTC as `0001-01-01 00:00:00+00`. The
 * driver's own parser would move the years 1 to 99 into the last two centuries.
 */
export const MOMENTS = {
  to: 1184,
  from: [1184],
  serialize: (moment: Date | string): string =>
    typeof moment === "string" ? moment : isoText(moment),
  parse: parseMoment,
};

/** The server's text of a timestamp, without zeros at the end of the fraction. */
const WRITTEN = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?\+00$/;

/**
 * Most timestamps are only written into a response. Creating a Date costs several times as much as
 * converting the server's text.
 */
class StoredMoment extends Date {
  readonly #text: string;

  constructor(text: string) {
    super(text);
    this.#text = text;
  }

  /** Cached: a stored timestamp is never changed. */
  override toISOString(): string {
    return this.#text;
  }
}

let parsed: { readonly text: string; readonly moment: Date } = { text: "", moment: new Date(0) };

/** Equal timestamps of a row share one object. */
function parseMoment(text: string): Date {
  if (text !== parsed.text) parsed = { text, moment: readMoment(text) };
  return parsed.moment;
}

/** Cuts off fractions of a millisecond. The date is invalid for values such as `infinity`. */
function readMoment(text: string): Date {
  const [, day, time, fraction = "."] = WRITTEN.exec(text) ?? [];
  if (day === undefined) return new Date(NaN);
  return new StoredMoment(`${day}T${time}${fraction.padEnd(4, "0").slice(0, 4)}Z`);
}
