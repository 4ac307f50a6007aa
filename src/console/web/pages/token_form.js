/** The secret is shown once. */

import { h, t, visit } from "../core/base.js";
import { choiceField, lineField } from "../fields/controls.js";
import { credentialForm, timeAfter } from "../fields/shown_once.js";
import { label } from "../core/names.js";
import { choices, permissionsOf } from "../logic/token_presets.js";

/** Within the service's limit of a year by its own clock. */
const DAYS = ["30", "90", "360"];

/** @type {SyncPage} */
export default function tokenForm({ session }) {
  const name = lineField({
    name: "name",
    label: t("tokenName"),
    hint: t("tokenNameHint"),
    required: true,
  });
  const preset = choiceField({ name: "preset", label: t("tokenPermissions"), required: true }, [
    { value: "read", label: t("presetRead") },
    { value: "capture", label: t("presetCapture") },
    { value: "own", label: t("presetOwn") },
  ]);
  const days = choiceField(
    { name: "expiresAt", label: t("tokenLifetime"), required: true },
    DAYS.map((value) => ({ value, label: t("days", { count: value }) })),
  );
  preset.setText("read");
  days.setText("90");
  const own = ownChoice(session.permissions);
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
      permissions: permissionsOf(kind, session.permissions, chosen),
      expiresAt: timeAfter(days.text()),
    };
  };
  return credentialForm(session, {
    what: t("newToken"),
    path: "/api/v2/auth/tokens",
    fields: [name, days, preset],
    before: [own.element],
    bodyOf,
    shown: ({ name, token }) => ({
      text: t("tokenOnce", { name }),
      secrets: [token],
      stored: t("secretStored"),
      done: () => visit("/console/tokens"),
    }),
  });
}

/** @param {readonly string[]} held */
function ownChoice(held) {
  const boxes = /** @type {Map<string, HTMLInputElement>} */ (new Map());
  const groups = [...choices(held)].map(([area, members]) =>
    h(
      "fieldset.field",
      h("legend", label(area)),
      members.map(({ name, act }) => {
        const box = h("input", { type: "checkbox", value: name });
        boxes.set(name, box);
        return h("label.choice", box, label(act));
      }),
    )
  );
  return {
    element: h("div.groups", groups),
    chosen: () => [...boxes].filter(([, box]) => box.checked).map(([name]) => name),
  };
}
