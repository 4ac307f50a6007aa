/** Entries of an append-only ledger below a root: written once and read back exactly. */

import type { Caller } from "../access/identity.ts";
import { type Command, commandOf, type PlannedWrite } from "../command/command.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { commandEndpoint, rowEndpoint } from "../http/define_endpoint.ts";
import { readPathId } from "../http/path.ts";
import { ok } from "../http/reply.ts";
import type { Endpoint } from "../http/route.ts";
import { type InferObject, type ObjectSchema, readBody } from "../validate/schema.ts";
import { listBelowEndpoint, type Listed, type ListText } from "./list_routes.ts";
import {
  type BodyRoute,
  type ChangeContext,
  creationContract,
  creationReply,
  ownIdOf,
  readOnlyKey,
  relatedOf,
  type RouteText,
  type StoredRoute,
} from "./route.ts";
import {
  type FamilyServices,
  locking,
  type MissingRoot,
  type ReadRelated,
  type ResultWithId,
  type Root,
  type RootResult,
  type RootTypes,
  toRootResult,
  withResultId,
  writableRoot,
  type WriteOptions,
} from "./write.ts";

/** A kind of entry, with the family's own SQL. */
export interface LedgerEntry<Key, Row, Item> extends Listed<Key, Row, Item> {
  /** Policy name in envelopes, such as `memory-slice`. */
  readonly policy: string;
  readonly idName: string;
  readonly find: (sql: Sql, owner: string, key: Key, id: string) => Query<Row>;
  /**
   * The entry as created, limited to the members that its reader may see today. Default: `show`,
   * for entries that never change.
   */
  readonly showAsMade?: (row: Row, reader: Caller, now: Date) => Item;
}

export interface EntryCreation<T extends RootTypes, Item, Related> extends MissingRoot {
  readonly key: T["key"];
  /** Rejects a request that is invalid without stored state. */
  readonly check?: () => void;
  readonly related?: ReadRelated<T["row"], Related> | undefined;
  /** Must be pure; may be called again with a newer root. The subject of the write is the entry. */
  readonly decide: (root: T["row"], related: Related) => PlannedWrite<Item>;
  readonly options?: WriteOptions | undefined;
}

/**
 * Appends an entry below a root, which is locked during the write, or returns the replay.
 *
 * @throws ServiceError errors of `check`; `missing` without a root; errors of its `assertWritable`;
 *   errors of `decide`; in this order.
 */
export async function appendEntry<T extends RootTypes, Row, Item, Related = undefined>(
  { commands, database }: FamilyServices,
  root: Root<T>,
  entry: LedgerEntry<T["key"], Row, Item>,
  command: Command,
  creation: EntryCreation<T, Item, Related>,
): Promise<RootResult<Item>> {
  const { caller, now } = command;
  const { key, missing, check = () => {}, related, decide, options } = creation;
  const { show, showAsMade = show } = entry;
  return toRootResult(
    await commands.run<T["row"], ResultWithId<Item>, Related>(command, {
      ...options,
      check,
      ...locking(root, caller, key, related),
      decide: (found, related) =>
        withResultId(decide(writableRoot(root, found, caller, missing), related)),
      async replay({ recordId: id }) {
        const owner = caller.account.accountId;
        const [row] = await database.read((sql) => entry.find(sql, owner, key, id));
        // As in `replayRoot`.
        if (row === undefined) throw new ServiceError("IDEMPOTENCY_KEY_REUSED");
        return { id, result: showAsMade(row, caller, now) };
      },
    }),
  );
}

interface EntryRoutes<T extends RootTypes, Item, S extends ObjectSchema, Related>
  extends EntryReads {
  readonly append: BodyRoute<S> & StoredRoute<T, S, Related> & MissingRoot & {
    /** As in `EntryCreation`. */
    readonly decide: (
      root: T["row"],
      body: InferObject<S>,
      context: ChangeContext<T, Related>,
    ) => PlannedWrite<Item>;
  };
}

interface EntryReads {
  readonly list: ListText;
  readonly detail: RouteText;
}

export function entryEndpoints<
  T extends RootTypes,
  Row extends object,
  Item,
  S extends ObjectSchema,
  Related = undefined,
>(
  services: FamilyServices,
  root: Root<T>,
  entry: LedgerEntry<T["key"], Row, Item>,
  { append, ...reads }: EntryRoutes<T, Item, S, Related>,
): { readonly append: Endpoint; readonly list: Endpoint; readonly detail: Endpoint } {
  const { module } = root;
  const { policy } = entry;
  const { missing = "RECORD_NOT_FOUND" } = append;
  const errors = [missing, ...append.errors ?? []];
  return {
    append: commandEndpoint({
      contract: creationContract({ ...append, errors }, entry.schema),
      body: "json",
      parse: (call): T["key"] => readOnlyKey(call, root.keyNames),
      async handle(call) {
        const { now, parsed: key } = call;
        const body = readBody(append.body, call.body);
        const options = { module, policy, target: ownIdOf(key), frozen: append.frozen };
        const command = commandOf(call, options);
        const made = await appendEntry<T, Row, Item, Related>(services, root, entry, command, {
          key,
          missing,
          check: () => append.check?.(body, now),
          related: relatedOf(append, body, call),
          decide: (row, related) => append.decide(row, body, { call, related }),
          options: append.options?.(call),
        });
        return creationReply(call.path, made);
      },
    }),
    ...entryReadEndpoints(services, root, entry, reads),
  };
}

/** GET of the list and of one entry. */
export function entryReadEndpoints<T extends RootTypes, Row extends object, Item>(
  services: Pick<FamilyServices, "database">,
  root: Root<T>,
  entry: Omit<LedgerEntry<T["key"], Row, Item>, "policy">,
  { list, detail }: EntryReads,
): { readonly list: Endpoint; readonly detail: Endpoint } {
  return {
    list: listBelowEndpoint(services, root, entry, list),
    detail: rowEndpoint(services, {
      contract: {
        summary: detail.summary,
        responses: { 200: { data: entry.schema } },
        errors: ["RECORD_NOT_FOUND", ...detail.errors ?? []],
      },
      parse(call) {
        const key: T["key"] = readOnlyKey(call, root.keyNames);
        return { key, id: readPathId(call, entry.idName) };
      },
      find: (sql, { parsed: { key, id }, caller: { account } }) =>
        entry.find(sql, account.accountId, key, id),
      show: (row, { caller, now }) => ok(entry.show(row, caller, now)),
    }),
  };
}
