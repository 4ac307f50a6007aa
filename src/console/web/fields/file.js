/** Files that a page sends or saves. */

import { withSession } from "../core/acts/password.js";
import { ApiError, reasonText } from "../core/base/api.js";
import { fill, h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { toError } from "../core/base/sender.js";
import { field, newId } from "./controls/rows.js";

const API = "/api/v2/attachments";

/**
 * @param {string} path
 * @param {File} file
 * @param {Texts} headers
 * @param {(part: number) => void} progress Called with the sent part, from 0 to 1.
 */
export function upload(path, file, headers, progress) {
  const { promise, resolve, reject } = Promise.withResolvers();
  // `fetch` does not report upload progress.
  const request = new XMLHttpRequest();
  request.open("POST", path);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total);
  request.onload = () => {
    const { status, response } = request;
    if (status < 300 && response?.data !== undefined) resolve(response.data);
    else reject(toError({ status, headers: new Headers() }, response));
  };
  request.onerror = () => reject(new ApiError("NETWORK_ERROR"));
  request.send(file);
  return promise;
}

/** Attachments: uploaded when chosen, then named by id. @param {FieldRow} row */
export function fileField(row) {
  /** The ids of the attachments, separated by commas. */
  let ids = "";
  let names = "";
  /** Set while an upload runs, or after it failed. */
  let problem = "";
  /** Only the latest choice counts. */
  let choices = 0;
  const { input, progress } = fileInput(row.name, row.label);
  const state = h("p.hint");
  const label = `${t("removeFile")}: ${row.label}`;
  const remove = h("button", { hidden: true, "aria-label": label }, t("removeFile"));
  const changed = () => state.dispatchEvent(new Event("input", { bubbles: true }));
  const hold = (present = "", called = present) => {
    choices++;
    ids = present;
    names = called;
    problem = "";
    progress.hidden = true;
    fill(state, names);
    remove.hidden = ids === "";
  };
  const take = async (/** @type {File} */ file) => {
    const choice = ++choices;
    problem = t("uploadRunning");
    progress.hidden = remove.hidden = false;
    fill(state);
    const headers = {
      "Content-Type": file.type || "application/octet-stream",
      "X-Filename": encodeURIComponent(file.name),
    };
    const send = () => upload(API, file, headers, (part) => progress.value = part);
    try {
      const { attachmentId: id } = await withSession(send);
      if (choice !== choices) return;
      hold(ids === "" ? id : `${ids},${id}`, ids === "" ? file.name : `${names}, ${file.name}`);
      changed();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (choice !== choices) return;
      problem = t("uploadFailed");
      progress.hidden = true;
      const again = h("button", { onclick: () => take(file) }, t("again"));
      fill(state, `${await reasonText(error)} `, again);
    }
  };
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file !== undefined) void take(file);
  });
  remove.addEventListener("click", () => {
    input.value = "";
    hold();
    changed();
    input.focus();
  });
  return field(row, {
    element: h("div", input, progress, state, remove),
    target: input,
    text: () => ids,
    setText(text) {
      hold(text);
      const choice = choices;
      if (text === "") return;
      void Promise.all(text.split(",").map(nameOf)).then((called) => {
        if (choice === choices) fill(state, names = called.join(", "));
      });
    },
    problem: () => problem,
  });
}

/** @param {string} id @returns {Promise<string>} */
function nameOf(id) {
  return get(`${API}/${encodeURIComponent(id)}`).then(({ filename }) => filename, () => id);
}

/** @param {string} name @param {string} sending @param {string} [accept] */
function fileInput(name, sending, accept) {
  return {
    input: h("input", { id: newId(), name, type: "file", accept }),
    progress: h("progress", { max: 1, value: 0, hidden: true, "aria-label": sending }),
  };
}

/** A file to send. @param {string} label @param {string} sending @param {string} [accept] */
export function pickedFile(label, sending, accept) {
  const { input, progress } = fileInput("file", sending, accept);
  const file = field({ name: "file", label, required: true }, {
    element: h("div", input, progress),
    target: input,
    text: () => input.value,
    setText: () => {},
  });
  return { file, input, progress };
}
