/** One person's vCard, and exports in parts. */

import { type Caller, noteSecretShown } from "../../access/identity.ts";
import { sha256Hex } from "../../core/digest.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { bodyOf } from "../../http/contract.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../../http/route.ts";
import { SIGNED_CURSOR } from "../../http/signed_page.ts";
import {
  type FamilyFeature,
  featureReadEndpoints,
  type FeatureRun,
  keptRun,
  type ListedRun,
  runFeature,
} from "../../records/port.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import {
  boolean,
  distinctIdentifiers,
  type InferObject,
  oneOf,
  optional,
  readBody,
  readQuery,
  refuseQuery,
} from "../../validate/schema.ts";
import { type DocumentLabel, LABEL_MEMBERS, PART, PartCursors } from "../../kit/export.ts";
import { spendProof } from "../../kit/proof.ts";
import { creationReply, readKey } from "../../kit/route.ts";
import { familyCommand } from "../../kit/write.ts";
import type { RelationshipServices } from "./person_store.ts";
import { mayReadSecrets } from "./privacy.ts";
import { type Card, type CardOptions, readCards, readExportedPeople } from "./vcard_store.ts";
import { VCARD_VERSIONS, type VcardVersion } from "./vcard_text.ts";

const MEDIA_TYPE = "text/vcard; charset=utf-8";

const CARD_QUERY = {
  version: optional(oneOf(...VCARD_VERSIONS)),
  includeSecret: optional(oneOf("true", "false")),
};

export function createCardEndpoint(services: RelationshipServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Read a person as a vCard",
      query: CARD_QUERY,
      responses: {
        200: { content: { mediaType: "text/vcard" }, headers: ["Content-Disposition"] },
      },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse(call) {
      const { version = "4.0", includeSecret } = readQuery(CARD_QUERY, call.query);
      const { personId } = readKey(call, ["personId"]);
      return { personId, options: { version, includeSecret: includeSecret === "true" } };
    },
    async handle({ parsed: { personId, options }, caller }) {
      const owner = caller.account.accountId;
      const [card] = await Array.fromAsync(readCards(services, owner, [personId], options));
      if (card === undefined) throw new ServiceError("RECORD_NOT_FOUND");
      assertAllowed(options, caller);
      noteSecrets([card], caller);
      return {
        status: 200,
        body: card.content,
        headers: {
          "Content-Type": MEDIA_TYPE,
          "Content-Disposition": `attachment; filename="${personId}.vcf"`,
        },
      };
    },
  });
}

/** @throws ServiceError `FORBIDDEN` for SECRET details without the permission. */
function assertAllowed({ includeSecret }: CardOptions, caller: Caller): void {
  if (includeSecret && !mayReadSecrets(caller)) throw new ServiceError("FORBIDDEN");
}

function noteSecrets(cards: readonly Card[], caller: Caller): void {
  for (const card of cards) if (card.hasSecrets) noteSecretShown(caller, card.personId);
}

interface ExportOutput extends DocumentLabel {
  readonly format: "VCARD";
  readonly version: VcardVersion;
}

/** Without content and cursor in a replay. */
interface ExportAnswer extends ExportOutput {
  readonly executionId: string;
  readonly content: string | null;
  readonly nextCursor: string | null;
}

const EXPORT_MEMBERS = {
  executionId: ULID,
  format: enumOf(["VCARD"]),
  version: enumOf(VCARD_VERSIONS),
  ...LABEL_MEMBERS,
} as const;

const EXPORT_SCHEMA: JsonSchema = component<ExportAnswer>("PeopleExport", {
  ...EXPORT_MEMBERS,
  content: nullable(TEXT),
  nextCursor: nullable(TEXT),
});

const LISTED_EXPORT_SCHEMA: JsonSchema = component<ListedRun<ExportOutput>>(
  "ListedPeopleExport",
  { ...EXPORT_MEMBERS, createdAt: TIME },
);

const EXPORT_BODY = {
  format: oneOf("VCARD"),
  version: optional(oneOf(...VCARD_VERSIONS)),
  personIds: optional(distinctIdentifiers(PART.rows)),
  includeSecret: optional(boolean),
  cursor: SIGNED_CURSOR,
};
type ExportBody = InferObject<typeof EXPORT_BODY>;

const EXPORT: FamilyFeature = {
  module: "relationship",
  featureId: "REL-001",
  strategy: "export",
  policy: "relationship-export",
};
const PROOF_USE = { purpose: "RELATIONSHIP_EXPORT", targetId: null } as const;
/** Data of a cursor that represents a proof. */
const PROVEN = "proven";

export function createExportEndpoints(
  services: RelationshipServices,
): Readonly<Record<"create" | "list" | "detail", Endpoint>> {
  const reads = featureReadEndpoints(services, EXPORT, {
    schema: LISTED_EXPORT_SCHEMA,
    list: "List the exports of people that were made, newest first",
    detail: "Describe an export of people that was made",
  });
  return {
    create: endpoint({
      contract: {
        summary: "Export people as vCards, one part a call; requires a proof",
        body: bodyOf(EXPORT_BODY, { format: "VCARD", version: "4.0" }),
        stepUp: PROOF_USE.purpose,
        responses: { 201: { data: EXPORT_SCHEMA } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "json",
      parse: (call) => refuseQuery(call.query),
      async handle(call) {
        const owner = call.caller.account.accountId;
        const body = readBody(EXPORT_BODY, call.body);
        const cursors = new PartCursors(services.serverSecret, "relationship.export", call);
        const place = cursors.find(body.cursor);
        const part = place && await readPart(services, owner, body, place.after);
        const command = familyCommand(call, { ...EXPORT, target: "", continuesWhenFull: true });
        const made = await runFeature<ExportAnswer>(services, EXPORT, command, {
          decide() {
            // Thrown after the claim, so a replay succeeds even after its cursor has expired.
            if (!place || !part) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
            return exporting(services, call, cursors, body, part, place.data === PROVEN);
          },
          replay: (row) => ({ ...keptRun<ExportOutput>(row), content: null, nextCursor: null }),
        });
        return creationReply(call.path, made);
      },
    }),
    list: reads.list,
    detail: reads.detail,
  };
}

interface ExportPart {
  readonly cards: readonly Card[];
  readonly namesUnknown: boolean;
  /** Start of the next part; null after the last. */
  readonly next: string | null;
}

/** Reads as many cards as fit, pictures included, and at least one. */
async function readPart(
  services: RelationshipServices,
  owner: string,
  body: ExportBody,
  after: string | null,
): Promise<ExportPart> {
  const people = await readExportedPeople(services.database, owner, body.personIds, after);
  const { personIds, namesUnknown, hasMore } = people;
  if (namesUnknown) return { cards: [], namesUnknown, next: null };
  const cards: Card[] = [];
  let bytes = 0;
  for await (const card of readCards(services, owner, personIds, optionsOf(body))) {
    bytes += card.content.length;
    if (cards.length > 0 && bytes > PART.bytes) break;
    cards.push(card);
  }
  const isLast = cards.length === personIds.length && !hasMore;
  return { cards, namesUnknown, next: isLast ? null : cards.at(-1)?.personId ?? null };
}

function optionsOf({ version = "4.0", includeSecret = false }: ExportBody): CardOptions {
  return { version, includeSecret };
}

function exporting(
  services: RelationshipServices,
  call: CheckedCall<unknown>,
  cursors: PartCursors,
  body: ExportBody,
  { cards, namesUnknown, next }: ExportPart,
  isProven: boolean,
): FeatureRun<ExportAnswer> {
  const options = optionsOf(body);
  if (namesUnknown) throw new ServiceError("RECORD_NOT_FOUND");
  assertAllowed(options, call.caller);
  noteSecrets(cards, call.caller);
  const content = cards.map((card) => card.content).join("");
  const output: ExportOutput = {
    format: "VCARD",
    version: options.version,
    filename: "people.vcf",
    mediaType: MEDIA_TYPE,
    sha256: sha256Hex(content),
    count: cards.length,
  };
  const nextCursor = cursors.sign(next, PROVEN);
  return {
    output,
    answer: (row) => ({ ...keptRun<ExportOutput>(row), content, nextCursor }),
    ...(!isProven && {
      verify: (sql) => spendProof(services, call, sql, PROOF_USE, "STEP_UP_REQUIRED"),
    }),
  };
}
