/** `joplin`: an export of Joplin, as a `.jex` file or as a zip of its folder. */

import { parseTimestamp } from "../../../validate/timestamp.ts";
import type { Entry } from "../../archive/archive.ts";
import type { Converter } from "../converter.ts";
import { type AppNote, noteConverted } from "./app_note.ts";
import { coordinates, type Detail } from "./item_details.ts";
import { itemTime } from "./item_time.ts";
import { JoplinIndex } from "./joplin_index.ts";
import { type JoplinItem, readJoplinItem } from "./joplin_items.ts";
import { JoplinLinks } from "./joplin_links.ts";
import { NOTES_MAPPING, type NotesMapping, readNotesMapping, tagOfGroup } from "./notes_mapping.ts";
import type { TaskState } from "./task_item.ts";

/** The language of a text: 1 is Markdown. */
const HTML = "2";

/** Properties that are converted, or belong to the synchronization. All others are counted. */
const READ: ReadonlySet<string> = new Set([
  ..."id parent_id type_ created_time updated_time user_created_time user_updated_time".split(" "),
  ..."is_conflict conflict_original_id latitude longitude author source_url".split(" "),
  ..."markup_language deleted_time order source source_application share_id".split(" "),
  ..."encryption_applied encryption_cipher_text master_key_id".split(" "),
]);

export const JOPLIN: Converter = {
  format: "joplin",
  title: { en: "Joplin", de: "Joplin" },
  isNamed: false,
  hasSign: ({ hasJoplinItem }) => hasJoplinItem,
  kinds: ["zip", "tar", "gzip"],
  mapping: NOTES_MAPPING,
  async *convert(input) {
    const { archive, budget, source } = input;
    if (archive === null) return;
    const index = new JoplinIndex(budget);
    yield* index.read(archive);
    const context = { source, mapping: readNotesMapping(input.mapping) };
    for (const entry of index.notes) {
      await budget.turn(entry.place);
      const item = await readJoplinItem(entry);
      if (item === null || item === "text.utf8") continue;
      const links = new JoplinLinks(index, archive, input);
      yield* noteConverted(await noteOf(item, entry, { index, links, ...context }), context);
    }
  },
};

interface NoteParts {
  readonly index: JoplinIndex;
  readonly links: JoplinLinks;
  readonly mapping: NotesMapping;
}

async function noteOf(
  item: JoplinItem,
  entry: Entry,
  { index, links, mapping }: NoteParts,
): Promise<AppNote> {
  const { id, title, body, properties } = item;
  const of = (name: string) => properties.get(name) ?? "";
  const group = index.groupOf(of("parent_id"));
  const groups = group === null ? [] : [group];
  const refused = refusalOf(item);
  const isHtml = of("markup_language") === HTML;
  const text = refused === null ? await (isHtml ? links.inHtml(body) : links.inMarkdown(body)) : "";
  const created = createdAt(properties, mapping.timeZone);
  const task = mapping.tasks === "commitment" ? taskOf(properties, mapping.timeZone) : null;
  const isConflict = isSet(of("is_conflict"));
  return {
    key: id,
    entry: entry.shownName,
    title,
    text,
    createdAt: created,
    url: of("source_url"),
    author: of("author"),
    tags: [...index.tagsOf(id), ...(mapping.groupTags ? groups.map(tagOfGroup) : [])],
    groups,
    isArchived: isConflict,
    isTrashed: isSet(of("deleted_time")),
    details: placeOf(Number(of("latitude")), Number(of("longitude"))),
    files: links.files,
    rules: [
      ...links.rules,
      ...(isConflict ? ["joplin.conflict"] : []),
      ...(created === null ? ["import.date"] : []),
    ],
    unmapped: unreadIn(properties, task),
    ...(task !== null && { task }),
    ...(refused !== null && { refused: [refused] }),
  };
}

function refusalOf({ properties, isCut }: JoplinItem): string | null {
  if (properties.get("encryption_applied") === "1") return "note.encrypted";
  return isCut ? "field.length" : null;
}

type Properties = JoplinItem["properties"];

function createdAt(properties: Properties, zone: string | null): string | null {
  const stated = properties.get("user_created_time") || properties.get("created_time") || "";
  return itemTime(parseTimestamp(stated), zone);
}

/** Null for a note that is not a task. */
function taskOf(properties: Properties, zone: string | null): TaskState | null {
  if (!isSet(properties.get("is_todo"))) return null;
  const timeOf = (name: string) => {
    const written = properties.get(name);
    return isSet(written) ? itemTime(Number(written), zone) : null;
  };
  return {
    dueAt: timeOf("todo_due"),
    isCompleted: isSet(properties.get("todo_completed")),
    completedAt: timeOf("todo_completed"),
  };
}

function placeOf(latitude: number, longitude: number): readonly Detail[] {
  return latitude === 0 && longitude === 0 ? [] : [["Place", coordinates(latitude, longitude)]];
}

/** Names of properties with a value that the item does not have. */
function unreadIn(properties: Properties, task: TaskState | null): string[] {
  const read = new Set(READ);
  if (task !== null) read.add("is_todo");
  if (task?.dueAt) read.add("todo_due");
  if (task?.completedAt) read.add("todo_completed");
  return [...properties].filter(([name, value]) => !read.has(name) && isSet(value))
    .map(([name]) => name);
}

/** False for an empty value and for 0. */
function isSet(value = ""): boolean {
  return value !== "" && Number(value) !== 0;
}
