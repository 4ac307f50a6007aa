/** `vcard`: cards (2.1, 3.0, 4.0) in a file or a zip of files; groups become communities. */

import { sha256Hex } from "../../core/digest.ts";
import { escapeText } from "../../core/folded_line.ts";
import { isBlank, isLongerThan } from "../../validate/text.ts";
import { FileRefusal, refuseFile } from "../refusal.ts";
import type {
  Converted,
  Converter,
  SourceFile,
  SourceInput,
  SourceItem,
  StoredFile,
} from "./converter.ts";
import { mayHaveEntry } from "./examined_entries.ts";
import { headOf, type ReadBytes } from "./lines.ts";
import { MAX_TEXT_LENGTH, PEOPLE_MAPPING } from "./people.ts";
import { assertCards, type CardInput, type RawCard, splitCards } from "./vcard_cards.ts";
import { keysOf } from "./vcard_details.ts";
import {
  type ContentLine,
  DROPPED,
  KEY_TEXTS,
  parseCard,
  type ReadCard,
  unescapeText,
} from "./vcard_lines.ts";
import { isEmpty, titleOf } from "./vcard_names.ts";
import { readPerson } from "./vcard_person.ts";

const CARD_FILE = /\.(?:vcf|vcard)$/i;

export const VCARD: Converter = {
  format: "vcard",
  title: { en: "Contacts (vCard)", de: "Kontakte (vCard)" },
  isNamed: false,
  hasSign: ({ vcf }) => vcf.some((text) => /^\s*BEGIN:VCARD/i.test(text)),
  kinds: ["zip", "tar", "gzip", "text"],
  mapping: PEOPLE_MAPPING,
  async sourceOf({ name, file, archive }: SourceInput) {
    if (archive === null) await assertCards(() => file.stream());
    else if (!await mayHaveEntry(archive, CARD_FILE, beginsCard)) refuseFile("import.format", 0);
    return name === null ? "vcard" : `vcard:${name}`;
  },
  async *convert(input): AsyncGenerator<Converted> {
    const { file, archive } = input;
    if (archive === null) yield* readCards(() => file.stream(), input, null);
    else {
      for (const entry of archive.matching(CARD_FILE)) {
        try {
          yield* readCards(() => archive.read(entry), input, entry.shownName);
        } catch (error) {
          if (!isOtherFormat(error)) throw error;
          yield { kind: "fault", entry, rule: "import.format" };
        }
      }
    }
  },
};

async function beginsCard(read: ReadBytes): Promise<boolean> {
  const head = await headOf(read());
  try {
    await assertCards(() => chunksOf(head));
    return true;
  } catch (error) {
    if (!isOtherFormat(error)) throw error;
    return false;
  }
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** True for the refusal of a file that does not begin with a card. */
function isOtherFormat(error: unknown): boolean {
  if (!(error instanceof FileRefusal)) throw error;
  return error.rule === "import.format";
}

/** @throws FileRefusal `import.format` if the file does not begin with a card. */
async function* readCards(
  read: ReadBytes,
  input: CardInput,
  entry: string | null,
): AsyncGenerator<Converted> {
  let [hasCard, outside] = [false, 0];
  for await (const card of splitCards(read, input, () => outside++)) {
    hasCard = true;
    const item = await toItem(card, input);
    if (item === null) yield { kind: "unmapped", name: "card.empty" };
    else yield { kind: "item", item: { ...item, entry } };
  }
  if (!hasCard) {
    if (entry === null) refuseFile("import.format", 1);
    yield { kind: "unmapped", name: "file.empty" };
  }
  if (outside > 0) yield { kind: "unmapped", name: "line", count: outside };
}

/** Null for a card without content. */
async function toItem(card: RawCard, { budget, openFile }: CardInput): Promise<SourceItem | null> {
  const parsed = await parseCard(card, budget);
  const lines = [...parsed.lines, ...await agentLines(card, budget)];
  if (!hasContent(lines) && card.left.length === 0) return null;
  const content = isGroup(lines)
    ? readCommunity(lines)
    : await readPerson({ ...parsed, lines }, budget);
  const { target, title, payload, tags = [], links = [], members = [] } = content;
  const { uids = [], isOwnCard = false } = content;
  const files: SourceFile[] = [];
  for (const { content: bytes, ...file } of content.files ?? []) {
    const stored = bytes instanceof Uint8Array ? await store(bytes, openFile) : bytes;
    files.push({ ...file, ...stored });
  }
  const { key, isIdentified } = keyOf(lines);
  const attachments = files.map(({ name }) => name);
  return {
    files,
    rules: [...card.rules, ...parsed.rules, ...content.rules ?? []],
    unmapped: [...new Set([...content.unmapped, ...card.left])],
    members: { key, target, title, payload, tags: [...tags], attachments },
    people: { isIdentified, links, members, uids, isOwnCard },
  };
}

/** Properties that a card without content has. */
const MARKS: readonly string[] = [...DROPPED, "UID", "X-PRS-UID"];

function hasContent(lines: readonly ContentLine[]): boolean {
  return lines.some((line) => !MARKS.includes(line.name) && !isEmpty(line));
}

/** Lines that link a card to the cards of its agents by name. */
async function agentLines({ agents }: RawCard, budget: CardInput["budget"]) {
  const added: ContentLine[] = [];
  for (const [index, agent] of agents.entries()) {
    const { lines } = await parseCard(agent, budget);
    if (!hasContent(lines)) continue;
    const group = `agent${index + 1}`;
    added.push(
      lineOf(group, "X-ABRELATEDNAMES", escapeText(titleOf(lines).title)),
      lineOf(group, "X-ABLABEL", "agent"),
    );
  }
  return added;
}

function lineOf(group: string, name: string, value: string): ContentLine {
  return { group, name, parameters: new Map(), value, text: `${group}.${name}:${value}` };
}

async function store(bytes: Uint8Array, openFile: CardInput["openFile"]): Promise<StoredFile> {
  const sink = await openFile();
  await sink.write(bytes);
  return await sink.end();
}

/**
 * The UID, or a digest of name, emails and numbers; without any of them, of the organization, else
 * of the whole card.
 */
export function keyOf(
  lines: readonly ContentLine[],
): { readonly key: string; readonly isIdentified: boolean } {
  const [uid = ""] = textsOf(lines, "UID").map((text) => text.trim()).filter((text) => text !== "");
  if (uid !== "") return { key: uid, isIdentified: true };
  const stated = keyNames(lines).flatMap((name) =>
    lines.filter((line) => line.name === name)
      .map(({ value, former = value }) => `${name}:${former}`)
  );
  return { key: `digest:${sha256Hex(stated.join("\n"))}`, isIdentified: false };
}

/** The properties of the digest, in its order. */
function keyNames(lines: readonly ContentLine[]): readonly string[] {
  const isStated = (name: string) => lines.some((line) => line.name === name && !isEmpty(line));
  if (KEY_TEXTS.some(isStated)) return KEY_TEXTS;
  if (isStated("ORG")) return ["ORG"];
  return [...new Set(lines.map(({ name }) => name))].filter((name) => !DROPPED.includes(name));
}

function textsOf(lines: readonly ContentLine[], name: string): string[] {
  return lines.filter((line) => line.name === name).map(({ value }) => unescapeText(value));
}

function isGroup(lines: readonly ContentLine[]): boolean {
  return lines.some(({ name, value }) =>
    KINDS.includes(name) && value.trim().toLowerCase() === "group"
  );
}

const KINDS = ["KIND", "X-ADDRESSBOOKSERVER-KIND"];
const MEMBERS = ["MEMBER", "X-ADDRESSBOOKSERVER-MEMBER"];

function readCommunity(lines: readonly ContentLine[]): ReadCard {
  const { title, rules } = titleOf(lines);
  const notes = textsOf(lines, "NOTE").filter((note) => !isBlank(note)).join("\n");
  const hasNotes = notes !== "" && !notes.includes("\0") && !isLongerThan(notes, MAX_TEXT_LENGTH);
  const read = [...KINDS, ...MEMBERS, ...MARKS, "N", ...(hasNotes ? ["NOTE"] : [])];
  // The whole name is counted if it was cut.
  const isRead = ({ name }: ContentLine) =>
    read.includes(name) || name === "FN" && !rules.includes("title.cut");
  const rest = lines.filter((line) => line.picture === null || !isRead(line) && !isEmpty(line));
  return {
    target: "community",
    title,
    rules,
    payload: {
      communityName: title,
      communityType: "OTHER",
      ...(hasNotes && { notes }),
    },
    unmapped: [...new Set(rest.map(({ name }) => name))],
    members: MEMBERS.flatMap((name) => textsOf(lines, name)).map((member) => member.trim())
      .filter((member) => member !== "").map(keysOf),
  };
}
