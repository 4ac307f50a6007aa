import { hasControlCharacter, isBlank, isLongerThan } from "../../validate/text.ts";
import { keysOf } from "./vcard_details.ts";
import {
  CardError,
  type ContentLine,
  DROPPED,
  type ReadCard,
  unescapeText,
} from "./vcard_lines.ts";

const KINDS = ["KIND", "X-ADDRESSBOOKSERVER-KIND", "UID"];
const MEMBERS = ["MEMBER", "X-ADDRESSBOOKSERVER-MEMBER"];

/** @throws CardError `vcard.name`. */
export function readCommunity(lines: readonly ContentLine[]): ReadCard {
  const textsOf = (name: string) =>
    lines.filter((line) => line.name === name).map(({ value }) => unescapeText(value));
  const [title = ""] = textsOf("FN");
  if (isBlank(title) || hasControlCharacter(title) || isLongerThan(title, 200)) {
    throw new CardError("vcard.name");
  }
  const notes = textsOf("NOTE").filter((note) => !isBlank(note)).join("\n");
  const read = [...KINDS, ...MEMBERS, ...DROPPED, "FN", "N", "NOTE"];
  const rest = lines.filter(({ name, value }) => !read.includes(name) && !isBlank(value));
  return {
    target: "community",
    title,
    payload: {
      communityName: title,
      communityType: "OTHER",
      ...(notes !== "" && { notes }),
    },
    tags: [],
    attachments: [],
    files: [],
    unmapped: [...new Set(rest.map(({ name }) => name))],
    links: [],
    members: MEMBERS.flatMap(textsOf).map((member) => keysOf(member.trim())),
  };
}
