import { isJsonObject } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { SIGNED_CURSOR } from "../../http/signed_page.ts";
import {
  boolean,
  checkObject,
  describeObject,
  distinctIdentifiers,
  type InferObject,
  oneOf,
  optional,
  type Schema,
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
  cursor: SIGNED_CURSOR,
};
export type ExportBody = InferObject<typeof EXPORT_BODY>;

/**
 * @throws ServiceError `PAYLOAD_INVALID` for identifiers combined with a filter, or a wrong range.
 */
export function checkExportBody({ memoryIds, filter }: ExportBody): void {
  if (memoryIds !== undefined && filter !== undefined) {
    throw payloadInvalid(["export.ids_or_filter"], ["memoryIds", "filter"]);
  }
  assertOrdered(filter ?? {});
}
