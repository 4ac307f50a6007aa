/** Retracts or replaces a permanent entry, or raises its privacy. */

import { askButton } from "../../core/act.js";
import { send } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { t, timeText } from "../../core/text.js";
import { choiceField } from "../../fields/choice.js";
import { label } from "../../logic/labels.js";
import { PRIVACY } from "./ledger_kinds.js";

const MAX_NAME_LENGTH = 60;

/**
 * @param {import("../../core/session.js").Session} session
 * @param {any} entry
 * @param {import("./entry_line.js").Place & { id: string, when: string }} place
 */
export function entryControls(session, entry, { name, api, page, id, when }) {
  const isEvidence = name === "evidence";
  const isLive = entry.state === "LIVE";
  const higher = PRIVACY.slice(PRIVACY.indexOf(entry.effectivePrivacy) + 1);
  const act = (/** @type {string} */ word, /** @type {string} */ done) => ({
    path: `${api}/${id}/control`,
    name: word,
    label: `${word}: ${when}`,
    title: word,
    done,
    page,
  });
  const retract = () =>
    askButton(
      session,
      { ...act(t("retract"), t("retracted")), text: t("retractText"), isGrave: true },
      () => [],
      () => ({ kind: "RETRACTED" }),
    );
  const supersede = () =>
    askButton(
      session,
      { ...act(t("supersede"), t("superseded")), text: t("supersedeText") },
      async () => [choiceField(
        { name: "supersededBy", label: t("supersededBy"), required: true },
        await otherEvidence(api, id),
      )],
      ({ supersededBy }) => ({ kind: "SUPERSEDED", supersededBy }),
    );
  const guard = () =>
    askButton(
      session,
      { ...act(t("raisePrivacy"), t("kept")), text: t("raisePrivacyText") },
      () => [choiceField(
        { name: "privacy", label: label("privacy"), required: true },
        higher.map((value) => ({ value, label: label(value) })),
      )],
      ({ privacy }) => ({ kind: "PRIVACY_RECLASSIFIED", privacy }),
    );
  const buttons = [
    isLive && retract(),
    isEvidence && isLive && supersede(),
    isEvidence && higher.length > 0 && guard(),
  ].filter((button) => button !== false);
  return buttons.length > 0 && h("div", { class: "bar small" }, buttons);
}

/**
 * Possible replacements: the newest hundred that have not ended.
 *
 * @param {string} api
 * @param {string} id
 */
async function otherEvidence(api, id) {
  const { data } = await send("GET", `${api}?limit=100`);
  const others = data.items.filter((/** @type {any} */ { evidenceId, state }) =>
    state === "LIVE" && evidenceId !== id
  );
  return others.map((/** @type {any} */ { evidenceId, effectivePrivacy, content, recordedAt }) => ({
    value: evidenceId,
    // Keeps hidden text hidden.
    label: effectivePrivacy === "NORMAL"
      ? [...content].slice(0, MAX_NAME_LENGTH).join("")
      : `${label(effectivePrivacy)}, ${timeText(recordedAt)}`,
  }));
}
