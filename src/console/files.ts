import appJs from "./web/app.js" with { type: "text" };
import coreActJs from "./web/core/act.js" with { type: "text" };
import coreApiJs from "./web/core/api.js" with { type: "text" };
import coreAskJs from "./web/core/ask.js" with { type: "text" };
import coreAskLeaveJs from "./web/core/ask_leave.js" with { type: "text" };
import coreAskPasswordJs from "./web/core/ask_password.js" with { type: "text" };
import coreBackOffJs from "./web/core/back_off.js" with { type: "text" };
import coreCatalogJs from "./web/core/catalog.js" with { type: "text" };
import coreChangesJs from "./web/core/changes.js" with { type: "text" };
import coreCheckedDownloadJs from "./web/core/checked_download.js" with { type: "text" };
import coreDomJs from "./web/core/dom.js" with { type: "text" };
import coreDraftsJs from "./web/core/drafts.js" with { type: "text" };
import coreFrameJs from "./web/core/frame.js" with { type: "text" };
import coreKeysJs from "./web/core/keys.js" with { type: "text" };
import coreMemoryDraftsJs from "./web/core/memory_drafts.js" with { type: "text" };
import coreMemoryWritingJs from "./web/core/memory_writing.js" with { type: "text" };
import coreNotLoadedJs from "./web/core/not_loaded.js" with { type: "text" };
import coreNumbersJs from "./web/core/numbers.js" with { type: "text" };
import coreOutboxJs from "./web/core/outbox.js" with { type: "text" };
import corePictureJs from "./web/core/picture.js" with { type: "text" };
import corePicturesJs from "./web/core/pictures.js" with { type: "text" };
import coreQrPictureJs from "./web/core/qr_picture.js" with { type: "text" };
import coreReadAllJs from "./web/core/read_all.js" with { type: "text" };
import coreRepeatableJs from "./web/core/repeatable.js" with { type: "text" };
import coreSessionJs from "./web/core/session.js" with { type: "text" };
import coreSignInAgainJs from "./web/core/sign_in_again.js" with { type: "text" };
import coreSignOutJs from "./web/core/sign_out.js" with { type: "text" };
import coreSignedInJs from "./web/core/signed_in.js" with { type: "text" };
import coreStepUpJs from "./web/core/step_up.js" with { type: "text" };
import coreTextJs from "./web/core/text.js" with { type: "text" };
import coreUnkeptJs from "./web/core/unkept.js" with { type: "text" };
import coreUnkeptListJs from "./web/core/unkept_list.js" with { type: "text" };
import coreUnsentJs from "./web/core/unsent.js" with { type: "text" };
import coreUnsentStorageJs from "./web/core/unsent_storage.js" with { type: "text" };
import coreUnsettledJs from "./web/core/unsettled.js" with { type: "text" };
import coreUploadJs from "./web/core/upload.js" with { type: "text" };
import coreVisitJs from "./web/core/visit.js" with { type: "text" };
import coreWritingJs from "./web/core/writing.js" with { type: "text" };
import coreWrittenJs from "./web/core/written.js" with { type: "text" };
import fieldsCatalogFieldJs from "./web/fields/catalog_field.js" with { type: "text" };
import fieldsChangedTextJs from "./web/fields/changed_text.js" with { type: "text" };
import fieldsChoiceJs from "./web/fields/choice.js" with { type: "text" };
import fieldsComparedFieldJs from "./web/fields/compared_field.js" with { type: "text" };
import fieldsDifferencesJs from "./web/fields/differences.js" with { type: "text" };
import fieldsExplainedJs from "./web/fields/explained.js" with { type: "text" };
import fieldsFieldJs from "./web/fields/field.js" with { type: "text" };
import fieldsFileJs from "./web/fields/file.js" with { type: "text" };
import fieldsFiltersJs from "./web/fields/filters.js" with { type: "text" };
import fieldsFormJs from "./web/fields/form.js" with { type: "text" };
import fieldsGroupsJs from "./web/fields/groups.js" with { type: "text" };
import fieldsLineJs from "./web/fields/line.js" with { type: "text" };
import fieldsMemoryComparedJs from "./web/fields/memory_compared.js" with { type: "text" };
import fieldsMemoryFieldsJs from "./web/fields/memory_fields.js" with { type: "text" };
import fieldsMomentJs from "./web/fields/moment.js" with { type: "text" };
import fieldsSavedFileJs from "./web/fields/saved_file.js" with { type: "text" };
import fieldsSavingJs from "./web/fields/saving.js" with { type: "text" };
import fieldsSeveralJs from "./web/fields/several.js" with { type: "text" };
import fieldsShownFileJs from "./web/fields/shown_file.js" with { type: "text" };
import fieldsShownOnceJs from "./web/fields/shown_once.js" with { type: "text" };
import fieldsShownTimeJs from "./web/fields/shown_time.js" with { type: "text" };
import fieldsShownValueJs from "./web/fields/shown_value.js" with { type: "text" };
import fieldsTagsJs from "./web/fields/tags.js" with { type: "text" };
import fieldsTextJs from "./web/fields/text.js" with { type: "text" };
import fieldsTextsJs from "./web/fields/texts.js" with { type: "text" };
import fieldsValuesListJs from "./web/fields/values_list.js" with { type: "text" };
import iconSvg from "./web/icon.svg" with { type: "text" };
import indexHtml from "./web/index.html" with { type: "text" };
import langDeJs from "./web/lang/de.js" with { type: "text" };
import langDeAccountJs from "./web/lang/de/account.js" with { type: "text" };
import langDeDecisionsJs from "./web/lang/de/decisions.js" with { type: "text" };
import langDeFailuresJs from "./web/lang/de/failures.js" with { type: "text" };
import langDeHomeJs from "./web/lang/de/home.js" with { type: "text" };
import langDeLabelsJs from "./web/lang/de/labels.js" with { type: "text" };
import langDeMemoriesJs from "./web/lang/de/memories.js" with { type: "text" };
import langDePeopleJs from "./web/lang/de/people.js" with { type: "text" };
import langDeProfileJs from "./web/lang/de/profile.js" with { type: "text" };
import langDeRecordsJs from "./web/lang/de/records.js" with { type: "text" };
import langDeResourcesJs from "./web/lang/de/resources.js" with { type: "text" };
import langDeUnkeptJs from "./web/lang/de/unkept.js" with { type: "text" };
import langEnJs from "./web/lang/en.js" with { type: "text" };
import langEnAccountJs from "./web/lang/en/account.js" with { type: "text" };
import langEnDecisionsJs from "./web/lang/en/decisions.js" with { type: "text" };
import langEnFailuresJs from "./web/lang/en/failures.js" with { type: "text" };
import langEnHomeJs from "./web/lang/en/home.js" with { type: "text" };
import langEnMemoriesJs from "./web/lang/en/memories.js" with { type: "text" };
import langEnPeopleJs from "./web/lang/en/people.js" with { type: "text" };
import langEnProfileJs from "./web/lang/en/profile.js" with { type: "text" };
import langEnRecordsJs from "./web/lang/en/records.js" with { type: "text" };
import langEnResourcesJs from "./web/lang/en/resources.js" with { type: "text" };
import langEnUnkeptJs from "./web/lang/en/unkept.js" with { type: "text" };
import logicAccessEventsJs from "./web/logic/access_events.js" with { type: "text" };
import logicAddressesJs from "./web/logic/addresses.js" with { type: "text" };
import logicAnalysisFormJs from "./web/logic/analysis_form.js" with { type: "text" };
import logicBarPictureJs from "./web/logic/bar_picture.js" with { type: "text" };
import logicDueJs from "./web/logic/due.js" with { type: "text" };
import logicFiltersJs from "./web/logic/filters.js" with { type: "text" };
import logicFormValuesJs from "./web/logic/form_values.js" with { type: "text" };
import logicLabelsJs from "./web/logic/labels.js" with { type: "text" };
import logicLinePictureJs from "./web/logic/line_picture.js" with { type: "text" };
import logicLocalTimeJs from "./web/logic/local_time.js" with { type: "text" };
import logicMarksJs from "./web/logic/marks.js" with { type: "text" };
import logicMemoryContentJs from "./web/logic/memory_content.js" with { type: "text" };
import logicMergeJs from "./web/logic/merge.js" with { type: "text" };
import logicQrCodeJs from "./web/logic/qr_code.js" with { type: "text" };
import logicQrGridJs from "./web/logic/qr_grid.js" with { type: "text" };
import logicReliabilityPictureJs from "./web/logic/reliability_picture.js" with { type: "text" };
import logicRequestKeyJs from "./web/logic/request_key.js" with { type: "text" };
import logicScalesJs from "./web/logic/scales.js" with { type: "text" };
import logicSequenceDiffJs from "./web/logic/sequence_diff.js" with { type: "text" };
import logicShapesJs from "./web/logic/shapes.js" with { type: "text" };
import logicSimulationFormJs from "./web/logic/simulation_form.js" with { type: "text" };
import logicStatedTimeJs from "./web/logic/stated_time.js" with { type: "text" };
import logicTimeAxisJs from "./web/logic/time_axis.js" with { type: "text" };
import logicTimelinePictureJs from "./web/logic/timeline_picture.js" with { type: "text" };
import logicTokenPresetsJs from "./web/logic/token_presets.js" with { type: "text" };
import logicUlidJs from "./web/logic/ulid.js" with { type: "text" };
import logicUnsentWordsJs from "./web/logic/unsent_words.js" with { type: "text" };
import logicWeekJs from "./web/logic/week.js" with { type: "text" };
import logicWordDiffJs from "./web/logic/word_diff.js" with { type: "text" };
import pagesJs from "./web/pages.js" with { type: "text" };
import pagesAboutJs from "./web/pages/about.js" with { type: "text" };
import pagesAccountJs from "./web/pages/account.js" with { type: "text" };
import pagesAccountExportJs from "./web/pages/account_export.js" with { type: "text" };
import pagesAccountImportJs from "./web/pages/account_import.js" with { type: "text" };
import pagesAskDiscardJs from "./web/pages/ask_discard.js" with { type: "text" };
import pagesAuditJs from "./web/pages/audit.js" with { type: "text" };
import pagesBackupStateJs from "./web/pages/backup_state.js" with { type: "text" };
import pagesCaptureBoxJs from "./web/pages/capture_box.js" with { type: "text" };
import pagesClientTextJs from "./web/pages/client_text.js" with { type: "text" };
import pagesCompareFormJs from "./web/pages/compare_form.js" with { type: "text" };
import pagesConflictJs from "./web/pages/conflict.js" with { type: "text" };
import pagesDecisionsAnalysisViewJs from "./web/pages/decisions/analysis_view.js" with {
  type: "text",
};
import pagesDecisionsCalibrationJs from "./web/pages/decisions/calibration.js" with {
  type: "text",
};
import pagesDecisionsComputedPartsJs from "./web/pages/decisions/computed_parts.js" with {
  type: "text",
};
import pagesDecisionsDecisionJs from "./web/pages/decisions/decision.js" with { type: "text" };
import pagesDecisionsDecisionPathsJs from "./web/pages/decisions/decision_paths.js" with {
  type: "text",
};
import pagesDecisionsFormJs from "./web/pages/decisions/form.js" with { type: "text" };
import pagesDecisionsHistoryJs from "./web/pages/decisions/history.js" with { type: "text" };
import pagesDecisionsKindsJs from "./web/pages/decisions/kinds.js" with { type: "text" };
import pagesDecisionsListJs from "./web/pages/decisions/list.js" with { type: "text" };
import pagesDecisionsSimulationViewJs from "./web/pages/decisions/simulation_view.js" with {
  type: "text",
};
import pagesDecisionsThingJs from "./web/pages/decisions/thing.js" with { type: "text" };
import pagesDecisionsThingFormJs from "./web/pages/decisions/thing_form.js" with { type: "text" };
import pagesDecisionsThingsJs from "./web/pages/decisions/things.js" with { type: "text" };
import pagesDecisionsWrittenAnalysisJs from "./web/pages/decisions/written_analysis.js" with {
  type: "text",
};
import pagesDecisionsWrittenSimulationJs from "./web/pages/decisions/written_simulation.js" with {
  type: "text",
};
import pagesDeviceSettingsJs from "./web/pages/device_settings.js" with { type: "text" };
import pagesDraftsJs from "./web/pages/drafts.js" with { type: "text" };
import pagesDueListJs from "./web/pages/due_list.js" with { type: "text" };
import pagesExportJs from "./web/pages/export.js" with { type: "text" };
import pagesFamilyExportsJs from "./web/pages/family_exports.js" with { type: "text" };
import pagesFilesJs from "./web/pages/files.js" with { type: "text" };
import pagesFormPartsJs from "./web/pages/form_parts.js" with { type: "text" };
import pagesHealthPicturesJs from "./web/pages/health_pictures.js" with { type: "text" };
import pagesHistoryJs from "./web/pages/history.js" with { type: "text" };
import pagesHistoryPageJs from "./web/pages/history_page.js" with { type: "text" };
import pagesHomeJs from "./web/pages/home.js" with { type: "text" };
import pagesListPageJs from "./web/pages/list_page.js" with { type: "text" };
import pagesMemoriesFormJs from "./web/pages/memories/form.js" with { type: "text" };
import pagesMemoriesHeadJs from "./web/pages/memories/head.js" with { type: "text" };
import pagesMemoriesHistoryJs from "./web/pages/memories/history.js" with { type: "text" };
import pagesMemoriesListJs from "./web/pages/memories/list.js" with { type: "text" };
import pagesMemoriesMemoryJs from "./web/pages/memories/memory.js" with { type: "text" };
import pagesMemoriesModelJs from "./web/pages/memories/model.js" with { type: "text" };
import pagesMemoriesPrivacyJs from "./web/pages/memories/privacy.js" with { type: "text" };
import pagesMemoriesSlicesJs from "./web/pages/memories/slices.js" with { type: "text" };
import pagesMemoryExportJs from "./web/pages/memory_export.js" with { type: "text" };
import pagesNotFoundJs from "./web/pages/not_found.js" with { type: "text" };
import pagesPartExportJs from "./web/pages/part_export.js" with { type: "text" };
import pagesPasswordFormJs from "./web/pages/password_form.js" with { type: "text" };
import pagesPeopleEntryControlsJs from "./web/pages/people/entry_controls.js" with { type: "text" };
import pagesPeopleEntryFormJs from "./web/pages/people/entry_form.js" with { type: "text" };
import pagesPeopleEntryLineJs from "./web/pages/people/entry_line.js" with { type: "text" };
import pagesPeopleEvaluationJs from "./web/pages/people/evaluation.js" with { type: "text" };
import pagesPeopleFormJs from "./web/pages/people/form.js" with { type: "text" };
import pagesPeopleHistoryJs from "./web/pages/people/history.js" with { type: "text" };
import pagesPeopleLedgerJs from "./web/pages/people/ledger.js" with { type: "text" };
import pagesPeopleLedgersJs from "./web/pages/people/ledgers.js" with { type: "text" };
import pagesPeopleListJs from "./web/pages/people/list.js" with { type: "text" };
import pagesPeopleMovesJs from "./web/pages/people/moves.js" with { type: "text" };
import pagesPeoplePersonJs from "./web/pages/people/person.js" with { type: "text" };
import pagesPeoplePersonPathsJs from "./web/pages/people/person_paths.js" with { type: "text" };
import pagesPeopleTimelineJs from "./web/pages/people/timeline.js" with { type: "text" };
import pagesPrintJs from "./web/pages/print.js" with { type: "text" };
import pagesProfileCompareJs from "./web/pages/profile/compare.js" with { type: "text" };
import pagesProfileComparisonJs from "./web/pages/profile/comparison.js" with { type: "text" };
import pagesProfileFormJs from "./web/pages/profile/form.js" with { type: "text" };
import pagesProfileHistoryJs from "./web/pages/profile/history.js" with { type: "text" };
import pagesProfileLegacyJs from "./web/pages/profile/legacy.js" with { type: "text" };
import pagesProfileLegacyFormJs from "./web/pages/profile/legacy_form.js" with { type: "text" };
import pagesProfileLegacyPlanJs from "./web/pages/profile/legacy_plan.js" with { type: "text" };
import pagesProfilePartFormJs from "./web/pages/profile/part_form.js" with { type: "text" };
import pagesProfilePartListJs from "./web/pages/profile/part_list.js" with { type: "text" };
import pagesProfilePartsJs from "./web/pages/profile/parts.js" with { type: "text" };
import pagesProfileProfileJs from "./web/pages/profile/profile.js" with { type: "text" };
import pagesProfilePublicJs from "./web/pages/profile/public.js" with { type: "text" };
import pagesProfileReadingJs from "./web/pages/profile/reading.js" with { type: "text" };
import pagesProfileSnapshotJs from "./web/pages/profile/snapshot.js" with { type: "text" };
import pagesProfileStageJs from "./web/pages/profile/stage.js" with { type: "text" };
import pagesRecordJs from "./web/pages/record.js" with { type: "text" };
import pagesRecordFiltersJs from "./web/pages/record_filters.js" with { type: "text" };
import pagesRecordFormJs from "./web/pages/record_form.js" with { type: "text" };
import pagesRecordsJs from "./web/pages/records.js" with { type: "text" };
import pagesResourcesFormJs from "./web/pages/resources/form.js" with { type: "text" };
import pagesResourcesHistoryJs from "./web/pages/resources/history.js" with { type: "text" };
import pagesResourcesListJs from "./web/pages/resources/list.js" with { type: "text" };
import pagesResourcesNetworkJs from "./web/pages/resources/network.js" with { type: "text" };
import pagesResourcesOverloadJs from "./web/pages/resources/overload.js" with { type: "text" };
import pagesResourcesOverloadAnalysisJs from "./web/pages/resources/overload_analysis.js" with {
  type: "text",
};
import pagesResourcesResourceJs from "./web/pages/resources/resource.js" with { type: "text" };
import pagesResourcesResourcePathsJs from "./web/pages/resources/resource_paths.js" with {
  type: "text",
};
import pagesResourcesSnapshotFormJs from "./web/pages/resources/snapshot_form.js" with {
  type: "text",
};
import pagesResourcesSnapshotsJs from "./web/pages/resources/snapshots.js" with { type: "text" };
import pagesRootPartsJs from "./web/pages/root_parts.js" with { type: "text" };
import pagesSearchJs from "./web/pages/search.js" with { type: "text" };
import pagesSecondFactorJs from "./web/pages/second_factor.js" with { type: "text" };
import pagesSessionsJs from "./web/pages/sessions.js" with { type: "text" };
import pagesSetUpJs from "./web/pages/set_up.js" with { type: "text" };
import pagesSignInJs from "./web/pages/sign_in.js" with { type: "text" };
import pagesTagsAssignmentsJs from "./web/pages/tags/assignments.js" with { type: "text" };
import pagesTagsCategoryFormJs from "./web/pages/tags/category_form.js" with { type: "text" };
import pagesTagsFormJs from "./web/pages/tags/form.js" with { type: "text" };
import pagesTagsHistoryJs from "./web/pages/tags/history.js" with { type: "text" };
import pagesTagsListJs from "./web/pages/tags/list.js" with { type: "text" };
import pagesTagsSearchBoxJs from "./web/pages/tags/search_box.js" with { type: "text" };
import pagesTagsTagPathsJs from "./web/pages/tags/tag_paths.js" with { type: "text" };
import pagesTagsTermJs from "./web/pages/tags/term.js" with { type: "text" };
import pagesTagsTermActsJs from "./web/pages/tags/term_acts.js" with { type: "text" };
import pagesTagsTermLineJs from "./web/pages/tags/term_line.js" with { type: "text" };
import pagesTokenFormJs from "./web/pages/token_form.js" with { type: "text" };
import pagesTokensJs from "./web/pages/tokens.js" with { type: "text" };
import pagesUnsentLinesJs from "./web/pages/unsent_lines.js" with { type: "text" };
import pagesUnsentNoteJs from "./web/pages/unsent_note.js" with { type: "text" };
import pagesWeekJs from "./web/pages/week.js" with { type: "text" };
import pagesWritingFormJs from "./web/pages/writing_form.js" with { type: "text" };
import styleBaseCss from "./web/style/base.css" with { type: "text" };
import styleFormsCss from "./web/style/forms.css" with { type: "text" };
import stylePrintCss from "./web/style/print.css" with { type: "text" };
import styleTokensCss from "./web/style/tokens.css" with { type: "text" };
import themeJs from "./web/theme.js" with { type: "text" };

/** Every file of `web/`, imported by its name so that a compiled program carries it. */
export const FILES = {
  "app.js": appJs,
  "core/act.js": coreActJs,
  "core/api.js": coreApiJs,
  "core/ask.js": coreAskJs,
  "core/ask_leave.js": coreAskLeaveJs,
  "core/ask_password.js": coreAskPasswordJs,
  "core/back_off.js": coreBackOffJs,
  "core/catalog.js": coreCatalogJs,
  "core/changes.js": coreChangesJs,
  "core/checked_download.js": coreCheckedDownloadJs,
  "core/dom.js": coreDomJs,
  "core/drafts.js": coreDraftsJs,
  "core/frame.js": coreFrameJs,
  "core/keys.js": coreKeysJs,
  "core/memory_drafts.js": coreMemoryDraftsJs,
  "core/memory_writing.js": coreMemoryWritingJs,
  "core/not_loaded.js": coreNotLoadedJs,
  "core/numbers.js": coreNumbersJs,
  "core/outbox.js": coreOutboxJs,
  "core/picture.js": corePictureJs,
  "core/pictures.js": corePicturesJs,
  "core/qr_picture.js": coreQrPictureJs,
  "core/read_all.js": coreReadAllJs,
  "core/repeatable.js": coreRepeatableJs,
  "core/session.js": coreSessionJs,
  "core/sign_in_again.js": coreSignInAgainJs,
  "core/sign_out.js": coreSignOutJs,
  "core/signed_in.js": coreSignedInJs,
  "core/step_up.js": coreStepUpJs,
  "core/text.js": coreTextJs,
  "core/unkept.js": coreUnkeptJs,
  "core/unkept_list.js": coreUnkeptListJs,
  "core/unsent.js": coreUnsentJs,
  "core/unsent_storage.js": coreUnsentStorageJs,
  "core/unsettled.js": coreUnsettledJs,
  "core/upload.js": coreUploadJs,
  "core/visit.js": coreVisitJs,
  "core/writing.js": coreWritingJs,
  "core/written.js": coreWrittenJs,
  "fields/catalog_field.js": fieldsCatalogFieldJs,
  "fields/changed_text.js": fieldsChangedTextJs,
  "fields/choice.js": fieldsChoiceJs,
  "fields/compared_field.js": fieldsComparedFieldJs,
  "fields/differences.js": fieldsDifferencesJs,
  "fields/explained.js": fieldsExplainedJs,
  "fields/field.js": fieldsFieldJs,
  "fields/file.js": fieldsFileJs,
  "fields/filters.js": fieldsFiltersJs,
  "fields/form.js": fieldsFormJs,
  "fields/groups.js": fieldsGroupsJs,
  "fields/line.js": fieldsLineJs,
  "fields/memory_compared.js": fieldsMemoryComparedJs,
  "fields/memory_fields.js": fieldsMemoryFieldsJs,
  "fields/moment.js": fieldsMomentJs,
  "fields/saved_file.js": fieldsSavedFileJs,
  "fields/saving.js": fieldsSavingJs,
  "fields/several.js": fieldsSeveralJs,
  "fields/shown_file.js": fieldsShownFileJs,
  "fields/shown_once.js": fieldsShownOnceJs,
  "fields/shown_time.js": fieldsShownTimeJs,
  "fields/shown_value.js": fieldsShownValueJs,
  "fields/tags.js": fieldsTagsJs,
  "fields/text.js": fieldsTextJs,
  "fields/texts.js": fieldsTextsJs,
  "fields/values_list.js": fieldsValuesListJs,
  "icon.svg": iconSvg,
  "index.html": indexHtml,
  "lang/de.js": langDeJs,
  "lang/de/account.js": langDeAccountJs,
  "lang/de/decisions.js": langDeDecisionsJs,
  "lang/de/failures.js": langDeFailuresJs,
  "lang/de/home.js": langDeHomeJs,
  "lang/de/labels.js": langDeLabelsJs,
  "lang/de/memories.js": langDeMemoriesJs,
  "lang/de/people.js": langDePeopleJs,
  "lang/de/profile.js": langDeProfileJs,
  "lang/de/records.js": langDeRecordsJs,
  "lang/de/resources.js": langDeResourcesJs,
  "lang/de/unkept.js": langDeUnkeptJs,
  "lang/en.js": langEnJs,
  "lang/en/account.js": langEnAccountJs,
  "lang/en/decisions.js": langEnDecisionsJs,
  "lang/en/failures.js": langEnFailuresJs,
  "lang/en/home.js": langEnHomeJs,
  "lang/en/memories.js": langEnMemoriesJs,
  "lang/en/people.js": langEnPeopleJs,
  "lang/en/profile.js": langEnProfileJs,
  "lang/en/records.js": langEnRecordsJs,
  "lang/en/resources.js": langEnResourcesJs,
  "lang/en/unkept.js": langEnUnkeptJs,
  "logic/access_events.js": logicAccessEventsJs,
  "logic/addresses.js": logicAddressesJs,
  "logic/analysis_form.js": logicAnalysisFormJs,
  "logic/bar_picture.js": logicBarPictureJs,
  "logic/due.js": logicDueJs,
  "logic/filters.js": logicFiltersJs,
  "logic/form_values.js": logicFormValuesJs,
  "logic/labels.js": logicLabelsJs,
  "logic/line_picture.js": logicLinePictureJs,
  "logic/local_time.js": logicLocalTimeJs,
  "logic/marks.js": logicMarksJs,
  "logic/memory_content.js": logicMemoryContentJs,
  "logic/merge.js": logicMergeJs,
  "logic/qr_code.js": logicQrCodeJs,
  "logic/qr_grid.js": logicQrGridJs,
  "logic/reliability_picture.js": logicReliabilityPictureJs,
  "logic/request_key.js": logicRequestKeyJs,
  "logic/scales.js": logicScalesJs,
  "logic/sequence_diff.js": logicSequenceDiffJs,
  "logic/shapes.js": logicShapesJs,
  "logic/simulation_form.js": logicSimulationFormJs,
  "logic/stated_time.js": logicStatedTimeJs,
  "logic/time_axis.js": logicTimeAxisJs,
  "logic/timeline_picture.js": logicTimelinePictureJs,
  "logic/token_presets.js": logicTokenPresetsJs,
  "logic/ulid.js": logicUlidJs,
  "logic/unsent_words.js": logicUnsentWordsJs,
  "logic/week.js": logicWeekJs,
  "logic/word_diff.js": logicWordDiffJs,
  "pages.js": pagesJs,
  "pages/about.js": pagesAboutJs,
  "pages/account.js": pagesAccountJs,
  "pages/account_export.js": pagesAccountExportJs,
  "pages/account_import.js": pagesAccountImportJs,
  "pages/ask_discard.js": pagesAskDiscardJs,
  "pages/audit.js": pagesAuditJs,
  "pages/backup_state.js": pagesBackupStateJs,
  "pages/capture_box.js": pagesCaptureBoxJs,
  "pages/client_text.js": pagesClientTextJs,
  "pages/compare_form.js": pagesCompareFormJs,
  "pages/conflict.js": pagesConflictJs,
  "pages/decisions/analysis_view.js": pagesDecisionsAnalysisViewJs,
  "pages/decisions/calibration.js": pagesDecisionsCalibrationJs,
  "pages/decisions/computed_parts.js": pagesDecisionsComputedPartsJs,
  "pages/decisions/decision.js": pagesDecisionsDecisionJs,
  "pages/decisions/decision_paths.js": pagesDecisionsDecisionPathsJs,
  "pages/decisions/form.js": pagesDecisionsFormJs,
  "pages/decisions/history.js": pagesDecisionsHistoryJs,
  "pages/decisions/kinds.js": pagesDecisionsKindsJs,
  "pages/decisions/list.js": pagesDecisionsListJs,
  "pages/decisions/simulation_view.js": pagesDecisionsSimulationViewJs,
  "pages/decisions/thing.js": pagesDecisionsThingJs,
  "pages/decisions/thing_form.js": pagesDecisionsThingFormJs,
  "pages/decisions/things.js": pagesDecisionsThingsJs,
  "pages/decisions/written_analysis.js": pagesDecisionsWrittenAnalysisJs,
  "pages/decisions/written_simulation.js": pagesDecisionsWrittenSimulationJs,
  "pages/device_settings.js": pagesDeviceSettingsJs,
  "pages/drafts.js": pagesDraftsJs,
  "pages/due_list.js": pagesDueListJs,
  "pages/export.js": pagesExportJs,
  "pages/family_exports.js": pagesFamilyExportsJs,
  "pages/files.js": pagesFilesJs,
  "pages/form_parts.js": pagesFormPartsJs,
  "pages/health_pictures.js": pagesHealthPicturesJs,
  "pages/history.js": pagesHistoryJs,
  "pages/history_page.js": pagesHistoryPageJs,
  "pages/home.js": pagesHomeJs,
  "pages/list_page.js": pagesListPageJs,
  "pages/memories/form.js": pagesMemoriesFormJs,
  "pages/memories/head.js": pagesMemoriesHeadJs,
  "pages/memories/history.js": pagesMemoriesHistoryJs,
  "pages/memories/list.js": pagesMemoriesListJs,
  "pages/memories/memory.js": pagesMemoriesMemoryJs,
  "pages/memories/model.js": pagesMemoriesModelJs,
  "pages/memories/privacy.js": pagesMemoriesPrivacyJs,
  "pages/memories/slices.js": pagesMemoriesSlicesJs,
  "pages/memory_export.js": pagesMemoryExportJs,
  "pages/not_found.js": pagesNotFoundJs,
  "pages/part_export.js": pagesPartExportJs,
  "pages/password_form.js": pagesPasswordFormJs,
  "pages/people/entry_controls.js": pagesPeopleEntryControlsJs,
  "pages/people/entry_form.js": pagesPeopleEntryFormJs,
  "pages/people/entry_line.js": pagesPeopleEntryLineJs,
  "pages/people/evaluation.js": pagesPeopleEvaluationJs,
  "pages/people/form.js": pagesPeopleFormJs,
  "pages/people/history.js": pagesPeopleHistoryJs,
  "pages/people/ledger.js": pagesPeopleLedgerJs,
  "pages/people/ledgers.js": pagesPeopleLedgersJs,
  "pages/people/list.js": pagesPeopleListJs,
  "pages/people/moves.js": pagesPeopleMovesJs,
  "pages/people/person.js": pagesPeoplePersonJs,
  "pages/people/person_paths.js": pagesPeoplePersonPathsJs,
  "pages/people/timeline.js": pagesPeopleTimelineJs,
  "pages/print.js": pagesPrintJs,
  "pages/profile/compare.js": pagesProfileCompareJs,
  "pages/profile/comparison.js": pagesProfileComparisonJs,
  "pages/profile/form.js": pagesProfileFormJs,
  "pages/profile/history.js": pagesProfileHistoryJs,
  "pages/profile/legacy.js": pagesProfileLegacyJs,
  "pages/profile/legacy_form.js": pagesProfileLegacyFormJs,
  "pages/profile/legacy_plan.js": pagesProfileLegacyPlanJs,
  "pages/profile/part_form.js": pagesProfilePartFormJs,
  "pages/profile/part_list.js": pagesProfilePartListJs,
  "pages/profile/parts.js": pagesProfilePartsJs,
  "pages/profile/profile.js": pagesProfileProfileJs,
  "pages/profile/public.js": pagesProfilePublicJs,
  "pages/profile/reading.js": pagesProfileReadingJs,
  "pages/profile/snapshot.js": pagesProfileSnapshotJs,
  "pages/profile/stage.js": pagesProfileStageJs,
  "pages/record.js": pagesRecordJs,
  "pages/record_filters.js": pagesRecordFiltersJs,
  "pages/record_form.js": pagesRecordFormJs,
  "pages/records.js": pagesRecordsJs,
  "pages/resources/form.js": pagesResourcesFormJs,
  "pages/resources/history.js": pagesResourcesHistoryJs,
  "pages/resources/list.js": pagesResourcesListJs,
  "pages/resources/network.js": pagesResourcesNetworkJs,
  "pages/resources/overload.js": pagesResourcesOverloadJs,
  "pages/resources/overload_analysis.js": pagesResourcesOverloadAnalysisJs,
  "pages/resources/resource.js": pagesResourcesResourceJs,
  "pages/resources/resource_paths.js": pagesResourcesResourcePathsJs,
  "pages/resources/snapshot_form.js": pagesResourcesSnapshotFormJs,
  "pages/resources/snapshots.js": pagesResourcesSnapshotsJs,
  "pages/root_parts.js": pagesRootPartsJs,
  "pages/search.js": pagesSearchJs,
  "pages/second_factor.js": pagesSecondFactorJs,
  "pages/sessions.js": pagesSessionsJs,
  "pages/set_up.js": pagesSetUpJs,
  "pages/sign_in.js": pagesSignInJs,
  "pages/tags/assignments.js": pagesTagsAssignmentsJs,
  "pages/tags/category_form.js": pagesTagsCategoryFormJs,
  "pages/tags/form.js": pagesTagsFormJs,
  "pages/tags/history.js": pagesTagsHistoryJs,
  "pages/tags/list.js": pagesTagsListJs,
  "pages/tags/search_box.js": pagesTagsSearchBoxJs,
  "pages/tags/tag_paths.js": pagesTagsTagPathsJs,
  "pages/tags/term.js": pagesTagsTermJs,
  "pages/tags/term_acts.js": pagesTagsTermActsJs,
  "pages/tags/term_line.js": pagesTagsTermLineJs,
  "pages/token_form.js": pagesTokenFormJs,
  "pages/tokens.js": pagesTokensJs,
  "pages/unsent_lines.js": pagesUnsentLinesJs,
  "pages/unsent_note.js": pagesUnsentNoteJs,
  "pages/week.js": pagesWeekJs,
  "pages/writing_form.js": pagesWritingFormJs,
  "style/base.css": styleBaseCss,
  "style/forms.css": styleFormsCss,
  "style/print.css": stylePrintCss,
  "style/tokens.css": styleTokensCss,
  "theme.js": themeJs,
} as const;
