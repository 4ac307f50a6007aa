import { isPublicReference } from "../../validate/public_reference.ts";
import { datetime, feature, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { notInTheFuture, rule, textSatisfies } from "../rules.ts";

/** Sources, read or to be read, with annotations. */
export const KNOWLEDGE: CatalogModule = {
  code: "knowledge",
  prefix: "KNO",
  group: "Experience and archive",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("sourceType", [
      "ARTICLE",
      "BOOK",
      "PAPER",
      "VIDEO",
      "PODCAST",
      "WEBPAGE",
      "NOTE",
      "OTHER",
    ], { required: true }),
    text("url", { required: true, maximumLength: 2048 }),
    text("sourceTitle", { required: true }),
    textarea("snapshot", { sensitive: true }),
    text("author"),
    datetime("publishedAt"),
    textarea("annotation"),
    select("readingStatus", ["UNREAD", "READING", "READ", "REFERENCE", "ABANDONED"], {
      required: true,
    }),
  ],
  times: ["publishedAt"],
  rules: [
    rule(
      "knowledge.url_is_a_public_reference",
      "url is an absolute http, https, urn:, doi: or isbn: reference without user " +
        "information; it is never fetched",
      textSatisfies("url", isPublicReference),
    ),
    rule(
      "knowledge.published_at_not_in_the_future",
      "publishedAt is not in the future",
      notInTheFuture("publishedAt"),
    ),
  ],
  example: { url: "https://example.org/article" },
  features: [
    feature("KNO-001", "link saving", "record", "V1.0"),
    feature("KNO-002", "web snapshot", "record", "V1.0", { annotations: ["EXTERNAL_BLOCKER"] }),
    feature("KNO-003", "source versions", "record", "V1.0"),
    feature("KNO-004", "annotations", "record", "V1.0"),
    feature("KNO-005", "read later", "record", "V2.0"),
    feature("KNO-006", "source change detection", "analyze", "V2.0", {
      annotations: ["EXTERNAL_BLOCKER"],
    }),
    feature("KNO-007", "knowledge graph", "record", "V2.0"),
    feature("KNO-008", "portable archive", "record", "V3.0"),
  ],
};
