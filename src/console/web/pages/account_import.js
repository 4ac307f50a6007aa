import { fill, h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { t } from "../core/text.js";
import { upload } from "../core/upload.js";
import { form } from "../fields/form.js";
import { field, newId } from "../fields/field.js";

/** @param {import("../core/session.js").Session} session */
export function accountImport(session) {
  const input = h("input", { id: newId(), name: "file", type: "file", accept: ".jsonl" });
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("sending") });
  const file = field({ name: "file", label: t("importFile"), required: true }, {
    element: h("div", {}, input, progress),
    target: input,
    text: () => input.value,
    setText: () => {},
  });
  const state = h("p", { role: "status" });
  const submit = async () => {
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const headers = { "Content-Type": "application/jsonl" };
    const showProgress = (/** @type {number} */ part) => {
      progress.value = part;
      if (part === 1) fill(state, t("importRunning"));
    };
    progress.hidden = false;
    fill(state);
    try {
      const { counts, sha256 } = await withSession(
        session.account.email,
        () => upload("/api/v2/account/imports", chosen, headers, showProgress),
      );
      const count = Object.values(counts).reduce((sum, one) => sum + Number(one), 0);
      fill(state, t("imported", { count }), " ", h("span", { class: "exact small" }, sha256));
      input.value = "";
    } catch (error) {
      fill(state);
      throw error;
    } finally {
      progress.hidden = true;
    }
  };
  return h("div", {}, h("p", {}, t("importText")), form([file], t("importNow"), submit), state);
}
