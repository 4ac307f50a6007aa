/** Items in the general form: their members, and their stored form. */

import { sha256Hex } from "../core/digest.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { comparedForms, comparedUid } from "../families/relationship/import_port.ts";
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
import { isLongerThan, isStorableText } from "../validate/text.ts";
import { type Archive, baseNameOf } from "./archive/archive.ts";
import type { PeopleFacts, SourceItem } from "./converters/converter.ts";
import { digestOf, formerDigestOf } from "./item_digest.ts";
import { withFileLines } from "./file_lines.ts";
import { fitMembers, fitPerson, MAX_FILES, MAX_TAGS } from "./fit_members.ts";
import type { ItemFile } from "./item_files.ts";
import type { Rhythm } from "./rhythm.ts";
import type { Targets } from "./targets.ts";
import { MAX_PATH, reportWord } from "./words.ts";

const MAX_KEY = 200;
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
  attachments: optional(arrayOf(string({ maximum: MAX_PATH }), 0, MAX_FILES)),
  archived: optional(boolean),
};

interface FormerKey {
  readonly key: string;
  /** Only an origin of this content counts; null for any origin. */
  readonly digest: string | null;
  /** True if the key stays the key of the first content that has it. */
  readonly isKept: boolean;
}

interface ItemPeople extends PeopleFacts {
  /** Emails and numbers in compared form: `email:ana@example.org`, `tel:+493012345`. */
  readonly compared: readonly string[];
  /** The key that an earlier item of the file has; absent or null without one. */
  readonly repeats?: string | null;
}

/** An item of an import's file, stored until the run. */
export interface Item {
  readonly place: number;
  readonly key: string;
  /** The path in the archive; null for a bare file. */
  readonly entry: string | null;
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
  readonly rhythm?: Rhythm;
  readonly isKnownOnly?: boolean;
  readonly rules: readonly string[];
  /** Rules that refuse it regardless of stored records; empty for none. */
  readonly refused: readonly string[];
  readonly unmapped: readonly string[];
  /** Null in formats that compare no people. */
  readonly people: ItemPeople | null;
  /** SHA-256 of the canonical item, in hex. */
  readonly digest: string;
  /** The key that an earlier release gave the item; null if it is the same. */
  readonly former: FormerKey | null;
  /** The same content for the target that an earlier release chose; null if it is the same. */
  readonly earlier: Item | null;
}

const MAX_UNMAPPED = 1_000;

/** A converted item and its place in the file. */
type PlacedItem = SourceItem & { readonly place: number };

/** Stored facts that the check of an item needs. */
interface ItemContext {
  readonly archive: Archive | null;
  readonly targets: Pick<Targets, "has" | "get" | "fieldsOf">;
  readonly now: Date;
}

/** Checks an item of a converter. One without a key is refused alone, and gets one by its place. */
export function readItem(source: PlacedItem, context: ItemContext): Item {
  const { place } = source;
  const { archive, targets, now } = context;
  const own = keyOf(source);
  const key = own ?? `place:${place}`;
  const refused = new Set(source.refused ?? []);
  if (own === null && refused.size === 0) refused.add("import.key");
  const read = source.people === undefined
    ? fitMembers({ ...source.members, key }, source, now)
    : fitPerson({ ...source.members, key }, now);
  const checked = checkMembers(read.members, context, refused);
  const whole = refused.size === 0 ? checked : null;
  const people = peopleOf(source, whole);
  const target = knownTarget(source.members.target, targets);
  const files = filesOf(whole?.attachments ?? [], archive, source);
  const linked = whole === null || target === null || people !== null
    ? { payload: whole?.payload ?? {}, rules: [] }
    : withFileLines(whole.payload, files, targets.get(target));
  // Unlike the rest of the item, these stay in memory until the file has been read.
  const { compared, ...kept } = detached({
    key,
    title: whole?.title ?? "",
    tags: whole?.tags ?? [],
    unmapped: [...new Set([...source.unmapped ?? [], ...read.unmapped])].slice(0, MAX_UNMAPPED),
    compared: [...people?.compared ?? []],
  });
  const item = {
    ...kept,
    place,
    entry: entryOf(source.entry ?? null),
    target,
    summary: whole?.summary ?? "",
    payload: linked.payload,
    recordedAt: whole?.recordedAt?.getTime() ?? null,
    files,
    archived: whole?.archived ?? false,
    runTimeField: source.runTimeField ?? null,
    ...source.rhythm !== undefined && { rhythm: source.rhythm },
    ...source.isKnownOnly === true && { isKnownOnly: true },
    rules: [...new Set([...source.rules ?? [], ...read.rules, ...linked.rules])],
    refused: [...refused],
    people: people === null ? null : { ...people, compared },
  };
  const digest = digestOf(item, source.writtenTimes, targets);
  const recordedAt = item.recordedAt ?? read.modifiedAt;
  const former = formerOf(source, key, context);
  return { ...item, recordedAt, digest, former, earlier: earlierOf(source, context) };
}

function earlierOf(
  { earlier, rhythm: _, ...source }: PlacedItem,
  context: ItemContext,
): Item | null {
  return earlier === undefined ? null : readItem({ ...source, ...earlier }, context);
}

/** The item under another key, because an earlier one has its own. */
export function withRepeatedKey(item: Item, key: string): Item {
  const rules = [...item.rules, "import.key_repeated"];
  const renamed = { ...item, key, rules, former: null, earlier: null };
  if (item.people === null) return renamed;
  const { uids = [], ...people } = item.people;
  // The key counts as its UID.
  const further = uids.filter((uid) => comparedUid(uid) !== comparedUid(item.key));
  return { ...renamed, people: { ...people, uids: further, repeats: item.key } };
}

/** A key of at most 200 code points; a longer one becomes its digest. */
export function fittingKey(key: string): string {
  return isLongerThan(key, MAX_KEY) ? `sha256:${sha256Hex(key)}` : key;
}

/** Null without a valid key. */
function keyOf({ members: { key }, people }: SourceItem): string | null {
  if (typeof key !== "string" || key === "") return null;
  const isSafe = isStorableText(key);
  if (people === undefined) return isSafe ? fittingKey(key) : null;
  const isStorable = isSafe && !isLongerThan(key, MAX_KEY);
  return isStorable ? key : `sha256:${sha256Hex(comparedUid(key))}`;
}

/** The path as reports show it; null for an empty one. */
function entryOf(path: string | null): string | null {
  return path === null || path === "" ? null : reportWord(path, MAX_PATH);
}

/** Adds the rules that the members violate to `refused`. */
function checkMembers(
  members: JsonObject,
  { targets }: ItemContext,
  refused: Set<string>,
): InferObject<typeof ITEM> | null {
  const violations = new Violations();
  const isWhole = refused.size === 0 || "payload" in members;
  const checked = isWhole ? checkObject(ITEM, members, violations) : null;
  for (const rule of violations.rules) refused.add(rule);
  const { target } = members;
  if (typeof target === "string" && !targets.has(target)) refused.add("import.target");
  // An unsafe tag alone is left out.
  if (checked !== null && !everyText({ ...checked, tags: [] }, isStorableText)) {
    refused.add("json.text");
  }
  return checked;
}

function knownTarget(target: JsonValue | undefined, targets: Pick<Targets, "has">): string | null {
  return typeof target === "string" && targets.has(target) ? target : null;
}

function formerOf(
  { former: members, formerKey, keepsFormerKey: isKept = false, earlier: _, ...source }: PlacedItem,
  key: string,
  context: ItemContext,
): Item["former"] {
  if (members !== undefined) {
    const item = readItem({ ...source, members }, context);
    return { key: item.key, digest: formerDigestOf(item, source.writtenTimes), isKept };
  }
  const isSame = formerKey === undefined || formerKey === key;
  return isSame ? null : { key: formerKey, digest: null, isKept };
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

function filesOf(
  names: readonly string[],
  archive: Archive | null,
  { files = [], filenames, mediaTypes, paths }: SourceItem,
): ItemFile[] {
  const inside = new Map(files.map((file) => [file.name, file]));
  return [...new Set(names)].map((name) => {
    const own = inside.get(name);
    if (own !== undefined) {
      const { sha256, size, filename } = own;
      return { name, sha256, size, mediaType: validType(own.mediaType), filename };
    }
    const path = paths?.get(name);
    const entry = archive?.find(path ?? name);
    // The base name of the written name is that of the entry, but for `\` between folders.
    const named = path ?? (name.includes("\\") ? entry?.name : undefined);
    const filename = filenames?.get(name) ?? (named === undefined ? named : baseNameOf(named));
    const mediaType = path === undefined ? undefined : mediaTypes?.get(name);
    return {
      name,
      ...(entry !== undefined &&
        { sha256: archive?.digests.get(entry.name) ?? "", size: entry.size }),
      ...(mediaType !== undefined && { mediaType: validType(mediaType) }),
      ...(filename !== undefined && { filename }),
      ...(path !== undefined && { path }),
    };
  });
}

function validType(mediaType: string): string {
  return MEDIA_TYPE.test(mediaType) ? mediaType : "application/octet-stream";
}
