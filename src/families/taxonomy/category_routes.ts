/** TAX-002, TAX-004, TAX-006: categories, nested up to eight levels. */

import { changeEndpoint, createEndpoint } from "../../kit/write_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { readSortedQuery, signedPageOf } from "../../http/signed_page.ts";
import {
  hasActiveChild,
  PLACED_CATEGORIES,
  readAbove,
  readPlace,
  verifyNewCategory,
} from "./place_store.ts";
import { decideCreate, decideDeactivate, decideMove, decideReactivate } from "./term_rules.ts";
import {
  ACTIVITY_BODY,
  CATEGORY_BODY,
  CATEGORY_LIST_QUERY,
  TERM_MOVE_BODY,
} from "./taxonomy_schema.ts";
import { CATEGORIES, type CategoryTypes, namingOptions, STORED_CATEGORIES } from "./term_store.ts";
import { TERM_SCHEMA } from "./term.ts";
import { listTerms, termEndpoints, type TermKind, type TermListServices } from "./term_routes.ts";
import { createTreeEndpoint } from "./tree_routes.ts";

const KIND: TermKind<CategoryTypes> = {
  kind: "CATEGORY",
  stored: STORED_CATEGORIES,
  one: "a category",
};

export function createCategoryEndpoints(
  services: TermListServices,
): Readonly<
  & Record<"create" | "list" | "tree" | "move" | "deactivate" | "reactivate", Endpoint>
  & ReturnType<typeof termEndpoints>
> {
  return {
    create: creationEndpoint(services),
    list: listEndpoint(services),
    tree: createTreeEndpoint(services),
    ...termEndpoints(services, KIND),
    move: moveEndpoint(services),
    deactivate: deactivateEndpoint(services),
    reactivate: reactivateEndpoint(services),
  };
}

function creationEndpoint(services: FamilyServices): Endpoint {
  return createEndpoint(services, CATEGORIES, {
    summary: "Create a category, below another one or at the top",
    body: CATEGORY_BODY,
    example: { name: "Home", sortOrder: 10 },
    errors: [
      "TAXONOMY_STATE_CONFLICT",
      "TAXONOMY_CATEGORY_PARENT_INVALID",
      "TAXONOMY_CATEGORY_DEPTH_EXCEEDED",
      "TAXONOMY_CATEGORY_NAME_CONFLICT",
    ],
    decide: ({ parentId, ...fields }, now) => decideCreate("CATEGORY", fields, parentId, now),
    verify: (sql, row, { caller }) => verifyNewCategory(sql, caller.account.accountId, row),
    options: () => namingOptions("CATEGORY"),
  });
}

function listEndpoint(services: TermListServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the categories, or those directly below one, newest first, by name or by use",
      query: CATEGORY_LIST_QUERY,
      responses: { 200: { data: signedPageOf(TERM_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readSortedQuery(CATEGORY_LIST_QUERY, query),
    handle(call) {
      const { parentId } = call.parsed;
      return listTerms(services, KIND, call, call.parsed, (sql) => {
        if (parentId === undefined) return sql`kind = 'CATEGORY'`;
        return parentId === "root"
          ? sql`kind = 'CATEGORY' and (parent_id is null or is_erased(owner_id, parent_id))`
          : sql`parent_id = ${parentId}`;
      });
    },
  });
}

function moveEndpoint(services: FamilyServices): Endpoint {
  return changeEndpoint(services, PLACED_CATEGORIES, {
    summary: "Move a category and everything below it under another one, or to the top",
    body: TERM_MOVE_BODY,
    example: { expectedRevision: 1, parentId: null },
    errors: [
      "TAXONOMY_STATE_CONFLICT",
      "TAXONOMY_CATEGORY_PARENT_INVALID",
      "TAXONOMY_CATEGORY_CYCLE",
      "TAXONOMY_CATEGORY_DEPTH_EXCEEDED",
    ],
    related: (sql, row, { parentId }, { caller }) =>
      readPlace(sql, caller.account.accountId, row, parentId),
    decide: (row, { parentId }, now, { related: place }) => decideMove(row, parentId, place, now),
  });
}

function deactivateEndpoint(services: FamilyServices): Endpoint {
  return changeEndpoint(services, PLACED_CATEGORIES, {
    summary: "Deactivate a category, which keeps its names and records",
    body: ACTIVITY_BODY,
    example: {},
    bodyIsOptional: true,
    errors: ["TAXONOMY_STATE_CONFLICT"],
    related: (sql, row, _body, { caller }) => hasActiveChild(sql, caller.account.accountId, row),
    decide: (row, _body, now, { related }) => decideDeactivate(row, related, now),
  });
}

function reactivateEndpoint(services: FamilyServices): Endpoint {
  return changeEndpoint(services, PLACED_CATEGORIES, {
    summary: "Reactivate a category",
    body: ACTIVITY_BODY,
    example: {},
    bodyIsOptional: true,
    errors: ["TAXONOMY_CATEGORY_PARENT_INVALID"],
    related: (sql, row, _body, { caller }) =>
      readAbove(sql, caller.account.accountId, row.parent_id),
    decide: (row, _body, now, { related: above }) => decideReactivate(row, above, now),
  });
}
