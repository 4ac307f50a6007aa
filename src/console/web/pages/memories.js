/** Memories: the list, the page of one, slices, history. */

import { actButton, askButton, lineForm, proofButton, repeatable } from "../core/acts.js";
import { get, h, link, may, t } from "../core/base.js";
import { line, lineField, linesField } from "../fields/controls.js";
import { filterForm } from "../fields/filters.js";
import {
  dayOf,
  isSecret,
  momentOf,
  PRIVACY_LEVELS,
  shownTime,
  titled,
  wholeTimeText,
} from "../fields/memory_fields.js";
import { ago, formatTime, thisMinute, veiled } from "../fields/shown.js";
import { restorable, statedMoment, withoutZone } from "../logic/local_time.js";
import { label, labelled, MEMORIES_API, readFields } from "../core/names.js";
import { changedText, differences, historyPage, pageQuery } from "./history.js";
import {
  archiveButton,
  archivedNote,
  archivedViews,
  listPage,
  rootFacts,
  tagsSection,
} from "./parts.js";

const LIST = "/console/memories";

/**
 * Omits the original text, which never changes.
 * @param {any} memory If secret, earlier texts are hidden too.
 */
function slicedFields(memory) {
  const sensitive = isSecret(memory);
  return [
    compared("title", t("title")),
    compared("summary", t("summary"), { sensitive }),
    compared("currentContent", t("currentWords"), { sensitive }),
    compared("time", t("when"), { text: exactTimeText, shown: wholeTimeText }),
    compared("memoryType", t("pictureKind"), { text: ({ memoryType }) => label(memoryType) }),
    compared("importance", t("importance")),
  ];
}

/** Times that differ only in their clock may be shown alike. @param {any} memory */
function exactTimeText(memory) {
  return `${wholeTimeText(memory)} ${memory.occurredAt ?? ""}`.trim();
}

/** @param {any} memory */
function memoryComparedFields(memory) {
  return [
    ...slicedFields(memory),
    compared("privacyLevel", t("privacy"), { text: ({ privacyLevel }) => label(privacyLevel) }),
    compared("aiDraft", t("modelDraft"), { byModel: true, sensitive: isSecret(memory) }),
  ];
}

/** @type {(name: string, label: string, more?: Partial<ComparedField>) => ComparedField} */
function compared(name, label, more) {
  return { name, label, text: (state) => String(state[name] ?? ""), ...more };
}

/** @param {any} memory */
function pageOf({ memoryId }) {
  return `${LIST}/${memoryId}`;
}

/** @param {any} memory */
function nameOf({ redacted, title }) {
  return redacted ? t("hidden") : title;
}

/**
 * @param {any} memory
 * @param {string} end
 * @param {Pick<Act, "name" | "done"> & { body?: object }} about
 */
function changing(memory, end, { body, ...about }) {
  return {
    ...about,
    path: `${MEMORIES_API}/${memory.memoryId}/${end}`,
    body: { ...body, expectedRevision: memory.revision },
    page: pageOf(memory),
  };
}

/**
 * Hides the text of a secret memory until requested.
 * @param {any} memory
 * @param {string} what
 * @param {() => HTMLElement} make
 */
function guarded(memory, what, make) {
  return isSecret(memory) ? h("p", veiled(what, make)) : make();
}

/** @param {any} memory */
function mayChange({ redacted }) {
  return may("memory.write") && !redacted;
}

/** A model's draft, kept apart until the person decides. @param {any} memory */
function modelDraft(memory) {
  const { aiDraft, aiDraftProvider, aiDraftModel, currentContent } = memory;
  return h(
    "section.note",
    h("h2", t("modelDraft")),
    h("p.quiet.small", [aiDraftProvider, aiDraftModel].filter(Boolean).join(" · ")),
    guarded(memory, t("modelDraft"), () =>
      h(
        "div",
        h("p.words", aiDraft),
        h("details", h("summary", t("modelChanges")), changedText(currentContent, aiDraft)),
      )),
    mayChange(memory) && h("div.bar", decisions(memory)),
  );
}

/** @param {any} memory */
function decisions(memory) {
  const adopting = changing(memory, "ai-draft/adopt", { name: t("adopt"), done: t("adopted") });
  const question = { title: t("adoptQuestion"), text: t("adoptText") };
  const rejecting = changing(memory, "ai-draft/reject", { name: t("reject"), done: t("rejected") });
  const toBody = () => ({ expectedRevision: memory.revision, confirm: true });
  return [askButton({ ...adopting, ...question }, () => [], toBody), actButton(rejecting)];
}

/** The draft was written elsewhere. @param {any} memory */
function modelDraftButton(memory) {
  const name = t("addModelDraft");
  const act = { ...changing(memory, "ai-draft", { name, done: t("kept") }), title: name };
  const fields = () => [
    lineField({ name: "provider", label: t("modelProvider"), required: true }),
    lineField({ name: "model", label: t("modelName") }),
    linesField({ name: "aiDraft", label: t("modelText"), required: true, sensitive: true }),
  ];
  return askButton(act, fields, ({ model, ...texts }) => ({
    ...texts,
    ...(model?.trim() && { model }),
    expectedRevision: memory.revision,
  }));
}

/** Raising privacy is immediate; lowering it requires the password. @param {any} memory */
function privacyControl(memory) {
  const { memoryId, title, privacyLevel } = memory;
  const names = { NORMAL: t("makeNormal"), PRIVATE: t("makePrivate"), SECRET: t("makeSecret") };
  const present = PRIVACY_LEVELS.indexOf(privacyLevel);
  const buttons = PRIVACY_LEVELS.map((level, index) => {
    if (index === present) return null;
    const name = names[level];
    const done = t("privacyIs", { level: label(level) });
    const act = changing(memory, "privacy", { name, done, body: { privacyLevel: level } });
    if (index > present) return actButton(act);
    const purpose = "MEMORY_PRIVACY_DOWNGRADE";
    return proofButton(act, { purpose, what: name, thing: title, targetId: memoryId });
  });
  return h(
    "details",
    h("summary", t("changePrivacy")),
    h("p", t("memoryPrivacyHint")),
    h("div.bar", buttons),
  );
}

/** @type {Page} */
export async function memories({ query }) {
  const fields = await readFields("memory");
  const types = fields.find(({ name }) => name === "memoryType")?.options ?? [];
  const filters = [
    { name: "memoryType", label: t("pictureKind"), options: labelled(types) },
    { name: "privacyLevel", label: t("privacy"), options: labelled(PRIVACY_LEVELS) },
    { name: "from", label: t("happenedFrom") },
    { name: "to", label: t("happenedTo") },
    { name: "onDay", label: t("onThisDay") },
  ];
  const narrowed = Object.fromEntries(
    filters.map(({ name }) => [name, query.get(name)]).filter(([, value]) => value),
  );
  return await listPage(query, {
    title: t("memories"),
    api: MEMORIES_API,
    filter: archivedViews({ include: t("both") }),
    narrowed,
    alsoAsked: wholeDays(narrowed),
    ...(Object.keys(narrowed).length > 0 && { none: t("noMatches") }),
    beside: [may("memory.write") && link(`${LIST}/new`, t("newMemory"), "main")],
    after: [link("/console/print/memory", t("printView")), filterForm(LIST, query, filters)],
    above: () => yearStrip(query),
    line: memoryLine,
  });
}

/** @param {URLSearchParams} query */
function yearStrip(query) {
  const chosen = query.get("from") ?? "";
  const year = chosen === "" ? new Date().getFullYear() : dayOf(chosen).year;
  const period = (
    /** @type {string} */ text,
    /** @type {number} */ year,
    month = 0,
    count = 12,
  ) => {
    const [from = "", to = ""] = [Date.UTC(year, month), Date.UTC(year, month + count, 0)]
      .map((day) => new Date(day).toISOString().slice(0, 10));
    const isChosen = from === chosen && to === query.get("to");
    const time = h("time", { datetime: from }, text);
    return isChosen
      ? h("strong", time)
      : link(`${LIST}?${new URLSearchParams({ from, to })}`, time);
  };
  return h(
    "div.bar.strip",
    { role: "group", "aria-label": t("monthsOf", { year }) },
    period(`‹ ${year - 1}`, year - 1),
    period(String(year), year),
    Array.from({ length: 12 }, (_, month) => {
      const name = formatTime(Date.UTC(year, month), { month: "short", timeZone: "UTC" });
      return period(name, year, month, 1);
    }),
    period(`${year + 1} ›`, year + 1),
    link(`${LIST}?onDay=${thisMinute().slice(0, 10)}`, t("onThisDay")),
  );
}

/** @param {Texts} narrowed @returns {Texts} */
function wholeDays({ from, to, onDay, ...rest }) {
  const startOf = (/** @type {string} */ text, later = 0) => {
    const { year, month, day } = dayOf(text);
    const date = new Date(year, month - 1, day + later);
    const start = { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
    // The bounds of a query have offsets, not zones.
    return withoutZone(momentOf(start));
  };
  return {
    ...rest,
    ...(from && { from: startOf(from) }),
    ...(to && { to: startOf(to, 1) }),
    ...(onDay && { onDay: startOf(onDay) }),
  };
}

/** @param {any} memory */
function memoryLine(memory) {
  return line(
    link(pageOf(memory), nameOf(memory), "words"),
    [
      shownTime(memory),
      isSecret(memory) && label("SECRET"),
      memory.archivedAt !== null && t("archivedItems"),
    ],
  );
}

/** @type {Page} */
export async function memory({ params }) {
  const data = await get(`${MEMORIES_API}/${params.id}`);
  const isWritable = mayChange(data);
  return {
    ...titled(data, nameOf(data)),
    body: [
      facts(data),
      archivedNote(data),
      data.redacted
        ? h("p.note", t("hiddenText"))
        : guarded(data, t("theWords"), () => words(data)),
      data.aiDraft !== null && modelDraft(data),
      links(data, isWritable),
      isWritable && privacyControl(data),
      tagsSection("memory", data.memoryId),
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
  const [memory, { items, nextCursor }] = await Promise.all([
    get(api),
    get(`${api}/slices?${pageQuery(query)}`),
  ]);
  const older = new URLSearchParams({ cursor: nextCursor });
  const slices = items.toReversed().map((slice) => card(memory, slice));
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
        !query.has("cursor") && !memory.redacted && presentCard(memory),
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

/** @param {any} memory @param {any} slice */
function card(memory, slice) {
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
    ...stateParts(memory, slice, { revision: memoryRevision, at: createdAt, name: label }),
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

/** The state after the newest slice. @param {any} memory */
function presentCard(memory) {
  const { revision, updatedAt: at } = memory;
  const name = t("present");
  return h("li.chosen", h("h2", name), ...stateParts(memory, memory, { revision, at, name }));
}

/**
 * @param {any} memory
 * @param {{ currentContent: string, redacted?: boolean }} state
 * @param {{ revision: number, at: string, name: string }} about
 */
function stateParts(memory, { currentContent, redacted }, { revision, at, name }) {
  return [
    h("p.quiet.small", `${t("revisionOf", { revision })} · `, ago(at)),
    !redacted &&
    guarded(memory, `${t("theWords")}, ${name}`, () => h("p.words.reading", currentContent)),
  ];
}
