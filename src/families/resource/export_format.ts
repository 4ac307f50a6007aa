/** RES-008: export documents of resources and snapshots. */

import { dayOf, type DocumentLabel, labelOf } from "../../kit/export.ts";
import { type Cell, toCsv } from "./csv.ts";
import { type Resource, RESOURCE_MEMBERS } from "./resource.ts";
import { type ResourceSnapshot, SNAPSHOT_MEMBERS } from "./snapshot.ts";

export const RESOURCE_EXPORT_FORMATS = ["JSON", "CSV"] as const;
type ResourceExportFormat = (typeof RESOURCE_EXPORT_FORMATS)[number];

export const DATASETS = ["RESOURCES", "SNAPSHOTS"] as const;
export type Dataset = (typeof DATASETS)[number];

/** Output of the execution. */
interface ExportOutput extends DocumentLabel {
  readonly format: ResourceExportFormat;
  readonly dataset: Dataset;
}

interface ExportDocument extends ExportOutput {
  readonly content: string;
}

const HEAD = { format: "prs-resource", version: 1 } as const;

const SHAPES = {
  JSON: { extension: "json", mediaType: "application/json", write: toJsonExport },
  CSV: { extension: "csv", mediaType: "text/csv; charset=utf-8", write: toCsvExport },
} as const;

/** The column of `localTimes`, the last one of snapshots. */
const LOCAL_TIME = "localTimes.observedAt";

/**
 * For each dataset: its member in JSON, the beginning of its file names, and its columns in CSV.
 */
const NAMES = {
  RESOURCES: { member: "resources", file: "resources", columns: Object.keys(RESOURCE_MEMBERS) },
  SNAPSHOTS: {
    member: "snapshots",
    file: "resource-snapshots",
    columns: Object.keys(SNAPSHOT_MEMBERS).map((name) => name === "localTimes" ? LOCAL_TIME : name),
  },
} as const;

export type ExportedRow = Resource | ResourceSnapshot;

export function writeExport(
  format: ResourceExportFormat,
  dataset: Dataset,
  rows: readonly ExportedRow[],
  now: Date,
): ExportDocument {
  const { extension, mediaType, write } = SHAPES[format];
  const content = write(dataset, rows);
  const filename = `${NAMES[dataset].file}-${dayOf(now)}.${extension}`;
  return { format, dataset, ...labelOf(filename, mediaType, content, rows.length), content };
}

function toJsonExport(dataset: Dataset, rows: readonly ExportedRow[]): string {
  return `${JSON.stringify({ ...HEAD, dataset, [NAMES[dataset].member]: rows }, null, 2)}\n`;
}

function toCsvExport(dataset: Dataset, rows: readonly ExportedRow[]): string {
  const { columns } = NAMES[dataset];
  return toCsv(columns, rows.map((row) => cellsOf(row, columns)));
}

function cellsOf(row: ExportedRow, columns: readonly string[]): Cell[] {
  const cells: Readonly<Record<string, Cell>> = "localTimes" in row ? flatten(row) : { ...row };
  return columns.map((column) => cells[column] ?? null);
}

function flatten({ localTimes, ...members }: ResourceSnapshot): Readonly<Record<string, Cell>> {
  return { ...members, [LOCAL_TIME]: localTimes.observedAt ?? null };
}
