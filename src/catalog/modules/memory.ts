import type { JsonObject } from "../../core/json.ts";
import { datetime, feature, number, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { PayloadView } from "../payload_view.ts";
import {
  forbiddenWhen,
  normalisation,
  notInTheFuture,
  requiredWhen,
  rule,
  storageRule,
} from "../rules.ts";
import { TIME_PRECISIONS } from "../time_precisions.ts";

const BUILT = { status: "implemented_local" } as const;

/** Memories in the owner's words, with later additions. */
export const MEMORY: CatalogModule = {
  code: "memory",
  prefix: "MEM",
  group: "Experience and archive",
  completion: "implemented_local",
  access: {
    createCode: "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED",
    changeCode: "MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED",
    readPermission: "memory.read",
  },
  fields: [
    select("memoryType", [
      "EVENT",
      "PERSON",
      "PLACE",
      "FEELING",
      "DREAM",
      "LESSON",
      "STORY",
      "OTHER",
    ], { required: true }),
    textarea("originalContent", { required: true, sensitive: true }),
    textarea("currentContent", { required: true, sensitive: true }),
    datetime("occurredAt"),
    select("timePrecision", TIME_PRECISIONS),
    text("timeText"),
    number("importance", { minimum: 1, maximum: 5, integer: true }),
    textarea("aiDraft", { sensitive: true }),
  ],
  times: ["occurredAt"],
  rules: [
    rule(
      "memory.precise_time_requires_occurred_at",
      "timePrecision EXACT or DAY requires occurredAt",
      requiredWhen("occurredAt", { field: "timePrecision", options: ["EXACT", "DAY"] }),
    ),
    rule(
      "memory.unknown_time_forbids_occurred_at",
      "timePrecision UNKNOWN forbids occurredAt",
      forbiddenWhen("occurredAt", "time", { field: "timePrecision", options: ["UNKNOWN"] }),
    ),
    rule(
      "memory.life_period_requires_time_text",
      "timePrecision LIFE_PERIOD requires timeText",
      requiredWhen("timeText", { field: "timePrecision", options: ["LIFE_PERIOD"] }),
    ),
    rule(
      "memory.occurred_at_not_in_the_future",
      "occurredAt is not in the future",
      notInTheFuture("occurredAt"),
    ),
    normalisation(
      "memory.occurred_at_means_exact",
      "occurredAt without timePrecision means EXACT",
      ["occurredAt", "timePrecision"],
    ),
    storageRule(
      "memory.original_content_never_changes",
      "originalContent never changes after creation",
      ["originalContent"],
    ),
  ],
  features: [
    feature("MEM-001", "create text memory", "record", "V1.0", {
      ...BUILT,
      dedicatedCode: "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("MEM-002", "recoverable memory slice", "snapshot", "V1.0", {
      ...BUILT,
      dedicatedCode: "MEMORY_SLICE_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("MEM-003", "draft autosave", "record", "V1.0", {
      ...BUILT,
      dedicatedCode: "MEMORY_DRAFT_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("MEM-004", "revision history", "snapshot", "V1.0", {
      ...BUILT,
      dedicatedCode: "MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("MEM-005", "original and AI draft separation", "record", "V2.0", {
      ...BUILT,
      dedicatedCode: "MEMORY_AI_DRAFT_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("MEM-006", "fuzzy occurrence time", "record", "V2.0", {
      ...BUILT,
      dedicatedCode: "MEMORY_TIME_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("MEM-007", "privacy level", "record", "V2.0", {
      ...BUILT,
      dedicatedCode: "MEMORY_PRIVACY_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("MEM-008", "Markdown and JSON export", "export", "V3.0", {
      ...BUILT,
      dedicatedCode: "MEMORY_EXPORT_DEDICATED_ENDPOINT_REQUIRED",
    }),
  ],
  normalise: stateExactPrecision,
};

/** A time without a stated precision is exact. */
function stateExactPrecision(payload: JsonObject): JsonObject {
  const view = new PayloadView(payload);
  if (view.time("occurredAt") === undefined || view.has("timePrecision")) return payload;
  return { ...payload, timePrecision: "EXACT" };
}
