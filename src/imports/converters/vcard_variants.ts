/** Lines of other products as lines that this service knows. */

import { escapeText } from "../../core/folded_line.ts";
import { isBlank } from "../../validate/text.ts";
import { type ContentLine, splitEscaped, unescapeText } from "./vcard_lines.ts";

/** A line under the name of a property that this service reads. */
export interface KnownLine extends ContentLine {
  /** The property as it was written, in upper case, without `X-PRS-`. */
  readonly property: string;
  /** The label or relation that the property itself states; null without one. */
  readonly ownLabel: string | null;
}

/** Names of further lines that no detail may read: they stay lines. */
const KEPT: readonly string[] = ["X-PRS-FN", "X-PRS-N", "X-PRS-UID"];
const RELATION = /^X-(?:(?:MS|EVOLUTION|KADDRESSBOOK)-(?:X-)?)?(SPOUSE|MANAGER|ASSISTANT)$/;

export function toKnownLine(line: ContentLine): KnownLine {
  const { name, text } = line;
  const known = { ...line, property: name, ownLabel: null };
  if (!name.startsWith("X-")) return known;
  const [, property] = /^X-PRS-(.+)$/.exec(name) ?? [];
  if (property !== undefined) {
    const own = text.replace(/^((?:[A-Za-z0-9-]+\.)?)\s*X-PRS-/i, "$1");
    return { ...known, name: KEPT.includes(name) ? name : property, property, text: own };
  }
  if (name === "X-ANDROID-CUSTOM") return { ...known, ...androidLine(line) };
  const [, word] = RELATION.exec(name) ?? [];
  const relation = name === "X-KADDRESSBOOK-X-SPOUSENAME" ? "SPOUSE" : word;
  return relation === undefined ? known : { ...known, ...relationLine(relation.toLowerCase()) };
}

type Variant = Partial<Pick<KnownLine, "name" | "value" | "ownLabel">>;

function relationLine(relation: string): Variant {
  return { name: "X-ABRELATEDNAMES", ownLabel: relation };
}

const ANDROID = /^vnd\.android\.cursor\.item\/(contact_event|nickname|relation)$/i;
/** By type. */
const EVENTS: ReadonlyMap<string, string> = new Map([["1", "ANNIVERSARY"], ["3", "BDAY"]]);
/** By type, from 1. */
const RELATIONS: readonly string[] = [
  "assistant",
  "brother",
  "child",
  "domestic partner",
  "father",
  "friend",
  "manager",
  "mother",
  "parent",
  "partner",
  "referred by",
  "relative",
  "sister",
  "spouse",
];

/** Android's `kind;value;type;label;…`; nothing for other kinds, or without value or relation. */
function androidLine(line: ContentLine): Variant {
  const [item = "", stated = "", type = "", label = ""] = Array.from(
    splitEscaped(line.value, ";", 5),
    (part) => unescapeText(part).trim(),
  );
  const [, kind] = ANDROID.exec(item) ?? [];
  const value = escapeText(stated);
  const ownLabel = label === "" ? null : label;
  if (kind === undefined || isBlank(value)) return {};
  switch (kind.toLowerCase()) {
    case "nickname":
      return { name: "NICKNAME", value };
    case "contact_event": {
      const name = EVENTS.get(type);
      return name === undefined ? { name: "X-ABDATE", value, ownLabel } : { name, value };
    }
    default: {
      const relation = type === "0" ? ownLabel : RELATIONS[Number(type) - 1];
      return relation ? { ...relationLine(relation), value } : {};
    }
  }
}
