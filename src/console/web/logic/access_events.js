const NAMES = /** @type {const} */ ({
  ACCOUNT_CREATED: "accountCreated",
  ACCOUNT_DISABLED: "accountDisabled",
  ACCOUNT_ENABLED: "accountEnabled",
  LOGIN: "loginSucceeded",
  LOGIN_FAILED: "loginFailed",
  LOGOUT: "loggedOut",
  SESSION_REVOKED: "sessionEnded",
  PASSWORD_CHANGED: "passwordWasChanged",
  PASSWORD_RESET: "passwordReset",
  TOKEN_CREATED: "tokenCreated",
  TOKEN_REVOKED: "tokenEnded",
  STEP_UP: "passwordConfirmed",
  STEP_UP_FAILED: "passwordNotConfirmed",
  ROLE_GRANTED: "roleGranted",
  ROLE_REVOKED: "roleRevoked",
  PERMISSION_GRANTED: "permissionGranted",
  PERMISSION_REVOKED: "permissionRevoked",
  SECOND_FACTOR_ENABLED: "factorEnabled",
  SECOND_FACTOR_DISABLED: "factorDisabled",
  SECOND_FACTOR_RESET: "factorReset",
  SECOND_FACTOR_REQUIRED: "codeMissing",
  SECOND_FACTOR_FAILED: "codeWrong",
  SECOND_FACTOR_LOCKED: "codesLocked",
  RECOVERY_CODES_REPLACED: "recoveryCodesReplaced",
  RECOVERY_CODE_USED: "recoveryCodeUsed",
  ACCOUNT_FROZEN: "accountFrozen",
  ACCOUNT_UNFROZEN: "accountUnfrozen",
  ACCOUNT_EXPORTED: "accountExported",
  ACCOUNT_IMPORTED: "accountImported",
  ACCOUNT_RETIRED: "accountRetired",
  SECRET_READ: "secretRead",
  PASSKEY_ADDED: "passkeyWasAdded",
  PASSKEY_REMOVED: "passkeyWasRemoved",
  PASSKEY_COUNTER: "passkeyCounter",
  CALENDAR_FEED_CREATED: "feedCreated",
  CALENDAR_FEED_ROTATED: "feedRotated",
  CALENDAR_FEED_REVOKED: "feedEnded",
  ASSISTANT_CREATED: "assistantCreated",
  ASSISTANT_REVOKED: "assistantRevoked",
  ASSISTANT_READ: "assistantRead",
  ASSISTANT_PROPOSED: "assistantProposed",
});

/**
 * Null for an event newer than this page.
 *
 * @param {string} event
 */
export function accessEvent(event) {
  return NAMES[/** @type {keyof typeof NAMES} */ (event)] ?? null;
}
