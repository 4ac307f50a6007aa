/** `vcard`: cards (2.1, 3.0, 4.0) in a file or a zip of files; groups become communities. */

import { sha256Hex } from "../../core/digest.ts";
import { isBlank } from "../../validate/text.ts";
import { FileRefusal, refuseFile } from "../refusal.ts";
import type {
  Converted,
  Converter,
  SourceFile,
  SourceInput,
  SourceItem,
  StoredFile,
} from "./converter.ts";
import { PEOPLE_MAPPING, refusedItem } from "./people.ts";
import { assertCards, type CardInput, type RawCard, splitCards } from "./vcard_cards.ts";
import { keysOf } from "./vcard_details.ts";
import {
  CardError,
  type ContentLine,
  DROPPED,
  parseCard,
  type ReadCard,
  unescapeText,
} from "./vcard_lines.ts";
import { isEmpty, titleOf } from "./vcard_names.ts";
import { readPerson } from "./vcard_person.ts";

const CARD_FILE = /\.vcf$/i;

export const VCARD: Converter = {
  format: "vcard",
  title: { en: "Contacts (vCard)", de: "Kontakte (vCard)" },
  extensions: [".vcf"],
  isNamed: false,
  kinds: ["zip", "tar", "gzip", "text"],
  mapping: PEOPLE_MAPPING,
  async sourceOf({ name, file, archive }: SourceInput) {
    if (archive === null) await assertCards(file.stream());
    else if (archive.matching(CARD_FILE).length === 0) refuseFile("import.format", 0);
    return name === null ? "vcard" : `vcard:${name}`;
  },
  async *convert(input): AsyncGenerator<Converted> {
    const { file, archive } = input;
    if (archive === null) yield* readCards(file.stream(), input, null);
    else {
      for (const entry of archive.matching(CARD_FILE)) {
        try {
          yield* readCards(archive.read(entry), input, entry.shownName);
        } catch (error) {
          if (!isOtherFormat(error)) throw error;
          archive.used.delete(entry.name);
        }
      }
    }
  },
};

/** True for the refusal of a file that does not begin with a card. */
function isOtherFormat(error: unknown): boolean {
  return error instanceof FileRefusal && error.rule === "import.format";
}

/** @throws FileRefusal `import.format` if the file does not begin with a card. */
async function* readCards(
  chunks: AsyncIterable<Uint8Array>,
  input: CardInput,
  entry: string | null,
): AsyncGenerator<Converted> {
  let outside = 0;
  for await (const card of splitCards(chunks, input, () => outside++)) {
    yield { kind: "item", item: { ...await toItem(card, input), entry } };
  }
  if (outside > 0) yield { kind: "unmapped", name: "line", count: outside };
}

async function toItem(card: RawCard, { budget, openFile }: CardInput): Promise<SourceItem> {
  // Its lines, and so its key, were discarded.
  if (card.rule === "import.item_size") return refusedItem(undefined, "person", card.rule);
  let lines: readonly ContentLine[] = [];
  try {
    const parsed = await parseCard(card, budget);
    ({ lines } = parsed);
    if (card.rule !== null) throw new CardError(card.rule);
    if (!parsed.isKnown) throw new CardError("vcard.version");
    const content = isGroup(lines) ? readCommunity(lines) : await readPerson(lines, budget);
    const { target, title, payload, rules, unmapped, tags = [] } = content;
    const { links = [], members = [], uids = [], isOwnCard = false } = content;
    const { key, isIdentified } = keyOf(lines);
    const files: SourceFile[] = [];
    for (const { content: bytes, ...file } of content.files ?? []) {
      const stored = bytes instanceof Uint8Array ? await store(bytes, openFile) : bytes;
      files.push({ ...file, ...stored });
    }
    const attachments = files.map(({ name }) => name);
    return {
      files,
      rules,
      unmapped,
      members: { key, target, title, payload, tags: [...tags], attachments },
      people: { isIdentified, links, members, uids, isOwnCard },
    };
  } catch (error) {
    if (!(error instanceof CardError)) throw error;
    return refusedItem(keyOf(lines).key, "person", card.rule ?? error.rule);
  }
}

async function store(bytes: Uint8Array, openFile: CardInput["openFile"]): Promise<StoredFile> {
  const sink = await openFile();
  await sink.write(bytes);
  return await sink.end();
}

/** The UID, or a digest of name, emails and numbers. */
function keyOf(
  lines: readonly ContentLine[],
): { readonly key: string; readonly isIdentified: boolean } {
  const valuesOf = (name: string) =>
    lines.filter((line) => line.name === name).map(({ value }) => value);
  const uid = unescapeText(valuesOf("UID")[0] ?? "").trim();
  if (uid !== "") return { key: uid, isIdentified: true };
  const stated = ["N", "FN", "TEL", "EMAIL"].flatMap((name) =>
    valuesOf(name).map((value) => `${name}:${value}`)
  );
  return { key: `digest:${sha256Hex(stated.join("\n"))}`, isIdentified: false };
}

function isGroup(lines: readonly ContentLine[]): boolean {
  return lines.some(({ name, value }) =>
    (name === "KIND" || name === "X-ADDRESSBOOKSERVER-KIND") &&
    value.trim().toLowerCase() === "group"
  );
}

const KINDS = ["KIND", "X-ADDRESSBOOKSERVER-KIND", "UID"];
const MEMBERS = ["MEMBER", "X-ADDRESSBOOKSERVER-MEMBER"];

function readCommunity(lines: readonly ContentLine[]): ReadCard {
  const textsOf = (name: string) =>
    lines.filter((line) => line.name === name).map(({ value }) => unescapeText(value));
  const { title, rules } = titleOf(lines);
  const notes = textsOf("NOTE").filter((note) => !isBlank(note)).join("\n");
  const read = [...KINDS, ...MEMBERS, ...DROPPED, "FN", "N", "NOTE"];
  const rest = lines.filter((line) => !read.includes(line.name) && !isEmpty(line));
  return {
    target: "community",
    title,
    rules,
    payload: {
      communityName: title,
      communityType: "OTHER",
      ...(notes !== "" && { notes }),
    },
    unmapped: [...new Set(rest.map(({ name }) => name))],
    members: MEMBERS.flatMap(textsOf).map((member) => keysOf(member.trim())),
  };
}
