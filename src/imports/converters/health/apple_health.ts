/** `apple-health`: the export of the Health app, an XML of any size or the archive around it. */

import type { Archive, Entry } from "../../archive/archive.ts";
import type { ReadingBudget } from "../../reading_budget.ts";
import { refuseFile } from "../../refusal.ts";
import type { Converted, Converter, ConverterInput, SourceInput } from "../converter.ts";
import { readXml } from "../markup/xml_reader.ts";
import { beginningText, MAX_ENTRIES, seeFile } from "../seen_file.ts";
import { ElementReader, type HealthElement } from "./health_elements.ts";
import { HEALTH_MAPPING, HealthMapping } from "./health_mapping.ts";
import { HealthRecords } from "./health_records.ts";
import { HealthFacts } from "./health_facts.ts";
import { ValueReader } from "./health_values.ts";
import { RepeatedValues } from "./repeated_values.ts";

export const APPLE_HEALTH: Converter = {
  format: "apple-health",
  title: { en: "Apple Health", de: "Apple Health" },
  isNamed: false,
  kinds: ["zip", "tar", "gzip", "text"],
  unpackedBytes: 16 * 1024 ** 3,
  hasSign: ({ xml }) => xml.some(hasRoot),
  async sourceOf({ file, archive }: SourceInput) {
    const { xml } = await seeFile({ file, archive });
    return xml.some(hasRoot) ? "apple-health" : refuseFile("import.format", 1);
  },
  mapping: {
    kind: "FORM",
    schema: HEALTH_MAPPING,
    example: { kinds: { DietaryWater: "DAY" }, timeZone: "Europe/Berlin", units: { WEIGHT: "lb" } },
    check: (mapping, context) => new HealthMapping(mapping).check(context),
  },
  async *convert(input: ConverterInput): AsyncGenerator<Converted> {
    const { budget } = input;
    const file = await exportFile(input);
    if (file === null) return;
    const mapping = new HealthMapping(input.mapping ?? {});
    const values = new ValueReader(mapping, budget);
    const repeated = new RepeatedValues(file.size, budget);
    const facts = new HealthFacts(values, repeated, budget);
    for await (const elements of elementsOf(file, budget)) {
      for (const element of elements) facts.add(element);
    }
    repeated.endFirst();
    yield* facts.groups();
    const records = new HealthRecords({ mapping, values, repeated, facts, budget });
    for await (const elements of elementsOf(file, budget)) {
      for (const element of elements) {
        const item = records.add(element);
        if (item !== null) yield { kind: "item", item };
      }
    }
    yield* records.end();
  },
};

const XML = /\.xml$/i;

interface ExportFile {
  /** When it is unpacked. */
  readonly size: number;
  /** The path in the archive; null without one. */
  readonly path: string | null;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** Null if the archive has only entries that cannot be read. */
async function exportFile({ file, archive }: ConverterInput): Promise<ExportFile | null> {
  if (archive === null) return { size: file.size, path: null, bytes: () => file.stream() };
  const entry = await exportOf(archive);
  if (entry !== null) {
    return { size: entry.size, path: entry.shownName, bytes: () => archive.read(entry) };
  }
  const isRefused = archive.faults.some(({ name }) => XML.test(name));
  return isRefused ? null : refuseFile("import.format", 0);
}

async function* elementsOf(
  { path, bytes }: ExportFile,
  budget: ReadingBudget,
): AsyncGenerator<readonly HealthElement[]> {
  const reader = new ElementReader(budget);
  for await (const parts of readXml(bytes(), { entry: path })) yield reader.read(parts);
}

/** The first XML with the root of an export, whose name is translated; null without one. */
async function exportOf(archive: Archive): Promise<Entry | null> {
  for (const entry of archive.matching(XML).slice(0, MAX_ENTRIES)) {
    if (hasRoot(await beginningText(entry))) return entry;
  }
  return null;
}

function hasRoot(text: string): boolean {
  return /<HealthData[\s>]/.test(text);
}
