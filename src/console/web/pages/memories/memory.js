import { actButton } from "../../core/acts.js";
import { h, send, t } from "../../core/base.js";
import { TEXTS } from "../drafts.js";
import { shownTime } from "../../fields/memory_fields.js";
import { label } from "../../core/names.js";
import { tagsSection } from "../record_tags.js";
import { archivedNote, rootFacts } from "../root_parts.js";
import { changing, guarded, mayChange, titled } from "./head.js";
import { modelDraft, modelDraftButton } from "./model.js";
import { privacyControl } from "./privacy.js";

/** @type {Page} */
export default async function memory({ params, session }) {
  const { data } = await send("GET", `${TEXTS}/${params.id}`);
  const isWritable = mayChange(session, data);
  return {
    ...titled(data, data.redacted ? t("hidden") : data.title),
    body: [
      facts(data),
      archivedNote(data),
      data.redacted
        ? h("p.note", t("hiddenText"))
        : guarded(data, t("theWords"), () => words(data)),
      data.aiDraft !== null && modelDraft(session, data),
      links(session, data, isWritable),
      isWritable && privacyControl(session, data),
      tagsSection(session, "memory", data.memoryId, `/console/memories/${data.memoryId}`),
      rootFacts(data),
    ],
  };
}

/** @param {any} memory Shows the original text too, if it differs. */
function words({ summary, originalContent, currentContent }) {
  const reading = (/** @type {string} */ text) => h("p.words.reading", text);
  const lead = summary !== "" && h("p.words.lead", summary);
  if (originalContent === currentContent) {
    return h("article.measure", lead, reading(originalContent));
  }
  const side = (/** @type {string} */ title, /** @type {string} */ text) =>
    h("section", h("h2", title), reading(text));
  const sides = [
    side(t("originalWords"), originalContent),
    side(t("currentWords"), currentContent),
  ];
  return h("article", lead, h("div.groups", sides));
}

/** @param {any} memory */
function facts(memory) {
  const { memoryType, importance, privacyLevel } = memory;
  const isTimed = memory.timePrecision !== null || memory.timeText !== null;
  return h(
    "p.key-values",
    ...isTimed ? [shownTime(memory), " · "] : [],
    label(memoryType),
    importance !== null && ` · ${t("importance")}: ${t("importanceOf", { importance })}`,
    ` · ${label(privacyLevel)}`,
  );
}

/** @param {Session} session @param {any} memory @param {boolean} isWritable */
function links(session, memory, isWritable) {
  const path = `/console/memories/${memory.memoryId}`;
  const move = memory.archivedAt === null
    ? changing(memory, "archive", { name: t("archive"), done: t("archived") })
    : changing(memory, "restore", { name: t("restore"), done: t("restored") });
  return h(
    "div.bar",
    isWritable && h("a.main", { href: `${path}/edit` }, t("edit")),
    h("a", { href: `${path}/history` }, t("history")),
    h("a", { href: `${path}/slices` }, t("slices")),
    isWritable && memory.aiDraft === null && modelDraftButton(session, memory),
    isWritable && actButton(session, move),
  );
}
