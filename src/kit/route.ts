import type { StepUpPurpose } from "../access/step_up.ts";
import type { JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { bodyOf, type Contract } from "../http/contract.ts";
import { readPathId } from "../http/path.ts";
import { created, type DataReply, replying } from "../http/reply.ts";
import type { CheckedCall, SignedInCall } from "../http/route.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { type InferObject, type ObjectSchema, refuseQuery } from "../validate/schema.ts";
import type { ReadRelated, RootPath, RootResult, RootTypes, WriteOptions } from "./write.ts";

export interface RouteText {
  readonly summary: string;
  readonly errors?: readonly ErrorCode[];
  /** See `Contract.stepUp`. */
  readonly stepUp?: StepUpPurpose;
}

export interface BodyRoute<S extends ObjectSchema> extends RouteText {
  readonly body: S;
  readonly example: JsonObject;
  /** True if the maintenance window freezes it; default: false. */
  readonly frozen?: boolean | undefined;
}

export function readKey<Name extends string>(
  call: Pick<SignedInCall, "params">,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const ids = names.map((name) => [name, readPathId(call, name)]);
  return Object.fromEntries(ids) as Record<Name, string>;
}

export function readOnlyKey<Name extends string>(
  call: Pick<SignedInCall, "params" | "query">,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  refuseQuery(call.query);
  return readKey(call, names);
}

export function ownIdOf(key: RootPath): string {
  return Object.values(key).at(-1) ?? "";
}

/** The contract of a route that creates something below its path. */
export function creationContract<S extends ObjectSchema>(
  { summary, body, example, frozen, errors = [], stepUp }: BodyRoute<S>,
  schema: JsonSchema,
): Contract {
  return {
    summary,
    body: bodyOf(body, example),
    stepUp,
    responses: { 201: { data: schema } },
    errors: frozen ? [...errors, "SYSTEM_MAINTENANCE"] : errors,
  };
}

/** 201 with the created object, whose address is below the request's path. */
export function creationReply(
  path: string,
  { result, id, replayed }: RootResult<unknown>,
): DataReply {
  return replying(created(result, `${path}/${id}`), replayed);
}

export interface ChangeContext<T extends RootTypes, Related> {
  readonly call: CheckedCall<T["key"]>;
  readonly related: Related;
}

export interface StoredRoute<T extends RootTypes, S extends ObjectSchema, Related> {
  /** Must be pure. Rejects a request that is invalid without stored state. */
  readonly check?: (body: InferObject<S>, now: Date) => void;
  readonly related?: (
    sql: Sql,
    row: T["row"],
    body: InferObject<S>,
    call: CheckedCall<T["key"]>,
  ) => Promise<Related>;
  readonly options?: (call: CheckedCall<T["key"]>) => WriteOptions;
}

export function relatedOf<T extends RootTypes, S extends ObjectSchema, Related>(
  { related }: StoredRoute<T, S, Related>,
  body: InferObject<S>,
  call: CheckedCall<T["key"]>,
): ReadRelated<T["row"], Related> | undefined {
  return related && ((sql, row) => related(sql, row, body, call));
}
