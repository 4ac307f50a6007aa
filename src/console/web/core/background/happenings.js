/** Events since the last sign-in. */

import { counted } from "../../fields/shown/figures.js";
import { timeText } from "../../fields/shown/times.js";
import { byId, h, link } from "../base/elements.js";
import { loadArea, t } from "../base/language.js";
import { get } from "../base/reads.js";
import { may } from "../base/session.js";

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

/** Lists the events, most serious first, without zero counts. @param {TrailSummary} summary */
export function happenings({ events, newSources, exports }) {
  const count = (/** @type {readonly string[]} */ names, kind = "") =>
    events.filter(({ event, credentialKind }) =>
      names.includes(event) && (kind === "" || kind === credentialKind)
    ).reduce((sum, event) => sum + event.count, 0);
  // With a second factor each sign-in asks for its code first.
  const withoutCode = Math.max(0, count(["SECOND_FACTOR_REQUIRED"]) - count(["LOGIN"]));
  const byTokens = count(["SECRET_READ"], "TOKEN");
  /** @type {readonly (readonly [Sentence, number, boolean?])[]} */
  const all = [
    ["newSources", newSources],
    ["wrongTries", count(WRONG)],
    ["withoutCode", withoutCode],
    ["passwordChanges", count(PASSWORD)],
    ["factorChanges", count(FACTOR)],
    ["passkeyChanges", count(PASSKEYS)],
    ["reusedTokens", count(["ASSISTANT_TOKEN_REUSED"])],
    ["operatorActs", count(OPERATOR)],
    ["newTokens", count(["TOKEN_CREATED"])],
    ["newAssistants", count(["ASSISTANT_CREATED"])],
    ["exports", exports],
    ["tokenSecrets", byTokens],
    ["assistantReadings", count(["ASSISTANT_READ", "ASSISTANT_PROPOSED"]), false],
    ["secretReads", count(["SECRET_READ"]) - byTokens, false],
  ];
  return all.map(([name, count, isNotable = true]) => ({ name, count, isNotable }))
    .filter(({ count }) => count > 0);
}

/** @param {TrailSummary} summary */
export async function happenedList(summary) {
  await loadArea("account");
  const lines = happenings(summary).map(({ count, name }) => h("li", counted(count, name)));
  return lines.length === 0 ? h("p", t("nothingHappened")) : h("ul", lines);
}

/** After a sign-in in this tab. */
export async function showNotice() {
  sessionStorage.removeItem("signedIn");
  if (!may("audit.read")) return;
  /** @type {any} */
  const summary = await get("/api/v2/audit/summary");
  const happened = happenings(summary);
  if (summary.since === null || !happened.some(({ isNotable }) => isNotable)) return;
  const list = await happenedList(summary);
  const id = "since-sign-in";
  const notice = h(
    "section.note",
    { "aria-labelledby": id },
    h("h2", { id }, t("sinceSignIn", { time: timeText(summary.since) })),
    list,
    h("p", link("/console/witness", t("seeWhatHappened"))),
  );
  const main = byId("main");
  (main.querySelector("h1 + p") ?? main.querySelector("h1"))?.after(notice);
}
