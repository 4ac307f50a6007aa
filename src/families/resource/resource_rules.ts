import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { newColumns } from "../../kit/fields.ts";
import { firstRevision } from "../../kit/root.ts";
import { RESOURCE_FIELDS, type ResourceRow } from "./resource.ts";

/** @throws ServiceError `PAYLOAD_INVALID` by the module's policy. */
export function decideCreate(body: JsonObject, now: Date): ResourceRow {
  const resource_id = newId(now);
  return {
    resource_id,
    ...firstRevision(now),
    archived_at: null,
    ...newColumns(RESOURCE_FIELDS, body, { now, recordId: resource_id }),
  };
}
