/** Numbers, addresses, organizations and links in a vCard. No SQL, no HTTP. */

import { escapeText, unescapeText } from "../../core/folded_line.ts";
import {
  type CardDetail,
  keptLines,
  madeLine,
  otherLineOf,
  sourceOf,
  typeParameters,
} from "./vcard_detail.ts";
import type { CardLine } from "./vcard_groups.ts";
import { listText, uidAddress } from "./vcard_names.ts";
import {
  ADDRESS_PARTS,
  type ContentLine,
  type Parameter,
  parameterOf,
  quoted,
  toContentLine,
  typesOf,
  unquoted,
  type VcardVersion,
} from "./vcard_text.ts";

/** Writes a detail from its value. */
export type Writer = (detail: CardDetail, version: VcardVersion) => CardLine[];

/** Defined by RFC 6350. */
const RELATIONS: ReadonlySet<string> = new Set((
  "contact acquaintance friend met co-worker colleague co-resident neighbor child parent " +
  "sibling spouse kin muse crush date sweetheart me agent emergency"
).split(" "));

/** Writes each detail as it came, if a card of this version brought it. */
export function detailLines(
  details: readonly CardDetail[],
  version: VcardVersion,
  write: Writer,
): CardLine[] {
  return details.flatMap((detail) =>
    detail.version === version ? keptLines(detail) : write(detail, version)
  );
}

/** `TEL`, `EMAIL` or `URL`. */
export function reached(name: string): Writer {
  return (detail, version) => {
    const text = String(detail.value.value);
    const isAddress = name === "TEL" && version === "3.0";
    const value = escapeText(isAddress ? text.replace(/^tel:/i, "") : text);
    return [madeLine(detail, { name, parameters: typeParameters(detail, version), value })];
  };
}

export function handleLines(detail: CardDetail, version: VcardVersion): CardLine[] {
  const { value, service } = detail.value;
  const address = service === undefined ? String(value) : `${service}:${value}`;
  const parameters = typeParameters(detail, version);
  return [madeLine(detail, { name: "IMPP", parameters, value: escapeText(address) })];
}

export function organizationLines(detail: CardDetail, version: VcardVersion): CardLine[] {
  const { name, department, title } = detail.value;
  const parameters = typeParameters(detail, version);
  const units = department === undefined ? "" : `;${listText(String(department), ";")}`;
  const value = `${escapeText(String(name ?? ""))}${units}`;
  const text = escapeText(String(title));
  return [
    ...(value === "" ? [] : [madeLine(detail, { name: "ORG", parameters, value })]),
    ...(title === undefined ? [] : [madeLine(detail, { name: "TITLE", parameters, value: text })]),
  ];
}

/**
 * The lines LABEL of 3.0 that are a parameter of an address in 4.0: those with the types of exactly
 * one address of their card.
 */
export function labelsOfAddresses(
  addresses: readonly CardDetail[],
  others: readonly CardDetail[],
): ReadonlyMap<CardDetail, CardDetail> {
  const labels = new Map<CardDetail, CardDetail>();
  for (const other of others) {
    const line = labelLine(other);
    if (line === null) continue;
    const types = String(typesOf(line).sort());
    const [address, ...more] = addresses.filter(({ person_revision, value }) =>
      person_revision === other.person_revision &&
      String(Array.isArray(value.types) ? value.types.toSorted() : "") === types
    );
    const isOne = address !== undefined && more.length === 0 && address.version !== "4.0";
    if (isOne && !labels.has(address)) labels.set(address, other);
  }
  return labels;
}

function labelLine(detail: CardDetail): ContentLine | null {
  const line = otherLineOf(detail);
  return line?.name === "LABEL" ? line : null;
}

/** @param labels The lines LABEL of addresses. */
export function addressLines(labels: ReadonlyMap<CardDetail, CardDetail>): Writer {
  return (detail, version) => {
    const parts = ADDRESS_PARTS.map((part) => escapeText(String(detail.value[part] ?? "")));
    const label = labels.get(detail);
    const line = label === undefined ? null : labelLine(label);
    const parameters: readonly Parameter[] = [
      ...typeParameters(detail, version),
      ...(line === null ? [] : [["LABEL", quoted(unescapeText(line.value))] as const]),
    ];
    const address = madeLine(detail, { name: "ADR", parameters, value: parts.join(";") });
    return version === "4.0" ? [address] : [address, ...labelLines(detail)];
  };
}

/** The parameter LABEL of an address as a line of 3.0. */
export function labelLines(detail: CardDetail): CardLine[] {
  const source = sourceOf(detail, "ADR");
  const label = source === undefined ? null : parameterOf(source, "LABEL");
  if (label === null) return [];
  const parameters = typeParameters({ ...detail, preferred: false }, "3.0");
  const value = escapeText(unquoted(label));
  return [{ content: toContentLine({ name: "LABEL", parameters, value }) }];
}

/** @param nameOf The name and the UID of a linked person. */
export function linkLines(
  linked: (personId: string) => { readonly name: string; readonly uid: string },
): Writer {
  return (detail, version) => {
    const { personId, name, relation } = detail.value;
    const person = personId === undefined ? null : linked(String(personId));
    const parameters = typeParameters(detail, version);
    const text = String(relation);
    const value = escapeText(String(name ?? person?.name));
    if (version === "3.0") {
      const line = madeLine(detail, { name: "X-ABRELATEDNAMES", parameters, value }, text);
      // The group that it came in may have another label.
      return [{ ...line, group: null }];
    }
    const words = text.toLowerCase();
    const isKnown = words.split(",").every((word) => RELATIONS.has(word));
    const line = {
      name: "RELATED",
      parameters: [
        ...(person === null ? [["VALUE", "text"] as const] : []),
        ...(isKnown ? [["TYPE", words] as const] : []),
        ...parameters,
      ],
      value: person === null ? value : uidAddress(person.uid),
    };
    return [madeLine(detail, line, isKnown ? detail.label : text)];
  };
}
