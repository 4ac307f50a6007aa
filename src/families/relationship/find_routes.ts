/** `POST /api/v2/relationship/people/find`. It only reads: a name must not appear in a URL. */

import { payloadInvalid } from "../../errors/service_error.ts";
import { bodyOf } from "../../http/contract.ts";
import { PAGE_LIMIT, PAGE_QUERY } from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { SIGNED_CURSOR, signedPageOf } from "../../http/signed_page.ts";
import { readPosition, toSignedPage } from "../../records/port.ts";
import { type FormedWord, formedWordsOf } from "../../records/search_index/word_forms.ts";
import { MAX_WORDS } from "../../records/search_index/words.ts";
import { optional, readBody, refuseQuery, string } from "../../validate/schema.ts";
import { PERSON_SCHEMA, showPerson } from "./person.ts";
import { findPeople } from "./person_find.ts";
import { PEOPLE_FILTER, PEOPLE_SORT, peopleCursors } from "./person_list.ts";
import type { RelationshipServices } from "./person_store.ts";

const FIND_BODY = {
  q: string({ maximum: 100, multiline: true }),
  ...PEOPLE_FILTER,
  sort: optional(PEOPLE_SORT),
  limit: PAGE_QUERY.limit,
  cursor: SIGNED_CURSOR,
};

export function createFindEndpoint({ database, serverSecret }: RelationshipServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Find people by the beginnings of names and nicknames",
      body: bodyOf(FIND_BODY, { q: "le", archived: "exclude" }),
      responses: { 200: { data: signedPageOf(PERSON_SCHEMA) } },
      errors: [],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { caller, body } = call;
      const { q, limit = PAGE_LIMIT.standard, cursor, sort = "name", ...filter } = readBody(
        FIND_BODY,
        body,
      );
      const words = readWords(q);
      const cursors = peopleCursors(serverSecret, call, filter, { q, sort });
      const after = readPosition(cursors, cursor);
      const found = await findPeople(database, caller, words, { filter, sort, after, limit });
      return ok(toSignedPage(cursors, found, (row) => showPerson(row, caller)));
    },
  });
}

/** @throws ServiceError `PAYLOAD_INVALID`, rule `search.words`, for no word or too many. */
function readWords(q: string): readonly FormedWord[] {
  const words = formedWordsOf(q);
  if (words.length === 0 || words.length > MAX_WORDS) {
    throw payloadInvalid(["search.words"], ["q"]);
  }
  return words;
}
