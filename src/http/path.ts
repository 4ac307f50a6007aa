import { isUlid } from "../core/ids.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { refuseQuery } from "../validate/schema.ts";
import type { Call } from "./route.ts";

/**
 * Reads an identifier of the path. A wrong `memoryId` breaks the rule `memory_id.format`.
 *
 * @param name The parameter's name in the route table.
 * @throws ServiceError `PAYLOAD_INVALID` unless it is a canonical ULID.
 */
export function readPathId({ params }: Pick<Call, "params">, name: string): string {
  const id = params[name] ?? "";
  if (isUlid(id)) return id;
  throw payloadInvalid([`${toSnakeCase(name)}.format`]);
}

/** Reads the same of a route that takes no query. */
export function readOnlyPathId(call: Pick<Call, "params" | "query">, name: string): string {
  refuseQuery(call.query);
  return readPathId(call, name);
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
