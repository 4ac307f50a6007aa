/** Shared by tags and categories (TAX-001, TAX-002, TAX-004, TAX-006). */

import type { Query, Sql } from "../../database/sql.ts";
import { changeEndpoint, detailEndpoint } from "../../kit/write_routes.ts";
import { checkFieldPatch, patchBody } from "../../kit/fields.ts";
import { listBelowEndpoint } from "../../kit/list_routes.ts";
import { revisionEndpoint } from "../../kit/read_routes.ts";
import { readRoots, storedRevisions, type StoredRoot } from "../../kit/tables.ts";
import type { FamilyServices, RootTypes } from "../../kit/write.ts";
import { PAGE_LIMIT, type PageQuery, readPage, toWalkedPage } from "../../http/page.ts";
import { type DataReply, ok } from "../../http/reply.ts";
import type { Endpoint, SignedInCall } from "../../http/route.ts";
import { listCursors } from "../../http/signed_page.ts";
import { readPosition, toSignedPage } from "../../records/port.ts";
import { decidePatch, decideRename, NAME_CONFLICTS } from "./term_rules.ts";
import { type Inactive, RENAME_BODY, type TermSort } from "./taxonomy_schema.ts";
import { readSortedTerms } from "./term_order.ts";
import { namingOptions, withNames } from "./term_store.ts";
import {
  PATCH_FIELDS,
  type Term,
  TERM_REVISION_SCHEMA,
  type TermChange,
  type TermRow,
  type TermType,
} from "./term.ts";

interface AnyTermTypes extends RootTypes {
  readonly row: TermRow;
  readonly change: TermChange;
  readonly shown: Term;
}

export interface TermKind<T extends AnyTermTypes> {
  readonly kind: TermType;
  readonly stored: StoredRoot<T>;
  /** With its article. */
  readonly one: string;
}

/** Endpoints of one term, the same for both kinds. */
export function termEndpoints<T extends AnyTermTypes>(
  services: FamilyServices,
  { kind, stored, one }: TermKind<T>,
): Readonly<Record<"detail" | "change" | "rename" | "revisions" | "revision", Endpoint>> {
  const { root } = stored;
  const options = () => namingOptions(kind);
  const errors = ["TAXONOMY_STATE_CONFLICT", NAME_CONFLICTS[kind]] as const;
  return {
    detail: detailEndpoint(services, root, { summary: `Read ${one}` }),
    change: changeEndpoint(services, root, {
      summary: `Change aliases, description, color or order of ${one}`,
      body: patchBody(PATCH_FIELDS),
      example: { expectedRevision: 1, set: { color: "#2e7d32" } },
      errors,
      options,
      check: (patch, now) => checkFieldPatch(PATCH_FIELDS, patch, { now, recordId: "" }),
      decide: (row, patch, now, { call }) =>
        withNames(call.caller.account.accountId, row, decidePatch(row, patch, now)),
    }),
    rename: changeEndpoint(services, root, {
      summary: `Rename ${one}; the former name is free again, or kept as an alias`,
      body: RENAME_BODY,
      example: { expectedRevision: 1, name: "Allotment", keepAlias: true },
      errors,
      options,
      decide: (row, body, now, { call }) =>
        withNames(call.caller.account.accountId, row, decideRename(row, body, now)),
    }),
    revisions: listBelowEndpoint(services, root, storedRevisions(stored, TERM_REVISION_SCHEMA), {
      summary: `List the revisions of ${one}, newest first`,
    }),
    revision: revisionEndpoint(services, root, TERM_REVISION_SCHEMA, {
      summary: `Read ${one} exactly as it was at a revision`,
    }),
  };
}

export interface TermListServices extends FamilyServices {
  /** Signs the cursors of sorted lists. */
  readonly serverSecret: Uint8Array;
}

interface TermListQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly sort?: TermSort;
  readonly inactive?: Inactive;
  readonly parentId?: string;
}

/**
 * Newest first, or sorted.
 *
 * @param condition A further condition.
 * @throws ServiceError `PAYLOAD_INVALID` for an unknown cursor, and as `readSortedTerms`.
 */
export async function listTerms<T extends AnyTermTypes>(
  { database, serverSecret }: TermListServices,
  { kind, stored: { root, tables } }: TermKind<T>,
  call: SignedInCall,
  { limit = PAGE_LIMIT.standard, cursor, inactive = "exclude", sort, ...more }: TermListQuery,
  condition: (sql: Sql) => Query<object>,
): Promise<DataReply> {
  const { caller } = call;
  if (sort !== undefined) {
    const cursors = listCursors(serverSecret, call, { ...more, inactive, sort });
    const walked = await readSortedTerms(database, caller, tables, {
      sort,
      inactive,
      part: (sql) => sql`${condition(sql)} and ${isListed(sql, inactive)}`,
      after: readPosition(cursors, cursor),
      limit,
    });
    return ok(toSignedPage(cursors, walked, (row) => root.show(row, caller)));
  }
  const page: PageQuery = { limit, cursor: cursor ?? null };
  const walked = await readPage(database, (sql) => ({
    cursor: cursor === undefined ? null : sql`
      select 1 from taxonomy_terms
       where owner_id = ${caller.account.accountId} and kind = ${kind} and term_id = ${cursor}`,
    rows: readRoots<TermRow>(
      sql,
      tables(sql),
      caller,
      sql`${condition(sql)} and ${isListed(sql, inactive)}`,
      page,
    ),
  }));
  return ok(toWalkedPage(walked, (row) => root.show(row, caller), root.idOf));
}

export function isListed(sql: Sql, inactive: Inactive): Query<object> {
  switch (inactive) {
    case "exclude":
      return sql`deactivated_at is null`;
    case "only":
      return sql`deactivated_at is not null`;
    case "include":
      return sql`true`;
  }
}
