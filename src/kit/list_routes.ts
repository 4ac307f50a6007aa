/** Lists below one root, newest first: revisions, and entries of a ledger. */

import type { Caller } from "../access/identity.ts";
import type { JsonObject } from "../core/json.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Walked } from "../database/walk.ts";
import { pageEndpoint } from "../http/define_endpoint.ts";
import {
  PAGE_LIMIT,
  PAGE_QUERY,
  pageOf,
  type PageQuery,
  readPage,
  toWalkedPage,
} from "../http/page.ts";
import { ok } from "../http/reply.ts";
import type { Endpoint } from "../http/route.ts";
import { listCursors, SIGNED_PAGE_QUERY, signedPageOf } from "../http/signed_page.ts";
import { enumOf, type JsonSchema, objectOf, ULID } from "../validate/json_schema.ts";
import { type ObjectSchema, readQuery } from "../validate/schema.ts";
import type { BaseChange } from "./root.ts";
import { readKey, type RouteText } from "./route.ts";
import type { FamilyServices, Root, RootPath, RootTypes } from "./write.ts";

/** A list below a root, with the family's own SQL. */
export interface Listed<Key, Row, Item> {
  /** Selects the cursor's row. */
  readonly cursor: (sql: Sql, owner: string, key: Key, cursor: string) => Query<object>;
  /** Newest first. */
  readonly rows: (sql: Sql, reader: Caller, key: Key, page: PageQuery) => Promise<Walked<Row>>;
  readonly cursorOf: (row: Row) => string;
  /** The row as its reader may see it at that moment. */
  readonly show: (row: Row, reader: Caller, now: Date) => Item;
  readonly schema: JsonSchema;
}

export interface ListText extends RouteText {
  /** True if the list is empty without a root; default: `RECORD_NOT_FOUND`. */
  readonly isEmptyWithoutRoot?: boolean;
  /**
   * The server secret, for signed cursors, each valid for its owner, root and list. Default: plain
   * identifiers.
   */
  readonly signedWith?: Uint8Array;
  /** Further query parameters, passed to the read and bound to signed cursors. */
  readonly more?: ObjectSchema;
}

interface ListParent<Key> {
  readonly keyNames: readonly (keyof Key & string)[];
  readonly find: (sql: Sql, owner: string, key: Key) => Query<object>;
}

export function listBelowEndpoint<Key extends RootPath, Row, Item>(
  { database }: Pick<FamilyServices, "database">,
  parent: ListParent<Key>,
  listed: Listed<Key, Row, Item>,
  { summary, errors = [], isEmptyWithoutRoot = false, signedWith, more = {} }: ListText,
): Endpoint {
  const pageQuery = signedWith === undefined ? PAGE_QUERY : SIGNED_PAGE_QUERY;
  const query = { ...pageQuery, ...more };
  const data = (signedWith === undefined ? pageOf : signedPageOf)(listed.schema);
  return pageEndpoint({
    contract: {
      summary,
      query,
      responses: { 200: { data } },
      errors: isEmptyWithoutRoot ? errors : ["RECORD_NOT_FOUND", ...errors],
    },
    parse(call) {
      const key = readKey(call, parent.keyNames) as Key;
      const { limit = PAGE_LIMIT.standard, cursor = null, ...stated } = readQuery(
        query,
        call.query,
      );
      const cursors = signedWith &&
        listCursors(signedWith, call, { ...stated as JsonObject, ...key });
      const after = cursors === undefined ? cursor : cursors.read(cursor)?.after ?? null;
      return { key, page: { ...stated, limit, cursor: after }, cursors };
    },
    async handle({ parsed: { key, page, cursors }, caller, now }) {
      const { accountId: owner } = caller.account;
      const walked = await readPage(database, (sql) => ({
        ...(!isEmptyWithoutRoot && { parent: parent.find(sql, owner, key) }),
        cursor: page.cursor === null ? null : listed.cursor(sql, owner, key, page.cursor),
        rows: listed.rows(sql, caller, key, page),
      }));
      const show = (row: Row) => listed.show(row, caller, now);
      const shown = toWalkedPage(walked, show, listed.cursorOf);
      return ok(cursors === undefined ? shown : cursors.signPage(shown));
    },
  });
}

export interface RevisionColumns<T extends RootTypes> {
  readonly revision_id: string;
  readonly change: T["change"] | BaseChange;
}

export type ListedRevision<T extends RootTypes> = T["shown"] & {
  readonly revisionId: string;
  readonly change: T["change"] | BaseChange;
};

export function revisionSchema(
  component: string,
  members: Readonly<Record<string, JsonSchema>>,
  changes: readonly string[],
): JsonSchema {
  return { component, ...objectOf({ ...members, revisionId: ULID, change: enumOf(changes) }) };
}

/** List of a root's revisions; `revision_id` is the cursor. */
export function revisionsOf<T extends RootTypes, Row extends T["row"] & RevisionColumns<T>>(
  { show, showRevision = show }: Root<T>,
  statements: Pick<Listed<T["key"], Row, unknown>, "cursor" | "rows" | "schema">,
): Listed<T["key"], Row, ListedRevision<T>> {
  return {
    ...statements,
    cursorOf: (row) => row.revision_id,
    show: (row, reader) => ({
      ...showRevision(row, reader),
      revisionId: row.revision_id,
      change: row.change,
    }),
  };
}
