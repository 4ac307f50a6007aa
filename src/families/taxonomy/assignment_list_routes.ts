/** GET `/assignments`: records that carry a term, or terms that a record carries. */

import { type Caller, reachesModule } from "../../access/identity.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { PAGE_LIMIT, pageOf, readPage, toWalkedPage } from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { findInModule } from "../../records/port.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { readQuery } from "../../validate/schema.ts";
import { type AssignmentRow, inModules } from "./assignment_store.ts";
import { assertCarrying, type Assignment, type AssignmentServices } from "./assignment_routes.ts";
import { ASSIGNMENT_QUERY } from "./taxonomy_schema.ts";
import { TERM_TYPES, type TermRow, type TermType } from "./term.ts";

interface ListedAssignment extends Assignment {
  readonly kind: TermType;
  readonly name: string;
}

type ListedRow = AssignmentRow & Pick<TermRow, "kind" | "name">;

const LISTED_SCHEMA: JsonSchema = component<ListedAssignment>("TaxonomyListedAssignment", {
  assignmentId: ULID,
  termId: ULID,
  kind: enumOf(TERM_TYPES),
  name: TEXT,
  moduleCode: TEXT,
  recordId: ULID,
  assignedAt: TIME,
});

interface Side {
  readonly find: (sql: Sql, owner: string) => Query<object>;
  readonly isOf: (sql: Sql) => Query<object>;
}

export function createAssignmentListEndpoint(
  { database, catalog }: Pick<AssignmentServices, "database" | "catalog">,
): Endpoint {
  return endpoint({
    contract: {
      summary: "List the records that carry a term, or the terms that a record carries",
      query: ASSIGNMENT_QUERY,
      responses: { 200: { data: pageOf(LISTED_SCHEMA) } },
      errors: ["RECORD_MODULE_NOT_FOUND", "RECORD_NOT_FOUND"],
    },
    body: "none",
    parse({ query, caller }) {
      const { limit = PAGE_LIMIT.standard, cursor = null, ...named } = readQuery(
        ASSIGNMENT_QUERY,
        query,
      );
      return { limit, cursor, side: readSide(catalog, caller, named) };
    },
    async handle({ parsed: { limit, cursor, side }, caller }) {
      const owner = caller.account.accountId;
      const walked = await readPage(database, (sql) => ({
        parent: side.find(sql, owner),
        cursor: cursor === null ? null : sql`
          select 1 from taxonomy_assignments
           where owner_id = ${owner} and assignment_id = ${cursor}`,
        rows: listRows(sql, owner, side.isOf(sql), cursor, limit),
      }));
      return ok(toWalkedPage(walked, showListed, (row) => row.assignment_id));
    },
  });
}

/**
 * @throws ServiceError `PAYLOAD_INVALID` unless one side is named; `RECORD_MODULE_NOT_FOUND`;
 * `FORBIDDEN` for a module that the credential does not reach.
 */
function readSide(
  catalog: Catalog,
  reader: Caller,
  { termId, moduleCode, recordId }: {
    readonly termId?: string;
    readonly moduleCode?: string;
    readonly recordId?: string;
  },
): Side {
  if (termId !== undefined && moduleCode === undefined && recordId === undefined) {
    return {
      find: (sql, owner) =>
        sql`select 1 from taxonomy_terms where owner_id = ${owner} and term_id = ${termId}`,
      isOf: (sql) => sql`a.term_id = ${termId} ${inModules(sql, reader)}`,
    };
  }
  if (termId !== undefined || moduleCode === undefined || recordId === undefined) {
    throw payloadInvalid(["assignments.one_side"], ["termId", "moduleCode", "recordId"]);
  }
  assertCarrying(moduleCode);
  const module = catalog.module(moduleCode);
  if (module === undefined) throw new ServiceError("RECORD_MODULE_NOT_FOUND");
  if (!reachesModule(reader, moduleCode)) throw new ServiceError("FORBIDDEN");
  return {
    find: (sql, owner) => findInModule(sql, owner, module, recordId),
    isOf: (sql) => sql`a.record_id = ${recordId}`,
  };
}

function listRows(
  sql: Sql,
  owner: string,
  isOf: Query<object>,
  cursor: string | null,
  limit: number,
): Promise<Walked<ListedRow>> {
  return readRows<ListedRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from taxonomy_assignments a join taxonomy_terms t using (owner_id, term_id)
         where a.owner_id = ${owner} and ${isOf} and a.removed_at is null
           ${cursor === null ? sql`` : sql`and a.assignment_id < ${cursor}`}
         order by a.assignment_id desc limit ${limit}`,
    {
      columns: sql`a.assignment_id, t.term_id, t.kind, t.name, a.module_code, a.record_id,
        a.assigned_at`,
      long: null,
      limit,
    },
  );
}

function showListed(row: ListedRow): ListedAssignment {
  return {
    assignmentId: row.assignment_id,
    termId: row.term_id,
    kind: row.kind,
    name: row.name,
    moduleCode: row.module_code,
    recordId: row.record_id,
    assignedAt: row.assigned_at.toISOString(),
  };
}
