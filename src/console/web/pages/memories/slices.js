/** The history of a memory, and its slices. */

import { actButton } from "../../core/acts/buttons.js";
import { lineForm } from "../../core/acts/line_forms.js";
import { repeatable } from "../../core/acts/texts.js";
import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { may } from "../../core/base/session.js";
import { MEMORIES_API } from "../../core/names.js";
import { lineField } from "../../fields/controls/lines.js";
import { shownTime, wholeTimeText } from "../../fields/memory_fields.js";
import { ago } from "../../fields/shown/files.js";
import { restorable, statedMoment } from "../../logic/local_time.js";
import { differences, pageQuery } from "../history/comparison.js";
import { historyPage } from "../history/revisions.js";
import {
  changing,
  guarded,
  LIST,
  mayChange,
  memoryComparedFields,
  nameOf,
  pageOf,
  slicedFields,
} from "./texts.js";
import { loadDrawing } from "../parts/objects.js";

/** @type {Page} */
export async function memoryHistory(visit) {
  const { params: { id } } = visit;
  const api = `${MEMORIES_API}/${id}`;
  const memory = await get(api);
  return await historyPage(visit, {
    page: `${LIST}/${id}`,
    api,
    earlier: (revision) => `${api}/revisions/${revision}`,
    fields: memoryComparedFields(memory),
    changes: CHANGES,
    undo: (name, former) => may("memory.write") ? undo(api, name, former) : null,
  });
}

/**
 * Not restorable: the original text, privacy, a model's text, and the removal of a stated value.
 * @param {string} api
 * @param {string} name
 * @param {any} former
 * @returns {Undo | null}
 */
function undo(api, name, former) {
  const revising = ["title", "summary", "currentContent", "memoryType", "importance"];
  if (revising.includes(name) && former[name] !== null) {
    return { method: "POST", path: `${api}/revisions`, body: { [name]: former[name] } };
  }
  const { timePrecision, timeText } = former;
  if (name !== "time" || timePrecision === null) return null;
  const occurredAt = restorable(statedMoment(former));
  const body = {
    timePrecision,
    ...(occurredAt !== "" && { occurredAt }),
    ...(timeText !== null && { timeText }),
  };
  return { method: "POST", path: `${api}/time`, body };
}

/** @type {ChangeNames} */
const CHANGES = {
  RECOVERED: "recoveredChange",
  AI_DRAFTED: "modelDrafted",
  AI_DRAFT_ADOPTED: "modelAdopted",
  AI_DRAFT_REJECTED: "modelRejected",
  TIME_CHANGED: "timeChanged",
  PRIVACY_CHANGED: "privacyChanged",
};

/** @type {Page} */
export async function memorySlices({ params: { id }, query }) {
  const api = `${MEMORIES_API}/${id}`;
  const page = `${LIST}/${id}/slices`;
  const [memory, { items, nextCursor }, { writtenText }] = await Promise.all([
    get(api),
    get(`${api}/slices?${pageQuery(query)}`),
    loadDrawing(),
  ]);
  const older = new URLSearchParams({ cursor: nextCursor });
  const slices = items.toReversed().map((slice) => card(memory, slice, writtenText));
  return {
    title: t("slices"),
    body: [
      h("p", link(pageOf(memory), nameOf(memory), "words")),
      h("p", t("slicesText")),
      mayChange(memory) && addForm(api),
      nextCursor !== null && h("p", link(`${page}?${older}`, t("older"))),
      slices.length === 0 ? h("p.quiet", t("noneYet")) : h(
        "ol.groups.cards",
        slices,
        !query.has("cursor") && !memory.redacted && presentCard(memory, writtenText),
      ),
    ],
  };
}

/** @param {string} api */
function addForm(api) {
  const name = lineField({
    name: "label",
    label: t("nameOf"),
    hint: t("sliceLabelHint"),
    required: true,
    words: true,
  });
  const sendSlice = repeatable();
  const path = `${api}/slices`;
  const work = () => sendSlice("POST", path, { body: { label: name.text() } });
  return lineForm(name, t("addSlice"), work);
}

/** @param {any} memory @param {any} slice @param {DrawText} draw */
function card(memory, slice, draw) {
  const { sliceId, memoryRevision, redacted, createdAt, label } = slice;
  const recovering = {
    ...changing(memory, `slices/${sliceId}/recover`, { name: t("restore"), done: t("reverted") }),
    label: `${t("restore")}: ${label}`,
  };
  // Slices have no time range.
  const [then, now] = [slice, memory].map((state) => ({ ...state, timeRange: null }));
  const since = t("changesSince");
  return h(
    "li",
    h("h2.words", redacted ? t("hidden") : label),
    ...stateParts(memory, slice, { revision: memoryRevision, at: createdAt, name: label, draw }),
    !redacted && [
      wholeTimeText(then) !== "" && h("p.quiet.small", shownTime(then)),
      h(
        "details",
        h("summary", { "aria-label": `${since}: ${label}` }, since),
        differences(slicedFields(memory), then, now, undefined, label),
      ),
    ],
    mayChange(memory) && actButton(recovering),
  );
}

/** The state after the newest slice. @param {any} memory @param {DrawText} draw */
function presentCard(memory, draw) {
  const { revision, updatedAt: at } = memory;
  const name = t("present");
  return h("li.chosen", h("h2", name), ...stateParts(memory, memory, { revision, at, name, draw }));
}

/**
 * @param {any} memory
 * @param {{ currentContent: string, redacted?: boolean }} state
 * @param {{ revision: number, at: string, name: string, draw: DrawText }} about
 */
function stateParts(memory, { currentContent, redacted }, { revision, at, name, draw }) {
  return [
    h("p.quiet.small", `${t("revisionOf", { revision })} · `, ago(at)),
    !redacted &&
    guarded(memory, `${t("theWords")}, ${name}`, () => draw(currentContent, "reading")),
  ];
}
