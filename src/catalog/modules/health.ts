import { isUlid } from "../../core/ids.ts";
import { isLongerThan } from "../../validate/text.ts";
import { datetime, feature, number, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { notInTheFuture, rule, textSatisfies } from "../rules.ts";

const MAX_UNIT_LENGTH = 32;

/** Single measurements of the body and of well-being. */
export const HEALTH: CatalogModule = {
  code: "health",
  prefix: "HLT",
  group: "Action and growth",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("metricType", [
      "SLEEP_DURATION",
      "WEIGHT",
      "HEART_RATE",
      "RESTING_HEART_RATE",
      "BLOOD_PRESSURE_SYSTOLIC",
      "BLOOD_PRESSURE_DIASTOLIC",
      "BLOOD_GLUCOSE",
      "OXYGEN_SATURATION",
      "BODY_TEMPERATURE",
      "STEPS",
      "EXERCISE_DURATION",
      "MOOD",
      "ENERGY",
      "PAIN",
      "CUSTOM",
    ], { required: true }),
    number("value", { required: true, minimum: -1_000_000_000, maximum: 1_000_000_000 }),
    text("unit", { required: true }),
    datetime("measuredAt", { required: true }),
    text("sourceDevice"),
    select("quality", ["MEASURED", "SELF_REPORTED", "ESTIMATED", "IMPORTED", "SUSPECT"], {
      required: true,
    }),
    textarea("notes", { sensitive: true }),
    text("experimentId"),
  ],
  times: ["measuredAt"],
  measure: { field: "value", kind: "metricType", unit: "unit" },
  rules: [
    rule(
      "health.measured_at_not_in_the_future",
      "measuredAt is at most 5 minutes in the future",
      notInTheFuture("measuredAt"),
    ),
    rule(
      "health.unit_length",
      "unit is required and 1..32 code points",
      textSatisfies("unit", (unit) => unit !== "" && !isLongerThan(unit, MAX_UNIT_LENGTH)),
    ),
    rule(
      "health.experiment_id_is_ulid",
      "experimentId, when set, is a canonical ULID",
      textSatisfies("experimentId", isUlid),
    ),
  ],
  features: [
    feature("HLT-001", "health record", "record", "V1.0"),
    feature("HLT-002", "sleep import", "import", "V1.0", { annotations: ["EXTERNAL_BLOCKER"] }),
    feature("HLT-003", "exercise import", "import", "V1.0", { annotations: ["EXTERNAL_BLOCKER"] }),
    feature("HLT-004", "heart-rate import", "import", "V1.0", {
      annotations: ["EXTERNAL_BLOCKER"],
    }),
    feature("HLT-005", "health trend", "record", "V2.0"),
    feature("HLT-006", "health experiment", "record", "V2.0"),
    feature("HLT-007", "health-behavior correlation", "record", "V2.0"),
    feature("HLT-008", "privacy export", "export", "V3.0"),
  ],
};
