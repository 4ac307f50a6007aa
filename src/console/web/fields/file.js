/** Attachments: uploaded when chosen, then named by id. */

import { uploadFile } from "../core/upload.js";
import { ApiError, failureText, fill, h, lastEmail, send, t } from "../core/base.js";
import { withSession } from "../core/acts.js";
import { field, newId } from "./controls.js";

/** @param {FieldRow} row */
export function fileField(row) {
  /** The ids of the attachments, separated by commas. */
  let ids = "";
  let names = "";
  /** Set while an upload runs, or after it failed. */
  let problem = "";
  /** Only the latest choice counts. */
  let choices = 0;
  const input = h("input", { id: newId(), name: row.name, type: "file" });
  const state = h("p.hint");
  const remove = h(
    "button",
    { hidden: true, "aria-label": `${t("removeFile")}: ${row.label}` },
    t("removeFile"),
  );
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": row.label });
  const changed = () => state.dispatchEvent(new Event("input", { bubbles: true }));
  const take = (/** @type {string} */ present, /** @type {string} */ called) => {
    choices++;
    ids = present;
    names = called;
    problem = "";
    progress.hidden = true;
    fill(state, names);
    remove.hidden = ids === "";
  };
  const upload = async (/** @type {File} */ file) => {
    const choice = ++choices;
    problem = t("uploadRunning");
    progress.hidden = remove.hidden = false;
    fill(state);
    const showProgress = (/** @type {number} */ part) => progress.value = part;
    try {
      const { attachmentId: id } = await withSession(
        lastEmail(),
        () => uploadFile(file, showProgress),
      );
      if (choice !== choices) return;
      take(ids === "" ? id : `${ids},${id}`, ids === "" ? file.name : `${names}, ${file.name}`);
      changed();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (choice !== choices) return;
      problem = t("uploadFailed");
      progress.hidden = true;
      const again = h("button", { onclick: () => upload(file) }, t("again"));
      fill(state, `${failureText(error.code)} `, again);
    }
  };
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file !== undefined) void upload(file);
  });
  remove.addEventListener("click", () => {
    input.value = "";
    take("", "");
    changed();
    input.focus();
  });
  return field(row, {
    element: h("div", input, progress, state, remove),
    target: input,
    text: () => ids,
    setText(text) {
      take(text, text);
      const choice = choices;
      const show = (/** @type {readonly string[]} */ called) => {
        if (choice === choices) fill(state, names = called.join(", "));
      };
      if (text !== "") void Promise.all(text.split(",").map(nameOf)).then(show);
    },
    problem: () => problem,
  });
}

/** @param {string} id @returns {Promise<string>} the file's name, or its id. */
async function nameOf(id) {
  try {
    return (await send("GET", `/api/v2/attachments/${encodeURIComponent(id)}`)).data.filename;
  } catch {
    return id;
  }
}
