/** Items in the general form: their members, and their stored form. */

import { withClockTolerance } from "../core/clock.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { comparedForms } from "../families/relationship/import_port.ts";
import { RECORD_SUMMARY, RECORD_TITLE } from "../records/import_port.ts";
import {
  arrayOf,
  boolean,
  checkObject,
  type InferObject,
  jsonObject,
  optional,
  type Schema,
  string,
  timestamp,
  Violations,
} from "../validate/schema.ts";
import { isLongerThan } from "../validate/text.ts";
import type { Archive } from "./archive/archive.ts";
import type { PeopleFacts, SourceFile, SourceItem } from "./converters/converter.ts";
import { digestOf, formerDigestOf } from "./item_digest.ts";
import { refuseFile } from "./refusal.ts";
import type { Targets } from "./targets.ts";

const MAX_KEY = 200;
const MAX_TAGS = 50;
const MAX_FILES = 10_000;
const MAX_FILE_NAME = 1024;
const MEDIA_TYPE = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/i;

/** Accepts any text: taxonomy decides which names are valid, and only invalid ones are left out. */
const tagName: Schema<string> = {
  check: (value, field, violations) =>
    typeof value === "string" ? value : violations.add("field.type", field),
  json: { type: "string" },
};

const ITEM = {
  key: string({ maximum: MAX_KEY, blank: true, multiline: true }),
  target: string({ maximum: MAX_KEY, blank: true, multiline: true }),
  title: RECORD_TITLE,
  summary: optional(RECORD_SUMMARY),
  payload: jsonObject,
  recordedAt: optional(timestamp),
  tags: optional(arrayOf(tagName, 0, MAX_TAGS)),
  attachments: optional(arrayOf(string({ maximum: MAX_FILE_NAME }), 0, MAX_FILES)),
  archived: optional(boolean),
};

/** A file that an item names; without digest if it is missing. */
export interface ItemFile {
  readonly name: string;
  readonly sha256?: string;
  readonly size?: number;
  /** Present for a file inside the item's own text; absent for a file of an archive. */
  readonly mediaType?: string;
  readonly filename?: string;
}

interface ItemPeople extends PeopleFacts {
  /** Emails and numbers in compared form: `email:ana@example.org`, `tel:493012345`. */
  readonly compared: readonly string[];
}

/** An item of an import's file, stored until the run. */
export interface Item {
  readonly place: number;
  readonly key: string;
  readonly target: string | null;
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonObject;
  /** Milliseconds since 1970; null if the source has no time. */
  readonly recordedAt: number | null;
  readonly tags: readonly string[];
  readonly files: readonly ItemFile[];
  readonly archived: boolean;
  readonly runTimeField: string | null;
  readonly rules: readonly string[];
  /** Rules that refuse it regardless of stored records; empty for none. */
  readonly refused: readonly string[];
  readonly unmapped: readonly string[];
  /** Null in formats that compare no people. */
  readonly people: ItemPeople | null;
  /** SHA-256 of the canonical item, in hex. */
  readonly digest: string;
  /** The key and digest that an earlier release gave the same content; null if they are these. */
  readonly former: Pick<Item, "key" | "digest"> | null;
}

const MAX_UNMAPPED = 1_000;

/** A converted item and its place in the file. */
type PlacedItem = SourceItem & { readonly place: number };

/** Stored and earlier facts that the check of an item needs. */
interface ItemContext {
  readonly archive: Archive | null;
  readonly targets: Pick<Targets, "has" | "fieldsOf">;
  readonly now: Date;
  /** Whether an earlier item has the key. */
  readonly isTaken: (key: string) => boolean;
}

/**
 * Checks an item of a converter. An item of a format of people without a key of its own is refused
 * alone and gets a key by its place, like a refused one whose key could not be read.
 *
 * @throws FileRefusal `import.key` for other items.
 */
export function readItem(source: PlacedItem, context: ItemContext): Item {
  const { place } = source;
  const { archive, targets } = context;
  const own = keyOf(source.members.key, context.isTaken);
  const isUnread = source.members.key === undefined && (source.refused ?? []).length > 0;
  if (own === null && source.people === undefined && !isUnread) refuseFile("import.key", place);
  const key = own ?? `place:${place}`;
  const members: JsonObject = { ...source.members, key };
  const refused = new Set(source.refused ?? []);
  if (own === null && refused.size === 0) refused.add("import.key");
  const checked = checkMembers(members, context, refused);
  const whole = refused.size === 0 ? checked : null;
  const people = peopleOf(source, whole);
  // Unlike the rest of the item, these stay in memory until the file has been read.
  const { compared, ...kept } = detached({
    key,
    title: whole?.title ?? "",
    tags: whole?.tags ?? [],
    unmapped: [...new Set(source.unmapped ?? [])].slice(0, MAX_UNMAPPED),
    compared: [...people?.compared ?? []],
  });
  const item = {
    ...kept,
    place,
    target: knownTarget(members.target, targets),
    summary: whole?.summary ?? "",
    payload: whole?.payload ?? {},
    recordedAt: whole?.recordedAt?.getTime() ?? null,
    files: filesOf(whole?.attachments ?? [], archive, source.files ?? []),
    archived: whole?.archived ?? false,
    runTimeField: source.runTimeField ?? null,
    rules: [...source.rules ?? []],
    refused: [...refused],
    people: people === null ? null : { ...people, compared },
  };
  const digest = digestOf(item, source.writtenTimes, targets);
  return { ...item, digest, former: formerOf(source, context) };
}

/** Adds the rules that the members violate to `refused`. */
function checkMembers(
  members: JsonObject,
  { targets, now }: ItemContext,
  refused: Set<string>,
): InferObject<typeof ITEM> | null {
  const violations = new Violations();
  const isWhole = refused.size === 0 || "payload" in members;
  const checked = isWhole ? checkObject(ITEM, members, violations) : null;
  for (const rule of violations.rules) refused.add(rule);
  const { target } = members;
  if (typeof target === "string" && !targets.has(target)) refused.add("import.target");
  const recordedAt = checked?.recordedAt ?? null;
  if (recordedAt !== null && recordedAt > withClockTolerance(now)) {
    refused.add("import.recorded_at");
  }
  // An unsafe tag alone is left out.
  if (checked !== null && !everyText({ ...checked, tags: [] }, isSafeText)) {
    refused.add("json.text");
  }
  return checked;
}

function knownTarget(target: JsonValue | undefined, targets: Pick<Targets, "has">): string | null {
  return typeof target === "string" && targets.has(target) ? target : null;
}

function formerOf(
  { former: members, ...source }: PlacedItem,
  context: ItemContext,
): Item["former"] {
  if (members === undefined) return null;
  const item = readItem({ ...source, members }, { ...context, isTaken: () => false });
  return { key: item.key, digest: formerDigestOf(item, source.writtenTimes) };
}

/** The facts of a person; a refused item has no links and no members. */
function peopleOf(
  { people }: SourceItem,
  whole: { readonly payload: JsonObject } | null,
): ItemPeople | null {
  if (people === undefined) return null;
  const named = whole === null ? {} : people;
  const { isIdentified = true } = people;
  const compared = comparedForms(whole?.payload.details);
  return { links: [], members: [], ...named, isIdentified, compared };
}

/** False for characters that no database stores. */
function isSafeText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Whether all texts and names of members in a value pass a test. */
function everyText(value: unknown, passes: (text: string) => boolean): boolean {
  if (typeof value === "string") return passes(value);
  if (Array.isArray(value)) return value.every((each) => everyText(each, passes));
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => passes(name) && everyText(member, passes));
}

/** A copy whose texts do not retain the longer texts that they were cut from. */
function detached<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** Null for an invalid or repeated key. */
function keyOf(
  key: JsonValue | undefined,
  isTaken: (key: string) => boolean,
): string | null {
  const isKey = typeof key === "string" && key !== "" && !isLongerThan(key, MAX_KEY) &&
    key.isWellFormed() && !key.includes("\0") && !isTaken(key);
  return isKey ? key : null;
}

function filesOf(
  names: readonly string[],
  archive: Archive | null,
  inside: readonly SourceFile[],
): ItemFile[] {
  const byName = new Map(inside.map((file) => [file.name, file]));
  return [...new Set(names)].map((name) => {
    const own = byName.get(name);
    if (own !== undefined) {
      const { sha256, size, filename } = own;
      const mediaType = MEDIA_TYPE.test(own.mediaType) ? own.mediaType : "application/octet-stream";
      return { name, sha256, size, mediaType, filename };
    }
    const entry = archive?.find(name);
    return entry === undefined
      ? { name }
      : { name, sha256: archive?.digests.get(name) ?? "", size: entry.size };
  });
}
