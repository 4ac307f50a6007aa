import { isUlid } from "../../core/ids.ts";
import { FIELD_LIMITS } from "../field_types.ts";
import { datetime, feature, files, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { MODULE_CODES } from "../module_codes.ts";
import { listSatisfies, notInTheFuture, requiredWhen, rule, textSatisfies } from "../rules.ts";

/** The inbox: quick notes, and their destination. */
export const CAPTURE: CatalogModule = {
  code: "capture",
  prefix: "CAP",
  group: "Experience and archive",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("contentType", ["TEXT", "LINK", "IMAGE", "AUDIO", "VIDEO", "FILE", "LOCATION"], {
      required: true,
    }),
    textarea("originalContent", { required: true, sensitive: true }),
    text("targetModule", { required: true }),
    select("sourceApp", [
      "MOBILE",
      "WEB",
      "SHARE_SHEET",
      "BROWSER_EXTENSION",
      "EMAIL",
      "WATCH",
      "API",
      "OTHER",
    ]),
    datetime("capturedAt", { required: true }),
    files("attachmentIds", { distinct: true }),
    select("routeStatus", ["INBOX", "SUGGESTED", "CONFIRMED", "ROUTED", "DISMISSED"], {
      required: true,
    }),
    text("deduplicationKey"),
  ],
  times: ["capturedAt"],
  rules: [
    rule(
      "capture.target_module_is_another_module",
      "targetModule is a catalog module code other than capture",
      textSatisfies("targetModule", (code) => code !== "capture" && MODULE_CODES.includes(code)),
    ),
    rule(
      "capture.attachment_required",
      "contentType IMAGE, AUDIO, VIDEO and FILE require at least one attachmentIds entry " +
        "unless routeStatus is INBOX",
      requiredWhen("attachmentIds", {
        field: "contentType",
        options: ["IMAGE", "AUDIO", "VIDEO", "FILE"],
      }, { field: "routeStatus", options: ["INBOX"] }),
    ),
    rule(
      "capture.attachment_ids_limits",
      "attachmentIds: at most 20 canonical ULIDs of stored attachments of the same owner, " +
        "de-duplicated",
      listSatisfies("attachmentIds", areWithinLimits),
    ),
    rule(
      "capture.captured_at_not_in_the_future",
      "capturedAt is at most 5 minutes in the future",
      notInTheFuture("capturedAt"),
    ),
  ],
  example: { targetModule: "knowledge" },
  features: [
    feature("CAP-001", "unified inbox", "record", "V1.0"),
    feature("CAP-002", "thirty-second text capture", "import", "V1.0"),
    feature("CAP-003", "system share intake", "record", "V1.0"),
    feature("CAP-004", "offline draft", "record", "V1.0"),
    feature("CAP-005", "voice quick capture", "import", "V2.0"),
    feature("CAP-006", "image scene capture", "import", "V2.0"),
    feature("CAP-007", "capture routing confirmation", "import", "V2.0"),
    feature("CAP-008", "capture idempotent dedup", "import", "V3.0"),
  ],
};

function areWithinLimits(ids: readonly string[]): boolean {
  return ids.length <= FIELD_LIMITS.files && ids.every(isUlid) &&
    new Set(ids).size === ids.length;
}
