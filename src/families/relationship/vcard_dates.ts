/** Dates in a vCard. No SQL, no HTTP. */

import { parseDetailDate } from "./detail_value.ts";
import { type CardDetail, groupOf, typeParameters } from "./vcard_detail.ts";
import type { CardLine } from "./vcard_groups.ts";
import { type Parameter, toContentLine, type VcardVersion } from "./vcard_text.ts";

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
const APPLE_LABEL = "Anniversary";

/** Writes the newest date of each kind under its property, and all others with labels. */
export function dateLines(details: readonly CardDetail[], version: VcardVersion): CardLine[] {
  const newest = Object.keys(PROPERTIES).flatMap((what) =>
    details.findLast(({ value }) => value.what === what) ?? []
  );
  const others = details.filter((detail) => !newest.includes(detail));
  return [
    ...newest.flatMap((detail) => newestLines(detail, version)),
    ...others.map((detail) => ({
      content: dateLine("X-ABDATE", detail, version, typeParameters(detail, version)),
      label: detail.label ?? String(detail.value.what),
      group: groupOf(detail, detail.lines[0]),
      isMade: true,
    })),
  ];
}

/** An anniversary has three forms in 3.0, because other programs read only one each. */
function newestLines(detail: CardDetail, version: VcardVersion): CardLine[] {
  const { value: { what, date }, label, lines: [source] } = detail;
  const { year = "", [version]: property = "" } = PROPERTIES[String(what)] ?? {};
  const isYear = version === "3.0" && parseDetailDate(String(date))?.day === null;
  const content = dateLine(isYear ? year : property, detail, version);
  const group = groupOf(detail, source);
  const line = { content, label, group, isMade: true };
  if (version !== "3.0" || what !== "ANNIVERSARY" || isYear) return [line];
  const evolution = { content: dateLine("X-EVOLUTION-ANNIVERSARY", detail, version) };
  const apple = { content: dateLine("X-ABDATE", detail, version), label: APPLE_LABEL };
  // A date takes its label from the first of equal lines.
  return label === APPLE_LABEL
    ? [{ ...apple, group }, { content }, evolution]
    : [line, evolution, apple];
}

function dateLine(
  name: string,
  detail: CardDetail,
  version: VcardVersion,
  more: readonly Parameter[] = [],
): string {
  const date = String(detail.value.date);
  const { year, day } = parseDetailDate(date) ?? { year: null, day: null };
  if (version === "4.0") {
    const value = year === null ? `--${day?.replace("-", "")}` : date.replaceAll("-", "");
    return toContentLine({ name, parameters: more, value });
  }
  if (year !== null) return toContentLine({ name, parameters: more, value: date });
  const parameters = [["X-APPLE-OMIT-YEAR", YEARLESS] as const, ...more];
  return toContentLine({ name, parameters, value: `${YEARLESS}-${day}` });
}
