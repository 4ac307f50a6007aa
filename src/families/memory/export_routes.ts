/**
 * MEM-008: exports in parts. SECRET memories require a proof; in later parts the signed cursor represents
 * it. The execution stores digest and count, never content.
 */

import { noteSecretShown } from "../../access/identity.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { PartCursors, type PartPlace } from "../../kit/export.ts";
import { type ProofServices, spendProof } from "../../kit/proof.ts";
import { creationReply } from "../../kit/route.ts";
import { familyCommand } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../../http/route.ts";
import {
  type FamilyFeature,
  featureReadEndpoints,
  type FeatureRun,
  keptRun,
  runFeature,
} from "../../records/port.ts";
import { refuseQuery } from "../../validate/schema.ts";
import {
  type ExportAnswer,
  type ExportOutput,
  LISTED_EXPORT_SCHEMA,
  MEMORY_EXPORT_SCHEMA,
  writeExport,
} from "./export_format.ts";
import { type ExportPart, readPart } from "./export_part.ts";
import { EXPORT_BODY, type ExportBody, readExportBody } from "./export_schema.ts";
import { toMemory } from "./memory.ts";
import { maySeeSecrets } from "./memory_view.ts";

export interface ExportServices extends ProofServices {
  /** Signs the cursors. */
  readonly serverSecret: Uint8Array;
}

const EXPORT: FamilyFeature = {
  module: "memory",
  featureId: "MEM-008",
  strategy: "export",
  policy: "memory-export",
};
const PROOF_USE = { purpose: "MEMORY_SECRET_EXPORT", targetId: null } as const;
/** Data in a cursor that represents the proof of the first part. */
const PROVEN = "proven";

export function createExportEndpoints(
  services: ExportServices,
): Readonly<Record<"createExport" | "listExports" | "export", Endpoint>> {
  const reads = featureReadEndpoints(services, EXPORT, {
    schema: LISTED_EXPORT_SCHEMA,
    list: "List the exports that were made, newest first",
    detail: "Describe an export that was made",
  });
  return {
    createExport: endpoint({
      contract: {
        summary: "Export memories, one part per call; SECRET ones require a step-up proof",
        body: bodyOf(EXPORT_BODY, { format: "JSON" }),
        stepUp: PROOF_USE.purpose,
        responses: { 201: { data: MEMORY_EXPORT_SCHEMA } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "json",
      parse: (call) => refuseQuery(call.query),
      async handle(call) {
        const owner = call.caller.account.accountId;
        const body = readExportBody(call.body);
        const cursors = new PartCursors(services.serverSecret, "memory.export", call);
        const place = cursors.find(body.cursor);
        const part = place && await readPart(services.database, owner, body, place.after);
        const command = familyCommand(call, { ...EXPORT, target: "", continuesWhenFull: true });
        const made = await runFeature<ExportAnswer>(services, EXPORT, command, {
          decide() {
            // Thrown after the claim: a repetition is answered even if its cursor has expired.
            if (!place || !part) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
            return exporting(services, call, cursors, body, { ...place, ...part });
          },
          replay: (row) => ({ ...keptRun<ExportOutput>(row), content: null, nextCursor: null }),
        });
        return creationReply(call.path, made);
      },
    }),
    listExports: reads.list,
    export: reads.detail,
  };
}

function exporting(
  services: ExportServices,
  call: CheckedCall<unknown>,
  cursors: PartCursors,
  body: ExportBody,
  part: PartPlace & ExportPart,
): FeatureRun<ExportAnswer> {
  const takesSecrets = part.namesSecret ||
    (body.includeSecret === true && body.memoryIds === undefined);
  if (part.namesUnknown) throw new ServiceError("RECORD_NOT_FOUND");
  if (takesSecrets && !maySeeSecrets(call.caller)) throw new ServiceError("FORBIDDEN");

  for (const row of part.rows) {
    if (row.privacy_level === "SECRET") noteSecretShown(call.caller, row.memory_id);
  }
  const { content, ...output } = writeExport(body.format, part.rows.map(toMemory), call.now);
  const nextCursor = cursors.sign(part.next, takesSecrets ? PROVEN : undefined);
  const isProven = part.data === PROVEN;
  return {
    output,
    answer: (row) => ({ ...keptRun<ExportOutput>(row), content, nextCursor }),
    ...(takesSecrets && !isProven && {
      verify: (sql) => spendProof(services, call, sql, PROOF_USE, "STEP_UP_REQUIRED"),
    }),
  };
}
