/** The preparation of an import: RECEIVED, READING, then PLANNED or REFUSED. */

import { type ImportRow, NO_PLAN } from "./import.ts";
import type { ImportPatch } from "./import_store.ts";
import { planItems } from "./planning.ts";
import { type ReadFile, readFile } from "./reading.ts";
import { FileRefusal } from "./refusal.ts";
import type { ImportWork } from "./work.ts";

/** Reads an import's file and plans its items. */
export async function prepareImport(work: ImportWork, received: ImportRow): Promise<void> {
  const { services: { folder }, importId } = work;
  if (received.state === "RECEIVED") {
    const row = await work.move("RECEIVED", { state: "READING" });
    if (row.state !== "READING") return;
  }
  let patch: ImportPatch;
  try {
    patch = await plannedState(work, received);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    const { rule, place } = error;
    patch = { ...NO_PLAN, state: "REFUSED", refusal: JSON.stringify({ rule, place }) };
  }
  const row = await work.move("READING", patch);
  if (row.state === "REFUSED") await folder.remove(importId);
}

async function plannedState(work: ImportWork, row: ImportRow): Promise<ImportPatch> {
  const { services: { database, folder, targets }, owner, importId, now, assertGoing } = work;
  if (!await folder.has(importId, "source")) throw new FileRefusal("import.expired", 0);
  const mapping = row.mapping === null ? null : JSON.parse(row.mapping);
  const { format } = row;
  const source = row.source ?? `items:`;
  const read = await readFile(folder, {
    ...{ importId, format, source, mapping, now, targets, assertGoing },
  });
  const about = { state: "PLANNED", ...readState(read) } as const;
  if (!read.hasItems) return { ...NO_PLAN, ...about };
  const plan = await planItems(database, folder, {
    ...{ owner, source, now, targets, importId, mapping, assertGoing },
  });
  return {
    ...about,
    counts: JSON.stringify(plan.counts),
    attachments: JSON.stringify(plan.attachments),
    rules: JSON.stringify(plan.rules),
    needs: JSON.stringify(plan.needs),
    plan: plan.digest,
    total: plan.total,
  };
}

function readState({ columns, unmapped }: ReadFile): Pick<ImportPatch, "columns" | "unmapped"> {
  return {
    columns: columns === null ? null : JSON.stringify(columns),
    unmapped: JSON.stringify(unmapped),
  };
}
