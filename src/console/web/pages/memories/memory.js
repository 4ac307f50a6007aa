import { actButton } from "../../core/act.js";
import { send } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { TEXTS } from "../../core/memory_drafts.js";
import { t } from "../../core/text.js";
import { shownTime } from "../../fields/shown_time.js";
import { label } from "../../logic/labels.js";
import { archivedNote, rootFacts } from "../root_parts.js";
import { changing, guarded, mayChange, titled } from "./head.js";
import { modelDraft, modelDraftButton } from "./model.js";
import { privacyControl } from "./privacy.js";

/** @type {import("../../pages.js").Page} */
export default async function memory({ params, session }) {
  const { data } = await send("GET", `${TEXTS}/${params.id}`);
  const isWritable = mayChange(session, data);
  return {
    ...titled(data, data.redacted ? t("hidden") : data.title),
    body: [
      archivedNote(data),
      data.redacted
        ? h("p", { class: "note" }, t("hiddenText"))
        : guarded(data, t("theWords"), () => words(data)),
      data.aiDraft !== null && modelDraft(session, data),
      rootFacts(data),
      facts(data),
      links(session, data, isWritable),
      isWritable && privacyControl(session, data),
    ],
  };
}

/** @param {any} memory Shows the original text too, if it differs. */
function words({ summary, originalContent, currentContent }) {
  const side = (/** @type {string} */ title, /** @type {string} */ text) =>
    h("section", {}, h("h2", {}, title), h("p", { class: "words" }, text));
  const contents = originalContent === currentContent
    ? [
      h("p", { class: "words" }, originalContent),
      h("p", { class: "quiet small" }, t("unchangedWords")),
    ]
    : h(
      "div",
      { class: "sides" },
      side(t("originalWords"), originalContent),
      side(t("currentWords"), currentContent),
    );
  return h("div", {}, summary !== "" && h("p", { class: "words lead" }, summary), contents);
}

/** @param {any} memory */
function facts(memory) {
  const { memoryType, importance, privacyLevel } = memory;
  const isTimed = memory.timePrecision !== null || memory.timeText !== null;
  return h(
    "dl",
    { class: "values" },
    isTimed && [h("dt", {}, t("when")), h("dd", {}, shownTime(memory))],
    h("dt", {}, t("memoryType")),
    h("dd", {}, label(memoryType)),
    importance !== null && [
      h("dt", {}, t("importance")),
      h("dd", {}, t("importanceOf", { importance })),
    ],
    h("dt", {}, t("privacy")),
    h("dd", {}, label(privacyLevel)),
  );
}

/**
 * @param {import("../../core/session.js").Session} session
 * @param {any} memory
 * @param {boolean} isWritable
 */
function links(session, memory, isWritable) {
  const path = `/console/memories/${memory.memoryId}`;
  const move = memory.archivedAt === null
    ? changing(memory, "archive", { name: t("archive"), done: t("archived") })
    : changing(memory, "restore", { name: t("restore"), done: t("restored") });
  return h(
    "div",
    { class: "bar" },
    isWritable && h("a", { class: "main", href: `${path}/edit` }, t("edit")),
    h("a", { href: `${path}/history` }, t("history")),
    h("a", { href: `${path}/slices` }, t("slices")),
    isWritable && memory.aiDraft === null && modelDraftButton(session, memory),
    isWritable && actButton(session, move),
  );
}
