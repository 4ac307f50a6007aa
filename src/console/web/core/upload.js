import { ApiError, toError } from "./base.js";

/**
 * @param {File} file
 * @param {(part: number) => void} progress Called with the sent part, from 0 to 1.
 * @throws {ApiError}
 */
export function uploadFile(file, progress) {
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
 * @param {(part: number) => void} progress Called with the sent part, from 0 to 1.
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
