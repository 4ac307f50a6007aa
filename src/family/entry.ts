/** Entries of an append-only ledger below a root: each is written once and read back exactly. */

import type { Write } from "../command/command.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { readPathId } from "../http/path.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { type InferObject, type ObjectSchema, readBody } from "../validate/schema.ts";
import { listBelowEndpoint, type Listed, type ListText } from "./lists.ts";
import {
  type BodyRoute,
  creationContract,
  creationReply,
  type DecisionContext,
  ownIdOf,
  readOnlyKey,
  relatedOf,
  type RouteText,
  type StoredRoute,
} from "./route.ts";
import {
  familyCommand,
  type FamilyServices,
  type Identified,
  identified,
  locking,
  type MissingRoot,
  type Root,
  type RootTypes,
  toMade,
  writableRoot,
} from "./write.ts";

/** A kind of entry below a root, and the family's own SQL for it. */
export interface Entry<Key, Row, Item> extends Listed<Key, Row, Item> {
  /** The name of its policy in envelopes, such as `memory-slice`. */
  readonly policy: string;
  /** The name of its identifier in the path. */
  readonly idName: string;
  readonly find: (sql: Sql, owner: string, key: Key, id: string) => Query<Row>;
}

/** The three routes of one kind of entry. */
export interface EntryRoutes<T extends RootTypes, Item, S extends ObjectSchema, Related> {
  readonly append: BodyRoute<S> & StoredRoute<T, S, Related> & MissingRoot & {
    /**
     * Pure, given the stored root; may be called again with a newer one. The subject of the write is
     * the entry.
     */
    readonly decide: (
      root: T["row"],
      body: InferObject<S>,
      context: DecisionContext<T, Related>,
    ) => Write<Item>;
  };
  readonly list: ListText;
  readonly detail: RouteText;
}

/** POST, GET of the list and GET of one of a kind of entry. */
export function entryEndpoints<
  T extends RootTypes,
  Row,
  Item,
  S extends ObjectSchema,
  Related = undefined,
>(
  services: FamilyServices,
  root: Root<T>,
  entry: Entry<T["key"], Row, Item>,
  { append, list, detail }: EntryRoutes<T, Item, S, Related>,
): { readonly append: Endpoint; readonly list: Endpoint; readonly detail: Endpoint } {
  const { module } = root;
  const { policy } = entry;
  const { missing = "RECORD_NOT_FOUND" } = append;
  const errors = [missing, ...append.errors ?? []];
  const find = async (owner: string, key: T["key"], id: string): Promise<Row | undefined> =>
    (await services.database.read((sql) => entry.find(sql, owner, key, id)))[0];
  return {
    append: endpoint({
      contract: creationContract({ ...append, errors }, entry.schema),
      body: "json",
      parse: (call): T["key"] => readOnlyKey(call, root.keyNames),
      async handle(call) {
        const { identity, now, parsed: key } = call;
        const body = readBody(append.body, call.body);
        const options = { module, policy, target: ownIdOf(key), frozen: append.frozen };
        const command = familyCommand(call, options);
        const outcome = await services.commands.run<T["row"], Identified<Item>, Related>(command, {
          ...append.options?.(call),
          check: () => append.check?.(body, now),
          ...locking(root, identity, key, relatedOf(append, body, call)),
          decide(found, related) {
            const row = writableRoot(root, found, identity, missing);
            return identified(append.decide(row, body, { call, related }));
          },
          async replay({ recordId: id }) {
            const row = await find(identity.account.accountId, key, id);
            // As `replayRoot` says.
            if (row === undefined) throw new ServiceError("IDEMPOTENCY_KEY_REUSED");
            return { id, result: entry.show(row, identity) };
          },
        });
        return creationReply(call.path, toMade(outcome));
      },
    }),
    list: listBelowEndpoint(services, root, entry, list),
    detail: endpoint({
      contract: {
        summary: detail.summary,
        responses: { 200: { data: entry.schema } },
        errors: ["RECORD_NOT_FOUND", ...detail.errors ?? []],
      },
      body: "none",
      parse(call) {
        const key: T["key"] = readOnlyKey(call, root.keyNames);
        return { key, id: readPathId(call, entry.idName) };
      },
      async handle({ parsed: { key, id }, identity }) {
        const row = await find(identity.account.accountId, key, id);
        if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(entry.show(row, identity));
      },
    }),
  };
}
