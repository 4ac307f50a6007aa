/** TAX-005: merges one tag into another, permanently. */

import type { Caller } from "../../access/identity.ts";
import { commandOf, type PlannedWrite } from "../../command/command.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { assertRevision } from "../../kit/root.ts";
import { readOnlyKey } from "../../kit/route.ts";
import { type FamilyServices, replayRoot } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { ok, replying } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { readBody } from "../../validate/schema.ts";
import { moveAssignments } from "./assignment_store.ts";
import { renewNames } from "./name_store.ts";
import { decideMerge } from "./term_rules.ts";
import { MERGE_BODY } from "./taxonomy_schema.ts";
import { INACTIVE_TAGS, STORED_TAGS, TAGS } from "./term_store.ts";
import { showTerm, type Term, TERM_SCHEMA, type TermRow } from "./term.ts";

export function createMergeEndpoint(services: FamilyServices): Endpoint {
  const { module, policy } = TAGS;
  return endpoint({
    contract: {
      summary: "Merge a tag into another one, with its names and its records",
      body: bodyOf(MERGE_BODY, { expectedRevision: 1, intoId: "01JD5A0000000000000000TAG2" }),
      responses: { 200: { data: TERM_SCHEMA } },
      errors: ["RECORD_NOT_FOUND", "REVISION_CONFLICT", "TAXONOMY_STATE_CONFLICT"],
    },
    body: "json",
    parse: (call) => readOnlyKey(call, ["tagId"]),
    async handle(call) {
      const { parsed: { tagId }, caller, now } = call;
      const { expectedRevision, intoId } = readBody(MERGE_BODY, call.body);
      const owner = caller.account.accountId;
      const command = commandOf(call, { module, policy, target: tagId });
      const { result, replayed } = await services.commands.run<TermRow, Term, TermRow | undefined>(
        command,
        {
          check: () => {},
          lock: (sql) => lockTags(sql, owner, tagId, intoId),
          related: async (sql) => (await TAGS.find(sql, owner, { tagId: intoId }))[0],
          decide(source, target) {
            if (source === null || target === undefined) throw new ServiceError("RECORD_NOT_FOUND");
            assertRevision(source, expectedRevision);
            return merging(caller, source, target, now);
          },
          replay: ({ recordId, revision }) =>
            replayRoot(services, TAGS, caller, { tagId: recordId }, { revision }),
        },
      );
      return replying(ok(result), replayed);
    },
  });
}

/** Locks both tags in the order of their identifiers; returns the source. */
function lockTags(sql: Sql, owner: string, tagId: string, intoId: string): Query<TermRow> {
  const [first = "", second = ""] = [tagId, intoId].sort();
  const locked = (id: string) => TAGS.lock(sql, owner, { tagId: id });
  // Each step selects from the one before, which fixes the order of the locks.
  return sql<TermRow>`
    select source.*
      from (select count(*) as locked from (${locked(first)}) tag) one
           cross join lateral (
             select count(*) as locked from (${locked(second)}) tag where one.locked >= 0) other
           cross join lateral (
             select * from (${locked(tagId)}) tag where other.locked >= 0 offset 0) source`;
}

function merging(
  { account: { accountId: owner } }: Caller,
  before: TermRow,
  into: TermRow,
  now: Date,
): PlannedWrite<Term> {
  const { source, target } = decideMerge(before, into, now);
  const root = before.deactivated_at === null ? TAGS : INACTIVE_TAGS;
  return {
    subjectId: source.term_id,
    revision: source.revision,
    result: showTerm(source),
    preceding: (sql) => [
      ...moveAssignments(sql, owner, source, target),
      ...renewNames(sql, owner, "TAG", [source, target]),
      writeTarget(sql, owner, target),
    ],
    statement: (sql, ledger) => root.write(sql, ledger, owner, source, "MERGED"),
  };
}

/** Writes the target tag, after the claim returned GO. */
function writeTarget(sql: Sql, owner: string, target: TermRow): Query<object> {
  return sql`
    with claim as (select 0 as number, 'GO' as verdict), ${
    STORED_TAGS.entries(sql, owner, target, "CHANGED")
  }
    select verdict from claim`;
}
