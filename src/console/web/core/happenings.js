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
  const isNotable = true;
  /** @type {readonly Happening[]} */
  const all = [
    { one: "oneNewSource", many: "manyNewSources", count: newSources, isNotable },
    { one: "oneWrongTry", many: "manyWrongTries", count: count(WRONG), isNotable },
    { one: "oneWithoutCode", many: "manyWithoutCode", count: withoutCode, isNotable },
    { one: "onePasswordChange", many: "manyPasswordChanges", count: count(PASSWORD), isNotable },
    { one: "oneFactorChange", many: "manyFactorChanges", count: count(FACTOR), isNotable },
    { one: "onePasskeyChange", many: "manyPasskeyChanges", count: count(PASSKEYS), isNotable },
    { one: "oneOperatorAct", many: "manyOperatorActs", count: count(OPERATOR), isNotable },
    { one: "oneNewToken", many: "manyNewTokens", count: count(["TOKEN_CREATED"]), isNotable },
    {
      one: "oneNewAssistant",
      many: "manyNewAssistants",
      count: count(["ASSISTANT_CREATED"]),
      isNotable,
    },
    { one: "oneExport", many: "manyExports", count: exports, isNotable },
    { one: "oneTokenSecret", many: "manyTokenSecrets", count: byTokens, isNotable },
    {
      one: "oneAssistantRead",
      many: "manyAssistantReads",
      isNotable: false,
      count: count(["ASSISTANT_READ", "ASSISTANT_PROPOSED"]),
    },
    {
      one: "oneSecretRead",
      many: "manySecretReads",
      isNotable: false,
      count: count(["SECRET_READ"]) - byTokens,
    },
  ];
  return all.filter(({ count }) => count > 0);
}

/** @param {readonly Happening[]} happened */
export async function happeningTexts(happened) {
  await loadArea("witness");
  return happened.map(({ count, one, many }) => counted(count, one, many));
}
