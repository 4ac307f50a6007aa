/** One person's vCard, and exports in parts. */

import { type Caller, noteSecretShown } from "../../access/identity.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../../http/route.ts";
import { SIGNED_CURSOR } from "../../http/signed_page.ts";
import { type FamilyFeature, partExportEndpoints, type WrittenPart } from "../../records/port.ts";
import { enumOf } from "../../validate/json_schema.ts";
import {
  boolean,
  distinctIdentifiers,
  type InferObject,
  oneOf,
  optional,
  readQuery,
} from "../../validate/schema.ts";
import { type DocumentLabel, labelOf, PART } from "../../kit/export.ts";
import { readKey } from "../../kit/route.ts";
import type { RelationshipServices } from "./person_store.ts";
import { mayReadSecrets } from "./privacy.ts";
import { type Card, type CardOptions, readCards, readExportedPeople } from "./vcard_store.ts";
import { VCARD_VERSIONS, type VcardVersion } from "./vcard_text.ts";

const MEDIA_TYPE = "text/vcard; charset=utf-8";

const CARD_QUERY = {
  version: optional(oneOf(...VCARD_VERSIONS)),
  includeSecret: optional(oneOf("true", "false")),
  includeNotes: optional(oneOf("true", "false")),
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
      const { version = "4.0", ...included } = readQuery(CARD_QUERY, call.query);
      const { personId } = readKey(call, ["personId"]);
      const [includeSecret, includeNotes] = [
        included.includeSecret === "true",
        included.includeNotes === "true",
      ];
      return { personId, options: { version, includeSecret, includeNotes } };
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

const EXPORT_BODY = {
  format: oneOf("VCARD"),
  version: optional(oneOf(...VCARD_VERSIONS)),
  personIds: optional(distinctIdentifiers(PART.rows)),
  includeSecret: optional(boolean),
  includeNotes: optional(boolean),
  cursor: SIGNED_CURSOR,
};
type ExportBody = InferObject<typeof EXPORT_BODY>;

const EXPORT: FamilyFeature = {
  module: "relationship",
  featureId: "REL-001",
  strategy: "export",
  policy: "relationship-export",
};

const PROOF = "RELATIONSHIP_EXPORT";

export function createExportEndpoints(
  services: RelationshipServices,
): Readonly<Record<"create" | "list" | "detail", Endpoint>> {
  return partExportEndpoints(services, {
    feature: EXPORT,
    component: "PeopleExport",
    members: { format: enumOf(["VCARD"]), version: enumOf(VCARD_VERSIONS) },
    summaries: {
      create: "Export people as vCards, one part a call; requires a proof",
      list: "List the exports of people that were made, newest first",
      detail: "Describe an export of people that was made",
    },
    body: EXPORT_BODY,
    example: { format: "VCARD", version: "4.0" },
    errors: ["RECORD_NOT_FOUND"],
    stepUp: PROOF,
    read: (owner, body, after) => readPart(services, owner, body, after),
    write: writePart,
  });
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
  const options = optionsOf(body);
  const wanted = { ...options, personIds: body.personIds, after };
  const people = await readExportedPeople(services.database, owner, wanted);
  const { personIds, namesUnknown, hasMore } = people;
  if (namesUnknown) return { cards: [], namesUnknown, next: null };
  const cards: Card[] = [];
  let bytes = 0;
  for await (const card of readCards(services, owner, personIds, options)) {
    bytes += card.content.length;
    if (cards.length > 0 && bytes > PART.bytes) break;
    cards.push(card);
  }
  const isLast = cards.length === personIds.length && !hasMore;
  return { cards, namesUnknown, next: isLast ? null : cards.at(-1)?.personId ?? null };
}

function optionsOf(
  { version = "4.0", includeSecret = false, includeNotes = true }: ExportBody,
): CardOptions {
  return { version, includeSecret, includeNotes };
}

function writePart(
  { caller }: CheckedCall<unknown>,
  body: ExportBody,
  { cards, namesUnknown }: ExportPart,
): WrittenPart<ExportOutput> {
  const options = optionsOf(body);
  if (namesUnknown) throw new ServiceError("RECORD_NOT_FOUND");
  assertAllowed(options, caller);
  noteSecrets(cards, caller);
  const content = cards.map((card) => card.content).join("");
  const label = labelOf("people.vcf", MEDIA_TYPE, content, cards.length);
  return {
    output: { format: "VCARD", version: options.version, ...label },
    content,
    proof: PROOF,
  };
}
