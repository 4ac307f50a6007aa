/** Lists below one root, newest first: its revisions, and the entries of a ledger. */

import type { Identity } from "../access/identity.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Walked } from "../database/walk.ts";
import {
  PAGE_QUERY,
  pageOf,
  type PageQuery,
  readPage,
  readPageQuery,
  toWalkedPage,
} from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { readKey, type RouteText } from "./endpoints.ts";
import type { FamilyServices, Root, RootTypes } from "./write.ts";

/** What is listed below a root, and the family's own SQL for it. */
export interface Listed<Key, Row, Item> {
  /** Selects the row that a cursor names. */
  readonly cursor: (sql: Sql, owner: string, key: Key, cursor: string) => Query<object>;
  /** The rows of a page, the newest first. */
  readonly rows: (sql: Sql, reader: Identity, key: Key, page: PageQuery) => Promise<Walked<Row>>;
  /** The cursor that stands for a row. */
  readonly cursorOf: (row: Row) => string;
  readonly show: (row: Row, reader: Identity) => Item;
  readonly schema: JsonSchema;
}

/** GET of what is listed below one root. */
export function listBelowEndpoint<T extends RootTypes, Row, Item>(
  { database }: Pick<FamilyServices, "database">,
  root: Root<T>,
  listed: Listed<T["key"], Row, Item>,
  { summary, errors = [] }: RouteText,
): Endpoint {
  return endpoint({
    contract: {
      summary,
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(listed.schema) } },
      errors: ["RECORD_NOT_FOUND", ...errors],
    },
    body: "none",
    parse(call) {
      const key: T["key"] = readKey(call, root.keyNames);
      return { key, page: readPageQuery(call.query) };
    },
    async handle({ parsed: { key, page }, identity }) {
      const { accountId: owner } = identity.account;
      const walked = await readPage(database, (sql) => ({
        parent: root.find(sql, owner, key),
        cursor: page.cursor === null ? null : listed.cursor(sql, owner, key, page.cursor),
        rows: listed.rows(sql, identity, key, page),
      }));
      return ok(toWalkedPage(walked, (row) => listed.show(row, identity), listed.cursorOf));
    },
  });
}

/** What a revision did, beside the root as it left it. */
export interface RevisionColumns<Change extends string> {
  readonly revision_id: string;
  readonly change: Change;
}

/** A root as a revision left it, and what the revision did. */
export type ShownRevision<Shown, Change extends string> = Shown & {
  readonly revisionId: string;
  readonly change: Change;
};

/** A revision as a client sees it: the whole root, its identifier and what it did. */
export function showRevision<T extends RootTypes, Change extends string>(
  root: Pick<Root<T>, "show">,
  row: T["row"] & RevisionColumns<Change>,
  reader: Identity,
): ShownRevision<T["shown"], Change> {
  return { ...root.show(row, reader), revisionId: row.revision_id, change: row.change };
}
