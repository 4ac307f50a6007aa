/** The endpoints that every root has alike: each is one value, contract included. */

import type { JsonObject } from "../core/json.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import { bodyOf, type Contract, type RequestHeader } from "../http/contract.ts";
import { okUnlessKnown } from "../http/entity_tag.ts";
import { readPathId } from "../http/path.ts";
import { created, type DataReply, ok, replying } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint, type SignedInCall } from "../http/route.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
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
  changeRoot,
  createRoot,
  createRootBelow,
  type Decision,
  familyCommand,
  type FamilyServices,
  type Made,
  type Root,
  type RootKey,
  type RootTypes,
} from "./write.ts";

/** What a route tells its clients, besides what follows from its kind. */
export interface RouteText {
  readonly summary: string;
  /** Further codes that it answers. */
  readonly errors?: readonly ErrorCode[];
  readonly headers?: readonly RequestHeader[];
}

/** A route that reads a body, with an example of it. */
export interface BodyRoute<S extends ObjectSchema> extends RouteText {
  readonly body: S;
  readonly example: JsonObject;
  /** Whether the maintenance window freezes it; not unless given. */
  readonly frozen?: boolean | undefined;
}

/** Reads the identifiers of a root from the path. */
export function readKey<Name extends string>(
  call: Pick<SignedInCall, "params">,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const ids = names.map((name) => [name, readPathId(call, name)]);
  return Object.fromEntries(ids) as Record<Name, string>;
}

/** Reads the same of a route that takes no query. */
export function readOnlyKey<Name extends string>(
  call: Pick<SignedInCall, "params" | "query">,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  refuseQuery(call.query);
  return readKey(call, names);
}

/** The last identifier of a key, which names its root among all of the owner's. */
export function ownIdOf(key: RootKey): string {
  return Object.values(key).at(-1) ?? "";
}

/** What a route that makes something below the path tells its clients. */
export function creationContract<S extends ObjectSchema>(
  { summary, body, example, frozen, errors = [], headers = [] }: BodyRoute<S>,
  schema: JsonSchema,
): Contract {
  return {
    summary,
    body: bodyOf(body, example),
    headers,
    responses: { 201: { data: schema } },
    errors: frozen ? [...errors, "SYSTEM_MAINTENANCE"] : errors,
  };
}

/** 201 with what was made; it lies below the path of its request. */
export function creationReply(path: string, { answer, id, replayed }: Made<unknown>): DataReply {
  return replying(created(answer, `${path}/${id}`), replayed);
}

/** A route that makes a root of its body alone. */
export interface CreateRoute<T extends RootTypes, S extends ObjectSchema> extends BodyRoute<S> {
  /** Pure. */
  readonly decide: (body: InferObject<S>, now: Date) => T["row"];
}

/** POST of an owner's roots. */
export function createEndpoint<T extends RootTypes, S extends ObjectSchema>(
  services: FamilyServices,
  root: Root<T>,
  route: CreateRoute<T, S>,
): Endpoint {
  const { module, policy } = root;
  return endpoint({
    contract: creationContract(route, root.schema),
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const body = readBody(route.body, call.body);
      const command = familyCommand(call, { module, policy, target: "", frozen: route.frozen });
      const made = await createRoot(services, root, command, () => route.decide(body, call.now));
      return root.keyNames.length === 0
        ? replying(created(made.answer, call.path), made.replayed)
        : creationReply(call.path, made);
    },
  });
}

/** A route that makes a root of its body and of the root that it lies below. */
export interface CreateBelowRoute<P extends RootTypes, T extends RootTypes, S extends ObjectSchema>
  extends BodyRoute<S> {
  /** Pure, given the stored parent; may be called again with a newer one. */
  readonly decide: (parent: P["row"], body: InferObject<S>, now: Date) => T["row"];
}

/** POST of the roots below another root. */
export function createBelowEndpoint<
  P extends RootTypes,
  T extends RootTypes,
  S extends ObjectSchema,
>(
  services: FamilyServices,
  parent: Root<P>,
  root: Root<T>,
  route: CreateBelowRoute<P, T, S>,
): Endpoint {
  const { module, policy } = root;
  const errors = ["RECORD_NOT_FOUND", ...route.errors ?? []] as const;
  return endpoint({
    contract: creationContract({ ...route, errors }, root.schema),
    body: "json",
    parse: (call) => readOnlyKey(call, parent.keyNames),
    async handle(call) {
      const { parsed: key, now } = call;
      const body = readBody(route.body, call.body);
      const options = { module, policy, target: ownIdOf(key), frozen: route.frozen };
      const command = familyCommand(call, options);
      const decide = (row: P["row"]) => route.decide(row, body, now);
      const made = await createRootBelow(services, parent, root, command, key, decide);
      return creationReply(call.path, made);
    },
  });
}

/** A route that changes one root. */
export interface ChangeRoute<T extends RootTypes, S extends ObjectSchema> extends BodyRoute<S> {
  /** Whether a request may come without a body. */
  readonly bodyIsOptional?: true;
  /** Pure. Refuses what needs no stored state to be refused. */
  readonly check?: (body: InferObject<S>, now: Date) => void;
  /** Pure, given the stored root; may be called again with a newer one. */
  readonly decide: (
    row: T["row"],
    body: InferObject<S>,
    now: Date,
    call: CheckedCall<T["key"]>,
  ) => Decision<T["row"], T["change"]>;
}

/** A change of one root, answered by the root as it then is. */
export function changeEndpoint<T extends RootTypes, S extends ObjectSchema>(
  services: FamilyServices,
  root: Root<T>,
  { summary, body, example, errors = [], headers = [], frozen, ...route }: ChangeRoute<T, S>,
): Endpoint {
  const { module, policy } = root;
  const frozenErrors = frozen ? ["SYSTEM_MAINTENANCE"] as const : [];
  return endpoint({
    contract: {
      summary,
      body: bodyOf(body, example),
      headers,
      responses: { 200: { data: root.schema } },
      errors: ["RECORD_NOT_FOUND", "REVISION_CONFLICT", ...errors, ...frozenErrors],
    },
    body: route.bodyIsOptional ? "optional-json" : "json",
    parse: (call): T["key"] => readOnlyKey(call, root.keyNames),
    async handle(call) {
      const { now, parsed: key } = call;
      const sent = readBody(body, call.body);
      const { expectedRevision } = sent as { expectedRevision?: number };
      const command = familyCommand(call, { module, policy, target: ownIdOf(key), frozen });
      const { answer, replayed } = await changeRoot(services, root, command, {
        key,
        expectedRevision,
        check: () => route.check?.(sent, now),
        decide: (row) => route.decide(row, sent, now, call),
      });
      return replying(ok(answer), replayed);
    },
  });
}

const ARCHIVE_BODY = { expectedRevision: optional(revision) };

/** POST of `archive` and of `restore`, both of which may be repeated without effect. */
export function archiveEndpoints<T extends RootTypes & { readonly row: ArchivableRow }>(
  services: FamilyServices,
  root: Root<T>,
  { noun, frozen }: { readonly noun: string; readonly frozen?: boolean },
): { readonly archive: Endpoint; readonly restore: Endpoint } {
  const move = (summary: string, next: (row: T["row"], now: Date) => Decision<T["row"], never>) =>
    changeEndpoint(services, root, {
      summary,
      ...{ body: ARCHIVE_BODY, example: {}, bodyIsOptional: true, frozen },
      decide: (row, _body, now) => next(row, now),
    });
  return {
    archive: move(`Archive a ${noun}`, archived),
    restore: move(`Restore an archived ${noun}`, restored),
  };
}

const DETAIL_QUERY = { revision: optional(revision) };

/** A route that reads one root. */
export interface DetailRoute extends RouteText {
  /** Whether it takes `revision=N` and answers with an entity tag; neither unless given. */
  readonly revisions?: boolean;
}

/** GET of one root, as it is or as a revision left it. */
export function detailEndpoint<T extends RootTypes>(
  { database }: Pick<FamilyServices, "database">,
  root: Root<T>,
  { summary, errors = [], revisions = false }: DetailRoute,
): Endpoint {
  const query: typeof DETAIL_QUERY | Record<never, never> = revisions ? DETAIL_QUERY : {};
  const data = root.schema;
  return endpoint({
    contract: {
      summary,
      ...(revisions && { query: DETAIL_QUERY, headers: ["If-None-Match"] }),
      responses: revisions
        ? { 200: { data, headers: ["ETag"] }, 304: { headers: ["ETag"] } }
        : { 200: { data } },
      errors: ["RECORD_NOT_FOUND", ...errors],
    },
    body: "none",
    parse(call) {
      const { revision }: { revision?: number } = readQuery(query, call.query);
      const key: T["key"] = readKey(call, root.keyNames);
      return { key, revision };
    },
    async handle({ parsed: { key, revision }, identity, request }) {
      const owner = identity.account.accountId;
      const [row] = await database.read((sql) =>
        revision === undefined ? root.find(sql, owner, key) : root.findAt(sql, owner, key, revision)
      );
      if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
      const shown = root.show(row, identity);
      if (!revisions) return ok(shown);
      const isRedacted = "redacted" in shown;
      return okUnlessKnown(request, shown, { revision: row.revision, isRedacted });
    },
  });
}
