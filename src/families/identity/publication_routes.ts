/** IDN-006: the publication, for its owner. */

import { commandOf, type PlannedWrite } from "../../command/command.ts";
import { newId } from "../../core/ids.ts";
import type { Sql } from "../../database/sql.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { type ProofServices, spendProof } from "../../kit/proof.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { type DataReply, ok, replying } from "../../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../../http/route.ts";
import { readBody, refuseQuery } from "../../validate/schema.ts";
import { identityExecution } from "./execution.ts";
import { onlyEndpoint } from "./only_endpoint.ts";
import type { ProfileRow } from "./profile.ts";
import { PROFILES } from "./profile_store.ts";
import {
  decidePublish,
  decideRefresh,
  decideRevoke,
  type NextPublication,
  type Publication,
  PUBLICATION_SCHEMA,
  type PublicationRow,
  PUBLISH_BODY,
  showPublication,
} from "./publication.ts";
import { findPublication, findPublicationAt, writePublication } from "./publication_store.ts";

const RESPONSES = { 200: { data: PUBLICATION_SCHEMA } } as const;

export function createPublicationEndpoints(
  services: ProofServices,
): Readonly<Record<"publish" | "refresh" | "revoke" | "detail", Endpoint>> {
  return {
    publish: publishEndpoint(services),
    refresh: bodilessEndpoint(services, "Show the published fields as they are now", decideRefresh),
    revoke: bodilessEndpoint(services, "End the publication", decideRevoke),
    detail: onlyEndpoint(services, {
      summary: "Read the publication of the profile",
      schema: PUBLICATION_SCHEMA,
      find: findPublication,
      show: showPublication,
    }),
  };
}

function publishEndpoint(services: ProofServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Publish current values of profile fields under a slug; requires a step-up proof",
      body: bodyOf(PUBLISH_BODY, { slug: "ada-of-the-lake", fields: ["displayName", "tags"] }),
      stepUp: "IDENTITY_PUBLISH",
      responses: RESPONSES,
      errors: ["IDENTITY_STATE_CONFLICT"],
    },
    body: "json",
    parse: (call) => refuseQuery(call.query),
    async handle(call) {
      const body = readBody(PUBLISH_BODY, call.body);
      return await changePublication(services, call, {
        decide: (present, profile, now) => decidePublish(present, profile, body, now),
        verify(sql, { profile_id: targetId }) {
          const use = { purpose: "IDENTITY_PUBLISH", targetId } as const;
          return spendProof(services, call, sql, use);
        },
      });
    },
  });
}

type Decide = (
  present: PublicationRow | undefined,
  profile: ProfileRow,
  now: Date,
) => NextPublication;

function bodilessEndpoint(services: FamilyServices, summary: string, decide: Decide): Endpoint {
  return endpoint({
    contract: { summary, responses: RESPONSES, errors: ["IDENTITY_STATE_CONFLICT"] },
    body: "none",
    parse: (call) => refuseQuery(call.query),
    handle: (call) => changePublication(services, call, { decide }),
  });
}

interface PublicationWork {
  /** Must be pure. */
  readonly decide: Decide;
  readonly verify?: (sql: Sql, profile: ProfileRow) => Promise<void>;
}

async function changePublication(
  { commands, database }: FamilyServices,
  call: CheckedCall<void>,
  { decide, verify }: PublicationWork,
): Promise<DataReply> {
  const { caller, now } = call;
  const owner = caller.account.accountId;
  const policy = "identity-publication";
  const command = commandOf(call, { module: "identity", policy, target: "" });
  const { result, replayed } = await commands.run<
    ProfileRow,
    Publication,
    PublicationRow | undefined
  >(command, {
    check: () => {},
    lock: (sql) => PROFILES.lock(sql, owner, {}),
    related: async (sql) => (await findPublication(sql, owner))[0],
    decide(profile, present) {
      if (profile === null) throw new ServiceError("IDENTITY_STATE_CONFLICT");
      const write = publicationWrite(owner, profile, decide(present, profile, now), now);
      return verify === undefined ? write : { ...write, verify: (sql) => verify(sql, profile) };
    },
    async replay({ revision }) {
      const [row] = await database.read((sql) => findPublicationAt(sql, owner, revision ?? 0));
      if (row === undefined) throw new Error("An envelope names a publication that does not exist");
      return showPublication(row);
    },
    constraints: SLUG_TAKEN,
  });
  return replying(ok(result), replayed);
}

/** This constraint is violated if a slug is, or was, another owner's. */
const SLUG_TAKEN: Readonly<Record<string, ErrorCode>> = {
  publication_slug_of_owner: "IDENTITY_STATE_CONFLICT",
};

function publicationWrite(
  owner: string,
  profile: ProfileRow,
  { row, change }: NextPublication,
  now: Date,
): PlannedWrite<Publication> {
  const result = showPublication(row);
  // The subject is the profile, which clients know by its identifier; the revision is the
  // publication's.
  const write = { subjectId: profile.profile_id, revision: row.revision, result };
  if (change === null) return { ...write, statement: null };
  const executionId = newId(now);
  const { revision, profileRevision, fields } = result;
  const output = {
    publicationId: row.publication_id,
    revision,
    profileRevision,
    fields: [...fields],
  };
  const execution = identityExecution("IDN-006", executionId, output, now);
  return {
    ...write,
    executionId,
    statement: (sql, ledger) => writePublication(sql, ledger, owner, { row, change }, execution),
  };
}
