/** Writes a person as a vCard. Equal data gives equal bytes. No SQL, no HTTP. */

import { escapeText } from "../../core/folded_line.ts";
import type { SmallFile } from "../../attachments/port.ts";
import { dateLines } from "./vcard_dates.ts";
import { type CardDetail, type CardDetailRow, toCardDetail } from "./vcard_detail.ts";
import { type CardLine, writeLines } from "./vcard_groups.ts";
import { nameLines, uidLines, uidsOf, wholeName } from "./vcard_names.ts";
import { canLeave, otherLines } from "./vcard_others.ts";
import {
  addressLines,
  detailLines,
  handleLines,
  labelsOfAddresses,
  linkLines,
  organizationLines,
  reached,
  type Writer,
} from "./vcard_properties.ts";
import type { VcardVersion } from "./vcard_text.ts";

export const CARD_PRODUCT = "-//Personal Records Service//vCard//EN";

export interface CardSource {
  readonly personId: string;
  readonly personName: string;
  readonly updatedAt: Date;
  /** Oldest first. */
  readonly details: readonly CardDetailRow[];
  /** Oldest first. */
  readonly notes: readonly string[];
  /** By name. */
  readonly tags: readonly string[];
  /** Names of linked people by id. */
  readonly names: ReadonlyMap<string, string>;
  /** UIDs of other programs by id, of linked people too; the oldest first. */
  readonly uids: ReadonlyMap<string, readonly string[]>;
  /** Pictures by attachment id. */
  readonly pictures: ReadonlyMap<string, SmallFile>;
}

/** Folds each line and ends it with CRLF. */
export function writeCard(source: CardSource, version: VcardVersion): string {
  const { personId, personName, uids, names, tags } = source;
  const details = source.details.map(toCardDetail);
  const of = (kind: CardDetail["kind"]) => details.filter((detail) => detail.kind === kind);
  const others = of("OTHER").filter(canLeave);
  const isName = ({ lines: [line] }: CardDetail) => line?.name === "N";
  const whole = wholeName(personName, others);
  const labels = version === "4.0" ? labelsOfAddresses(of("ADDRESS"), others) : new Map();
  const isElsewhere = new Set([...labels.values(), ...others.filter(isName), whole]);
  const linked = (id: string) => ({ name: names.get(id) ?? "", uid: uidsOf(id, uids)[0] ?? "" });
  const write = (kind: CardDetail["kind"], writer: Writer) =>
    detailLines(of(kind), version, writer);
  const lines: CardLine[] = [
    own("BEGIN", "VCARD"),
    own("VERSION", version),
    own("PRODID", CARD_PRODUCT),
    ...uidLines(uidsOf(personId, uids)),
    fullName(whole, personName, version),
    ...nameLines(of("NAME"), others.filter(isName), personName, version),
    ...write("PHONE", reached("TEL")),
    ...write("EMAIL", reached("EMAIL")),
    ...write("ADDRESS", addressLines(labels)),
    ...write("ORGANIZATION", organizationLines),
    ...write("URL", reached("URL")),
    ...write("HANDLE", handleLines),
    ...dateLines(of("DATE"), version),
    ...write("LINK", linkLines(linked)),
    ...(tags.length === 0 ? [] : [own("CATEGORIES", tags.map(escapeText).join(","))]),
    ...source.notes.map((note) => own("NOTE", escapeText(note))),
    ...otherLines(others.filter((detail) => !isElsewhere.has(detail)), {
      version,
      pictures: source.pictures,
      dates: new Set(of("DATE").map(({ value }) => value.what)),
    }),
    own("REV", revisionTime(source.updatedAt, version)),
    own("END", "VCARD"),
  ];
  return writeLines(lines, version);
}

function fullName(
  whole: CardDetail | undefined,
  personName: string,
  version: VcardVersion,
): CardLine {
  const [line] = whole?.lines ?? [];
  return line !== undefined && whole?.version === version
    ? { content: line.content }
    : own("FN", line?.value ?? escapeText(personName));
}

function own(name: string, value: string): CardLine {
  return { content: `${name}:${value}` };
}

/** Whole seconds. */
function revisionTime(time: Date, version: VcardVersion): string {
  const text = `${time.toISOString().slice(0, 19)}Z`;
  return version === "4.0" ? text.replaceAll(/[-:]/g, "") : text;
}
