/** Entries of an append-only ledger below a root: each is written once and read back exactly. */

import { readRowFor } from "../access/assumption.ts";
import type { Identity } from "../access/identity.ts";
import type { Command, Write } from "../command/command.ts";
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
  type Made,
  type MissingRoot,
  type ReadRelated,
  type Root,
  type RootTypes,
  toMade,
  writableRoot,
  type WriteOptions,
} from "./write.ts";

/** A kind of entry below a root, and the family's own SQL for it. */
export interface Entry<Key, Row, Item> extends Listed<Key, Row, Item> {
  /** The name of its policy in envelopes, such as `memory-slice`. */
  readonly policy: string;
  /** The name of its identifier in the path. */
  readonly idName: string;
  readonly find: (sql: Sql, owner: string, key: Key, id: string) => Query<Row>;
  /**
   * An entry as it was when it was made, by what its reader may see today; as `show` unless given, for
   * entries of which nothing changes.
   */
  readonly showAsMade?: (row: Row, reader: Identity, now: Date) => Item;
}

/** One entry to append. */
export interface EntryCreation<T extends RootTypes, Item, Related> extends MissingRoot {
  /** Names the root. */
  readonly key: T["key"];
  /** Refuses what needs no stored state to be refused. */
  readonly check?: () => void;
  readonly related?: ReadRelated<T["row"], Related> | undefined;
  /**
   * Pure, given the stored root; may be called again with a newer one. The subject of the write is the
   * entry.
   */
  readonly decide: (root: T["row"], related: Related) => Write<Item>;
  readonly options?: WriteOptions | undefined;
}

/**
 * Appends an entry below a root, which is locked meanwhile, or returns the replay of the command.
 *
 * @throws ServiceError what `check` throws; `missing` where there is no root; what its `assertWritable`
 * throws; what `decide` throws; in this order.
 */
export async function appendEntry<T extends RootTypes, Row, Item, Related = undefined>(
  { commands, database }: FamilyServices,
  root: Root<T>,
  entry: Entry<T["key"], Row, Item>,
  command: Command,
  creation: EntryCreation<T, Item, Related>,
): Promise<Made<Item>> {
  const { identity, now } = command;
  const { key, missing, check = () => {}, related, decide, options } = creation;
  const { show, showAsMade = show } = entry;
  return toMade(
    await commands.run<T["row"], Identified<Item>, Related>(command, {
      ...options,
      check,
      ...locking(root, identity, key, related),
      decide: (found, related) =>
        identified(decide(writableRoot(root, found, identity, missing), related)),
      async replay({ recordId: id }) {
        const owner = identity.account.accountId;
        const [row] = await database.read((sql) => entry.find(sql, owner, key, id));
        // As `replayRoot` says.
        if (row === undefined) throw new ServiceError("IDEMPOTENCY_KEY_REUSED");
        return { id, result: showAsMade(row, identity, now) };
      },
    }),
  );
}

/** The three routes of one kind of entry. */
export interface EntryRoutes<T extends RootTypes, Item, S extends ObjectSchema, Related>
  extends EntryReads {
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
}

/** The routes that read one kind of entry. */
export interface EntryReads {
  readonly list: ListText;
  readonly detail: RouteText;
}

/** POST, GET of the list and GET of one of a kind of entry. */
export function entryEndpoints<
  T extends RootTypes,
  Row extends object,
  Item,
  S extends ObjectSchema,
  Related = undefined,
>(
  services: FamilyServices,
  root: Root<T>,
  entry: Entry<T["key"], Row, Item>,
  { append, ...reads }: EntryRoutes<T, Item, S, Related>,
): { readonly append: Endpoint; readonly list: Endpoint; readonly detail: Endpoint } {
  const { module } = root;
  const { policy } = entry;
  const { missing = "RECORD_NOT_FOUND" } = append;
  const errors = [missing, ...append.errors ?? []];
  return {
    append: endpoint({
      contract: creationContract({ ...append, errors }, entry.schema),
      body: "json",
      confirmsIdentity: true,
      parse: (call): T["key"] => readOnlyKey(call, root.keyNames),
      async handle(call) {
        const { now, parsed: key } = call;
        const body = readBody(append.body, call.body);
        const options = { module, policy, target: ownIdOf(key), frozen: append.frozen };
        const command = familyCommand(call, options);
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

/** GET of the list and GET of one of a kind of entry. */
export function entryReadEndpoints<T extends RootTypes, Row extends object, Item>(
  services: Pick<FamilyServices, "database">,
  root: Root<T>,
  entry: Omit<Entry<T["key"], Row, Item>, "policy">,
  { list, detail }: EntryReads,
): { readonly list: Endpoint; readonly detail: Endpoint } {
  return {
    list: listBelowEndpoint(services, root, entry, list),
    detail: endpoint({
      contract: {
        summary: detail.summary,
        responses: { 200: { data: entry.schema } },
        errors: ["RECORD_NOT_FOUND", ...detail.errors ?? []],
      },
      body: "none",
      isPureRead: true,
      confirmsIdentity: true,
      parse(call) {
        const key: T["key"] = readOnlyKey(call, root.keyNames);
        return { key, id: readPathId(call, entry.idName) };
      },
      async handle({ parsed: { key, id }, identity, now }) {
        const owner = identity.account.accountId;
        const row = await services.database.read((sql) =>
          readRowFor(sql, identity, now, entry.find(sql, owner, key, id))
        );
        if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(entry.show(row, identity, now));
      },
    }),
  };
}
