/** Dates in a vCard. No SQL, no HTTP. */

import { parseDetailDate } from "./detail_value.ts";
import { type CardDetail, preference, type VcardLine, type VcardVersion } from "./vcard_text.ts";

/** Properties in version 4.0, in 3.0, and in 3.0 for only a year. */
const PROPERTIES: Readonly<
  Record<string, { readonly "4.0": string; readonly "3.0": string; readonly year: string }>
> = {
  BIRTHDAY: { "4.0": "BDAY", "3.0": "BDAY", year: "X-PRS-BDAY" },
  ANNIVERSARY: { "4.0": "ANNIVERSARY", "3.0": "X-ANNIVERSARY", year: "X-PRS-ANNIVERSARY" },
  DEATH: { "4.0": "DEATHDATE", "3.0": "X-DEATHDATE", year: "X-PRS-DEATHDATE" },
};

/** Apple's address book writes it for a date without a year. */
const YEARLESS = "1604";

/** Writes the newest date of each kind under its property, and all others with labels. */
export function dateLines(details: readonly CardDetail[], version: VcardVersion): VcardLine[] {
  const newest = Object.entries(PROPERTIES).flatMap(([what, names]) => {
    const detail = details.findLast(({ value }) => value.what === what);
    return detail === undefined ? [] : [{ detail, names }];
  });
  const others = details.filter((detail) => !newest.some((each) => each.detail === detail));
  return [
    ...newest.map(({ detail, names }) => {
      const date = String(detail.value.date);
      const name = version === "3.0" && isYear(date) ? names.year : names[version];
      return dateLine(name, date, detail.label, version);
    }),
    ...others.map(({ value, label, preferred }) => {
      const line = dateLine("X-ABDATE", String(value.date), label ?? String(value.what), version);
      const parameters = [...line.parameters ?? [], ...preference(preferred, version)];
      return { ...line, parameters };
    }),
  ];
}

function dateLine(
  name: string,
  date: string,
  label: string | null,
  version: VcardVersion,
): VcardLine {
  const { year, day } = parseDetailDate(date) ?? { year: null, day: null };
  if (version === "4.0") {
    const value = year === null ? `--${day?.replace("-", "")}` : date.replaceAll("-", "");
    return { name, value, label };
  }
  if (year !== null) return { name, value: date, label };
  const parameters = [["X-APPLE-OMIT-YEAR", YEARLESS] as const];
  return { name, parameters, value: `${YEARLESS}-${day}`, label };
}

function isYear(date: string): boolean {
  return parseDetailDate(date)?.day === null;
}
