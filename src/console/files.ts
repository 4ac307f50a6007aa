import appJs from "./web/app.js" with { type: "text" };
import coreActJs from "./web/core/act.js" with { type: "text" };
import coreAnnounceJs from "./web/core/announce.js" with { type: "text" };
import coreApiJs from "./web/core/api.js" with { type: "text" };
import coreAskPasswordJs from "./web/core/ask_password.js" with { type: "text" };
import coreCatalogJs from "./web/core/catalog.js" with { type: "text" };
import coreCheckedDownloadJs from "./web/core/checked_download.js" with { type: "text" };
import coreDomJs from "./web/core/dom.js" with { type: "text" };
import coreDraftsJs from "./web/core/drafts.js" with { type: "text" };
import coreFrameJs from "./web/core/frame.js" with { type: "text" };
import coreRecordWritingJs from "./web/core/record_writing.js" with { type: "text" };
import coreSessionJs from "./web/core/session.js" with { type: "text" };
import coreSignInAgainJs from "./web/core/sign_in_again.js" with { type: "text" };
import coreStepUpJs from "./web/core/step_up.js" with { type: "text" };
import coreTextJs from "./web/core/text.js" with { type: "text" };
import coreUploadJs from "./web/core/upload.js" with { type: "text" };
import coreVisitJs from "./web/core/visit.js" with { type: "text" };
import fieldsCatalogFieldJs from "./web/fields/catalog_field.js" with { type: "text" };
import fieldsChangedTextJs from "./web/fields/changed_text.js" with { type: "text" };
import fieldsChoiceJs from "./web/fields/choice.js" with { type: "text" };
import fieldsFieldJs from "./web/fields/field.js" with { type: "text" };
import fieldsFileJs from "./web/fields/file.js" with { type: "text" };
import fieldsFormJs from "./web/fields/form.js" with { type: "text" };
import fieldsLinesJs from "./web/fields/lines.js" with { type: "text" };
import fieldsSavedFileJs from "./web/fields/saved_file.js" with { type: "text" };
import fieldsShownOnceJs from "./web/fields/shown_once.js" with { type: "text" };
import fieldsShownValueJs from "./web/fields/shown_value.js" with { type: "text" };
import fieldsTagsJs from "./web/fields/tags.js" with { type: "text" };
import fieldsTextJs from "./web/fields/text.js" with { type: "text" };
import fieldsTimeJs from "./web/fields/time.js" with { type: "text" };
import iconSvg from "./web/icon.svg" with { type: "text" };
import indexHtml from "./web/index.html" with { type: "text" };
import langDeJs from "./web/lang/de.js" with { type: "text" };
import langDeAccountJs from "./web/lang/de/account.js" with { type: "text" };
import langDeDecisionsJs from "./web/lang/de/decisions.js" with { type: "text" };
import langDeHomeJs from "./web/lang/de/home.js" with { type: "text" };
import langDeMemoriesJs from "./web/lang/de/memories.js" with { type: "text" };
import langDePeopleJs from "./web/lang/de/people.js" with { type: "text" };
import langDeProfileJs from "./web/lang/de/profile.js" with { type: "text" };
import langDeRecordsJs from "./web/lang/de/records.js" with { type: "text" };
import langDeResourcesJs from "./web/lang/de/resources.js" with { type: "text" };
import langEnJs from "./web/lang/en.js" with { type: "text" };
import langEnAccountJs from "./web/lang/en/account.js" with { type: "text" };
import langEnDecisionsJs from "./web/lang/en/decisions.js" with { type: "text" };
import langEnHomeJs from "./web/lang/en/home.js" with { type: "text" };
import langEnMemoriesJs from "./web/lang/en/memories.js" with { type: "text" };
import langEnPeopleJs from "./web/lang/en/people.js" with { type: "text" };
import langEnProfileJs from "./web/lang/en/profile.js" with { type: "text" };
import langEnRecordsJs from "./web/lang/en/records.js" with { type: "text" };
import langEnResourcesJs from "./web/lang/en/resources.js" with { type: "text" };
import logicAccessEventsJs from "./web/logic/access_events.js" with { type: "text" };
import logicFormValuesJs from "./web/logic/form_values.js" with { type: "text" };
import logicLabelsJs from "./web/logic/labels.js" with { type: "text" };
import logicLocalTimeJs from "./web/logic/local_time.js" with { type: "text" };
import logicMergeJs from "./web/logic/merge.js" with { type: "text" };
import logicSequenceDiffJs from "./web/logic/sequence_diff.js" with { type: "text" };
import logicTokenPresetsJs from "./web/logic/token_presets.js" with { type: "text" };
import logicWordDiffJs from "./web/logic/word_diff.js" with { type: "text" };
import pagesJs from "./web/pages.js" with { type: "text" };
import pagesAboutJs from "./web/pages/about.js" with { type: "text" };
import pagesAccountJs from "./web/pages/account.js" with { type: "text" };
import pagesAccountExportJs from "./web/pages/account_export.js" with { type: "text" };
import pagesAccountImportJs from "./web/pages/account_import.js" with { type: "text" };
import pagesAuditJs from "./web/pages/audit.js" with { type: "text" };
import pagesBackupStateJs from "./web/pages/backup_state.js" with { type: "text" };
import pagesConflictJs from "./web/pages/conflict.js" with { type: "text" };
import pagesDeviceSettingsJs from "./web/pages/device_settings.js" with { type: "text" };
import pagesDraftsJs from "./web/pages/drafts.js" with { type: "text" };
import pagesExportJs from "./web/pages/export.js" with { type: "text" };
import pagesHistoryJs from "./web/pages/history.js" with { type: "text" };
import pagesHomeJs from "./web/pages/home.js" with { type: "text" };
import pagesMemoryExportJs from "./web/pages/memory_export.js" with { type: "text" };
import pagesPasswordFormJs from "./web/pages/password_form.js" with { type: "text" };
import pagesRecordJs from "./web/pages/record.js" with { type: "text" };
import pagesRecordFormJs from "./web/pages/record_form.js" with { type: "text" };
import pagesRecordsJs from "./web/pages/records.js" with { type: "text" };
import pagesSecondFactorJs from "./web/pages/second_factor.js" with { type: "text" };
import pagesSessionsJs from "./web/pages/sessions.js" with { type: "text" };
import pagesSignInJs from "./web/pages/sign_in.js" with { type: "text" };
import pagesTokenFormJs from "./web/pages/token_form.js" with { type: "text" };
import pagesTokensJs from "./web/pages/tokens.js" with { type: "text" };
import styleBaseCss from "./web/style/base.css" with { type: "text" };
import styleFormsCss from "./web/style/forms.css" with { type: "text" };
import styleHistoryCss from "./web/style/history.css" with { type: "text" };
import styleTokensCss from "./web/style/tokens.css" with { type: "text" };
import themeJs from "./web/theme.js" with { type: "text" };

/** Every file of `web/`, imported by its name so that a compiled program carries it. */
export const FILES = {
  "app.js": appJs,
  "core/act.js": coreActJs,
  "core/announce.js": coreAnnounceJs,
  "core/api.js": coreApiJs,
  "core/ask_password.js": coreAskPasswordJs,
  "core/catalog.js": coreCatalogJs,
  "core/checked_download.js": coreCheckedDownloadJs,
  "core/dom.js": coreDomJs,
  "core/drafts.js": coreDraftsJs,
  "core/frame.js": coreFrameJs,
  "core/record_writing.js": coreRecordWritingJs,
  "core/session.js": coreSessionJs,
  "core/sign_in_again.js": coreSignInAgainJs,
  "core/step_up.js": coreStepUpJs,
  "core/text.js": coreTextJs,
  "core/upload.js": coreUploadJs,
  "core/visit.js": coreVisitJs,
  "fields/catalog_field.js": fieldsCatalogFieldJs,
  "fields/changed_text.js": fieldsChangedTextJs,
  "fields/choice.js": fieldsChoiceJs,
  "fields/field.js": fieldsFieldJs,
  "fields/file.js": fieldsFileJs,
  "fields/form.js": fieldsFormJs,
  "fields/lines.js": fieldsLinesJs,
  "fields/saved_file.js": fieldsSavedFileJs,
  "fields/shown_once.js": fieldsShownOnceJs,
  "fields/shown_value.js": fieldsShownValueJs,
  "fields/tags.js": fieldsTagsJs,
  "fields/text.js": fieldsTextJs,
  "fields/time.js": fieldsTimeJs,
  "icon.svg": iconSvg,
  "index.html": indexHtml,
  "lang/de.js": langDeJs,
  "lang/de/account.js": langDeAccountJs,
  "lang/de/decisions.js": langDeDecisionsJs,
  "lang/de/home.js": langDeHomeJs,
  "lang/de/memories.js": langDeMemoriesJs,
  "lang/de/people.js": langDePeopleJs,
  "lang/de/profile.js": langDeProfileJs,
  "lang/de/records.js": langDeRecordsJs,
  "lang/de/resources.js": langDeResourcesJs,
  "lang/en.js": langEnJs,
  "lang/en/account.js": langEnAccountJs,
  "lang/en/decisions.js": langEnDecisionsJs,
  "lang/en/home.js": langEnHomeJs,
  "lang/en/memories.js": langEnMemoriesJs,
  "lang/en/people.js": langEnPeopleJs,
  "lang/en/profile.js": langEnProfileJs,
  "lang/en/records.js": langEnRecordsJs,
  "lang/en/resources.js": langEnResourcesJs,
  "logic/access_events.js": logicAccessEventsJs,
  "logic/form_values.js": logicFormValuesJs,
  "logic/labels.js": logicLabelsJs,
  "logic/local_time.js": logicLocalTimeJs,
  "logic/merge.js": logicMergeJs,
  "logic/sequence_diff.js": logicSequenceDiffJs,
  "logic/token_presets.js": logicTokenPresetsJs,
  "logic/word_diff.js": logicWordDiffJs,
  "pages.js": pagesJs,
  "pages/about.js": pagesAboutJs,
  "pages/account.js": pagesAccountJs,
  "pages/account_export.js": pagesAccountExportJs,
  "pages/account_import.js": pagesAccountImportJs,
  "pages/audit.js": pagesAuditJs,
  "pages/backup_state.js": pagesBackupStateJs,
  "pages/conflict.js": pagesConflictJs,
  "pages/device_settings.js": pagesDeviceSettingsJs,
  "pages/drafts.js": pagesDraftsJs,
  "pages/export.js": pagesExportJs,
  "pages/history.js": pagesHistoryJs,
  "pages/home.js": pagesHomeJs,
  "pages/memory_export.js": pagesMemoryExportJs,
  "pages/password_form.js": pagesPasswordFormJs,
  "pages/record.js": pagesRecordJs,
  "pages/record_form.js": pagesRecordFormJs,
  "pages/records.js": pagesRecordsJs,
  "pages/second_factor.js": pagesSecondFactorJs,
  "pages/sessions.js": pagesSessionsJs,
  "pages/sign_in.js": pagesSignInJs,
  "pages/token_form.js": pagesTokenFormJs,
  "pages/tokens.js": pagesTokensJs,
  "style/base.css": styleBaseCss,
  "style/forms.css": styleFormsCss,
  "style/history.css": styleHistoryCss,
  "style/tokens.css": styleTokensCss,
  "theme.js": themeJs,
} as const;
