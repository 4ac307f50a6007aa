import { datetime, feature, select, tags, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { ordered, requiredWhen, rule } from "../rules.ts";

const PUBLISHED_AT_REQUIRED = requiredWhen("publishedAt", {
  field: "publicationStatus",
  options: ["PUBLISHED", "REVOKED"],
});

const REVOKED_AT_REQUIRED = requiredWhen("revokedAt", {
  field: "publicationStatus",
  options: ["REVOKED"],
});

/** Texts prepared for others, from the draft to the revocation. */
export const PUBLICATION: CatalogModule = {
  code: "publication",
  prefix: "PUB",
  group: "Public and continuity",
  completion: "partial",
  access: "GENERIC",
  fields: [
    text("publicationTitle", { required: true }),
    select("publicationType", ["ESSAY", "PROFILE", "PROJECT", "TIMELINE", "COLLECTION", "OTHER"], {
      required: true,
    }),
    text("audience"),
    textarea("body", { required: true }),
    tags("sourceRefs"),
    datetime("publishedAt"),
    datetime("revokedAt"),
    select("publicationStatus", ["DRAFT", "REVIEWED", "PUBLISHED", "REVOKED"], { required: true }),
  ],
  times: ["publishedAt", "revokedAt"],
  rules: [
    rule(
      "publication.status_requires_times",
      "PUBLISHED and REVOKED require publishedAt; REVOKED requires revokedAt",
      {
        fields: ["publicationStatus", "publishedAt", "revokedAt"],
        holds: (payload, context) =>
          PUBLISHED_AT_REQUIRED.holds(payload, context) &&
          REVOKED_AT_REQUIRED.holds(payload, context),
      },
    ),
    rule(
      "publication.published_at_not_after_revoked_at",
      "publishedAt <= revokedAt when both are set",
      ordered("publishedAt", "revokedAt"),
    ),
  ],
  features: [
    feature("PUB-001", "publication draft", "record", "V1.0"),
    feature("PUB-002", "redaction", "record", "V1.0"),
    feature("PUB-003", "preview", "record", "V1.0"),
    feature("PUB-004", "publish", "publish", "V2.0"),
    feature("PUB-005", "revoke", "record", "V2.0"),
    feature("PUB-006", "access log", "record", "V2.0"),
    feature("PUB-007", "site feed", "generate", "V3.0"),
    feature("PUB-008", "publication archive", "export", "V3.0"),
  ],
};
