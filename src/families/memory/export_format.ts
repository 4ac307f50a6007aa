/**
 * The two export documents of memories (decisions, MEM-008). Both contain every field exactly and
 * can be read back without loss.
 *
 * **JSON**: `{ "format": "prs-memory", "version": 1, "memories": [...] }`.
 *
 * **Markdown**: independent sections, one per memory, so documents can be concatenated. To parse
 * one, split it at line feeds only:
 *
 * 1. A section begins with a line `---`. The lines up to the next `---` are YAML, `name: value`
 *    with the value as JSON on one line: `format`, `version` and all fields except long texts.
 * 2. Each long text follows a line `## name`, between two equal lines of three or more backticks,
 *    more than any run in the text. The line feed before the closing line is not part of the text.
 *    A long text without a block is null.
 * 3. Other headings and empty lines outside the blocks are for people.
 */

import { headingText, yamlValue } from "../../core/markdown.ts";
import { dayOf, type DocumentLabel, labelOf } from "../../kit/export.ts";
import type { Memory } from "./memory.ts";

export const MEMORY_EXPORT_FORMATS = ["MARKDOWN", "JSON"] as const;
type MemoryExportFormat = (typeof MEMORY_EXPORT_FORMATS)[number];

/** Output of the execution. */
export interface ExportOutput extends DocumentLabel {
  readonly format: MemoryExportFormat;
}

interface ExportDocument extends ExportOutput {
  readonly content: string;
}

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
  "localTimes",
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

export function writeExport(
  format: MemoryExportFormat,
  memories: readonly Memory[],
  now: Date,
): ExportDocument {
  const { extension, mediaType, write } = SHAPES[format];
  const content = write(memories);
  const filename = `memories-${dayOf(now)}.${extension}`;
  return { format, ...labelOf(filename, mediaType, content, memories.length), content };
}

function toJsonExport(memories: readonly Memory[]): string {
  const exported = memories.map((memory) => ({
    ...pick(memory, FIELDS),
    ...pick(memory, LONG_TEXTS),
  }));
  return `${JSON.stringify({ ...HEAD, memories: exported }, null, 2)}\n`;
}

function toMarkdownExport(memories: readonly Memory[]): string {
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
