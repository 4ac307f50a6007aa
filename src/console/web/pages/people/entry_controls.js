/** Retracts or replaces a permanent entry, or raises its privacy. */

import { askButton } from "../../core/act.js";
import { h } from "../../core/dom.js";
import { notLoaded } from "../../core/not_loaded.js";
import { t } from "../../core/text.js";
import { choiceField } from "../../fields/choice.js";
import { label } from "../../logic/labels.js";
import { PRIVACY } from "./ledger_kinds.js";

/**
 * @param {import("../../core/session.js").Session} session
 * @param {any} entry
 * @param {import("./entry_line.js").Place & { id: string, when: string }} place
 */
export function entryControls(session, entry, { name, api, page, id, when }) {
  const hasLevels = name === "evidence" || name === "details";
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
      async () => {
        const { otherEntries } = await import("./other_entries.js").catch(notLoaded);
        const choices = await otherEntries(api, id, entry.kind);
        return [
          choiceField({ name: "supersededBy", label: t("supersededBy"), required: true }, choices),
        ];
      },
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
    hasLevels && isLive && supersede(),
    hasLevels && higher.length > 0 && guard(),
  ].filter((button) => button !== false);
  return buttons.length > 0 && h("div", { class: "bar small" }, buttons);
}
