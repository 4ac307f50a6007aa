import { credentialForm, timeAfter } from "../../core/acts/line_forms.js";
import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { session } from "../../core/base/session.js";
import { label, labelled } from "../../core/names.js";
import { choiceField, chosenField } from "../../fields/controls/choices.js";
import { lineField } from "../../fields/controls/lines.js";
import { timeText } from "../../fields/shown/times.js";
import { listPage } from "../parts/lists.js";
import { credentialRow, endButton, TOKENS, usedText } from "./sessions.js";

/** Required for every call. */
const BASE = "platform.operate";

/** For programs that add and read nothing. */
const CAPTURE = ["attachment.write", "record.write"];

/**
 * Never more than its creator has.
 * @param {TokenPreset} preset
 * @param {readonly string[]} held
 * @param {readonly string[]} [chosen]
 */
export function permissionsOf(preset, held, chosen = []) {
  const isWanted = {
    // The audit trail describes the account, not its records.
    read: (/** @type {string} */ name) => name.endsWith(".read") && name !== "audit.read",
    inbox: (/** @type {string} */ name) => CAPTURE.includes(name),
    capture: (/** @type {string} */ name) => CAPTURE.includes(name),
    own: (/** @type {string} */ name) => chosen.includes(name),
  }[preset];
  return held.filter((name) => name === BASE || isWanted(name));
}

/** By first word: `memory` has `read`, `write` and `secret`. @param {readonly string[]} held */
export function choices(held) {
  const parts = held.filter((name) => name !== BASE && !isForSessions(name)).map((name) => {
    const [area = "", ...rest] = name.split(".");
    return { area, name, act: rest.join("_") };
  });
  return Map.groupBy(parts, ({ area }) => area);
}

/** Only sessions manage accounts and tokens. @param {string} name */
function isForSessions(name) {
  return name === "account.manage" || name === "token.manage";
}

/** @type {Page} */
export function tokens({ query }) {
  return listPage(query, {
    ...TOKENS,
    title: t("tokens"),
    beside: [link(`${TOKENS.page}/new`, t("newToken"), "main")],
    above: () => h("p", t("tokensText")),
    line: ({ tokenId, name, permissions, createdAt, lastUsedAt, expiresAt }) =>
      credentialRow("program", h("span.words", name), [
        h("span.exact", permissions.join(", ")),
        usedText(lastUsedAt),
        t("createdAt", { time: timeText(createdAt) }),
        t("endsAt", { time: timeText(expiresAt) }),
      ], { of: name, items: [endButton(TOKENS, `${tokenId}/revoke`, t("endToken", { name }))] }),
  });
}

/** Within the service's limit of a year. */
const DAYS = ["30", "90", "360"];

/** @type {SyncPage} */
export function tokenForm() {
  const name = nameField(t("tokenNameHint"), 200);
  const presets = {
    read: t("presetRead"),
    inbox: t("presetInbox"),
    capture: t("presetCapture"),
    own: t("presetOwn"),
  };
  const preset = chosenField("preset", t("tokenPermissions"), presets);
  const days = choiceField(
    { name: "expiresAt", label: t("tokenLifetime"), required: true, initial: "90" },
    labelled(DAYS, (count) => t("days", { count })),
  );
  const own = ownChoice(session().permissions);
  const show = () => own.element.hidden = preset.text() !== "own";
  preset.element.addEventListener("change", show);
  show();

  const bodyOf = () => {
    const kind = /** @type {TokenPreset} */ (preset.text());
    const chosen = own.chosen();
    if (kind === "own" && chosen.length === 0) {
      preset.refuse(t("chooseOne"));
      return null;
    }
    return {
      name: name.text(),
      permissions: permissionsOf(kind, session().permissions, chosen),
      ...(kind === "inbox" && { modules: ["capture"] }),
      expiresAt: timeAfter(days.text()),
    };
  };
  return credentialForm({
    what: t("newToken"),
    path: TOKENS.api,
    fields: [name, days, preset],
    before: [own.element],
    bodyOf,
    shown: ({ name, token }) => ({
      text: t("tokenOnce", { name }),
      secrets: [token],
      stored: t("secretStored"),
      page: TOKENS.page,
    }),
  });
}

/** @param {string} [hint] @param {number} [maximumLength] */
export function nameField(hint, maximumLength = 100) {
  const row = { name: "name", label: t("nameOf"), hint, required: true };
  return lineField({ ...row, limits: { maximumLength } });
}

/** @param {readonly string[]} held */
function ownChoice(held) {
  /** @type {HTMLInputElement[]} */
  const boxes = [];
  const groups = [...choices(held)].map(([area, members]) => {
    const labels = members.map(({ name: value, act }) => {
      const box = h("input", { type: "checkbox", value });
      boxes.push(box);
      return h("label.choice", box, label(act));
    });
    return h("fieldset.field", h("legend", label(area)), labels);
  });
  return {
    element: h("div.groups", groups),
    chosen: () => boxes.filter(({ checked }) => checked).map(({ value }) => value),
  };
}
