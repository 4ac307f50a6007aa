/** English: rules of the service. `fields/refusals.js` explains the shared ones. */

const EMPTY = "Fill this in.";
const REQUEST = "The page sent something that the service does not accept. Reload the page.";
const SECRETS = "Remove passwords, tokens and other secrets.";
const FILES = "Choose at most 20 stored files.";
const TAGS = "At most 50 tags of at most 64 characters each.";
const CHARACTERS = "Some characters cannot be stored. Remove them.";
const RECORD = "Choose a stored record, or enter its identifier of 26 characters.";
const NAME = "This name cannot be used here. Choose another one.";

export default {
  "field.required": EMPTY,
  "field.blank": EMPTY,
  "field.null": EMPTY,
  "field.type": "This field does not accept such a value.",
  "field.integer": "Use a whole number.",
  "field.range": "This number is too small or too large.",
  "field.length": "This is too long or too short.",
  "field.length.most": "At most {length} characters.",
  "field.option": "Choose one of the options.",
  "field.format": "This does not have the required form.",
  "field.identifier": RECORD,
  "field.date": "Use a day that exists, such as 2024-02-29.",
  "field.datetime": "Use a day and a time that exist.",
  "field.repeated": "Something occurs twice. Remove one of them.",
  "field.slug":
    "Use 3 to 64 small letters, digits and hyphens, but not publish, refresh or revoke.",
  "field.tag_length": TAGS,
  "field.tags_count": TAGS,
  "field.files_count": FILES,
  "field.control_character": CHARACTERS,
  "field.unicode": CHARACTERS,
  "field.confirmation": "Confirm it first.",
  "payload.bytes": "All fields together are too long. Shorten the longest.",
  "change.required": "Nothing was changed.",
  "range.order": "Beginning and end, or smallest and largest value, are in the wrong order.",
  "range.length": "The time is too long. Choose fewer days.",
  "due.range": "The time is empty or too long. Choose fewer days.",
  "search.words": "Use 1 to 16 words.",
  "sort.rows": "There are too many entries for this order. Choose another order.",
  "insight.rows": "There are too many values. Choose less time.",
  "account.email": "Use an email address, such as name@example.org.",
  "attachment.exists": "A file is not stored here. Upload it again.",
  "content_digest.mismatch": "The file was damaged on its way. Upload it again.",
  "thumbnail.form": "Use a small WebP, JPEG or PNG picture: at most 512 pixels on a side.",
  "second_factor.code": "The code is wrong. Use the newest code of the app.",
  "passkey.count": "An account has at most {limit} passkeys. Remove one first.",
  "passkey.known": "This passkey is already stored.",
  "feed.count": "You have at most {limit} calendar addresses. End one first.",
  "assistant.count": "You have at most {limit} assistants. End one first.",
  "detail.count": "A person has at most {limit} details. Retract one first.",
  "detail.date":
    "Use a day such as 1984-02-29, a year such as 1984, or --02-29 for a day without a year.",
  "detail.empty": "Fill in at least one field.",
  "detail.property": "Use 1 to 64 letters, digits and hyphens.",
  "detail.yearly": "A year alone cannot return every year.",
  "evidence.record_requires_source_ref": "Choose the record that is the source.",
  "evidence.source_ref_only_of_record": "Only evidence from a record has a source record.",
  "criterion.not_a_key": NAME,
  "option.not_a_key": NAME,
  "option.unknown": "The decision does not have this option. Reload the page.",
  "analysis.scores_fit_criteria": "Give each option a score for each criterion.",
  "analysis.without_weight": "Give at least one criterion a weight above 0.",
  "simulation.draws":
    "This takes too long: use fewer runs or factors, at most {limit} draws in all.",
  "snapshot.has_a_figure": "Fill in at least one figure.",
  "overload_analysis.resources": "An analysis has at most {limit} resources. Archive some first.",
  "overload_analysis.thresholds_ordered": "The warning must not come after the overload.",

  "action.parent_id_is_another_ulid": "Choose another record, not this one.",
  "action.vision_has_no_parent_id": "A vision is not part of anything.",
  "ai_agent.executed_actions_require_approval":
    "Executed actions need an approval, unless none is required.",
  "ai_agent.executed_actions_without_credentials": SECRETS,
  "capture.target_module_is_another_module": "Choose a kind of record other than a capture.",
  "capture.attachment_required":
    "A picture, audio, video or file needs at least one file, unless it is in the inbox.",
  "capture.attachment_ids_limits": FILES,
  "commitment.completed_at_requires_completed": "Only a completed commitment has this time.",
  "constitution.definition_entry_requires_definition": "A definition needs its words.",
  "decision.options_are_distinct_texts":
    "Use 2 to 50 different options of at most 200 characters each.",
  "decision.chosen_option_is_an_option": "Choose one of the decision's options.",
  "decision.decided_at_requires_chosen_option": "Choose the option that you decided for.",
  "decision.review_at_not_before_decided_at": "The review must not be before the decision.",
  "health.unit_length": "A unit has 1 to 32 characters.",
  "identity.tags_limits": TAGS,
  "integration.last_sync_at_requires_authorization":
    "This time needs an authorization, also an ended one, or manual imports.",
  "integration.mapping_config_without_credentials": SECRETS,
  "interview.answered_requires_answer": "An answered question needs its answer.",
  "knowledge.url_is_a_public_reference":
    "Use an address with https:, http:, urn:, doi: or isbn:, without user name or password.",
  "legacy.sealed_content_required":
    "An envelope or a time capsule needs its content, unless it is a draft.",
  "legacy.release_condition_required": "A release needs its condition, unless it is a draft.",
  "legacy.drilled_requires_last_drill_at": "A drilled plan needs the time of its last drill.",
  "media.duration_requires_audio_or_video": "Only audio and video have a length.",
  "memory.occurred_at_means_exact": "A time without a precision is exact.",
  "memory.original_content_never_changes": "The first words stay. Write changes as a new version.",
  "personal_model.evidence_is_disjoint": "The same evidence cannot be for and against.",
  "place.coordinates_are_complete": "Fill in both latitude and longitude, or neither.",
  "publication.status_requires_times":
    "A published entry needs its time. A revoked one needs both times.",
  "resource.available_not_above_capacity": "No more than the capacity can be available.",
  "resource.level_is_a_percentage": "From 0 to 100.",
  "routine.next_due_at_is_derived": "Without a next time, it is counted from the last one.",
  "routine.next_due_at_not_before_last_completed_at":
    "The next time must not be before the last one.",
  "taxonomy.parent_id_requires_category": "Only a category can be part of a category.",
  "taxonomy.color_is_hexadecimal": "Use a colour such as #2f6f4f.",
  "taxonomy.names_are_unique": "Each name and other name is used once.",
  "taxonomy.aliases_are_distinct": "Two other names are the same. Remove one.",
  "taxonomy.no_alias_is_the_name": "An other name is the name itself. Remove it.",
  "timeline.change_to_unknown_removes_start_at": "An unknown time removes the beginning.",

  account: "This is not a whole account file, or it is damaged. Export it again.",
  credential: "This passkey was not accepted. Try again, or use another one.",
  filename: "This file name cannot be used. Rename the file.",
  filter: "A filter does not fit. Remove it.",
  future: "Use a time that is not in the future.",
  identifier: RECORD,
  order: "The end must not be before the beginning.",
  period: "A period of life needs words for the time.",
  precise: "An exact time or day needs its date.",
  proposal: "An assistant cannot propose this.",
  request: REQUEST,
  unknown: "An unknown time has no date. Remove the date.",
};
