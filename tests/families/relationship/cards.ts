/** Shared by the tests of vCards. */

import { Buffer } from "node:buffer";
import { sha256Hex } from "../../../src/core/digest.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { newDetail } from "../../../src/families/relationship/detail.ts";
import type { DetailKind } from "../../../src/families/relationship/detail_value.ts";
import type { PersonRow } from "../../../src/families/relationship/person.ts";
import { type CardSource, writeCard } from "../../../src/families/relationship/vcard.ts";
import type { CardDetailRow } from "../../../src/families/relationship/vcard_detail.ts";
import type { VcardVersion } from "../../../src/families/relationship/vcard_text.ts";
import type {
  Converted,
  ConverterInput,
  FileSink,
  PeopleFacts,
  SourceFile,
} from "../../../src/imports/converters/converter.ts";
import { VCARD } from "../../../src/imports/converters/vcard.ts";
import { ReadingBudget } from "../../../src/imports/reading_budget.ts";
import type { Random } from "../../support/random.ts";

/** An item with its members and facts side by side. */
export interface ReadItem extends PeopleFacts {
  readonly place: number;
  readonly key: string;
  readonly target: string;
  readonly title: string;
  readonly payload: JsonObject;
  readonly recordedAt?: string;
  readonly tags: readonly string[];
  readonly attachments: readonly string[];
  readonly files: readonly SourceFile[];
  readonly rules: readonly string[];
  readonly unmapped: readonly string[];
}

export interface ConvertedCards {
  readonly items: readonly ReadItem[];
  /** Rules of refused cards by place. */
  readonly refused: Readonly<Record<number, string>>;
  readonly unmapped: Readonly<Record<string, number>>;
}

/** The file arrives in chunks. */
export async function convertCards(
  file: string | Uint8Array,
  chunkBytes = 64 * 1024,
): Promise<ConvertedCards> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  return parted(await Array.fromAsync(VCARD.convert(inputOf(bytes, chunkBytes))));
}

/** The bytes of a file that a converter stored last, by digest. */
const stored = new Map<string, Uint8Array>();

export function inputOf(
  bytes: Uint8Array,
  chunkBytes: number,
  budget = new ReadingBudget({ fileBytes: bytes.length }),
): ConverterInput {
  const file = {
    size: bytes.length,
    read: (start: number, length: number) => Promise.resolve(bytes.slice(start, start + length)),
    stream: (start: number, end: number) => chunksOf(bytes.subarray(start, end), chunkBytes),
  };
  return {
    file,
    filename: null,
    archive: null,
    source: "",
    mapping: null,
    fieldsOf: () => null,
    budget,
    openFile,
  };
}

function openFile(): Promise<FileSink> {
  const parts: Uint8Array[] = [];
  return Promise.resolve({
    write: (bytes) => Promise.resolve(void parts.push(bytes.slice())),
    end: () => {
      const bytes = new Uint8Array(Buffer.concat(parts));
      const sha256 = sha256Hex(bytes);
      stored.set(sha256, bytes);
      return Promise.resolve({ sha256, size: bytes.length });
    },
  });
}

/** The bytes of a file that a converter stored. */
export function storedBytes({ sha256 }: SourceFile): Uint8Array {
  return stored.get(sha256) ?? new Uint8Array();
}

export function parted(converted: readonly Converted[]): ConvertedCards {
  const all = converted.flatMap((each) => each.kind === "item" ? [each.item] : [])
    .map((item, index) => ({ place: index + 1, ...item }));
  const counts = new Map<string, number>();
  const count = (name: string, more: number) => counts.set(name, (counts.get(name) ?? 0) + more);
  for (const each of converted) if (each.kind === "unmapped") count(each.name, each.count ?? 1);
  for (const { unmapped = [] } of all) for (const name of unmapped) count(name, 1);
  const items = all.filter(({ refused }) => refused === undefined).map((item) => ({
    tags: [],
    attachments: [],
    links: [],
    members: [],
    ...item.members,
    ...item.people,
    place: item.place,
    files: item.files,
    rules: item.rules ?? [],
    unmapped: item.unmapped,
  }));
  return {
    items: items as unknown as ReadItem[],
    refused: Object.fromEntries(
      all.flatMap(({ place, refused }) => refused === undefined ? [] : [[place, refused.join()]]),
    ),
    unmapped: Object.fromEntries([...counts].sort(([one], [other]) => one < other ? -1 : 1)),
  };
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

export function card(...lines: readonly string[]): string {
  return ["BEGIN:VCARD", ...lines, "END:VCARD", ""].join("\r\n");
}

/** As request bodies. */
export function detailsOf({ payload }: ReadItem): readonly JsonObject[] {
  return payload.details as JsonObject[];
}

const PERSON = {
  person_id: "01KB0000000000000000000000",
  person_name: "Lena",
  revision: 1,
  updated_at: new Date("2026-11-20T12:00:00.000Z"),
} as PersonRow;

/** From a request body, with the lines of its card. */
export function storedDetail({ lines, ...body }: JsonObject): CardDetailRow {
  const detail = { ...body, privacy: "PRIVATE" } as Parameters<typeof newDetail>[1];
  return {
    ...newDetail(PERSON, detail),
    lines: lines === undefined ? null : JSON.stringify(lines),
  };
}

/** Writes an item as a card again. Links keep the ids that their keys name. */
export function writeItem(
  item: ReadItem,
  version: VcardVersion,
  more: Partial<CardSource> = {},
): string {
  const details = [...detailsOf(item)];
  for (const { keys, relation, name, detail } of item.links) {
    const [, personId] = /^urn:prs:(.*)$/.exec(keys[0] ?? "") ?? [];
    const value = personId === undefined ? { name, relation } : { personId, relation };
    details.push({ kind: "LINK", value, ...detail });
  }
  const pictures = new Map(
    item.files.map((file) => {
      const { name, filename, mediaType } = file;
      return [name, { filename, mediaType, bytes: storedBytes(file) }];
    }),
  );
  return writeDetails(details, version, {
    personId: item.key.replace(/^urn:prs:/, ""),
    personName: item.title,
    tags: item.tags,
    pictures,
    ...more,
  });
}

export function writeDetails(
  details: readonly JsonObject[],
  version: VcardVersion,
  more: Partial<CardSource> = {},
): string {
  return writeCard({
    personId: PERSON.person_id,
    personName: "Lena Ö",
    updatedAt: PERSON.updated_at,
    notes: [],
    tags: [],
    names: new Map(),
    uids: new Map(),
    pictures: new Map(),
    details: details.map(storedDetail),
    ...more,
  }, version);
}

/** Unfolded lines with the labels of their groups, sorted. */
export function sortedLines(text: string): string[] {
  const lines = text.replaceAll("\r\n ", "").split("\r\n");
  const labels = new Map(
    lines.flatMap((line) => {
      const [, group, label] = /^(item\d+)\.X-ABLabel:(.*)$/.exec(line) ?? [];
      return group === undefined || label === undefined ? [] : [[group, label] as const];
    }),
  );
  return lines.filter((line) => !/^item\d+\.X-ABLabel:/.test(line)).map((line) => {
    const [, group = "", rest = line] = /^(item\d+)\.(.*)$/.exec(line) ?? [];
    return group === "" ? line : `${rest} (${labels.get(group) ?? group})`;
  }).sort();
}

const WORDS = ["home", "work", "cell", "x-1", "voice"];
const RELATIONS = ["friend", "spouse", "Anna's sister", "co-worker"];

export function generatedDetail(random: Random, kind: DetailKind): JsonObject {
  const text = () => random.text(1, random.chance(0.1) ? 300 : 30);
  const some = (names: readonly string[], lines: readonly string[] = []) => {
    const chosen = names.filter(() => random.chance(0.5));
    const own = chosen.length === 0 ? [random.pick(names)] : chosen;
    return Object.fromEntries(own.map((name) => {
      const parts = lines.includes(name) && random.chance(0.3) ? [text(), text()] : [text()];
      return [name, parts.join("\n")];
    }));
  };
  const types = () => random.chance(0.5) ? { types: WORDS.filter(() => random.chance(0.3)) } : {};
  const withTypes = (value: JsonObject) => {
    const { types: words = [] } = types();
    return words.length === 0 ? value : { ...value, types: words };
  };
  const day = `${String(random.integer(1, 12)).padStart(2, "0")}-${
    String(random.integer(1, 28)).padStart(2, "0")
  }`;
  const year = String(random.integer(1605, 9999));
  const values: Readonly<Record<DetailKind, () => JsonObject>> = {
    NAME: () => some(["prefix", "given", "additional", "family", "suffix", "nickname", "phonetic"]),
    PHONE: () => withTypes({ value: text() }),
    EMAIL: () => withTypes({ value: text() }),
    URL: () => withTypes({ value: text() }),
    HANDLE: () => withTypes({ value: text(), ...random.chance(0.5) && { service: "xmpp" } }),
    ADDRESS: () =>
      withTypes(some(
        ["box", "extra", "street", "locality", "region", "postalCode", "country"],
        ["extra", "street"],
      )),
    ORGANIZATION: () => some(["name", "department", "title"]),
    DATE: () => ({
      what: random.pick(["BIRTHDAY", "ANNIVERSARY", "DEATH", "MET", "OTHER"]),
      date: random.pick([`${year}-${day}`, `--${day}`, year]),
    }),
    LINK: () => ({
      relation: random.pick(RELATIONS),
      ...random.pick([{ name: text() }, { personId: random.ulid() }]),
    }),
    OTHER: () => ({
      property: "X-FOO",
      value: random.pick([text(), `X-FOO;A="b:c":${text()}`]),
    }),
  };
  return {
    kind,
    value: values[kind](),
    ...random.chance(0.3) && { label: random.text(1, 30) },
    ...random.chance(0.3) && { preferred: true },
  };
}
