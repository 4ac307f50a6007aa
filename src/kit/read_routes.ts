import type { Query, Sql } from "../database/sql.ts";
import { rowEndpoint } from "../http/define_endpoint.ts";
import { readPathRevision } from "../http/path.ts";
import { ok } from "../http/reply.ts";
import type { Endpoint } from "../http/route.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { detailEndpoint } from "./write_routes.ts";
import { listBelowEndpoint, type ListedRevision } from "./list_routes.ts";
import { readOnlyKey, type RouteText } from "./route.ts";
import { storedBelow, storedRevisions, type StoredRoot } from "./tables.ts";
import type { FamilyServices, Root, RootTypes } from "./write.ts";

interface ReadTexts<Key> {
  /** With its article, such as "a prediction". */
  readonly one: string;
  /** Such as "the predictions of a decision". */
  readonly all: string;
  /** Condition for rows below the parent. */
  readonly isBelow: (sql: Sql, parent: Key) => Query<object>;
  readonly revisionSchema: JsonSchema;
}

/** GET of the list, newest first; of one, with `revision=N` and an entity tag; of its revisions. */
export function readEndpoints<P extends RootTypes, T extends RootTypes>(
  services: Pick<FamilyServices, "database">,
  parent: Root<P>,
  stored: StoredRoot<T>,
  { one, all, isBelow, revisionSchema }: ReadTexts<P["key"]>,
): Readonly<Record<"list" | "detail" | "revisions", Endpoint>> {
  const below = storedBelow(stored, isBelow);
  const revisions = storedRevisions(stored, revisionSchema);
  return {
    list: listBelowEndpoint(services, parent, below, { summary: `List ${all}, newest first` }),
    detail: detailEndpoint(services, stored.root, { summary: `Read ${one}`, revisions: true }),
    revisions: listBelowEndpoint(services, stored.root, revisions, {
      summary: `List the revisions of ${one}, newest first`,
    }),
  };
}

/** GET of `revisions/{revision}`: the whole root at that revision. */
export function revisionEndpoint<T extends RootTypes>(
  services: Pick<FamilyServices, "database">,
  root: Root<T>,
  schema: JsonSchema,
  { summary, errors = [] }: RouteText,
): Endpoint {
  const { show, showRevision = show } = root;
  return rowEndpoint(services, {
    contract: {
      summary,
      responses: { 200: { data: schema } },
      errors: ["RECORD_NOT_FOUND", ...errors],
    },
    parse(call) {
      const key: T["key"] = readOnlyKey(call, root.keyNames);
      return { key, revision: readPathRevision(call) };
    },
    find: (sql, { parsed: { key, revision }, caller: { account } }) =>
      root.findAt(sql, account.accountId, key, revision),
    show(row, { caller }) {
      const { revision_id: revisionId, change } = row;
      const shown: ListedRevision<T> = { ...showRevision(row, caller), revisionId, change };
      return ok(shown);
    },
  });
}
