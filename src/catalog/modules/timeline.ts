import type { JsonObject } from "../../core/json.ts";
import { datetime, feature, select, text, textarea } from "../fields.ts";
import type { CatalogModule, PolicyContext } from "../module.ts";
import { PayloadView } from "../payload_view.ts";
import { forbiddenWhen, normalisation, ordered, requiredWhen, rule } from "../rules.ts";
import { TIME_PRECISIONS } from "../time_precisions.ts";

/** Events of a life, dated as precisely as the owner knows. */
export const TIMELINE: CatalogModule = {
  code: "timeline",
  prefix: "TIM",
  group: "Experience and archive",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("eventType", [
      "BIRTH",
      "EDUCATION",
      "WORK",
      "RELATIONSHIP",
      "FAMILY",
      "HEALTH",
      "TRAVEL",
      "RESIDENCE",
      "ACHIEVEMENT",
      "LOSS",
      "MILESTONE",
      "OTHER",
    ], { required: true }),
    text("eventTitle", { required: true }),
    textarea("eventDescription", { required: true, sensitive: true }),
    datetime("startAt"),
    datetime("endAt"),
    select("timePrecision", TIME_PRECISIONS, { required: true }),
    text("timeText"),
    text("location"),
  ],
  times: ["startAt", "endAt"],
  rules: [
    rule(
      "timeline.start_at_not_after_end_at",
      "startAt <= endAt when both are set",
      ordered("startAt", "endAt"),
    ),
    rule(
      "timeline.precise_time_requires_start_at",
      "timePrecision EXACT or DAY requires startAt",
      requiredWhen("startAt", { field: "timePrecision", options: ["EXACT", "DAY"] }),
    ),
    rule(
      "timeline.unknown_time_forbids_start_at",
      "timePrecision UNKNOWN forbids startAt",
      forbiddenWhen("startAt", "time", { field: "timePrecision", options: ["UNKNOWN"] }),
    ),
    normalisation(
      "timeline.change_to_unknown_removes_start_at",
      "a change to UNKNOWN removes startAt in the same request",
      ["timePrecision", "startAt"],
    ),
  ],
  example: { startAt: "1999-07-01T12:00:00+02:00[Europe/Berlin]" },
  features: [
    feature("TIM-001", "life event", "record", "V1.0"),
    feature("TIM-002", "fuzzy time expression", "record", "V1.0"),
    feature("TIM-003", "event ordering", "record", "V1.0"),
    feature("TIM-004", "location association", "record", "V1.0"),
    feature("TIM-005", "life timeline view", "record", "V2.0"),
    feature("TIM-006", "life gap filling", "record", "V2.0"),
    feature("TIM-007", "disputed event handling", "record", "V2.0"),
    feature("TIM-008", "public timeline", "publish", "V3.0"),
  ],
  normalise: removeUnknownStart,
};

/** If a request sets both, it contradicts itself and is rejected. */
function removeUnknownStart(payload: JsonObject, { set }: PolicyContext): JsonObject {
  const becomesUnknown = set.has("timePrecision") &&
    new PayloadView(payload).text("timePrecision") === "UNKNOWN";
  if (!becomesUnknown || set.has("startAt")) return payload;
  const { startAt: _removed, ...rest } = payload;
  return rest;
}
