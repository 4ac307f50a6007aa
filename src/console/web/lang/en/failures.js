/** English: errors of the service, and what to do. Those of sign-in are in the shell's texts. */

const elsewhere = "This is written on a page of its own: open it from the first page.";
const readOnly = "What came from the older version can be read, and not be changed.";
const changed = "It is in another state by now. Load the page anew to see what can be done.";

export default {
  failures: {
    RECORD_IDEMPOTENCY_KEY_REQUIRED: "The request had no key. Load the page anew, then try again.",
    FEATURE_MODULE_MISMATCH: "This module does not do that. Load the page anew.",
    STEP_UP_REQUIRED: "Confirm your password again: a confirmation is good once, for five minutes.",
    PRIVACY_DOWNGRADE_FORBIDDEN: "This cannot be made less private.",
    SECOND_FACTOR_STATE_CONFLICT:
      "The second factor was turned on or off meanwhile. Load the page anew to see how it is.",
    RECORD_MODULE_NOT_FOUND: "There is no such module.",
    RECORD_NOT_FOUND: "This is not there, or it is not yours.",
    FEATURE_NOT_FOUND: "The service does not know how to do that.",
    REVISION_CONFLICT:
      "This was changed elsewhere meanwhile, and nothing was overwritten. Open it to put both together.",
    MEMORY_STATE_CONFLICT: changed,
    IDENTITY_STATE_CONFLICT: changed,
    DECISION_STATE_CONFLICT: changed,
    RELATIONSHIP_STATUS_CONFLICT:
      "The person's status does not allow this. About a sealed person nothing more is written.",
    RELATIONSHIP_ENTRY_CONFLICT:
      "This entry was replaced or withdrawn already. Load the page anew to see the newest one.",
    RELATIONSHIP_PROPOSAL_CONFLICT: "This proposal was answered already, or it has expired.",
    RELATIONSHIP_PROPOSAL_STALE:
      "What the proposal was made of has changed since. Ask for a new one.",
    TAXONOMY_STATE_CONFLICT: changed,
    TAXONOMY_TAG_NAME_CONFLICT: "A tag has this name already. Choose another one, or use that tag.",
    TAXONOMY_CATEGORY_NAME_CONFLICT:
      "A category has this name already. Choose another one, or use that category.",
    TAXONOMY_CATEGORY_PARENT_INVALID: "It cannot lie below this. Choose a category that is in use.",
    TAXONOMY_CATEGORY_CYCLE: "A category cannot lie below itself. Choose another place.",
    TAXONOMY_CATEGORY_DEPTH_EXCEEDED:
      "Categories have eight levels at most. Choose a higher place.",
    ACCOUNT_STORAGE_FULL:
      "Your account has no storage left, so this was not saved. Ask whoever runs the service for more.",
    ACCOUNT_NOT_EMPTY: "This account holds something already: import into a new one.",
    IDEMPOTENCY_IN_PROGRESS: "This is being done already. Wait a moment, then look again.",
    IDEMPOTENCY_KEY_REUSED:
      "An earlier version of this was kept already. Look there first: kept again, it may be there twice.",
    FEATURE_NOT_IMPLEMENTED: "The service cannot do this yet.",
    MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_SLICE_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_DRAFT_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_AI_DRAFT_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_TIME_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_PRIVACY_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_EXPORT_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    TAXONOMY_CATEGORY_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    TAXONOMY_ALIAS_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    IDENTITY_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    RESOURCE_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    DECISION_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    IDENTITY_LEGACY_WRITE_DISABLED: readOnly,
    RELATIONSHIP_LEGACY_WRITE_DISABLED: readOnly,
    RESOURCE_LEGACY_WRITE_DISABLED: readOnly,
    HTTP_405: "The service does not do that here. Load the page anew.",
    HTTP_408:
      "It took too long to reach the service. Try again, on a better connection if you can.",
    HTTP_409: "Something stands against it, and the service did not say what. Load the page anew.",
    HTTP_413: "This is more than the service takes at once. Make it smaller.",
    HTTP_415: "The service does not take this kind of data.",
    HTTP_416: "This part of the file is not there. Load the page anew.",
    HTTP_421:
      "The service is not known by this address. Open the one that it names when it starts.",
  },
};
