import { FIELD_LIMITS } from "../field_types.ts";
import { distinctTexts, isLongerThan } from "../../validate/text.ts";
import { datetime, feature, select, tags, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { listSatisfies, ordered, rule } from "../rules.ts";

const BUILT = {
  status: "implemented_local",
  dedicatedCode: "IDENTITY_DEDICATED_ENDPOINT_REQUIRED",
} as const;

/** The owner's current identity, private and public. */
export const IDENTITY: CatalogModule = {
  code: "identity",
  prefix: "IDN",
  group: "Self and identity",
  completion: "implemented_local",
  access: {
    createCode: "IDENTITY_DEDICATED_ENDPOINT_REQUIRED",
    changeCode: "IDENTITY_DEDICATED_ENDPOINT_REQUIRED",
    readPermission: "identity.read",
    typedCode: "IDENTITY_DEDICATED_ENDPOINT_REQUIRED",
  },
  fields: [
    text("displayName", { required: true }),
    text("currentRole"),
    select("lifeStage", [
      "CHILDHOOD",
      "ADOLESCENCE",
      "EARLY_ADULTHOOD",
      "ADULTHOOD",
      "MIDLIFE",
      "LATER_LIFE",
      "TRANSITION",
      "OTHER",
    ]),
    datetime("startedAt"),
    datetime("endedAt"),
    textarea("biography"),
    textarea("publicSummary"),
    tags("tags", { distinct: true }),
  ],
  times: ["startedAt", "endedAt"],
  rules: [
    rule(
      "identity.started_at_not_after_ended_at",
      "startedAt <= endedAt when both are set",
      ordered("startedAt", "endedAt"),
    ),
    rule(
      "identity.tags_limits",
      "tags: at most 50, each 1..64 code points, de-duplicated",
      listSatisfies("tags", areWithinLimits),
    ),
  ],
  features: [
    feature("IDN-001", "current identity profile", "record", "V1.0", BUILT),
    feature("IDN-002", "life-stage management", "record", "V1.0", BUILT),
    feature("IDN-003", "role-change history", "snapshot", "V1.0", BUILT),
    feature("IDN-004", "past-self snapshot", "record", "V1.0", BUILT),
    feature("IDN-005", "identity version comparison", "compare", "V2.0", BUILT),
    feature("IDN-006", "public identity view", "publish", "V2.0", BUILT),
    feature("IDN-007", "legacy identity release", "record", "V2.0", {
      ...BUILT,
      annotations: ["EXTERNAL_BLOCKER"],
    }),
    feature("IDN-008", "identity profile import and export", "import", "V3.0", BUILT),
  ],
};

function areWithinLimits(tags: readonly string[]): boolean {
  return tags.length <= FIELD_LIMITS.tags &&
    tags.every((tag) => tag !== "" && !isLongerThan(tag, FIELD_LIMITS.tagLength)) &&
    distinctTexts(tags).length === tags.length;
}
