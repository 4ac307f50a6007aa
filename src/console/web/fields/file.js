/** Files that a page sends or saves. */

import { withSession } from "../core/acts.js";
import { ApiError, failureText, fill, get, h, t, toError } from "../core/base.js";
import { field, newId } from "./controls.js";

/**
 * @param {File} file
 * @param {(part: number) => void} progress Called with the sent part, from 0 to 1.
 * @throws {ApiError}
 */
function uploadFile(file, progress) {
  const headers = {
    "Content-Type": file.type || "application/octet-stream",
    "X-Filename": encodeURIComponent(file.name),
  };
  return upload("/api/v2/attachments", file, headers, progress);
}

/**
 * @param {string} path
 * @param {File} file
 * @param {Readonly<Record<string, string>>} headers
 * @param {(part: number) => void} progress
 * @throws {ApiError}
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

/** Attachments: uploaded when chosen, then named by id. */

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
      const { attachmentId: id } = await withSession(() => uploadFile(file, showProgress));
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

/** @param {string} id @returns {Promise<string>} */
async function nameOf(id) {
  try {
    return (await get(`/api/v2/attachments/${encodeURIComponent(id)}`)).filename;
  } catch {
    return id;
  }
}

/**
 * A file to send, with a hidden bar of its progress.
 * @param {string} label
 * @param {string} sending
 * @param {string} [accept]
 */
export function pickedFile(label, sending, accept) {
  const input = h("input", { id: newId(), name: "file", type: "file", accept });
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": sending });
  const file = field({ name: "file", label, required: true }, {
    element: h("div", input, progress),
    target: input,
    text: () => input.value,
    setText: () => {},
  });
  return { file, input, progress };
}
