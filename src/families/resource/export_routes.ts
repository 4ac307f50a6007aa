/** RES-008: exports in parts. The execution stores digest and count, never content. */

import { payloadInvalid } from "../../errors/service_error.ts";
import { PartCursors } from "../../kit/export.ts";
import { creationReply } from "../../kit/route.ts";
import { familyCommand, type FamilyServices } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { SIGNED_CURSOR } from "../../http/signed_page.ts";
import {
  type FamilyFeature,
  featureReadEndpoints,
  keptRun,
  runFeature,
} from "../../records/port.ts";
import { oneOf, optional, readBody, refuseQuery } from "../../validate/schema.ts";
import {
  DATASETS,
  type ExportAnswer,
  type ExportOutput,
  LISTED_EXPORT_SCHEMA,
  RESOURCE_EXPORT_FORMATS,
  RESOURCE_EXPORT_SCHEMA,
  writeExport,
} from "./export_format.ts";
import { readPart } from "./export_part.ts";

export interface ExportServices extends FamilyServices {
  /** Signs the cursors. */
  readonly serverSecret: Uint8Array;
}

const EXPORT_BODY = {
  format: oneOf(...RESOURCE_EXPORT_FORMATS),
  dataset: optional(oneOf(...DATASETS)),
  cursor: SIGNED_CURSOR,
};

const EXPORT: FamilyFeature = {
  module: "resource",
  featureId: "RES-008",
  strategy: "export",
  policy: "resource-export",
};

export function createExportEndpoints(
  services: ExportServices,
): Readonly<Record<"create" | "list" | "detail", Endpoint>> {
  return {
    create: endpoint({
      contract: {
        summary: "Export resources or their snapshots, including archived ones, one part per call",
        body: bodyOf(EXPORT_BODY, { format: "CSV", dataset: "SNAPSHOTS" }),
        responses: { 201: { data: RESOURCE_EXPORT_SCHEMA } },
        errors: [],
      },
      body: "json",
      parse: ({ query }) => refuseQuery(query),
      async handle(call) {
        const owner = call.caller.account.accountId;
        const { format, dataset = "RESOURCES", cursor } = readBody(EXPORT_BODY, call.body);
        const cursors = new PartCursors(services.serverSecret, "resource.export", call);
        const place = cursors.find(cursor);
        const part = place && await readPart(services.database, owner, dataset, place.after);
        const command = familyCommand(call, { ...EXPORT, target: "", continuesWhenFull: true });
        const made = await runFeature<ExportAnswer>(services, EXPORT, command, {
          decide() {
            // Thrown after the claim: a repetition is answered even if its cursor has expired.
            if (part === null) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
            const { content, ...output } = writeExport(format, dataset, part.rows, call.now);
            const nextCursor = cursors.sign(part.next);
            return {
              output,
              answer: (row) => ({ ...keptRun<ExportOutput>(row), content, nextCursor }),
            };
          },
          replay: (row) => ({ ...keptRun<ExportOutput>(row), content: null, nextCursor: null }),
        });
        return creationReply(call.path, made);
      },
    }),
    ...featureReadEndpoints(services, EXPORT, {
      schema: LISTED_EXPORT_SCHEMA,
      list: "List the exports that were made, newest first",
      detail: "Describe an export that was made",
    }),
  };
}
