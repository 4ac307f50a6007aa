/** Small pictures, which the browser makes one at a time. */

import { toError } from "../../core/base/sender.js";
import { may } from "../../core/base/session.js";
import { wait } from "../../core/base/timing.js";
import { keepFile, thumbnailPath } from "../shown/files.js";
import { drawnCopy, encoded } from "./drawing.js";

const MAX_SIDE = 320;

const MAX_BYTES = 40 * 1024;

const QUALITIES = [0.8, 0.6, 0.4, 0.2, 0];

/** Callbacks for a picture that is made, by the file's id. @type {Map<string, ShowFile[]>} */
const waiting = new Map();

let last = Promise.resolve();

/** @param {string} id @param {ShowFile} show */
export function whenMade(id, show) {
  waiting.set(id, [...waiting.get(id) ?? [], show]);
}

/**
 * Makes the small picture of a file after the others. A failure is silent: the next look tries
 * again.
 * @param {FileName} file @param {Blob | HTMLImageElement} source
 */
export function makeLater(file, source) {
  if (file.thumbnail || !may("attachment.write")) return;
  last = last.then(() => makeSmall(file, source)).then(() => {}, () => {});
}

/** @param {FileName} file @param {HTMLImageElement} picture A loaded original. */
export function makeAtLook(file, picture) {
  if (/** @type {any} */ (navigator).connection?.saveData !== true) makeLater(file, picture);
}

/**
 * @param {FileName} file @param {Blob | HTMLImageElement} source @param {AbortSignal} [signal]
 * @throws if the picture cannot be drawn or stored.
 */
export async function makeSmall({ attachmentId }, source, signal) {
  const canvas = await drawnCopy(source, MAX_SIDE);
  const file = await store(attachmentId, await smallEnough(canvas), signal);
  keepFile(file);
  for (const show of waiting.get(attachmentId) ?? []) show(file);
  waiting.delete(attachmentId);
}

/** @param {HTMLCanvasElement} canvas */
async function smallEnough(canvas) {
  for (const quality of QUALITIES) {
    const blob = await encoded(canvas, quality);
    if (blob.size <= MAX_BYTES) return blob;
  }
  throw new Error("Too large");
}

/** @type {(id: string, body: Blob, signal?: AbortSignal) => Promise<FileName>} */
async function store(id, body, signal) {
  const headers = { "Content-Type": body.type };
  // The page may be left while it is sent.
  const request = { method: "PUT", headers, body, keepalive: true, signal: signal ?? null };
  const response = await fetch(thumbnailPath(id), request);
  const answer = await response.json();
  if (response.ok) return answer.data;
  const error = toError(response, answer);
  if (error.retryAfter === null || signal?.aborted) throw error;
  await wait(1_000 * error.retryAfter);
  return await store(id, body, signal);
}
