/** Labels and types of lines in cards. */

import { firstCodePoints, isBlank } from "../../validate/text.ts";
import { MAX_LABEL, MAX_TYPES, TYPE } from "../../families/relationship/import_port.ts";
import { decodeStated } from "./text_encoding.ts";
import { type ContentLine, decodeQuotedPrintable, unescapeText } from "./vcard_lines.ts";
import { withoutControls } from "./vcard_names.ts";

/** A label without control characters, cut to 64 code points; null for a blank one. */
export function toLabel(text: string): string | null {
  const label = firstCodePoints(withoutControls(text), MAX_LABEL).trim();
  return label === "" ? null : label;
}

/** The text of an `X-ABLabel`; Apple puts its own words between marks. */
export function readLabel({ value }: ContentLine): string | null {
  return toLabel(unescapeText(value).replace(/^_\$!<([^]*)>!\$_$/, "$1"));
}

/**
 * The first `X-ABLabel` of each group, by the line that it labels: the first of its group that has
 * a kind.
 *
 * @param hasKind True for a line that becomes a detail of a kind other than `OTHER`, or a picture.
 */
export function labelLines<Line extends ContentLine>(
  lines: readonly Line[],
  hasKind: (line: Line) => boolean,
): ReadonlyMap<Line, Line> {
  const labels = new Map<Line, Line>();
  const groups = Map.groupBy(lines, (line) => line.group ?? "");
  groups.delete("");
  for (const members of groups.values()) {
    const label = members.find(({ name }) => name === "X-ABLABEL");
    const labelled = members.find(hasKind);
    if (label === undefined || labelled === undefined || readLabel(label) === null) continue;
    labels.set(labelled, label);
  }
  return labels;
}

interface LineTypes {
  /** Valid types of a detail, in lower case. */
  readonly types: readonly string[];
  readonly preferred: boolean;
  /** Types that are not words. The first one is a label. */
  readonly labels: readonly string[];
}

const UNSHOWN: readonly string[] = ["pref", "internet"];

export function readTypes({ parameters }: ContentLine): LineTypes {
  if (!parameters.has("TYPE")) {
    return { types: [], preferred: parameters.get("PREF")?.[0] === "1", labels: [] };
  }
  const { custom, others } = partCustom(parameters.get("TYPE") ?? []);
  const stated = others.filter((type) => !isBlank(type));
  const words = stated.map((type) => type.toLowerCase());
  const shown = words.filter((word) => TYPE.test(word) && !UNSHOWN.includes(word));
  return {
    types: [...new Set(shown)].slice(0, MAX_TYPES),
    preferred: words.includes("pref") || parameters.get("PREF")?.[0] === "1",
    labels: [...custom, ...stated.filter((type) => !TYPE.test(type.toLowerCase()))],
  };
}

/** Parts `X-CUSTOM(…)`, Android's form of a label, from other types; its text may have commas. */
function partCustom(
  types: readonly string[],
): { readonly custom: readonly string[]; readonly others: readonly string[] } {
  const whole = types.join(",");
  const start = /X-CUSTOM\(/i.exec(whole)?.index ?? -1;
  const end = start === -1 ? -1 : whole.indexOf(")", start);
  if (end === -1) return { custom: [], others: types };
  const custom = decodeCustom(whole.slice(start + "X-CUSTOM(".length, end));
  const others = `${whole.slice(0, start)}${whole.slice(end + 1)}`.split(",");
  return { custom: [custom], others: others.map((type) => type.trim()) };
}

/** Decodes `CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=42=6F=61=74`, or a text alone. */
function decodeCustom(custom: string): string {
  const [, head = "", text = ""] = /^((?:(?:CHARSET|ENCODING)=[^,]*,)*)([^]*)$/i.exec(custom) ?? [];
  if (!/ENCODING=QUOTED-PRINTABLE/i.test(head)) return text;
  const [, charset] = /CHARSET=([^,]*)/i.exec(head) ?? [];
  return decodeStated(decodeQuotedPrintable(new TextEncoder().encode(text)), charset).text;
}
