/** Describes events of the account in sentences. */

import { counted } from "./numbers.js";
import { loadArea } from "./text.js";

/** @typedef {import("./text.js").Sentence} Sentence */

/**
 * @typedef {object} Happening
 * @property {Sentence} one
 * @property {Sentence} many
 * @property {number} count
 * @property {boolean} isNotable True if shown at the next sign-in.
 */

const WRONG = ["LOGIN_FAILED", "STEP_UP_FAILED", "SECOND_FACTOR_FAILED"];
const FACTOR = [
  "SECOND_FACTOR_ENABLED",
  "SECOND_FACTOR_DISABLED",
  "SECOND_FACTOR_RESET",
  "RECOVERY_CODES_REPLACED",
  "RECOVERY_CODE_USED",
];
const PASSKEYS = ["PASSKEY_ADDED", "PASSKEY_REMOVED", "PASSKEY_COUNTER"];
const PASSWORD = ["PASSWORD_CHANGED", "PASSWORD_RESET"];
const OPERATOR = [
  "ROLE_GRANTED",
  "ROLE_REVOKED",
  "PERMISSION_GRANTED",
  "PERMISSION_REVOKED",
  "ACCOUNT_DISABLED",
  "ACCOUNT_ENABLED",
  "ACCOUNT_FROZEN",
  "ACCOUNT_UNFROZEN",
  "ACCOUNT_EXPORTED",
  "ACCOUNT_IMPORTED",
  "ACCOUNT_RETIRED",
];

/**
 * Lists what happened, most serious first, without zero counts.
 *
 * @param {import("../wire.d.ts").TrailSummary} summary
 */
export function happenings({ events, newSources, exports }) {
  const count = (/** @type {readonly string[]} */ names, kind = "") =>
    events.filter(({ event, credentialKind }) =>
      names.includes(event) && (kind === "" || kind === credentialKind)
    ).reduce((sum, event) => sum + event.count, 0);
  // With a second factor each sign-in asks for its code first.
  const withoutCode = Math.max(0, count(["SECOND_FACTOR_REQUIRED"]) - count(["LOGIN"]));
  const byTokens = count(["SECRET_READ"], "TOKEN");
  /** @type {readonly (readonly [Sentence, Sentence, number, boolean?])[]} */
  const all = [
    ["oneNewSource", "manyNewSources", newSources],
    ["oneWrongTry", "manyWrongTries", count(WRONG)],
    ["oneWithoutCode", "manyWithoutCode", withoutCode],
    ["onePasswordChange", "manyPasswordChanges", count(PASSWORD)],
    ["oneFactorChange", "manyFactorChanges", count(FACTOR)],
    ["onePasskeyChange", "manyPasskeyChanges", count(PASSKEYS)],
    ["oneOperatorAct", "manyOperatorActs", count(OPERATOR)],
    ["oneNewToken", "manyNewTokens", count(["TOKEN_CREATED"])],
    ["oneNewAssistant", "manyNewAssistants", count(["ASSISTANT_CREATED"])],
    ["oneExport", "manyExports", exports],
    ["oneTokenSecret", "manyTokenSecrets", byTokens],
    [
      "oneAssistantRead",
      "manyAssistantReads",
      count(["ASSISTANT_READ", "ASSISTANT_PROPOSED"]),
      false,
    ],
    ["oneSecretRead", "manySecretReads", count(["SECRET_READ"]) - byTokens, false],
  ];
  return all.map(([one, many, count, isNotable = true]) => ({ one, many, count, isNotable }))
    .filter(({ count }) => count > 0);
}

/** @param {readonly Happening[]} happened */
export async function happeningTexts(happened) {
  await loadArea("witness");
  return happened.map(({ count, one, many }) => counted(count, one, many));
}
