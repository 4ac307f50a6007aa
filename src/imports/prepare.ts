/** The preparation of an import: RECEIVED, READING, then PLANNED or REFUSED. */

import { converterOf } from "./converters/converters.ts";
import { type ImportRow, NO_PLAN } from "./import.ts";
import type { ImportPatch } from "./import_store.ts";
import { planItems } from "./planning.ts";
import { readFile } from "./reading.ts";
import { FileRefusal, refuseFile } from "./refusal.ts";
import type { ImportWork } from "./work.ts";

/** Reads an import's file and plans its items. */
export async function prepareImport(work: ImportWork, received: ImportRow): Promise<void> {
  const { services: { folder }, importId } = work;
  if (received.state === "RECEIVED") {
    const row = await work.move("RECEIVED", { state: "READING" });
    if (row.state !== "READING") return;
  }
  const row = await work.move("READING", await preparedState(work, received));
  if (row.state === "REFUSED") await folder.remove(importId);
}

async function preparedState(work: ImportWork, row: ImportRow): Promise<ImportPatch> {
  try {
    if (!await work.services.folder.has(work.importId, "source")) refuseFile("import.expired", 0);
    const read = await readFile(work, row);
    const hasItems = row.mapping !== null || converterOf(row.format).needsMapping !== true;
    const plan = hasItems ? await planItems(work, row) : {};
    return { ...NO_PLAN, ...read, ...plan, state: "PLANNED" };
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    const { rule, place } = error;
    return { ...NO_PLAN, state: "REFUSED", refusal: JSON.stringify({ rule, place }) };
  }
}
