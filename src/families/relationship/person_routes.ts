/** REL-001: people, their list and revisions. */

import { textField } from "../../catalog/field_schema.ts";
import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { changeEndpoint, createEndpoint, detailEndpoint } from "../../kit/write_routes.ts";
import { fieldsBody, patchRoute } from "../../kit/fields.ts";
import { listBelowEndpoint } from "../../kit/list_routes.ts";
import { readRoots, storedRevisions } from "../../kit/tables.ts";
import { PAGE_LIMIT, readPage, toWalkedPage } from "../../http/page.ts";
import { bodyOf } from "../../http/contract.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { SIGNED_PAGE_QUERY, SignedCursors, signedPageOf } from "../../http/signed_page.ts";
import { type InferObject, oneOf, optional, readQuery, string } from "../../validate/schema.ts";
import {
  PERSON_FIELDS,
  PERSON_REVISION_SCHEMA,
  PERSON_SCHEMA,
  type PersonRow,
  showPerson,
  STATUSES,
} from "./person.ts";
import { assertOpen, decideCreate } from "./person_rules.ts";
import { PEOPLE, personOptions, type RelationshipServices, STORED_PEOPLE } from "./person_store.ts";

export function createPeopleEndpoints(
  services: RelationshipServices,
): Readonly<Record<"create" | "list" | "find" | "detail" | "change" | "revisions", Endpoint>> {
  const revisions = storedRevisions(STORED_PEOPLE, PERSON_REVISION_SCHEMA);
  const patch = patchRoute(PEOPLE.idOf, PERSON_FIELDS);
  return {
    create: createEndpoint(services, PEOPLE, {
      summary: "Record a person",
      body: fieldsBody(RELATIONSHIP),
      example: {
        personName: "Lena",
        relationshipType: "FRIEND",
        importance: 4,
        lastContactAt: "2026-05-01T18:00:00Z",
        desiredContactIntervalDays: 30,
      },
      decide: decideCreate,
    }),
    list: createList(services),
    find: createFind(services),
    detail: detailEndpoint(services, PEOPLE, { summary: "Read a person", revisions: true }),
    change: changeEndpoint(services, PEOPLE, {
      ...patch,
      summary: "Change a person that is neither archived nor sealed",
      example: { expectedRevision: 1, set: { importance: 5 }, remove: ["opinion"] },
      errors: ["RELATIONSHIP_STATUS_CONFLICT"],
      options: personOptions,
      decide(person, body, now) {
        assertOpen(person);
        return patch.decide(person, body, now);
      },
    }),
    revisions: listBelowEndpoint(services, PEOPLE, revisions, {
      summary: "List the revisions of a person, newest first",
      signedWith: services.serverSecret,
    }),
  };
}

const LIST_QUERY = {
  ...SIGNED_PAGE_QUERY,
  status: optional(oneOf(...STATUSES)),
  relationshipType: optional(textField(RELATIONSHIP, "relationshipType")),
};

type Filter = Pick<InferObject<typeof LIST_QUERY>, "status" | "relationshipType">;

function createList({ database, serverSecret }: RelationshipServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the people, newest first",
      query: LIST_QUERY,
      responses: { 200: { data: signedPageOf(PERSON_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse({ query, operation, caller, now }) {
      const { limit = PAGE_LIMIT.standard, cursor, ...filter } = readQuery(LIST_QUERY, query);
      const owner = caller.account.accountId;
      const { status = null, relationshipType = null } = filter;
      const binding = { list: operation, owner, status, relationshipType };
      const cursors = new SignedCursors(serverSecret, binding, { now, lifetimeMs: null });
      const page = { limit, cursor: cursors.read(cursor)?.after ?? null };
      return { page, filter, cursors };
    },
    async handle({ parsed: { page, filter, cursors }, caller }) {
      const walked = await readPage(database, (sql) => ({
        // A signed cursor names a listed person, and people are never removed.
        cursor: null,
        rows: readRoots<PersonRow>(sql, STORED_PEOPLE.tables(sql), caller, sql`true`, {
          ...page,
          conditions: conditionsOf(sql, filter),
        }),
      }));
      return ok(
        cursors.signPage(toWalkedPage(walked, (row) => showPerson(row, caller), PEOPLE.idOf)),
      );
    },
  });
}

const FIND_BODY = { q: string({ maximum: 100 }) };

function createFind(_services: RelationshipServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Find people",
      body: bodyOf(FIND_BODY, { q: "le" }),
      responses: { 200: { data: signedPageOf(PERSON_SCHEMA) } },
      errors: [],
    },
    body: "json",
    parse: ({ query }) => readQuery({}, query),
    handle() {
      throw new Error("not built");
    },
  });
}

function conditionsOf(sql: Sql, { status, relationshipType }: Filter): Query<object> | null {
  if (status === undefined && relationshipType === undefined) return null;
  return sql`
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${relationshipType === undefined ? sql`` : sql`and relationship_type = ${relationshipType}`}`;
}
