/** Valid and invalid payloads for each rule. */

import type { JsonObject } from "../../../src/core/json.ts";

export const NOW = new Date("2026-11-20T12:00:00.000Z");

export const RECORD_ID = "01JD5A0000000000000000RECD";

const OTHER_ID = "01JD5A000000000000000THERS";
const EARLY = "2020-01-01T00:00:00.000Z";
const LATE = "2020-01-01T00:00:00.001Z";
const LATEST_NOW = "2026-11-20T12:05:00.000Z";
const FUTURE = "2026-11-20T12:05:00.001Z";

/** Only the fields that the rule reads. */
export interface RuleExamples {
  readonly keeps: readonly JsonObject[];
  readonly breaks: readonly JsonObject[];
}

export const RULE_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  "relationship.last_contact_at_not_in_the_future": past("lastContactAt"),

  "commitment.completed_at_requires_completed": {
    keeps: [{ completionStatus: "COMPLETED", completedAt: EARLY }, { completionStatus: "OPEN" }],
    breaks: [
      { completionStatus: "OPEN", completedAt: EARLY },
      { completionStatus: "RENEGOTIATED", completedAt: EARLY },
    ],
  },
  "commitment.completed_at_not_in_the_future": past("completedAt"),

  "identity.started_at_not_after_ended_at": ordered("startedAt", "endedAt"),
  "identity.tags_limits": {
    keeps: [{ tags: [] }, { tags: ["a", "a"] }, { tags: texts(50) }, { tags: ["🙂".repeat(64)] }],
    breaks: [{ tags: texts(51) }, { tags: [""] }, { tags: ["a".repeat(65)] }],
  },

  "constitution.effective_from_before_superseded_at": {
    keeps: [{ effectiveFrom: EARLY, supersededAt: LATE }],
    breaks: [
      { effectiveFrom: LATE, supersededAt: EARLY },
      { effectiveFrom: EARLY, supersededAt: EARLY },
    ],
  },
  "constitution.definition_entry_requires_definition": {
    keeps: [{ entryType: "DEFINITION", definition: "what it means" }, { entryType: "RULE" }],
    breaks: [{ entryType: "DEFINITION" }, { entryType: "DEFINITION", definition: " \n" }],
  },

  "resource.available_not_above_capacity": {
    keeps: [{ available: 2, capacity: 2 }, { available: 2 }, { capacity: 0 }],
    breaks: [{ available: 2.1, capacity: 2 }],
  },
  "resource.level_is_a_percentage": {
    keeps: [{ level: 0 }, { level: 99.5 }, { level: 100 }],
    breaks: [{ level: -0.1 }, { level: 100.1 }],
  },

  "decision.options_are_distinct_texts": {
    keeps: [
      { options: { items: ["a", "b"] } },
      { options: { items: ["a", " a", "b"] } },
      { options: { items: texts(50) } },
      { options: { items: ["🙂".repeat(200), "b"] } },
    ],
    breaks: [
      { options: {} },
      { options: [] },
      { options: ["a", "b"] },
      { options: { items: "ab" } },
      { options: { items: ["a", 1] } },
      { options: { items: ["a", "b"], more: true } },
      { options: { items: ["a"] } },
      { options: { items: ["café", "cafe\u0301 "] } },
      { options: { items: ["a", " "] } },
      { options: { items: ["a", "b".repeat(201)] } },
      { options: { items: texts(51) } },
    ],
  },
  "decision.chosen_option_is_an_option": {
    keeps: [
      { options: { items: ["café", "tea"] }, chosenOption: " cafe\u0301" },
      { options: { items: ["café", "tea"] } },
      { chosenOption: "tea" },
    ],
    breaks: [
      { options: { items: ["café", "tea"] }, chosenOption: "Tea" },
      { options: { items: ["café", "tea"] }, chosenOption: "" },
    ],
  },
  "decision.decided_at_requires_chosen_option": {
    keeps: [{ decidedAt: EARLY, chosenOption: "a" }, { chosenOption: "a" }],
    breaks: [{ decidedAt: EARLY }, { decidedAt: EARLY, chosenOption: " " }],
  },
  "decision.decided_at_not_in_the_future": past("decidedAt"),
  "decision.review_at_not_before_decided_at": ordered("decidedAt", "reviewAt"),

  "health.measured_at_not_in_the_future": past("measuredAt"),
  "health.unit_length": {
    keeps: [{ unit: "k" }, { unit: "🙂".repeat(32) }],
    breaks: [{ unit: "" }, { unit: "k".repeat(33) }],
  },
  "health.experiment_id_is_ulid": identifier("experimentId"),

  "action.parent_id_is_another_ulid": {
    keeps: [{ parentId: OTHER_ID }],
    breaks: [{ parentId: RECORD_ID }, { parentId: "" }, { parentId: OTHER_ID.toLowerCase() }],
  },
  "action.vision_has_no_parent_id": {
    keeps: [{ actionType: "VISION" }, { actionType: "GOAL", parentId: OTHER_ID }],
    breaks: [{ actionType: "VISION", parentId: OTHER_ID }],
  },

  "routine.last_completed_at_not_in_the_future": past("lastCompletedAt"),
  "routine.next_due_at_not_before_last_completed_at": ordered("lastCompletedAt", "nextDueAt"),

  "review.period_start_not_after_period_end": ordered("periodStart", "periodEnd"),
  "review.period_start_not_in_the_future": past("periodStart"),

  "ai_agent.executed_actions_require_approval": {
    keeps: [
      { approvalStatus: "PENDING", executedActions: [] },
      { approvalStatus: "REJECTED", executedActions: {} },
      { approvalStatus: "APPROVED", executedActions: [1] },
      { approvalStatus: "EXPIRED", executedActions: [1] },
      { approvalStatus: "NOT_REQUIRED", executedActions: { send: true } },
    ],
    breaks: [
      { approvalStatus: "PENDING", executedActions: [1] },
      { approvalStatus: "REJECTED", executedActions: { send: true } },
    ],
  },
  "ai_agent.executed_actions_without_credentials": {
    keeps: [{ executedActions: [{ tool: "search", words: ["a"] }] }, { executedActions: {} }],
    breaks: [
      { executedActions: [{ tool: { Api_Key: "x" } }] },
      { executedActions: { note: "Bearer abcdefghijklmnop" } },
    ],
  },

  "personal_model.valid_from_not_after_valid_to": ordered("validFrom", "validTo"),
  "personal_model.evidence_is_disjoint": {
    keeps: [{ evidenceIds: ["a"], counterEvidenceIds: ["b"] }, { evidenceIds: ["a", "a"] }],
    breaks: [{ evidenceIds: ["a", "é"], counterEvidenceIds: ["e\u0301"] }],
  },

  "interview.answered_requires_answer": {
    keeps: [{ interviewStatus: "ANSWERED", answer: "yes" }, { interviewStatus: "ASKED" }],
    breaks: [{ interviewStatus: "ANSWERED" }, { interviewStatus: "CONFIRMED", answer: " " }],
  },
  "interview.asked_at_not_in_the_future": past("askedAt"),

  "memory.precise_time_requires_occurred_at": {
    keeps: [{ timePrecision: "EXACT", occurredAt: EARLY }, { timePrecision: "MONTH" }],
    breaks: [{ timePrecision: "EXACT" }, { timePrecision: "DAY" }],
  },
  "memory.unknown_time_forbids_occurred_at": {
    keeps: [{ timePrecision: "UNKNOWN" }, { timePrecision: "YEAR", occurredAt: EARLY }],
    breaks: [{ timePrecision: "UNKNOWN", occurredAt: EARLY }],
  },
  "memory.life_period_requires_time_text": {
    keeps: [{ timePrecision: "LIFE_PERIOD", timeText: "at school" }, { timePrecision: "YEAR" }],
    breaks: [{ timePrecision: "LIFE_PERIOD" }, { timePrecision: "LIFE_PERIOD", timeText: "" }],
  },
  "memory.occurred_at_not_in_the_future": past("occurredAt"),

  "capture.target_module_is_another_module": {
    keeps: [{ targetModule: "memory" }, { targetModule: "ai-agent" }],
    breaks: [{ targetModule: "capture" }, { targetModule: "" }, { targetModule: "toString" }],
  },
  "capture.attachment_required": {
    keeps: [
      { contentType: "IMAGE", routeStatus: "ROUTED", attachmentIds: [OTHER_ID] },
      { contentType: "IMAGE", routeStatus: "INBOX" },
      { contentType: "TEXT", routeStatus: "ROUTED" },
    ],
    breaks: ["IMAGE", "AUDIO", "VIDEO", "FILE"].flatMap((contentType) => [
      { contentType, routeStatus: "ROUTED" },
      { contentType, routeStatus: "SUGGESTED", attachmentIds: [] },
    ]),
  },
  "capture.attachment_ids_limits": {
    keeps: [{ attachmentIds: [] }, { attachmentIds: [OTHER_ID, OTHER_ID] }],
    breaks: [
      { attachmentIds: [OTHER_ID, "x"] },
      { attachmentIds: Array.from({ length: 21 }, (_, index) => `01JD5A${1e9 + index}0000000000`) },
    ],
  },
  "capture.captured_at_not_in_the_future": past("capturedAt"),

  "timeline.start_at_not_after_end_at": ordered("startAt", "endAt"),
  "timeline.precise_time_requires_start_at": {
    keeps: [{ timePrecision: "DAY", startAt: EARLY }, { timePrecision: "LIFE_PERIOD" }],
    breaks: [{ timePrecision: "EXACT" }, { timePrecision: "DAY" }],
  },
  "timeline.unknown_time_forbids_start_at": {
    keeps: [{ timePrecision: "UNKNOWN" }, { timePrecision: "MONTH", startAt: EARLY }],
    breaks: [{ timePrecision: "UNKNOWN", startAt: EARLY }],
  },

  "knowledge.url_is_a_public_reference": {
    keeps: [{ url: "https://example.org/" }, { url: "doi:10.1000/182" }],
    breaks: [{ url: "https://user@example.org/" }, { url: "javascript:alert(1)" }, { url: "" }],
  },
  "knowledge.published_at_not_in_the_future": past("publishedAt"),

  "media.file_id_is_ulid": identifier("fileId"),
  "media.duration_requires_audio_or_video": {
    keeps: [
      { mediaType: "AUDIO", durationSeconds: 1 },
      { mediaType: "VIDEO", durationSeconds: 0 },
      { mediaType: "PHOTO" },
    ],
    breaks: [
      { mediaType: "PHOTO", durationSeconds: 0 },
      { mediaType: "DOCUMENT", durationSeconds: 1 },
    ],
  },
  "media.recorded_at_not_in_the_future": past("recordedAt"),

  "integration.last_sync_at_not_in_the_future": past("lastSyncAt"),
  "integration.last_sync_at_requires_authorization": {
    keeps: [
      { lastSyncAt: EARLY, authorizationStatus: "AUTHORIZED", importMode: "SCHEDULED" },
      { lastSyncAt: EARLY, authorizationStatus: "EXPIRED", importMode: "SCHEDULED" },
      { lastSyncAt: EARLY, authorizationStatus: "REVOKED", importMode: "CONTINUOUS" },
      { lastSyncAt: EARLY, authorizationStatus: "PENDING", importMode: "MANUAL" },
      { authorizationStatus: "PENDING", importMode: "SCHEDULED" },
    ],
    breaks: [
      { lastSyncAt: EARLY, authorizationStatus: "PENDING", importMode: "SCHEDULED" },
      { lastSyncAt: EARLY, authorizationStatus: "NOT_AUTHORIZED", importMode: "CONTINUOUS" },
    ],
  },
  "integration.mapping_config_without_credentials": {
    keeps: [{ mappingConfig: {} }, { mappingConfig: { heart: ["rate"] } }],
    breaks: [
      { mappingConfig: [] },
      { mappingConfig: { nested: [{ password: "x" }] } },
      { mappingConfig: { url: "https://user:pass@example.org" } },
    ],
  },

  "legacy.sealed_content_required": {
    keeps: [
      { planType: "ENVELOPE", legacyStatus: "SEALED", sealedContent: "dear" },
      { planType: "ENVELOPE", legacyStatus: "DRAFT" },
      { planType: "RECIPIENT", legacyStatus: "SEALED" },
    ],
    breaks: [
      { planType: "ENVELOPE", legacyStatus: "SEALED" },
      { planType: "TIME_CAPSULE", legacyStatus: "ACTIVE", sealedContent: " " },
    ],
  },
  "legacy.release_condition_required": {
    keeps: [
      { planType: "RELEASE", legacyStatus: "ACTIVE", releaseCondition: "when" },
      { planType: "RELEASE", legacyStatus: "DRAFT" },
    ],
    breaks: [{ planType: "RELEASE", legacyStatus: "ACTIVE" }],
  },
  "legacy.drilled_requires_last_drill_at": {
    keeps: [{ legacyStatus: "DRILLED", lastDrillAt: EARLY }, { legacyStatus: "ACTIVE" }],
    breaks: [{ legacyStatus: "DRILLED" }],
  },
  "legacy.last_drill_at_not_in_the_future": past("lastDrillAt"),

  "taxonomy.parent_id_requires_category": {
    keeps: [{ kind: "CATEGORY", parentId: OTHER_ID }, { kind: "TAG" }],
    breaks: [{ kind: "TAG", parentId: OTHER_ID }],
  },
  "taxonomy.color_is_hexadecimal": {
    keeps: [{ color: "#00aaFF" }],
    breaks: [{ color: "" }, { color: "#fff" }, { color: "00aaff" }, { color: "#00aaff " }],
  },

  "community.joined_at_not_after_left_at": ordered("joinedAt", "leftAt"),
  "community.joined_at_not_in_the_future": past("joinedAt"),
  "community.member_ids_are_ulids": {
    keeps: [{ memberIds: [] }, { memberIds: [OTHER_ID, RECORD_ID] }],
    breaks: [{ memberIds: [OTHER_ID, "somebody"] }],
  },

  "place.coordinates_are_complete": {
    keeps: [{ latitude: 0, longitude: 0 }],
    breaks: [{ latitude: 0 }, { longitude: 0 }],
  },
  "place.first_visited_at_not_after_last_visited_at": ordered("firstVisitedAt", "lastVisitedAt"),
  "place.last_visited_at_not_in_the_future": past("lastVisitedAt"),

  "publication.status_requires_times": {
    keeps: [
      { publicationStatus: "DRAFT" },
      { publicationStatus: "PUBLISHED", publishedAt: EARLY },
      { publicationStatus: "REVOKED", publishedAt: EARLY, revokedAt: LATE },
    ],
    breaks: [
      { publicationStatus: "PUBLISHED" },
      { publicationStatus: "REVOKED", publishedAt: EARLY },
      { publicationStatus: "REVOKED", revokedAt: LATE },
    ],
  },
  "publication.published_at_not_after_revoked_at": ordered("publishedAt", "revokedAt"),
};

function past(field: string): RuleExamples {
  return {
    keeps: [{ [field]: EARLY }, { [field]: LATEST_NOW }],
    breaks: [{ [field]: FUTURE }, { [field]: "2026-11-20T13:06:00+01:00" }],
  };
}

function ordered(first: string, last: string): RuleExamples {
  return {
    keeps: [{ [first]: EARLY, [last]: LATE }, { [first]: EARLY, [last]: EARLY }, { [first]: LATE }],
    breaks: [
      { [first]: LATE, [last]: EARLY },
      { [first]: "2020-01-01T01:00:00+01:00", [last]: "2020-01-01T00:30:00+01:00" },
    ],
  };
}

function identifier(field: string): RuleExamples {
  return {
    keeps: [{ [field]: OTHER_ID }],
    breaks: [
      { [field]: "" },
      { [field]: OTHER_ID.toLowerCase() },
      { [field]: `8${OTHER_ID.slice(1)}` },
      { [field]: `${OTHER_ID}0` },
    ],
  };
}

function texts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `text ${index}`);
}
