/** Lines of captures, and the records that are made of them. */

import { actButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { newKey } from "../../core/base/keys.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { labelOfOne, modulePath, recordPath } from "../../core/names.js";
import { line } from "../../fields/controls/forms.js";
import { ago } from "../../fields/shown/files.js";
import { smallPicture } from "../../fields/shown/pictures.js";
import { titleOf } from "../../fields/shown/titles.js";

export const CAPTURES = "/api/v2/records/capture";

/**
 * The texts that a capture gives a new record's form; none if it was erased, because the form may
 * have a draft.
 * @param {string} moduleCode
 * @param {string} recordId
 * @returns {Promise<Record<string, string>>}
 */
export async function textsFromCapture(moduleCode, recordId) {
  const found = await get(`${CAPTURES}/${encodeURIComponent(recordId)}`).catch((error) => {
    if (error.code !== "RECORD_ERASED" && error.code !== "RECORD_NOT_FOUND") throw error;
  });
  if (found === undefined) return {};
  const texts = textsOfCapture(moduleCode, found);
  const ids = found.payload?.attachmentIds ?? [];
  if (ids.length === 0) return texts;
  const { withFiles } = await import("../../fields/files/file_lines.js");
  return await withFiles(texts, moduleCode, ids);
}

/** @type {(moduleCode: string, capture: any) => Record<string, string>} */
function textsOfCapture(moduleCode, { recordId, title: stored, payload }) {
  const text = payload?.originalContent ?? "";
  const title = titleOf(text) || stored;
  switch (moduleCode) {
    case "action":
      return { title, actionTitle: title, ...(text.trim() !== title && { description: text }) };
    case "commitment":
      return { title, content: text };
    case "knowledge": {
      const url = `urn:capture:${recordId}`;
      return { title, sourceTitle: title, sourceType: "NOTE", annotation: text, url };
    }
    default: {
      // A memory is as old as its capture.
      const { capturedAt } = payload ?? {};
      return { title, originalContent: text, ...(capturedAt && { occurredAt: capturedAt }) };
    }
  }
}

/** Marks a used capture. @type {(recordId: string, moduleCode: string) => Write} */
export function routing(recordId, moduleCode) {
  const path = `${CAPTURES}/${encodeURIComponent(recordId)}`;
  const body = { payload: { routeStatus: "ROUTED", targetModule: moduleCode } };
  const page = recordPath("capture", recordId);
  return { method: "PATCH", path, body, key: newKey(), page, brief: false };
}

/** Link texts of the modules that a capture can become. @type {Record<string, Sentence>} */
const BECOMES = {
  action: "anAction",
  memory: "oneMemory",
  commitment: "aCommitment",
  knowledge: "aNote",
};

/** Captures that were sent since the page was opened. @type {Set<string>} */
const ofVisit = new Set();

/** True if the capture already stands below the box. @param {string} recordId */
export function isOfVisit(recordId) {
  return ofVisit.has(recordId);
}

/** Forgets the captures of the last visit. */
export function forgetVisit() {
  ofVisit.clear();
}

/** The line of a capture that was sent. @param {any} capture */
export function sentCapture(capture) {
  ofVisit.add(capture.recordId);
  return captureLine(capture);
}

/** A line of a capture, which "Undo" removes. @param {any} capture */
export function captureLine(capture) {
  const { recordId, title: stored, payload, createdAt } = capture;
  const title = titleOf(payload?.originalContent ?? "") || stored;
  const undo = actButton({
    path: `${CAPTURES}/${recordId}/archive`,
    name: t("undo"),
    label: `${t("undo")}: ${title}`,
    done: t("captureUndone"),
    then() {
      shown.remove();
      document.querySelector("textarea")?.focus();
    },
  });
  const offers = Object.entries(BECOMES).flatMap(([module, name], index) => {
    const href = `${modulePath(module)}/new?capture=${recordId}`;
    const label = `${t("makeIt")} ${t(name)}: ${title}`;
    return [index > 0 ? ", " : " ", h("a.offer", { href, "aria-label": label }, t(name))];
  });
  const isRouted = payload?.routeStatus === "ROUTED";
  const use = isRouted
    ? t("madeInto", { name: labelOfOne(payload.targetModule) })
    : h("span", t("makeIt"), offers);
  const capturePath = recordPath("capture", recordId);
  const picture = smallPicture(capture.attachmentIds, title);
  const shown = line(link(capturePath, title, "words"), [ago(createdAt), use], picture, undo);
  shown.classList.toggle("done", isRouted);
  return shown;
}
