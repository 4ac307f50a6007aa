import { isUlid } from "../../core/ids.ts";
import { datetime, feature, number, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { allowedOnlyWhen, notInTheFuture, rule, textSatisfies } from "../rules.ts";

/** Photographs, recordings and documents, with the file they describe. */
export const MEDIA: CatalogModule = {
  code: "media",
  prefix: "MED",
  group: "Experience and archive",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("mediaType", ["PHOTO", "AUDIO", "VIDEO", "DOCUMENT", "OTHER"], { required: true }),
    text("fileId", { required: true, attachment: true }),
    textarea("context"),
    textarea("reason"),
    textarea("description"),
    datetime("recordedAt"),
    number("durationSeconds", { minimum: 0, maximum: 10_000_000 }),
    textarea("transcription", { sensitive: true }),
  ],
  times: ["recordedAt"],
  rules: [
    rule(
      "media.file_id_is_ulid",
      "fileId is a canonical ULID of a stored attachment of the same owner",
      textSatisfies("fileId", isUlid),
    ),
    rule(
      "media.duration_requires_audio_or_video",
      "durationSeconds is allowed only for AUDIO and VIDEO",
      allowedOnlyWhen("durationSeconds", "number", {
        field: "mediaType",
        options: ["AUDIO", "VIDEO"],
      }),
    ),
    rule(
      "media.recorded_at_not_in_the_future",
      "recordedAt is not in the future",
      notInTheFuture("recordedAt"),
    ),
  ],
  features: [
    feature("MED-001", "media upload", "record", "V1.0"),
    feature("MED-002", "photo annotation", "record", "V1.0"),
    feature("MED-003", "audio capture", "import", "V1.0"),
    feature("MED-004", "transcript proofreading", "record", "V1.0", {
      annotations: ["EXTERNAL_BLOCKER"],
    }),
    feature("MED-005", "media integrity", "record", "V2.0"),
    feature("MED-006", "derived media content", "record", "V2.0"),
    feature("MED-007", "hot and cold storage policy", "record", "V2.0"),
    feature("MED-008", "life-logger experiment", "record", "V3.0"),
  ],
};
