/** RES-008: exports in parts. */

import type { Endpoint } from "../../http/route.ts";
import { SIGNED_CURSOR } from "../../http/signed_page.ts";
import {
  type FamilyFeature,
  partExportEndpoints,
  type PartExportServices,
} from "../../records/port.ts";
import { enumOf } from "../../validate/json_schema.ts";
import { oneOf, optional } from "../../validate/schema.ts";
import { DATASETS, RESOURCE_EXPORT_FORMATS, writeExport } from "./export_format.ts";
import { readPart } from "./export_part.ts";

export type ExportServices = Omit<PartExportServices, "stepUp">;

const EXPORT: FamilyFeature = {
  module: "resource",
  featureId: "RES-008",
  strategy: "export",
  policy: "resource-export",
};

export function createExportEndpoints(
  services: ExportServices,
): Readonly<Record<"create" | "list" | "detail", Endpoint>> {
  return partExportEndpoints({ ...services, stepUp: null }, {
    feature: EXPORT,
    component: "ResourceExport",
    members: { format: enumOf(RESOURCE_EXPORT_FORMATS), dataset: enumOf(DATASETS) },
    summaries: {
      create: "Export resources or their snapshots, including archived ones, one part per call",
      list: "List the exports that were made, newest first",
      detail: "Describe an export that was made",
    },
    body: {
      format: oneOf(...RESOURCE_EXPORT_FORMATS),
      dataset: optional(oneOf(...DATASETS)),
      cursor: SIGNED_CURSOR,
    },
    example: { format: "CSV", dataset: "SNAPSHOTS" },
    errors: [],
    read: (owner, { dataset = "RESOURCES" }, after) =>
      readPart(services.database, owner, dataset, after),
    write({ now }, { format, dataset = "RESOURCES" }, { rows }) {
      const { content, ...output } = writeExport(format, dataset, rows, now);
      return { output, content, proof: null };
    },
  });
}
