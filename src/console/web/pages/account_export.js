/** Exports the whole account as one file, after asking for the password. */

import { canCheck, readFile } from "../core/checked_download.js";
import { fill, h, t } from "../core/base.js";
import { repeatable, withProof } from "../core/acts.js";
import { choiceField, form } from "../fields/controls.js";
import { checkedFile, uncheckedFile } from "../fields/saved_file.js";

const API = "/api/v2/account/exports";

/** @param {Session} session */
export function accountExport(session) {
  const format = choiceField({ name: "format", label: t("accountAs"), required: true }, [
    { value: "JSON_LINES", label: t("jsonLines") },
    { value: "MARKDOWN", label: t("markdownArchive") },
  ]);
  format.setText("JSON_LINES");
  const secret = h("input", { type: "checkbox" });
  const secretRow = h("label.choice", { hidden: true }, secret, t("includeSecret"));
  const state = h("div", { role: "status" });
  let sendExport = repeatable();
  const submit = async () => {
    const isArchive = format.text() === "MARKDOWN";
    const body = { format: format.text(), ...(isArchive && { includeSecret: secret.checked }) };
    const made = await withProof(
      session,
      { purpose: "ACCOUNT_EXPORT", what: t("exportAccount"), thing: session.account.email },
      (proof) => {
        fill(state, h("p", t("exportRunning")));
        return sendExport("POST", API, { body, proof });
      },
    ).catch((error) => {
      fill(state);
      throw error;
    });
    if (made === null) return;
    sendExport = repeatable();
    await offer(made.data, state);
  };
  const element = form([format], t("exportAccount"), submit, { before: [secretRow] });
  element.addEventListener("change", () => {
    secretRow.hidden = format.text() !== "MARKDOWN";
  });
  return h("div", h("p", t("exportText")), element, state);
}

/** @param {any} made @param {HTMLElement} place */
async function offer(made, place) {
  const path = `${API}/${made.exportId}/content`;
  if (!canCheck(made.size)) return fill(place, uncheckedFile(path, made));
  const progress = h("progress", { max: 1, value: 0, "aria-label": t("download") });
  fill(place, progress);
  try {
    const blob = await readFile(path, made, (part) => progress.value = part);
    fill(place, await checkedFile(blob, made));
  } catch (error) {
    fill(place);
    throw error;
  }
}
