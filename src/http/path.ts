import { isUlid } from "../core/ids.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { readQuery, refuseQuery, revision } from "../validate/schema.ts";
import type { Call } from "./route.ts";

/**
 * Reads an identifier from the path. A wrong `memoryId` violates the rule `memory_id.format`.
 *
 * @param name The segment's name in the route table.
 * @throws ServiceError `PAYLOAD_INVALID` unless it is a canonical ULID.
 */
export function readPathId({ params }: Pick<Call, "params">, name: string): string {
  const id = params[name] ?? "";
  if (isUlid(id)) return id;
  throw payloadInvalid([`${toSnakeCase(name)}.format`]);
}

/** As `readPathId`, for a route without query parameters. */
export function readOnlyPathId(call: Pick<Call, "params" | "query">, name: string): string {
  refuseQuery(call.query);
  return readPathId(call, name);
}

/** @throws ServiceError `PAYLOAD_INVALID` unless it is a revision number. */
export function readPathRevision({ params }: Pick<Call, "params">): number {
  const text = new URLSearchParams({ revision: params.revision ?? "" });
  return readQuery({ revision }, text).revision;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
