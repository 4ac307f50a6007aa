/** Who may see a memory: guarding it more is done at once, guarding it less takes the password. */

import { newKey, send } from "../core/api.js";
import { act } from "../core/act.js";
import { announce } from "../core/announce.js";
import { h } from "../core/dom.js";
import { TEXTS } from "../core/memory_drafts.js";
import { withProof } from "../core/step_up.js";
import { withSession } from "../core/sign_in_again.js";
import { t } from "../core/text.js";
import { visit } from "../core/visit.js";
import { PRIVACY_LEVELS } from "../fields/memory_fields.js";
import { label } from "../logic/labels.js";

/** @typedef {typeof PRIVACY_LEVELS[number]} Level */

/**
 * @param {import("../core/session.js").Session} session
 * @param {any} memory
 */
export function privacyControl(session, { memoryId, title, revision, privacyLevel }) {
  const change = (/** @type {Level} */ level, /** @type {string} */ what) => {
    const key = newKey();
    const body = { expectedRevision: revision, privacyLevel: level };
    const set = (/** @type {string} */ proof) =>
      send("POST", `${TEXTS}/${memoryId}/privacy`, {
        ...{ body, key },
        ...(proof !== "" && { proof }),
      });
    const isLower = PRIVACY_LEVELS.indexOf(level) < PRIVACY_LEVELS.indexOf(privacyLevel);
    const purpose = /** @type {const} */ ("MEMORY_PRIVACY_DOWNGRADE");
    const ask = { purpose, what, thing: title, targetId: memoryId };
    return async () => {
      const made = await act(() =>
        isLower ? withProof(session, ask, set) : withSession(session.account.email, () => set(""))
      );
      if (made === null) return;
      announce(t("privacyIs", { level: label(level) }));
      await visit(`/console/memories/${memoryId}`);
    };
  };
  const names = { NORMAL: t("makeNormal"), PRIVATE: t("makePrivate"), SECRET: t("makeSecret") };
  return h(
    "details",
    {},
    h("summary", {}, t("changePrivacy")),
    h("p", {}, t("privacyHint")),
    h(
      "div",
      { class: "bar" },
      PRIVACY_LEVELS.filter((level) => level !== privacyLevel).map((level) => {
        const name = names[level];
        return h("button", { type: "button", onclick: change(level, name) }, name);
      }),
    ),
  );
}
