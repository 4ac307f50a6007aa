/** The records that are made of captures. */

import { newKey } from "../../core/base/keys.js";
import { get } from "../../core/base/reads.js";
import { CAPTURES_API, recordPath } from "../../core/names.js";
import { titleOf } from "../../fields/shown/titles.js";

/**
 * The texts that a capture gives a new record's form; none if it was erased, because the form may
 * have a draft.
 * @param {string} moduleCode
 * @param {string} recordId
 * @returns {Promise<Record<string, string>>}
 */
export async function textsFromCapture(moduleCode, recordId) {
  const found = await get(`${CAPTURES_API}/${encodeURIComponent(recordId)}`).catch((error) => {
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
  const path = `${CAPTURES_API}/${encodeURIComponent(recordId)}`;
  const body = { payload: { routeStatus: "ROUTED", targetModule: moduleCode } };
  const page = recordPath("capture", recordId);
  return { method: "PATCH", path, body, key: newKey(), page, brief: false };
}
