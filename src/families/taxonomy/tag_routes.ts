/** TAX-001, TAX-004, TAX-006: tags, which have no parent. */

import { changeEndpoint, createEndpoint } from "../../kit/write_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { readSortedQuery, signedPageOf } from "../../http/signed_page.ts";
import { createMergeEndpoint } from "./merge_routes.ts";
import { decideCreate, decideDeactivate, decideReactivate } from "./term_rules.ts";
import { ACTIVITY_BODY, TAG_BODY, TERM_LIST_QUERY } from "./taxonomy_schema.ts";
import { namingOptions, STORED_TAGS, TAGS, type TagTypes } from "./term_store.ts";
import { TERM_SCHEMA } from "./term.ts";
import { listTerms, termEndpoints, type TermKind, type TermListServices } from "./term_routes.ts";

const KIND: TermKind<TagTypes> = { kind: "TAG", stored: STORED_TAGS, one: "a tag" };

export function createTagEndpoints(
  services: TermListServices,
): Readonly<
  & Record<"create" | "list" | "merge" | "deactivate" | "reactivate", Endpoint>
  & ReturnType<typeof termEndpoints>
> {
  return {
    create: creationEndpoint(services),
    list: listEndpoint(services),
    ...termEndpoints(services, KIND),
    merge: createMergeEndpoint(services),
    deactivate: changeEndpoint(services, TAGS, {
      summary: "Deactivate a tag, which keeps its names and records",
      body: ACTIVITY_BODY,
      example: {},
      bodyIsOptional: true,
      decide: (row, _body, now) => decideDeactivate(row, false, now),
    }),
    reactivate: changeEndpoint(services, TAGS, {
      summary: "Reactivate a tag",
      body: ACTIVITY_BODY,
      example: {},
      bodyIsOptional: true,
      errors: ["TAXONOMY_STATE_CONFLICT"],
      decide: (row, _body, now) => decideReactivate(row, [], now),
    }),
  };
}

function creationEndpoint(services: FamilyServices): Endpoint {
  return createEndpoint(services, TAGS, {
    summary: "Create a tag",
    body: TAG_BODY,
    example: { name: "Garden", aliases: ["Yard"] },
    errors: ["TAXONOMY_TAG_NAME_CONFLICT"],
    decide: (fields, now) => decideCreate("TAG", fields, undefined, now),
    options: () => namingOptions("TAG"),
  });
}

function listEndpoint(services: TermListServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the tags, newest first, by name or by use",
      query: TERM_LIST_QUERY,
      responses: { 200: { data: signedPageOf(TERM_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readSortedQuery(TERM_LIST_QUERY, query),
    handle: (call) => listTerms(services, KIND, call, call.parsed, (sql) => sql`kind = 'TAG'`),
  });
}
