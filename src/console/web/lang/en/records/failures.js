/** English: errors of the service, and remedies. Those of sign-in are in the texts of the shell. */

export const failures = {
  RECORD_IDEMPOTENCY_KEY_REQUIRED: "The request was incomplete. Reload the page and try again.",
  FEATURE_MODULE_MISMATCH: "This module doesn't support that. Reload the page.",
  STEP_UP_REQUIRED: "Confirm your password again. A confirmation works once, within five minutes.",
  PRIVACY_DOWNGRADE_FORBIDDEN: "This can't be made less private.",
  SECOND_FACTOR_STATE_CONFLICT:
    "The second factor was turned on or off elsewhere. Reload the page.",
  PASSKEY_STATE_CONFLICT:
    "A passkey can't be used here: the account has none, or the service's address is an IP address.",
  RECORD_MODULE_NOT_FOUND: "This module doesn't exist.",
  RECORD_NOT_FOUND: "This doesn't exist, or it isn't yours.",
  RECORD_ERASED: "The operator of this service erased this. It can't be read again.",
  ATTACHMENT_LOST:
    "The service no longer has this file, or it is damaged. Upload it again, or ask the operator for a backup.",
  ATTACHMENT_CONFLICT: "This file already has a small picture.",
  FEATURE_NOT_FOUND: "The service doesn't support this.",
  REVISION_CONFLICT:
    "This was changed elsewhere. Nothing was overwritten. Open it to merge both versions.",
  RELATIONSHIP_STATUS_CONFLICT:
    "The person's status doesn't allow this. A sealed person accepts no more entries.",
  RELATIONSHIP_ENTRY_CONFLICT:
    "This entry was already replaced or retracted. Reload the page to see the newest one.",
  RELATIONSHIP_PROPOSAL_CONFLICT: "This proposal was already answered, or it has expired.",
  RELATIONSHIP_PROPOSAL_STALE:
    "The entries that this proposal is based on have changed. Request a new one.",
  PROPOSAL_STATE_CONFLICT:
    "This proposal was decided already, has expired, or its record has changed since.",
  TAXONOMY_TAG_NAME_CONFLICT:
    "A tag with this name already exists. Choose another name, or use that tag.",
  TAXONOMY_CATEGORY_NAME_CONFLICT:
    "A category with this name already exists. Choose another name, or use that category.",
  TAXONOMY_CATEGORY_PARENT_INVALID: "This category can't be the parent. Choose an active one.",
  TAXONOMY_CATEGORY_CYCLE: "A category can't be below itself. Choose another parent.",
  TAXONOMY_CATEGORY_DEPTH_EXCEEDED: "Categories have at most eight levels. Choose a higher parent.",
  ACCOUNT_STORAGE_FULL: "Your storage is full, so this was not saved. Ask the operator for more.",
  ACCOUNT_NOT_EMPTY: "This account already contains data. Import into a new account.",
  IMPORT_STATE_CONFLICT: "The import has moved on, or its file is gone. Reload the page.",
  IDEMPOTENCY_IN_PROGRESS: "This is already being saved. Wait a moment, then check again.",
  IDEMPOTENCY_KEY_REUSED:
    "An earlier version was already saved. Check it first: saving again may create a duplicate.",
  FEATURE_NOT_IMPLEMENTED: "The service doesn't support this yet.",
  STATE_CONFLICT: "This conflicts with another change. Reload the page.",
  HTTP_409: "This conflicts with another change. Reload the page.",
  DEDICATED_ENDPOINT_REQUIRED: "This has its own page. Open it from the menu.",
  LEGACY_WRITE_DISABLED: "Data from version 1 can be read but not changed.",
  HTTP_405: "The service doesn't support this here. Reload the page.",
  HTTP_408: "The upload took too long. Try again with a better connection.",
  HTTP_413: "This is too large. Shorten it or choose a smaller file.",
  HTTP_415: "The service doesn't accept this kind of data.",
  HTTP_416: "This part of the file doesn't exist. Reload the page.",
  HTTP_421:
    "The service doesn't accept this address. Open the address that it prints when it starts.",
};
