import { isJsonObject, type JsonValue } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import {
  boolean,
  checkObject,
  describeObject,
  distinctIdentifiers,
  type InferObject,
  oneOf,
  optional,
  readBody,
  type Schema,
  string,
} from "../../validate/schema.ts";
import { MEMORY_EXPORT_FORMATS } from "./export_format.ts";
import { assertOrdered, MEMORY_FILTER, type MemoryFilter } from "./memory_schema.ts";

/** Maximum identifiers in an export; more do not fit a body. */
const MAX_EXPORTED_IDS = 10_000;

const filter: Schema<MemoryFilter> = {
  check(value, field, violations) {
    if (!isJsonObject(value)) return violations.add("field.type", field);
    return checkObject(MEMORY_FILTER, value, violations);
  },
  json: describeObject(MEMORY_FILTER),
};

export const EXPORT_BODY = {
  format: oneOf(...MEMORY_EXPORT_FORMATS),
  memoryIds: optional(distinctIdentifiers(MAX_EXPORTED_IDS)),
  filter: optional(filter),
  includeSecret: optional(boolean),
  cursor: optional(string({ maximum: 1024 })),
};
export type ExportBody = InferObject<typeof EXPORT_BODY>;

/** @throws ServiceError `PAYLOAD_INVALID`, also for identifiers combined with a filter. */
export function readExportBody(sent: JsonValue): ExportBody {
  const body = readBody(EXPORT_BODY, sent);
  if (body.memoryIds !== undefined && body.filter !== undefined) {
    throw payloadInvalid(["export.ids_or_filter"], ["memoryIds", "filter"]);
  }
  assertOrdered(body.filter ?? {});
  return body;
}
