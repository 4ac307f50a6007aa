/** Lines of captures. */

import { actButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { CAPTURES_API, labelOfOne, modulePath, recordPath } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import { ago } from "../../fields/shown/files.js";
import { smallPicture } from "../../fields/shown/pictures.js";
import { titleOf } from "../../fields/shown/titles.js";
import { menuButton } from "../parts/menu.js";

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
    path: `${CAPTURES_API}/${recordId}/archive`,
    name: "",
    symbol: "undo",
    label: `${t("undo")}: ${title}`,
    done: t("captureUndone"),
    then() {
      shown.remove();
      document.querySelector("textarea")?.focus();
    },
  });
  const isRouted = payload?.routeStatus === "ROUTED";
  const offers = Object.entries(BECOMES).map(([module, name]) => {
    const href = `${modulePath(module)}/new?capture=${recordId}`;
    return h("a", { href, "aria-label": `${t("makeIt")} ${t(name)}: ${title}` }, t(name));
  });
  const shown = row({
    anchor: smallPicture(capture.attachmentIds, title, kindSymbol("capture")),
    name: link(recordPath("capture", recordId), title, "words"),
    facts: [
      isRouted && t("madeInto", { name: labelOfOne(payload.targetModule) }),
      ago(createdAt),
    ],
    acts: [
      ...isRouted ? [] : menuButton(icon("actions"), `${t("makeIt")}: ${title}`, offers),
      undo,
    ],
  });
  shown.classList.toggle("done", isRouted);
  return shown;
}
