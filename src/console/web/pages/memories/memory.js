import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { label, MEMORIES_API } from "../../core/names.js";
import { shownTime, titled } from "../../fields/memory_fields.js";
import {
  archiveButton,
  archivedNote,
  loadDrawing,
  refersHere,
  rootFacts,
} from "../parts/objects.js";
import { tagsSection } from "../parts/tags.js";
import {
  guarded,
  mayChange,
  modelDraft,
  modelDraftButton,
  nameOf,
  pageOf,
  privacyControl,
} from "./texts.js";

/** @type {Page} */
export async function memory({ params }) {
  const [data, { writtenText }] = await Promise.all([
    get(`${MEMORIES_API}/${params.id}`),
    loadDrawing(),
  ]);
  const isWritable = mayChange(data);
  return {
    ...titled(data, nameOf(data)),
    body: [
      facts(data),
      archivedNote(data),
      data.redacted
        ? h("p.note", t("hiddenText"))
        : guarded(data, t("theWords"), () => words(data, writtenText)),
      data.aiDraft !== null && modelDraft(data),
      links(data, isWritable),
      isWritable && privacyControl(data),
      tagsSection("memory", data.memoryId),
      refersHere("memory", data.memoryId),
      rootFacts(data),
    ],
  };
}

/**
 * Shows the original text too, if it differs.
 * @param {any} memory @param {DrawText} draw
 */
function words({ summary, originalContent, currentContent }, draw) {
  const reading = (/** @type {string} */ text) => draw(text, "reading");
  const lead = summary !== "" && h("p.words.lead", summary);
  if (originalContent === currentContent) {
    return h("article.measure", lead, reading(originalContent));
  }
  const sides = h(
    "div.groups",
    h("section", h("h2", t("originalWords")), reading(originalContent)),
    h("section", h("h2", t("currentWords")), reading(currentContent)),
  );
  return h("article", lead, sides);
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

/** @param {any} memory @param {boolean} isWritable */
function links(memory, isWritable) {
  const path = pageOf(memory);
  return h(
    "div.bar",
    isWritable && link(`${path}/edit`, t("edit"), "main"),
    link(`${path}/history`, t("history")),
    link(`${path}/slices`, t("slices")),
    isWritable && memory.aiDraft === null && modelDraftButton(memory),
    isWritable && archiveButton(memory, { api: `${MEMORIES_API}/${memory.memoryId}` }),
  );
}
