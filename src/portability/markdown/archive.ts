/**
 * An account as files for people: a tar archive with a folder per module, a Markdown file per
 * current object, and the attachments.
 *
 *   prs-account/README.md
 *   prs-account/commitment/The ladder 01KA….md
 *   prs-account/memory/The lake 01KA….md
 *   prs-account/attachments/01KA…/photo.jpg
 *   prs-account/lost-files.txt      attachments whose bytes are lost; only if there are any
 *
 * The same account gives the same bytes. Earlier revisions are only in the JSON Lines.
 */

import { Buffer } from "node:buffer";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import type { Sql } from "../../database/sql.ts";
import { type Clocks, localTimesOf } from "../../validate/local_time.ts";
import { membersOf } from "../description.ts";
import type { AccountExportFormat, LostDigests } from "../export_format.ts";
import { ATTACHMENT_LINES } from "../lines/attachments.ts";
import type { SpoolWriter } from "../spool.ts";
import { inWords, writeMarkdown } from "./document.ts";
import { fileName } from "./file_name.ts";
import { FILE_TYPES, type FileType, innerObject } from "./file_types.ts";
import { EntryStates } from "./privacy.ts";
import { readRows } from "./rows.ts";
import { TAR_END, tarHeader, tarPadding } from "./tar.ts";

const TOP = "prs-account";
/** Maximum bytes of a title in a name. */
const TITLE_BYTES = 120;

interface ArchiveOptions {
  readonly includeSecret: boolean;
}

export function markdownArchive(options: ArchiveOptions): AccountExportFormat {
  return {
    mediaType: "application/x-tar",
    extension: "tar",
    async write(sql, owner, spool, lost) {
      await addText(spool, "README.md", readme(options), new Date(0));
      const states = await EntryStates.read(sql, owner);
      for (const type of FILE_TYPES) await addFiles(sql, owner, type, { spool, states, options });
      await addAttachments(sql, owner, spool, lost);
    },
    end: () => TAR_END,
  };
}

interface Writing {
  readonly spool: SpoolWriter;
  readonly states: EntryStates;
  readonly options: ArchiveOptions;
}

async function addFiles(
  sql: Sql,
  owner: string,
  type: FileType,
  { spool, states, options }: Writing,
): Promise<void> {
  spool.count(type.lines.type, 0);
  for await (const row of readRows(sql, owner, type.lines)) {
    const isSecret = states.isSecret(type.lines, row);
    const folder = type.folder(row);
    if (folder === null || (isSecret && !options.includeSecret)) continue;
    const path = `${folder}/${nameOf(type, row)}.md`;
    await addText(spool, path, textOf(type, row, states), momentOf(row));
    spool.count(type.lines.type, 1);
  }
}

/** Title and identifier, so that no two names are equal on any file system. */
function nameOf({ lines, title }: FileType, row: JsonObject): string {
  // The own identifier is the key's last column.
  const own = membersOf(lines.columns).find(({ column }) => column === lines.key.at(-1));
  const id = String(row[own?.member ?? ""]);
  return title === null ? id : `${fileName(String(row[title]), TITLE_BYTES)} ${id}`;
}

function textOf(type: FileType, row: JsonObject, states: EntryStates): string {
  const inner = innerObject(type, row);
  const members: [string, JsonValue][] = Object.entries(row)
    .filter(([name]) => !type.texts.includes(name))
    .map(([name, value]) => {
      if (name === "clocks") return ["localTimes", shownTimes({ ...row, ...inner?.object }, value)];
      return name === inner?.member ? [name, without(inner)] : [name, value];
    });
  members.push(...states.membersOf(type.lines, row));
  const sections = [
    ...sectionsOf(row, type.texts),
    ...inner === null ? [] : sectionsOf(inner.object, inner.texts),
  ];
  const title = type.title === null ? inWords(type.lines.type) : String(row[type.title]);
  return writeMarkdown({ title, members: members.filter(([, value]) => value !== null), sections });
}

function shownTimes(fields: JsonObject, clocks: JsonValue): JsonValue {
  return clocks === null ? null : localTimesOf(fields, clocks as Clocks);
}

/** The object without its texts, which are sections. */
function without(
  { object, texts }: { readonly object: JsonObject; readonly texts: readonly string[] },
): JsonObject {
  const isText = ([name, value]: [string, JsonValue]) =>
    typeof value === "string" && texts.includes(name);
  return Object.fromEntries(Object.entries(object).filter((member) => !isText(member)));
}

function sectionsOf(
  object: JsonObject,
  texts: readonly string[],
): [heading: string, text: string][] {
  return texts.flatMap((name): [string, string][] => {
    const text = object[name];
    return typeof text === "string" && text !== "" ? [[inWords(name), text]] : [];
  });
}

function momentOf({ updatedAt, recordedAt, createdAt }: JsonObject): Date {
  return new Date(String(updatedAt ?? recordedAt ?? createdAt));
}

/**
 * The owner's files under their own names, each in a folder named by its identifier, and a list of
 * those whose bytes are lost.
 */
async function addAttachments(
  sql: Sql,
  owner: string,
  spool: SpoolWriter,
  lost: LostDigests,
): Promise<void> {
  const missing: string[] = [];
  spool.count(ATTACHMENT_LINES.type, 0);
  for await (const row of readRows(sql, owner, ATTACHMENT_LINES)) {
    if (lost.has(String(row.sha256))) {
      missing.push(`${row.attachmentId}  ${row.size} bytes  ${row.filename}\n`);
      continue;
    }
    const size = Number(row.size);
    const path = `${TOP}/attachments/${row.attachmentId}/${fileName(String(row.filename))}`;
    await spool.text(tarHeader({ path, size, modified: momentOf(row) }));
    await spool.object("bytes", String(row.sha256), size);
    await spool.text(tarPadding(size));
    spool.count(ATTACHMENT_LINES.type, 1);
  }
  if (missing.length === 0) return;
  await addText(spool, "lost-files.txt", LOST_FILES + missing.join(""), new Date(0));
}

const LOST_FILES =
  "The service no longer has these files, or they are damaged. Upload the same files " +
  "again, or ask the operator to restore them from a backup.\n\n";

async function addText(
  spool: SpoolWriter,
  path: string,
  text: string,
  modified: Date,
): Promise<void> {
  const size = Buffer.byteLength(text);
  const header = tarHeader({ path: `${TOP}/${path}`, size, modified });
  await spool.text(`${header}${text}${tarPadding(size)}`);
}

function readme({ includeSecret }: ArchiveOptions): string {
  return [
    "# Personal records",
    "",
    "One folder per module, and one file per object in its current state. A file begins with its",
    "identifiers, times and short values in YAML, between two lines `---`; its texts follow as they",
    "were written. `attachments` contains each attachment in a folder named by its identifier.",
    "",
    includeSecret ? "SECRET entries are included." : "SECRET entries are left out.",
    "",
  ].join("\n");
}
