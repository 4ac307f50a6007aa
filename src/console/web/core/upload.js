/** Uploads of files, which say how far they are. */

import { ApiError } from "./api.js";

/**
 * Uploads a file.
 *
 * @param {File} file
 * @param {(part: number) => void} progress Told what part of it has been sent, from 0 to 1.
 * @returns {Promise<{ attachmentId: string }>}
 * @throws {ApiError}
 */
export function uploadFile(file, progress) {
  const { promise, resolve, reject } = Promise.withResolvers();
  // `fetch` does not tell how much it has sent.
  const request = new XMLHttpRequest();
  request.open("POST", "/api/v2/attachments");
  request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
  request.setRequestHeader("X-Filename", encodeURIComponent(file.name));
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total);
  request.onload = () => {
    const { status, response } = request;
    if (status === 201 && response?.data !== undefined) resolve(response.data);
    else reject(new ApiError(response?.error?.code ?? "INTERNAL_ERROR", { status }));
  };
  request.onerror = () => reject(new ApiError("NETWORK_ERROR"));
  request.send(file);
  return promise;
}
