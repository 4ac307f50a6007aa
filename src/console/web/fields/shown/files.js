/** Files and words that are shown. */

import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get, readOrNull } from "../../core/base/reads.js";
import { once } from "../../core/base/timing.js";
import { thisVisit } from "../../core/base/visits.js";
import { withoutZone } from "../../logic/local_time.js";
import { sinceText, timeText } from "./times.js";

export const FILES_API = "/api/v2/attachments";

const HEIGHT = 128;

/** The newest attachments, read once in each visit. @type {Promise<Data> | null} */
let newest = null;

/**
 * Null if there is none. The list answers for most, so that no request fails because of a text
 * that names a missing file.
 * @param {string} id
 * @returns {Promise<FileName | null>}
 */
export async function fileOf(id) {
  if (newest === null) {
    newest = get(`${FILES_API}?limit=50`);
    thisVisit().addEventListener("abort", () => newest = null, { once: true });
  }
  const { items, nextCursor } = await newest;
  const found = items.find(({ attachmentId }) => attachmentId === id);
  const isListed = nextCursor === null || id > items.at(-1).attachmentId;
  return found ?? (isListed ? null : await readOrNull(`${FILES_API}/${encodeURIComponent(id)}`));
}

/** @param {string} id */
export function shownFile(id) {
  const file = { attachmentId: id, filename: t("download"), mediaType: "" };
  const place = h("span", fileParts(file));
  fileOf(id).then((named) => {
    if (named === null) return;
    const hadFocus = place.contains(document.activeElement);
    fill(place, fileParts(named));
    if (hadFocus) place.querySelector("a")?.focus();
    // The link works without its name.
  }, () => {});
  return place;
}

/** @param {string} id */
export function contentPath(id) {
  return `${FILES_API}/${encodeURIComponent(id)}/content`;
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

/** @type {(file: FileName) => Child[]} */
export function fileParts(file) {
  const content = contentPath(file.attachmentId);
  const link = h("a.words", { href: content, download: true }, file.filename);
  if (!isPicture(file)) return [playerOf(file), link];
  // Scripts in pictures do not run. A broken picture leaves its link.
  const onerror = () => {
    picture.remove();
  };
  const picture = h("img", { src: content, alt: "", loading: "lazy", height: HEIGHT, onerror });
  return [picture, link];
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
