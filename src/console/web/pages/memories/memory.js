import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { label, MEMORIES_API } from "../../core/names.js";
import { shownTime, titled } from "../../fields/memory_fields.js";
import {
  archiveButton,
  archivedNote,
  loadDrawing,
  objectActs,
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
  privacyButtons,
} from "./texts.js";

/** @type {Page} */
export async function memory({ params }) {
  const [data, { writtenText }] = await Promise.all([
    get(`${MEMORIES_API}/${params.id}`),
    loadDrawing(),
  ]);
  const isWritable = mayChange(data);
  const aside = h(
    "div.aside",
    facts(data),
    tagsSection("memory", data.memoryId),
    refersHere("memory", data.memoryId),
    rootFacts(data),
  );
  return {
    ...titled(data, nameOf(data)),
    body: [
      h("div.pair", timeLine(data), memoryActs(data, isWritable)),
      archivedNote(data),
      h(
        "div",
        { class: data.attachmentIds.length > 0 && "two" },
        data.redacted
          ? h("p.note", t("hiddenText"))
          : hasText(data) && guarded(data, t("theWords"), () => words(data, writtenText)),
        data.aiDraft !== null && modelDraft(data),
        aside,
      ),
    ],
  };
}

/** False for a memory whose text is its title. @param {any} memory */
function hasText({ title, summary, originalContent, currentContent }) {
  return [summary, originalContent, currentContent].some((text) => !["", title].includes(text));
}

/**
 * The current text; the original one is folded below it, if it differs.
 * @param {any} memory @param {DrawText} draw
 */
function words({ summary, originalContent, currentContent }, draw) {
  return h(
    "article.measure",
    summary !== "" && h("p.words.lead", summary),
    draw(currentContent, "reading"),
    originalContent !== currentContent &&
      h("details", h("summary.quiet", t("originalWords")), draw(originalContent, "reading")),
  );
}

/** @param {any} memory */
function timeLine(memory) {
  const isTimed = memory.timePrecision !== null || memory.timeText !== null;
  return h("p.kind.quiet", isTimed && shownTime(memory));
}

/** @param {any} memory */
function facts({ memoryType, importance, privacyLevel }) {
  return h(
    "dl.values.keys",
    [h("dt", t("pictureKind")), h("dd", label(memoryType))],
    importance !== null &&
      [h("dt", t("importance")), h("dd", t("importanceOf", { importance }))],
    [h("dt", t("privacy")), h("dd", label(privacyLevel))],
  );
}

/** @param {any} memory @param {boolean} isWritable */
function memoryActs(memory, isWritable) {
  const path = pageOf(memory);
  return objectActs({
    title: nameOf(memory),
    edit: isWritable && `${path}/edit`,
    more: [
      link(`${path}/history`, t("history")),
      link(`${path}/slices`, t("slices")),
      ...isWritable
        ? [
          memory.aiDraft === null && modelDraftButton(memory),
          ...privacyButtons(memory),
          archiveButton(memory, { api: `${MEMORIES_API}/${memory.memoryId}` }),
        ]
        : [],
    ],
  });
}
