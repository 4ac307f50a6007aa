import { commandOf, type PlannedRefusal } from "../command/command.ts";
import type { ErrorCode } from "../errors/codes.ts";
import type { Query, Sql } from "../database/sql.ts";
import { bodyOf } from "../http/contract.ts";
import { commandEndpoint, rowEndpoint } from "../http/define_endpoint.ts";
import { okUnlessKnown } from "../http/entity_tag.ts";
import { created, ok, replying } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import {
  type InferObject,
  type ObjectSchema,
  optional,
  readBody,
  readQuery,
  refuseQuery,
  revision,
} from "../validate/schema.ts";
import { type ArchivableRow, archived, restored } from "./root.ts";
import {
  type BodyRoute,
  type ChangeContext,
  creationContract,
  creationReply,
  ownIdOf,
  readKey,
  readOnlyKey,
  relatedOf,
  type RouteText,
  type StoredRoute,
} from "./route.ts";
import {
  changeRoot,
  createRoot,
  createRootBelow,
  type FamilyServices,
  type MissingRoot,
  type Root,
  type RootPlan,
  type RootTypes,
  type WriteOptions,
} from "./write.ts";

interface CreateRoute<T extends RootTypes, S extends ObjectSchema> extends BodyRoute<S> {
  /** Must be pure. */
  readonly decide: (body: InferObject<S>, now: Date) => T["row"];
  /** See `RootCreation.verify`. */
  readonly verify?: (sql: Sql, row: T["row"], call: CheckedCall<void>) => Promise<void>;
  readonly options?: (call: CheckedCall<void>) => WriteOptions;
}

/** POST of an owner's roots. */
export function createEndpoint<T extends RootTypes, S extends ObjectSchema>(
  services: FamilyServices,
  root: Root<T>,
  route: CreateRoute<T, S>,
): Endpoint {
  const { module, policy } = root;
  return commandEndpoint({
    contract: creationContract(route, root.schema),
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const body = readBody(route.body, call.body);
      const command = commandOf(call, { module, policy, target: "", frozen: route.frozen });
      const { verify } = route;
      const made = await createRoot(services, root, command, {
        decide: () => route.decide(body, call.now),
        verify: verify && ((sql, row) => verify(sql, row, call)),
        options: route.options?.(call),
      });
      return root.keyNames.length === 0
        ? replying(created(made.result, call.path), made.replayed)
        : creationReply(call.path, made);
    },
  });
}

interface CreateBelowRoute<
  P extends RootTypes,
  T extends RootTypes,
  S extends ObjectSchema,
  Related,
  Prepared,
> extends BodyRoute<S>, StoredRoute<P, S, Related>, MissingRoot {
  /** See `RootCreationBelow.prepare`. */
  readonly prepare?: (parent: P["row"], body: InferObject<S>) => Promise<Prepared>;
  /** Must be pure; may be called again with a newer parent. */
  readonly decide: (
    parent: P["row"],
    body: InferObject<S>,
    now: Date,
    context: ChangeContext<P, Related> & { readonly prepared: Prepared },
  ) => T["row"];
}

/** POST of the roots below another root. */
export function createBelowEndpoint<
  P extends RootTypes,
  T extends RootTypes,
  S extends ObjectSchema,
  Related = undefined,
  Prepared = undefined,
>(
  services: FamilyServices,
  parent: Root<P>,
  root: Root<T>,
  route: CreateBelowRoute<P, T, S, Related, Prepared>,
): Endpoint {
  const { module, policy } = root;
  const { missing = "RECORD_NOT_FOUND" } = route;
  const errors = [missing, ...route.errors ?? []];
  return endpoint({
    contract: creationContract({ ...route, errors }, root.schema),
    body: "json",
    parse: (call): P["key"] => readOnlyKey(call, parent.keyNames),
    async handle(call) {
      const { parsed: key, now } = call;
      const body = readBody(route.body, call.body);
      const target = ownIdOf(key);
      const command = commandOf(call, { module, policy, target, frozen: route.frozen });
      const { prepare } = route;
      const made = await createRootBelow<P, T, Related, Prepared>(services, parent, root, command, {
        key,
        missing,
        check: () => route.check?.(body, now),
        prepare: prepare && ((row) => prepare(row, body)),
        related: relatedOf(route, body, call),
        decide: (row, related, prepared) =>
          route.decide(row, body, now, { call, related, prepared }),
        options: route.options?.(call),
      });
      return creationReply(call.path, made);
    },
  });
}

interface ChangeRoute<T extends RootTypes, S extends ObjectSchema, Related = undefined>
  extends BodyRoute<S>, StoredRoute<T, S, Related> {
  readonly bodyIsOptional?: true;
  /** Must be pure; may be called again with a newer root. */
  readonly decide: (
    row: T["row"],
    body: InferObject<S>,
    now: Date,
    context: ChangeContext<T, Related>,
  ) => RootPlan<T["row"], T["change"]> | PlannedRefusal;
}

export function changeEndpoint<T extends RootTypes, S extends ObjectSchema, Related = undefined>(
  services: FamilyServices,
  root: Root<T>,
  route: ChangeRoute<T, S, Related>,
): Endpoint {
  const { summary, body, example, errors = [], stepUp, frozen } = route;
  const { module, policy } = root;
  const frozenErrors = frozen ? ["SYSTEM_MAINTENANCE"] as const : [];
  return commandEndpoint({
    contract: {
      summary,
      body: bodyOf(body, example),
      stepUp,
      responses: { 200: { data: root.schema } },
      errors: ["RECORD_NOT_FOUND", "REVISION_CONFLICT", ...errors, ...frozenErrors],
    },
    body: route.bodyIsOptional ? "optional-json" : "json",
    parse: (call): T["key"] => readOnlyKey(call, root.keyNames),
    async handle(call) {
      const { now, parsed: key } = call;
      const sent = readBody(body, call.body);
      const { expectedRevision } = sent as { expectedRevision?: number };
      const command = commandOf(call, { module, policy, target: ownIdOf(key), frozen });
      const { result, replayed } = await changeRoot<T, Related>(services, root, command, {
        key,
        expectedRevision,
        check: () => route.check?.(sent, now),
        related: relatedOf(route, sent, call),
        decide: (row, related) => route.decide(row, sent, now, { call, related }),
        options: route.options?.(call),
      });
      return replying(ok(result), replayed);
    },
  });
}

interface ArchiveRoutes {
  /** Such as "garden". */
  readonly noun: string;
  readonly frozen?: boolean;
  /** Further errors of a restoration, for example if another object took its name. */
  readonly restoration?: {
    readonly errors: readonly ErrorCode[];
    readonly options: () => WriteOptions;
  };
}

const ARCHIVE_BODY = { expectedRevision: optional(revision) };

/** POST of `archive` and of `restore`; repeating them has no effect. */
export function archiveEndpoints<T extends RootTypes & { readonly row: ArchivableRow }>(
  services: FamilyServices,
  root: Root<T>,
  { noun, frozen, restoration }: ArchiveRoutes,
): { readonly archive: Endpoint; readonly restore: Endpoint } {
  const move = (
    summary: string,
    next: (row: T["row"], now: Date) => RootPlan<T["row"], never>,
    more: ArchiveRoutes["restoration"] = undefined,
  ) =>
    changeEndpoint(services, root, {
      summary,
      ...more,
      body: ARCHIVE_BODY,
      example: {},
      bodyIsOptional: true,
      frozen,
      decide: (row, _body, now) => next(row, now),
    });
  return {
    archive: move(`Archive a ${noun}`, archived),
    restore: move(`Restore an archived ${noun}`, restored, restoration),
  };
}

const DETAIL_QUERY = { revision: optional(revision) };

interface DetailRoute extends RouteText {
  /** True if it accepts `revision=N` and responds with an entity tag; default: false. */
  readonly revisions?: boolean;
}

/** GET of one root, current or at a revision. */
export function detailEndpoint<T extends RootTypes>(
  services: Pick<FamilyServices, "database">,
  root: Root<T>,
  { summary, errors = [], revisions = false }: DetailRoute,
): Endpoint {
  const { show, showRevision = show } = root;
  const query: typeof DETAIL_QUERY | Record<never, never> = revisions ? DETAIL_QUERY : {};
  const data = root.schema;
  return rowEndpoint(services, {
    contract: {
      summary,
      ...(revisions && { query: DETAIL_QUERY, headers: ["If-None-Match"] }),
      responses: revisions
        ? { 200: { data, headers: ["ETag"] }, 304: { headers: ["ETag"] } }
        : { 200: { data } },
      errors: ["RECORD_NOT_FOUND", ...errors],
    },
    parse(call) {
      const { revision }: { revision?: number } = readQuery(query, call.query);
      const key: T["key"] = readKey(call, root.keyNames);
      return { key, revision };
    },
    find(sql, { parsed: { key, revision }, caller }): Query<T["row"]> {
      const owner = caller.account.accountId;
      return revision === undefined
        ? root.find(sql, owner, key)
        : root.findAt(sql, owner, key, revision);
    },
    show(row, { parsed: { revision }, caller, request }) {
      const shown = revision === undefined ? show(row, caller) : showRevision(row, caller);
      if (!revisions) return ok(shown);
      const isRedacted = "redacted" in shown;
      return okUnlessKnown(request, shown, { revision: row.revision, isRedacted });
    },
  });
}
