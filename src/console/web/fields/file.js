/** An attachment: uploaded when it is chosen, and named by its id from then on. */

import { uploadFile } from "../core/upload.js";
import { fill, h } from "../core/dom.js";
import { failureText, t } from "../core/text.js";
import { ApiError, send } from "../core/api.js";
import { field, newId } from "./field.js";

/** @param {import("./field.js").Row} row */
export function fileField(row) {
  let attachmentId = "";
  const input = h("input", { id: newId(), name: row.name, type: "file" });
  const state = h("p", { class: "hint" });
  const remove = h(
    "button",
    { type: "button", hidden: true, "aria-label": `${t("removeFile")}: ${row.label}` },
    t("removeFile"),
  );
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": row.label });
  const changed = () => state.dispatchEvent(new Event("input", { bubbles: true }));
  const take = (/** @type {string} */ id, /** @type {string} */ name) => {
    attachmentId = id;
    fill(state, name);
    remove.hidden = id === "";
  };
  const upload = async (/** @type {File} */ file) => {
    progress.hidden = false;
    try {
      const { attachmentId: id } = await uploadFile(file, (part) => progress.value = part);
      take(id, file.name);
      changed();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fill(state, failureText(error.code));
    } finally {
      progress.hidden = true;
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
    element: h("div", {}, input, progress, state, remove),
    target: input,
    text: () => attachmentId,
    setText(text) {
      take(text, text);
      if (text !== "") void showName(text, (name) => attachmentId === text && take(text, name));
    },
  });
}

/**
 * @param {string} id
 * @param {(name: string) => void} show
 */
async function showName(id, show) {
  try {
    const { data } = await send("GET", `/api/v2/attachments/${encodeURIComponent(id)}`);
    show(data.filename);
  } catch {
    // The id stands for it.
  }
}
