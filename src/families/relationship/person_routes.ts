/** REL-001: people, their list and revisions. */

import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import { changeEndpoint, createEndpoint, detailEndpoint } from "../../kit/write_routes.ts";
import { fieldsBody, patchRoute } from "../../kit/fields.ts";
import { listBelowEndpoint } from "../../kit/list_routes.ts";
import { readRoots, storedRevisions } from "../../kit/tables.ts";
import { PAGE_LIMIT, toWalkedPage } from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { SIGNED_PAGE_QUERY, signedPageOf } from "../../http/signed_page.ts";
import { readPosition, toSignedPage } from "../../records/port.ts";
import { optional, readQuery } from "../../validate/schema.ts";
import { createFindEndpoint } from "./find_routes.ts";
import {
  PERSON_FIELDS,
  PERSON_REVISION_SCHEMA,
  PERSON_SCHEMA,
  type PersonRow,
  showPerson,
} from "./person.ts";
import {
  conditionsOf,
  PEOPLE_FILTER,
  PEOPLE_SORT,
  peopleCursors,
  readPeople,
} from "./person_list.ts";
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
    find: createFindEndpoint(services),
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

const LIST_QUERY = { ...SIGNED_PAGE_QUERY, ...PEOPLE_FILTER, sort: optional(PEOPLE_SORT) };

function createList({ database, serverSecret }: RelationshipServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the people, newest first, by name or by last contact",
      query: LIST_QUERY,
      responses: { 200: { data: signedPageOf(PERSON_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse(call) {
      const { limit = PAGE_LIMIT.standard, cursor, sort, ...filter } = readQuery(
        LIST_QUERY,
        call.query,
      );
      const cursors = peopleCursors(serverSecret, call, filter, sort === undefined ? {} : { sort });
      const before = cursors.read(cursor)?.after ?? null;
      return { sort, filter, limit, cursors, before, after: readPosition(cursors, cursor) };
    },
    async handle({ parsed: { sort, filter, limit, cursors, before, after }, caller }) {
      const show = (row: PersonRow) => showPerson(row, caller);
      if (sort !== undefined) {
        const part = { filter, sort, limit, after };
        const walked = await database.read((sql) => readPeople(sql, caller, part));
        return ok(toSignedPage(cursors, walked, show));
      }
      const walked = await database.read((sql) =>
        readRoots<PersonRow>(sql, STORED_PEOPLE.tables(sql), caller, sql`true`, {
          cursor: before,
          limit,
          conditions: conditionsOf(sql, filter),
        })
      );
      return ok(cursors.signPage(toWalkedPage(walked, show, PEOPLE.idOf)));
    },
  });
}
