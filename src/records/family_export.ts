/** Exports of typed families in parts. An execution stores the digest and count of a part. */

import type { StepUpPurpose } from "../access/step_up.ts";
import type { JsonObject } from "../core/json.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import type { SIGNED_CURSOR } from "../http/signed_page.ts";
import { type DocumentLabel, LABEL_MEMBERS, PartCursors } from "../kit/export.ts";
import { type ProofServices, spendProof } from "../kit/proof.ts";
import { creationReply } from "../kit/route.ts";
import { commandOf } from "../command/command.ts";
import type { RootResult } from "../kit/write.ts";
import { component, type JsonSchema, nullable, TEXT, TIME, ULID } from "../validate/json_schema.ts";
import { type InferObject, type ObjectSchema, readBody, refuseQuery } from "../validate/schema.ts";
import {
  type FamilyFeature,
  featureReadEndpoints,
  type FeatureReads,
  type KeptRun,
  keptRun,
  runFeature,
} from "./family_feature.ts";

export interface PartExportServices extends ProofServices {
  /** Signs the cursors. */
  readonly serverSecret: Uint8Array;
}

/** A replay has neither content nor cursor. */
type ExportAnswer<Output extends object> = KeptRun<Output> & {
  readonly content: string | null;
  readonly nextCursor: string | null;
};

export interface WrittenPart<Output extends DocumentLabel> {
  /** The stored output of the execution. */
  readonly output: Output;
  readonly content: string;
  /** Purpose of the proof that the part requires; null if it requires none. */
  readonly proof: StepUpPurpose | null;
}

interface ReadPart {
  /** Start of the next part; null after the last. */
  readonly next: string | null;
}

type PartBody = ObjectSchema & { readonly cursor: typeof SIGNED_CURSOR };

interface PartExport<
  S extends PartBody,
  Part extends ReadPart,
  Output extends DocumentLabel,
> {
  readonly feature: FamilyFeature;
  /** Name of the answer in the OpenAPI document. */
  readonly component: string;
  /** Schemas of the output's members, in addition to the label. */
  readonly members: {
    readonly [Name in Exclude<keyof Output, keyof DocumentLabel>]: JsonSchema;
  };
  readonly summaries: Omit<FeatureReads, "schema"> & { readonly create: string };
  readonly body: S;
  readonly example: JsonObject;
  readonly errors: readonly ErrorCode[];
  /** Purpose of the proofs that parts can require, for the OpenAPI document. */
  readonly stepUp?: StepUpPurpose;
  /** Must be pure. Rejects a body that is invalid without stored state. */
  readonly check?: (body: InferObject<S>) => void;
  /** Reads the part after a row, or the first. */
  readonly read: (owner: string, body: InferObject<S>, after: string | null) => Promise<Part>;
  /** Its errors are thrown after the claim; see `CreateWork.decide`. */
  readonly write: (
    call: CheckedCall<unknown>,
    body: InferObject<S>,
    part: Part,
  ) => WrittenPart<Output>;
}

/** POST of the next part, GET of the exports that were made, and GET of one. */
export function partExportEndpoints<
  S extends PartBody,
  Part extends ReadPart,
  Output extends DocumentLabel,
>(
  services: PartExportServices,
  exported: PartExport<S, Part, Output>,
): Readonly<Record<"create" | "list" | "detail", Endpoint>> {
  const { feature, summaries } = exported;
  const members = { executionId: ULID, ...exported.members, ...LABEL_MEMBERS };
  const answer = { ...members, content: nullable(TEXT), nextCursor: nullable(TEXT) };
  return {
    create: endpoint({
      contract: {
        summary: summaries.create,
        body: bodyOf(exported.body, exported.example),
        stepUp: exported.stepUp,
        responses: { 201: { data: component<typeof answer>(exported.component, answer) } },
        errors: exported.errors,
      },
      body: "json",
      parse: (call) => refuseQuery(call.query),
      handle: async (call) => creationReply(call.path, await exportPart(services, exported, call)),
    }),
    ...featureReadEndpoints(services, feature, {
      ...summaries,
      schema: component(`Listed${exported.component}`, { ...members, createdAt: TIME }),
    }),
  };
}

/** Data of a cursor that represents the proof of the first part. */
const PROVEN = "proven";

async function exportPart<
  S extends PartBody,
  Part extends ReadPart,
  Output extends DocumentLabel,
>(
  services: PartExportServices,
  { feature, body: schema, check, read, write }: PartExport<S, Part, Output>,
  call: CheckedCall<unknown>,
): Promise<RootResult<ExportAnswer<Output>>> {
  const body = readBody(schema, call.body);
  check?.(body);
  const cursors = new PartCursors(services.serverSecret, `${feature.module}.export`, call);
  const { cursor }: { readonly cursor?: string } = body;
  const place = cursors.find(cursor);
  const part = place && await read(call.caller.account.accountId, body, place.after);
  const command = commandOf(call, { ...feature, target: "", continuesWhenFull: true });
  return await runFeature<ExportAnswer<Output>>(services, feature, command, {
    decide() {
      // Thrown after the claim: a repetition is answered even if its cursor has expired.
      if (!place || !part) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
      const { output, content, proof } = write(call, body, part);
      const nextCursor = cursors.sign(part.next, proof === null ? undefined : PROVEN);
      return {
        output,
        answer: (row) => ({ ...keptRun<Output>(row), content, nextCursor }),
        ...(proof !== null && place.data !== PROVEN && {
          verify: (sql) => spendProof(services, call, sql, { purpose: proof }),
        }),
      };
    },
    replay: (row) => ({ ...keptRun<Output>(row), content: null, nextCursor: null }),
  });
}
