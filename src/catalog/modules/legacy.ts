import { datetime, feature, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { notInTheFuture, requiredWhen, rule } from "../rules.ts";

const DRAFT = { field: "legacyStatus", options: ["DRAFT"] };

/** The owner's legacy: recipients and conditions. */
export const LEGACY: CatalogModule = {
  code: "legacy",
  prefix: "LEG",
  group: "Public and continuity",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("planType", [
      "DIGITAL_LEGACY",
      "RECIPIENT",
      "ENVELOPE",
      "TIME_CAPSULE",
      "RELEASE",
      "LIFE_BOOK",
    ], { required: true }),
    text("legacyTitle", { required: true }),
    textarea("recipientDescription", { sensitive: true }),
    textarea("releaseCondition", { sensitive: true }),
    textarea("releaseInstructions", { sensitive: true }),
    textarea("sealedContent", { sensitive: true }),
    datetime("lastDrillAt"),
    select("legacyStatus", ["DRAFT", "SEALED", "DRILLED", "ACTIVE", "BLOCKED", "REVOKED"], {
      required: true,
    }),
  ],
  times: ["lastDrillAt"],
  rules: [
    rule(
      "legacy.sealed_content_required",
      "planType ENVELOPE or TIME_CAPSULE requires sealedContent unless legacyStatus is DRAFT",
      requiredWhen(
        "sealedContent",
        { field: "planType", options: ["ENVELOPE", "TIME_CAPSULE"] },
        DRAFT,
      ),
    ),
    rule(
      "legacy.release_condition_required",
      "planType RELEASE requires releaseCondition unless legacyStatus is DRAFT",
      requiredWhen("releaseCondition", { field: "planType", options: ["RELEASE"] }, DRAFT),
    ),
    rule(
      "legacy.drilled_requires_last_drill_at",
      "legacyStatus DRILLED requires lastDrillAt",
      requiredWhen("lastDrillAt", { field: "legacyStatus", options: ["DRILLED"] }),
    ),
    rule(
      "legacy.last_drill_at_not_in_the_future",
      "lastDrillAt is not in the future",
      notInTheFuture("lastDrillAt"),
    ),
  ],
  features: [
    feature("LEG-001", "digital legacy plan", "schedule", "V1.0"),
    feature("LEG-002", "recipient management", "record", "V1.0"),
    feature("LEG-003", "legacy envelope", "record", "V1.0"),
    feature("LEG-004", "time capsule", "record", "V1.0"),
    feature("LEG-005", "release conditions", "record", "V2.0"),
    feature("LEG-006", "multi-person confirmation", "verify", "V2.0"),
    feature("LEG-007", "legacy drill", "verify", "V2.0"),
    feature("LEG-008", "life book", "generate", "V3.0"),
  ],
};
