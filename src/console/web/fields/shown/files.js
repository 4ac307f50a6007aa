/** Files and words that are shown. */

import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { once, wait } from "../../core/base/timing.js";
import { thisVisit } from "../../core/base/visits.js";
import { withoutZone } from "../../logic/local_time.js";
import { sinceText, timeText } from "./times.js";

export const FILES_API = "/api/v2/attachments";

/** The limit of the service for one request. */
const MAX_IDS = 100;

/** Files that were asked for in this visit. @type {Map<string, Promise<FileName | null>>} */
const knownFiles = new Map();

/** Ids that were asked for in this tick. @type {string[]} */
let askedIds = [];

/** @type {Promise<ReadonlyMap<string, FileName>>} */
let filesRead = Promise.resolve(new Map());

/**
 * Null if there is none. The files that are asked for in one tick share a request.
 * @param {string} id
 * @returns {Promise<FileName | null>}
 */
export function fileOf(id) {
  const known = knownFiles.get(id);
  if (known !== undefined) return known;
  if (knownFiles.size === 0) {
    thisVisit().addEventListener("abort", () => knownFiles.clear(), { once: true });
  }
  if (askedIds.length === 0 || askedIds.length === MAX_IDS) filesRead = readSoon(askedIds = []);
  askedIds.push(id);
  const file = filesRead.then((found) => found.get(id) ?? null);
  knownFiles.set(id, file);
  file.catch(() => knownFiles.delete(id));
  return file;
}

/** @param {string[]} asked */
async function readSoon(asked) {
  await wait(0);
  const { items } = await get(`${FILES_API}?ids=${asked.splice(0)}`);
  return new Map(items.map((/** @type {FileName} */ file) => [file.attachmentId, file]));
}

/** Uses a file that was read otherwise. @param {FileName} file */
export function keepFile(file) {
  knownFiles.set(file.attachmentId, Promise.resolve(file));
}

/** @param {string} id */
export function contentPath(id) {
  return `${FILES_API}/${encodeURIComponent(id)}/content`;
}

/** @param {string} id */
export function thumbnailPath(id) {
  return `${FILES_API}/${encodeURIComponent(id)}/thumbnail`;
}

/** @param {Pick<FileName, "mediaType">} file */
export function isPicture({ mediaType }) {
  return mediaType.startsWith("image/");
}

/** Null for files without sound or motion. @param {FileName} file */
export function playerOf({ attachmentId, filename, mediaType }) {
  const [kind] = mediaType.split("/");
  if (kind !== "audio" && kind !== "video") return null;
  const src = contentPath(attachmentId);
  return h(kind, { src, controls: true, preload: "none", "aria-label": filename });
}

/** @param {Pick<FileName, "attachmentId" | "filename">} file */
export function namedFile({ attachmentId, filename }) {
  return h("a.words", { href: contentPath(attachmentId), download: true }, filename);
}

/** A link to a file, below its player. @type {(file: FileName) => Child[]} */
export function fileParts(file) {
  return [playerOf(file), namedFile(file)];
}

export function isVeiling() {
  return localStorage.getItem("veil") === "on";
}

/**
 * A relative time. Its tooltip is the exact one, which replaces it on paper.
 * @param {string} time
 * @param {(time: string) => string} [text]
 * @param {(time: string) => string} [exactText]
 */
export function ago(time, text = sinceText, exactText = timeText) {
  const exact = exactText(time);
  return h(
    "time",
    { datetime: withoutZone(time), title: exact },
    h("span.on-screen", text(time)),
    h("span.on-paper", exact),
  );
}

/** @param {Sentence} name @param {Readonly<Record<string, Child>>} values */
export function parts(name, values) {
  return t(name, Object.fromEntries(Object.keys(values).map((key) => [key, `\0${key}\0`])))
    .split("\0").map((part, index) => index % 2 === 1 ? values[part] : part);
}

/** @param {string} what @param {() => HTMLElement} make */
export function veiled(what, make) {
  const show = () => {
    const shown = make();
    shown.tabIndex = -1;
    button.replaceWith(shown);
    shown.focus();
  };
  const name = t("showOf", { name: what });
  const button = h("button.plain", { "aria-label": name, onclick: show }, t("show"));
  return button;
}

/**
 * Read when it is opened.
 * @param {Element} summary
 * @param {() => Promise<readonly Child[]>} make
 * @param {boolean} [open]
 */
export function lazyDetails(summary, make, open) {
  const place = h("div");
  const read = once(async () => fill(place, await make()));
  const ontoggle = async () => {
    if (details.open) await read();
  };
  /** @type {HTMLDetailsElement} */
  const details = h("details", { open, ontoggle }, summary, place);
  return details;
}
