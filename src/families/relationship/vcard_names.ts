/** Names and identifiers in a vCard. No SQL, no HTTP. */

import { escapeText, unescapeText } from "../../core/folded_line.ts";
import { firstCodePoints, isLongerThan } from "../../validate/text.ts";
import { type CardDetail, keptLine, madeLine } from "./vcard_detail.ts";
import type { CardLine } from "./vcard_groups.ts";
import { type ContentLine, NAME_PARTS, parameterOf, type VcardVersion } from "./vcard_text.ts";

const MAX_NAME = 200;

/** `urn:prs:<personId>` for a person without UIDs of other programs. */
export function uidsOf(
  personId: string,
  uids: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const own = uids.get(personId) ?? [];
  return own.length === 0 ? [`urn:prs:${personId}`] : own;
}

/** Commas and semicolons stay, because other programs compare the whole text. */
function uidText(uid: string): string {
  return uid.replaceAll("\\", "\\\\");
}

/** The first UID is the card's; the others have a name of our own. */
export function uidLines(uids: readonly string[]): CardLine[] {
  return uids.map((uid, index) => ({
    content: `${index === 0 ? "UID" : "X-PRS-UID"}:${uidText(uid)}`,
  }));
}

/** The address of a person by the UID. */
export function uidAddress(uid: string): string {
  return uidText(/^[a-z][a-z0-9+.-]*:/i.test(uid) ? uid : `urn:uuid:${uid}`);
}

/** The kept line with the whole name, if the person's name is that name cut to its limit. */
export function wholeName(
  personName: string,
  others: readonly CardDetail[],
): CardDetail | undefined {
  return others.find(({ lines: [line] }) => {
    if (line?.name !== "FN") return false;
    const whole = unescapeText(line.value).replaceAll(/\p{Cc}+/gu, " ").trim();
    return isLongerThan(whole, MAX_NAME) && firstCodePoints(whole, MAX_NAME).trim() === personName;
  });
}

/**
 * Writes the preferred structured name, else the newest, else the first kept line N; all nicknames;
 * and further lines N.
 *
 * @param kept Details `OTHER` with a line N.
 */
export function nameLines(
  details: readonly CardDetail[],
  kept: readonly CardDetail[],
  personName: string,
  version: VcardVersion,
): CardLine[] {
  const structured = details.filter(({ value }) => NAME_PARTS.some((part) => part in value));
  const chosen = structured.findLast(({ preferred }) => preferred) ?? structured.at(-1) ?? kept[0];
  const altId = chosen !== undefined && isAsItCame(chosen, version) ? altIdOf(chosen) : null;
  const alone = { content: `N:${nameParts({ family: personName })}` };
  // Its nickname follows its line N, so that both are one name when the card is read.
  const ordered = [...new Set([...chosen === undefined ? [] : [chosen], ...details, ...kept])];
  const lines: CardLine[] = [
    ...(chosen === undefined && version === "3.0" ? [alone] : []),
    ...ordered.flatMap((detail) => {
      const isOne = (line: ContentLine) =>
        line.name !== "N" || detail === chosen ||
        version === "4.0" && altId !== null && parameterOf(line, "ALTID") === altId;
      const further = detail.lines.filter((line) => !isOne(line));
      return [
        ...(isAsItCame(detail, version)
          ? detail.lines.filter(isOne).map((line) => keptLine(detail, line))
          : madeNames(detail, detail === chosen)),
        ...further.map((line) => withOwnName(keptLine(detail, line))),
      ];
    }),
  ];
  // The names of a list have the same line.
  return [...new Map(lines.map((line) => [`${line.group?.key} ${line.content}`, line])).values()];
}

function isAsItCame({ kind, version: own }: CardDetail, version: VcardVersion): boolean {
  return kind === "OTHER" || own === version;
}

function altIdOf({ lines }: CardDetail): string | null {
  const line = lines.find(({ name }) => name === "N");
  return line === undefined ? null : parameterOf(line, "ALTID");
}

function madeNames(detail: CardDetail, isChosen: boolean): CardLine[] {
  const { phonetic, nickname } = detail.value;
  const text = (name: string, value: unknown) =>
    value === undefined ? [] : [madeLine(detail, { name, value: escapeText(String(value)) }, null)];
  return [
    ...(isChosen ? [madeLine(detail, { name: "N", value: nameParts(detail.value) })] : []),
    ...text("X-PHONETIC-NAME", phonetic),
    ...text("NICKNAME", nickname),
  ];
}

/** A line that the version cannot have under its own name. */
export function withOwnName(line: CardLine): CardLine {
  return { ...line, content: `X-PRS-${line.content}` };
}

/** The values of one part are joined by commas. */
function nameParts(value: CardDetail["value"]): string {
  return NAME_PARTS.map((part) => listText(String(value[part] ?? ""), ",")).join(";");
}

/** Escapes a text, but not the separators between its values, which no blank follows. */
export function listText(text: string, separator: "," | ";"): string {
  const between = new RegExp(`(?<=[^\\s${separator}])${separator}(?=[^\\s${separator}])`);
  return text.split(between).map(escapeText).join(separator);
}
