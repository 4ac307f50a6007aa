/**
 * The two export documents of memories (decisions, MEM-008). Both contain every field exactly, so that
 * either can be read back without loss.
 *
 * **JSON**: `{ "format": "prs-memory", "version": 1, "memories": [...] }`.
 *
 * **Markdown**: one section per memory. Sections are independent, and documents may be concatenated. To
 * parse it, split it at line feeds only:
 *
 * 1. A section begins with a line `---`. The lines up to the next line `---` are YAML: `name: value`,
 *    with each value as JSON on one line. They contain `format`, `version` and all fields except long
 *    texts.
 * 2. Each long text follows below a line `## name`, between two equal lines of three or more
 *    backticks. The text is everything between the line feed that ends the first of them and the
 *    line feed before the second, so the writer's line feed is not part of it. No text contains as many
 *    backticks in a row as the lines around it. A long text without a block is null.
 * 3. Other headings and empty lines outside the blocks are for people.
 */

import { sha256Hex } from "../../core/digest.ts";
import { headingText, yamlValue } from "../../core/markdown.ts";
import { type DocumentLabel, LABEL_MEMBERS } from "../kit/export.ts";
import type { ListedRun } from "../../records/port.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import type { Memory } from "./memory.ts";

/** The available formats. */
export const MEMORY_EXPORT_FORMATS = ["MARKDOWN", "JSON"] as const;
export type MemoryExportFormat = (typeof MEMORY_EXPORT_FORMATS)[number];

/** The execution output of an export. */
export interface ExportOutput extends DocumentLabel {
  readonly format: MemoryExportFormat;
}

/** One part of an export. */
export interface ExportDocument extends ExportOutput {
  readonly content: string;
}

/** An export as it is answered; a replay has neither content nor cursor. */
export interface ExportAnswer extends ExportOutput {
  readonly executionId: string;
  readonly content: string | null;
  readonly nextCursor: string | null;
}

const EXPORT_MEMBERS = {
  executionId: ULID,
  format: enumOf(MEMORY_EXPORT_FORMATS),
  ...LABEL_MEMBERS,
} as const;

/** A part of an export; content and cursor are null in a replay. */
export const MEMORY_EXPORT_SCHEMA: JsonSchema = component<ExportAnswer>("MemoryExport", {
  ...EXPORT_MEMBERS,
  content: nullable(TEXT),
  nextCursor: nullable(TEXT),
});

export const LISTED_EXPORT_SCHEMA: JsonSchema = component<ListedRun<ExportOutput>>(
  "ListedMemoryExport",
  { ...EXPORT_MEMBERS, createdAt: TIME },
);

const HEAD = { format: "prs-memory", version: 1 } as const;

const SHAPES = {
  MARKDOWN: { extension: "md", mediaType: "text/markdown; charset=utf-8", write: toMarkdownExport },
  JSON: { extension: "json", mediaType: "application/json", write: toJsonExport },
} as const;

const FIELDS = [
  "memoryId",
  "title",
  "summary",
  "memoryType",
  "occurredAt",
  "timePrecision",
  "timeText",
  "timeRange",
  "importance",
  "aiDraftProvider",
  "aiDraftModel",
  "privacyLevel",
  "revision",
  "createdAt",
  "updatedAt",
  "archivedAt",
] as const satisfies readonly (keyof Memory)[];

const LONG_TEXTS = [
  "originalContent",
  "currentContent",
  "aiDraft",
] as const satisfies readonly (keyof Memory)[];

/** Makes a whole part: the document and its description. */
export function writeExport(
  format: MemoryExportFormat,
  memories: readonly Memory[],
  now: Date,
): ExportDocument {
  const { mediaType, write } = SHAPES[format];
  const content = write(memories);
  return {
    format,
    filename: exportFilename(format, now),
    mediaType,
    sha256: sha256Hex(content),
    count: memories.length,
    content,
  };
}

/** A name for the file, by the day in UTC: `memories-2026-11-20.md`. */
export function exportFilename(format: MemoryExportFormat, now: Date): string {
  return `memories-${now.toISOString().slice(0, 10)}.${SHAPES[format].extension}`;
}

/** Writes the JSON document, with the fields in a fixed order. */
export function toJsonExport(memories: readonly Memory[]): string {
  const exported = memories.map((memory) => ({
    ...pick(memory, FIELDS),
    ...pick(memory, LONG_TEXTS),
  }));
  return `${JSON.stringify({ ...HEAD, memories: exported }, null, 2)}\n`;
}

/** Writes the Markdown document; no memories make an empty one. */
export function toMarkdownExport(memories: readonly Memory[]): string {
  return memories.map(section).join("\n");
}

function section(memory: Memory): string {
  const fields = Object.entries({ ...HEAD, ...pick(memory, FIELDS) });
  const texts = LONG_TEXTS.map((name) => block(name, memory[name]));
  return [
    "---\n",
    ...fields.map(([name, value]) => `${name}: ${yamlValue(value)}\n`),
    "---\n",
    `\n# ${headingText(memory.title)}\n`,
    ...texts,
  ].join("");
}

function block(name: string, text: string | null): string {
  if (text === null) return "";
  const runs = text.match(/`{3,}/g) ?? [];
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `\n## ${name}\n\n${fence}\n${text}\n${fence}\n`;
}

function pick<Name extends keyof Memory>(
  memory: Memory,
  names: readonly Name[],
): Record<string, Memory[Name]> {
  return Object.fromEntries(names.map((name) => [name, memory[name]]));
}
