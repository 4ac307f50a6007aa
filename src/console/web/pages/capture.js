/** Capture: one box, the camera and the microphone. Other apps share into it. */

import { h, link } from "../core/base/elements.js";
import { failureText, t } from "../core/base/language.js";
import { may } from "../core/base/session.js";
import { CAPTURES_API, label, labelOfOne } from "../core/names.js";
import { receiveFiles } from "../fields/files/adder.js";
import { fileField } from "../fields/files/fields.js";
import { counted } from "../fields/shown/figures.js";
import { captureSection } from "./captures/box.js";

const PATH = "/console/capture";

/** The payload of a shortcut, except for its time. */
const SHORTCUT = {
  contentType: "TEXT",
  originalContent: "…",
  targetModule: "memory",
  sourceApp: "SHARE_SHEET",
  routeStatus: "INBOX",
};

/** @type {SyncPage} */
export function capturePage() {
  const title = labelOfOne("capture");
  if (!may("record.write")) return { title, body: [h("p", t("hidden"))] };
  const files = may("attachment.write") ? deviceFiles() : null;
  const { element, focus, share } = captureSection(PATH, files);
  element.classList.add("capture");
  if (files !== null) receiveFiles(element, (added) => files.take?.(added));
  const shared = takeShared();
  const words = sharedWords(shared);
  if (words !== "") share(words);
  const received = shared.files?.map(sharedFile) ?? [];
  if (received.length > 0) files?.take?.(received);
  return { title, body: [sharedNote(shared), element, recipe()], focus };
}

function deviceFiles() {
  const field = fileField({ name: "attachmentIds", label: label("attachmentIds") }, false, true);
  // Its buttons say enough.
  field.element.querySelector("legend")?.toggleAttribute("hidden", true);
  return field;
}

/** Removes the shared parts from the document. @returns {SharedParts} */
function takeShared() {
  const template = document.querySelector("template#shared");
  if (!(template instanceof HTMLTemplateElement)) return {};
  template.remove();
  return JSON.parse(template.content.textContent ?? "");
}

/** Each part once: many apps repeat the address in the text. @param {SharedParts} shared */
function sharedWords({ title, text, url }) {
  // Lines of a posted form end with CR LF.
  const parts = [title, text, url].map((part = "") => part.replaceAll("\r\n", "\n").trim())
    .filter(Boolean);
  const isRepeated = (/** @type {string} */ part, /** @type {number} */ index) =>
    parts.some((other, at) => other.includes(part) && (other.length > part.length || at < index));
  return parts.filter((part, index) => !isRepeated(part, index)).join("\n");
}

/** @param {{ name: string, type: string, content: string }} file */
function sharedFile({ name, type, content }) {
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  return new File([bytes], name, { type });
}

/** @param {SharedParts} shared */
function sharedNote({ dropped = 0, refused }) {
  if (refused !== undefined) {
    const isTooLarge = refused === "HTTP_413";
    return h("p.note", isTooLarge ? t("sharedTooLarge") : failureText(refused));
  }
  return dropped > 0 && h("p.note", counted(dropped, "sharedDropped"));
}

/** iOS cannot share into a page, but its Shortcuts can send a request. */
function recipe() {
  const request = [
    "Authorization: Bearer …",
    "Idempotency-Key: …",
    "",
    JSON.stringify({ title: "…", payload: { ...SHORTCUT, capturedAt: "…" } }, null, 2),
  ];
  return h(
    "details",
    h("summary", t("onIphone")),
    h(
      "ol",
      h("li", t("shortcutToken"), " ", link("/console/tokens/new", t("createToken"))),
      h("li", t("shortcutText")),
      h("li", t("shortcutDate")),
      h("li", t("shortcutRequest"), " ", h("code", location.origin + CAPTURES_API)),
    ),
    h("pre.exact.scrolls", request.join("\n")),
  );
}
