/** Raising privacy is immediate; lowering it requires the password. */

import { actButton, proofButton } from "../../core/acts.js";
import { h, t } from "../../core/base.js";
import { PRIVACY_LEVELS } from "../../fields/memory_fields.js";
import { label } from "../../core/names.js";
import { changing } from "./head.js";

/** @param {Session} session @param {any} memory */
export function privacyControl(session, memory) {
  const { memoryId, title, privacyLevel } = memory;
  const names = { NORMAL: t("makeNormal"), PRIVATE: t("makePrivate"), SECRET: t("makeSecret") };
  const present = PRIVACY_LEVELS.indexOf(privacyLevel);
  const buttons = PRIVACY_LEVELS.map((level, index) => {
    if (index === present) return null;
    const name = names[level];
    const done = t("privacyIs", { level: label(level) });
    const act = changing(memory, "privacy", { name, done, body: { privacyLevel: level } });
    if (index > present) return actButton(session, act);
    const purpose = "MEMORY_PRIVACY_DOWNGRADE";
    return proofButton(session, act, { purpose, what: name, thing: title, targetId: memoryId });
  });
  return h(
    "details",
    h("summary", t("changePrivacy")),
    h("p", t("memoryPrivacyHint")),
    h("div.bar", buttons),
  );
}
