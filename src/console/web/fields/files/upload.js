/** Uploads of files. */

import { withSession } from "../../core/acts/password.js";
import { ApiError } from "../../core/base/api.js";
import { toError } from "../../core/base/sender.js";
import { FILES_API } from "../shown/files.js";

/** The service refuses larger ones; a browser may miss its answer while it sends. */
const MAX_BYTES = 64 * 1024 * 1024;

/** @type {Upload} */
export function upload(path, file, headers, progress, signal) {
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
  request.onerror = request.onabort = () => reject(new ApiError("NETWORK_ERROR"));
  signal?.addEventListener("abort", () => request.abort());
  request.send(file);
  return promise;
}

/**
 * Makes a file an attachment.
 * @param {File} file @param {(part: number) => void} progress @param {AbortSignal} signal
 * @returns {Promise<FileName>}
 */
export function attach(file, progress, signal) {
  if (file.size > MAX_BYTES) return Promise.reject(new ApiError("HTTP_413"));
  // Names of files have no separators of paths and no marks that turn a text around.
  const name = file.name.replaceAll(/[\p{Cc}\p{Bidi_Control}/\\]/gu, "_").slice(0, 255);
  const headers = {
    "Content-Type": file.type || "application/octet-stream",
    "X-Filename": encodeURIComponent(name.toWellFormed() || "file"),
  };
  return withSession(() => upload(FILES_API, file, headers, progress, signal));
}
