/** MEM-008: exports in parts. SECRET memories require a proof. */

import { noteSecretShown } from "../../access/identity.ts";
import { ServiceError } from "../../errors/service_error.ts";
import type { CheckedCall, Endpoint } from "../../http/route.ts";
import {
  type FamilyFeature,
  partExportEndpoints,
  type PartExportServices,
  type WrittenPart,
} from "../../records/port.ts";
import { enumOf } from "../../validate/json_schema.ts";
import { type ExportOutput, MEMORY_EXPORT_FORMATS, writeExport } from "./export_format.ts";
import { type ExportPart, readPart } from "./export_part.ts";
import { checkExportBody, EXPORT_BODY, type ExportBody } from "./export_schema.ts";
import { toMemory } from "./memory.ts";
import { maySeeSecrets } from "./memory_view.ts";

const EXPORT: FamilyFeature = {
  module: "memory",
  featureId: "MEM-008",
  strategy: "export",
  policy: "memory-export",
};

const PROOF = "MEMORY_SECRET_EXPORT";

export function createExportEndpoints(
  services: PartExportServices,
): Readonly<Record<"createExport" | "listExports" | "export", Endpoint>> {
  const { create, list, detail } = partExportEndpoints(services, {
    feature: EXPORT,
    component: "MemoryExport",
    members: { format: enumOf(MEMORY_EXPORT_FORMATS) },
    summaries: {
      create: "Export memories, one part per call; SECRET ones require a step-up proof",
      list: "List the exports that were made, newest first",
      detail: "Describe an export that was made",
    },
    body: EXPORT_BODY,
    example: { format: "JSON" },
    errors: ["RECORD_NOT_FOUND"],
    stepUp: PROOF,
    check: checkExportBody,
    read: (owner, body, after) => readPart(services.database, owner, body, after),
    write: writePart,
  });
  return { createExport: create, listExports: list, export: detail };
}

/** @throws ServiceError `RECORD_NOT_FOUND`; `FORBIDDEN` for SECRET memories. */
function writePart(
  { caller, now }: CheckedCall<unknown>,
  { format, memoryIds, includeSecret = false }: ExportBody,
  { rows, namesUnknown, namesSecret }: ExportPart,
): WrittenPart<ExportOutput> {
  const includesSecrets = namesSecret || (includeSecret && memoryIds === undefined);
  if (namesUnknown) throw new ServiceError("RECORD_NOT_FOUND");
  if (includesSecrets && !maySeeSecrets(caller)) throw new ServiceError("FORBIDDEN");
  for (const { privacy_level, memory_id } of rows) {
    if (privacy_level === "SECRET") noteSecretShown(caller, memory_id);
  }
  const { content, ...output } = writeExport(format, rows.map(toMemory), now);
  return { output, content, proof: includesSecrets ? PROOF : null };
}
