/** The mapping of notes from other apps. */

import type { JsonObject } from "../../../core/json.ts";
import { boolean, oneOf, optional, readBody } from "../../../validate/schema.ts";
import { isLongerThan } from "../../../validate/text.ts";
import { reportWord } from "../../words.ts";
import type { FileMapping } from "../converter.ts";
import { TIME_ZONE } from "../dates.ts";
import { NOTE_TARGETS } from "../note.ts";
import type { NoteTarget } from "../note_facts.ts";
import { checkGroups, wordsByName } from "../words_by_name.ts";

/** The target of the notes of a group; to "leave" they are not imported. */
type GroupTarget = NoteTarget | "leave";

const MAPPING = {
  target: optional(oneOf("knowledge", "memory", "capture")),
  groups: optional(wordsByName<GroupTarget>([...NOTE_TARGETS, "leave"], "mapping.group")),
  groupTags: optional(boolean),
  trashed: optional(oneOf("leave", "archive")),
  tasks: optional(oneOf("commitment", "text")),
  timeZone: optional(TIME_ZONE),
};

export interface NotesMapping {
  readonly target: NoteTarget;
  /** Targets by the names of groups as reports show them; the longest name is the first. */
  readonly groups: ReadonlyMap<string, GroupTarget>;
  /** True if a group is also a tag. */
  readonly groupTags: boolean;
  readonly trashed: "leave" | "archive";
  readonly tasks: "commitment" | "text";
  /** The zone of moments; null to leave them in UTC. */
  readonly timeZone: string | null;
}

export const NOTES_MAPPING: FileMapping = {
  kind: "FORM",
  schema: MAPPING,
  example: { target: "knowledge", groups: { Journal: "memory" }, timeZone: "Europe/Berlin" },
  check(mapping, { groups: known }) {
    checkGroups(readNotesMapping(mapping).groups.keys(), known);
  },
};

/** @throws ServiceError `PAYLOAD_INVALID`. */
export function readNotesMapping(mapping: JsonObject | null): NotesMapping {
  const { groups = {}, ...rest } = readBody(MAPPING, mapping ?? {});
  const longestFirst = Object.entries(groups)
    .map(([name, word]) => [reportWord(name), word] as const)
    .toSorted(([one], [other]) => other.length - one.length);
  return {
    target: "knowledge",
    groupTags: true,
    trashed: "leave",
    tasks: "commitment",
    timeZone: null,
    ...rest,
    groups: new Map(longestFirst),
  };
}

/**
 * The target of a note in some groups: that of the longest name in the mapping that is one of them,
 * or a path above one.
 */
export function targetOf(
  { target, groups }: NotesMapping,
  groupsOfNote: readonly string[],
): GroupTarget {
  const names = groupsOfNote.map((name) => `${reportWord(name)}/`);
  for (const [group, word] of groups) {
    if (names.some((name) => name.startsWith(`${group}/`))) return word;
  }
  return target;
}

/** Code points of a tag. */
const MAX_TAG = 64;

/** The tag of a group: its path, without the first folders if it is too long for a tag. */
export function tagOfGroup(group: string): string {
  let tag = group;
  while (isLongerThan(tag, MAX_TAG) && tag.includes("/")) tag = tag.slice(tag.indexOf("/") + 1);
  return tag;
}
