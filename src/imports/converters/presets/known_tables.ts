/** The tables of a file that presets know. */

import type { JsonObject } from "../../../core/json.ts";
import type { Archive } from "../../archive/archive.ts";
import { entryBytes } from "../../reading_budget.ts";
import type { Converted, ConverterInput } from "../converter.ts";
import type { ReadingOptions } from "../csv_reading.ts";
import { linesOf } from "../lines.ts";
import { readPresetMapping } from "./preset_mapping.ts";
import { headOf, type PresetTable, presetTables } from "./preset_table.ts";
import { PRESETS } from "./presets.ts";
import type { TableHead } from "./table_head.ts";

interface KnownTable {
  readonly table: PresetTable;
  /** The presets that know it. */
  readonly names: readonly string[];
  /** The presets that only look it up. */
  readonly lookups: readonly string[];
}

export async function knownTables(
  { file, archive, budget }: ConverterInput,
  options: ReadingOptions,
): Promise<readonly KnownTable[]> {
  const known: KnownTable[] = [];
  for await (const { head, table } of presetTables({ file, archive }, options)) {
    const names = knowing(head);
    const lookups = PRESETS.filter(({ looksUp }) => looksUp?.(head)).map(({ name }) => name);
    if (names.length === 0 && lookups.length === 0) continue;
    budget.hold(entryBytes(head.labels.join()) + entryBytes(table.entry ?? ""), 0);
    known.push({ table, names, lookups });
  }
  return known;
}

function knowing(head: TableHead): readonly string[] {
  return PRESETS.filter(({ knows }) => knows(head)).map(({ name }) => name);
}

/** The presets that know a table of the file. */
export function presetNames(known: readonly KnownTable[]): readonly string[] {
  return PRESETS.map(({ name }) => name)
    .filter((name) => known.some(({ names }) => names.includes(name)));
}

/** The items of the tables that the mapping's preset knows. */
export async function* convertByPreset(
  known: readonly KnownTable[],
  mapping: JsonObject,
  { archive, source, budget }: ConverterInput,
): AsyncGenerator<Converted> {
  const read = readPresetMapping(mapping);
  const preset = PRESETS.find(({ name }) => name === read.preset);
  const tablesOf = (list: "names" | "lookups") =>
    known.filter((each) => each[list].includes(read.preset)).map(({ table }) => table);
  const lookups = tablesOf("lookups");
  const context = { source, mapping: read, budget, lookups };
  markUsed(lookups, archive);
  for (const table of tablesOf("names")) {
    markUsed([table], archive);
    yield* preset?.convert(table, context) ?? [];
  }
}

function markUsed(tables: readonly PresetTable[], archive: Archive | null): void {
  for (const { entry } of tables) if (entry !== null) archive?.used.add(entry);
}

/** True if a preset knows the beginning of a table. */
export async function hasPreset(texts: readonly string[]): Promise<boolean> {
  for (const text of texts) {
    const head = await headOf(await linesOf(text));
    if (head !== null && knowing(head).length > 0) return true;
  }
  return false;
}
