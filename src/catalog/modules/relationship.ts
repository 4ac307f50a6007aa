import { datetime, feature, number, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { notInTheFuture, rule } from "../rules.ts";

/** People, how close they are, and the owner's opinion of them. */
export const RELATIONSHIP: CatalogModule = {
  code: "relationship",
  prefix: "REL",
  group: "People and real-world relations",
  completion: "partial",
  access: {
    createCode: "RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED",
    changeCode: "RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED",
    readPermission: "relationship.person.read",
  },
  fields: [
    // The title of the person's record.
    text("personName", { required: true, sensitive: true, maximumLength: 200 }),
    select("relationshipType", [
      "FAMILY",
      "PARTNER",
      "FRIEND",
      "COLLEAGUE",
      "MENTOR",
      "ACQUAINTANCE",
      "COMMUNITY",
      "PROFESSIONAL",
      "OTHER",
    ], { required: true }),
    number("importance", { required: true, minimum: 1, maximum: 5, integer: true }),
    datetime("lastContactAt"),
    number("desiredContactIntervalDays", { minimum: 1, maximum: 3650, integer: true }),
    textarea("opinion", { sensitive: true }),
    textarea("evidence", { sensitive: true }),
    textarea("counterEvidence", { sensitive: true }),
  ],
  times: ["lastContactAt"],
  rules: [
    rule(
      "relationship.last_contact_at_not_in_the_future",
      "lastContactAt is not in the future",
      notInTheFuture("lastContactAt"),
    ),
  ],
  features: [
    feature("REL-001", "person profile", "record", "V1.0"),
    feature("REL-002", "relationship status", "record", "V1.0"),
    feature("REL-003", "shared experiences", "record", "V1.0"),
    feature("REL-004", "last contact", "record", "V1.0"),
    feature("REL-005", "personal evaluation", "record", "V2.0"),
    feature("REL-006", "evaluation evidence", "record", "V2.0"),
    feature("REL-007", "relationship timeline", "record", "V2.0"),
    feature("REL-008", "relationship maintenance radar", "analyze", "V3.0"),
  ],
};
