/** Memories: the list, the page of one, slices, history. */

import {
  actButton,
  askButton,
  proofButton,
  repeatable,
  watchFields,
  withSession,
} from "../core/acts.js";
import { announce, get, h, locale, may, t, thisVisit, visit } from "../core/base.js";
import { form, line, lineField, linesField, viewsOf } from "../fields/controls.js";
import { filterForm } from "../fields/filters.js";
import {
  dayOf,
  momentOf,
  PRIVACY_LEVELS,
  shownTime,
  statedMoment,
  wholeTimeText,
} from "../fields/memory_fields.js";
import { ago, localTime, veiled } from "../fields/shown.js";
import { label, labelled, readModule } from "../core/names.js";
import { TEXTS } from "./drafts.js";
import { changedText, changeName, differences, historyPage } from "./history.js";
import { archivedNote, listPage, rootFacts, tagsSection } from "./parts.js";

/**
 * Omits the original text, which never changes.
 * @param {any} memory If secret, earlier texts are hidden too.
 */
function slicedFields({ privacyLevel }) {
  const sensitive = privacyLevel === "SECRET";
  return [
    plain("title", t("title")),
    { ...plain("summary", t("summary")), sensitive },
    { ...plain("currentContent", t("currentWords")), sensitive },
    { name: "time", label: t("when"), text: wholeTimeText },
    named("memoryType", t("pictureKind")),
    plain("importance", t("importance")),
  ];
}

/** @type {(memory: any) => readonly ComparedField[]} */
function memoryComparedFields(memory) {
  const sensitive = memory.privacyLevel === "SECRET";
  const aiDraft = { ...plain("aiDraft", t("modelDraft")), byModel: true, sensitive };
  return [...slicedFields(memory), named("privacyLevel", t("privacy")), aiDraft];
}

/** @type {(name: string, title: string) => ComparedField} */
function plain(name, title) {
  return { name, label: title, text: (state) => String(state[name] ?? "") };
}

/** @type {(name: string, title: string) => ComparedField} */
function named(name, title) {
  return { name, label: title, text: (state) => label(state[name]) };
}

/**
 * @param {any} memory
 * @param {string} end
 * @param {{ name: string, done: string, body?: Record<string, unknown> }} about
 * @returns {Act}
 */
function changing({ memoryId, revision }, end, { body, ...about }) {
  return {
    ...about,
    path: `${TEXTS}/${memoryId}/${end}`,
    body: { ...body, expectedRevision: revision },
    page: `/console/memories/${memoryId}`,
  };
}

/**
 * Document titles are stored by browsers, so a secret memory's title is only on the page.
 * @param {any} memory
 * @param {string} heading
 */
export function titled({ privacyLevel }, heading) {
  return { title: privacyLevel === "SECRET" ? t("aMemory") : heading, heading };
}

/**
 * Hides the text of a secret memory until requested.
 * @param {any} memory
 * @param {string} what
 * @param {() => HTMLElement} make
 */
function guarded({ privacyLevel }, what, make) {
  return privacyLevel === "SECRET" ? h("p", veiled(what, make)) : make();
}

/** @param {any} memory */
function mayChange({ redacted }) {
  return may("memory.write") && !redacted;
}

/** @param {any} memory */
function backTo({ memoryId, title, redacted }) {
  const name = redacted ? t("hidden") : title;
  return h("p", h("a.words", { href: `/console/memories/${memoryId}` }, name));
}

/** A model's draft, kept apart until the person decides. */

/** @param {any} memory */
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

/** Raising privacy is immediate; lowering it requires the password. */

/** @param {any} memory */
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

const LIST = "/console/memories";

/** @type {Page} */
export async function memories({ query }) {
  const module = await readModule("memory");
  const types = module?.fields.find(({ name }) => name === "memoryType")?.options ?? [];
  const options = (/** @type {readonly string[]} */ values) => labelled(values);
  const filters = [
    { name: "memoryType", label: t("pictureKind"), options: options(types) },
    { name: "privacyLevel", label: t("privacy"), options: options(PRIVACY_LEVELS) },
    { name: "from", label: t("happenedFrom") },
    { name: "to", label: t("happenedTo") },
    { name: "onDay", label: t("onThisDay") },
  ];
  const narrowed = Object.fromEntries(
    filters.map(({ name }) => [name, query.get(name) ?? ""]).filter(([, value]) => value !== ""),
  );
  const isNarrowed = Object.keys(narrowed).length > 0;
  return await listPage(query, {
    title: t("memories"),
    page: LIST,
    api: TEXTS,
    filter: {
      name: "archived",
      views: viewsOf({
        exclude: t("currentItems"),
        only: t("archivedItems"),
        include: t("both"),
      }),
    },
    narrowed,
    alsoAsked: wholeDays(narrowed),
    none: t(
      isNarrowed ? "noMatches" : query.get("archived") === "only" ? "noneArchived" : "noneYet",
    ),
    beside: [
      may("memory.write") &&
      h("a.main", { href: `${LIST}/new` }, t("newMemory")),
    ],
    after: [
      h("a", { href: "/console/print/memory" }, t("printView")),
      filterForm(LIST, query, filters),
    ],
    above: () => yearStrip(query),
    line: memoryLine,
  });
}

/** @param {URLSearchParams} query */
function yearStrip(query) {
  const chosen = query.get("from") ?? "";
  const year = chosen === "" ? new Date().getFullYear() : dayOf(chosen).year;
  const names = new Intl.DateTimeFormat(locale(), { month: "short", timeZone: "UTC" });
  const link = (/** @type {string} */ text, /** @type {number} */ year, month = 0, count = 12) => {
    const [from = "", to = ""] = [Date.UTC(year, month), Date.UTC(year, month + count, 0)]
      .map((day) => new Date(day).toISOString().slice(0, 10));
    const isChosen = from === chosen && to === query.get("to");
    const href = `${LIST}?${new URLSearchParams({ from, to })}`;
    const time = h("time", { datetime: from }, text);
    return isChosen ? h("strong", time) : h("a", { href }, time);
  };
  return h(
    "div.bar.strip",
    { role: "group", "aria-label": t("monthsOf", { year }) },
    link(`‹ ${year - 1}`, year - 1),
    link(String(year), year),
    Array.from(
      { length: 12 },
      (_, month) => link(names.format(Date.UTC(year, month)), year, month, 1),
    ),
    link(`${year + 1} ›`, year + 1),
    h("a", { href: `${LIST}?onDay=${localTime(new Date()).slice(0, 10)}` }, t("onThisDay")),
  );
}

/** @param {Readonly<Record<string, string>>} narrowed @returns {Record<string, string>} */
function wholeDays({ from, to, onDay, ...rest }) {
  const startOf = (/** @type {string} */ text, later = 0) => {
    const { year, month, day } = dayOf(text);
    const date = new Date(year, month - 1, day + later);
    return momentOf(date.getFullYear(), date.getMonth() + 1, date.getDate());
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
  const { memoryId, title, redacted, privacyLevel, archivedAt } = memory;
  return line(
    h("a.words", { href: `${LIST}/${memoryId}` }, redacted ? t("hidden") : title),
    [
      shownTime(memory),
      privacyLevel === "SECRET" && label(privacyLevel),
      archivedAt !== null && t("archivedItems"),
    ],
  );
}

/** @type {Page} */
export async function memory({ params }) {
  const data = await get(`${TEXTS}/${params.id}`);
  const isWritable = mayChange(data);
  return {
    ...titled(data, data.redacted ? t("hidden") : data.title),
    body: [
      facts(data),
      archivedNote(data),
      data.redacted
        ? h("p.note", t("hiddenText"))
        : guarded(data, t("theWords"), () => words(data)),
      data.aiDraft !== null && modelDraft(data),
      links(data, isWritable),
      isWritable && privacyControl(data),
      tagsSection("memory", data.memoryId, `/console/memories/${data.memoryId}`),
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

/** @param {any} memory @param {boolean} isWritable */
function links(memory, isWritable) {
  const path = `/console/memories/${memory.memoryId}`;
  const move = memory.archivedAt === null
    ? changing(memory, "archive", { name: t("archive"), done: t("archived") })
    : changing(memory, "restore", { name: t("restore"), done: t("restored") });
  return h(
    "div.bar",
    isWritable && h("a.main", { href: `${path}/edit` }, t("edit")),
    h("a", { href: `${path}/history` }, t("history")),
    h("a", { href: `${path}/slices` }, t("slices")),
    isWritable && memory.aiDraft === null && modelDraftButton(memory),
    isWritable && actButton(move),
  );
}

/** @type {Page} */
export async function memoryHistory(visit) {
  const { params: { id } } = visit;
  const api = `${TEXTS}/${id}`;
  const memory = await get(api);
  return await historyPage(visit, {
    page: `/console/memories/${id}`,
    api,
    earlier: (revision) => `${api}/revisions/${revision}`,
    fields: memoryComparedFields(memory),
    changeName: memoryChange,
    undo: (name, former) => may("memory.write") ? undo(api, name, former) : null,
  });
}

/**
 * Not restorable: the original text, privacy (has its own page), a model's text, and the removal of a stated
 * value.
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
  if (name !== "time" || former.timePrecision === null) return null;
  const { timePrecision, timeText } = former;
  const occurredAt = statedMoment(former);
  const body = {
    timePrecision,
    ...(occurredAt !== "" && { occurredAt }),
    ...(timeText !== null && { timeText }),
  };
  return { method: "POST", path: `${api}/time`, body };
}

/** @param {string} change */
function memoryChange(change) {
  const names = /** @type {const} */ ({
    RECOVERED: "recoveredChange",
    AI_DRAFTED: "modelDrafted",
    AI_DRAFT_ADOPTED: "modelAdopted",
    AI_DRAFT_REJECTED: "modelRejected",
    TIME_CHANGED: "timeChanged",
    PRIVACY_CHANGED: "privacyChanged",
  });
  const name = names[/** @type {keyof typeof names} */ (change)];
  return name === undefined ? changeName(change) : t(name);
}

const PAGE = 50;

/** @type {Page} */
export async function memorySlices({ params: { id }, query }) {
  const api = `${TEXTS}/${id}`;
  const page = `/console/memories/${id}/slices`;
  const cursor = query.get("cursor");
  const asked = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
  const [memory, { items, nextCursor }] = await Promise.all([
    get(api),
    get(`${api}/slices?${asked}`),
  ]);
  const older = new URLSearchParams({ cursor: nextCursor });
  const slices = items.toReversed().map((slice) => card(memory, slice));
  return {
    title: t("slices"),
    body: [
      backTo(memory),
      h("p", t("slicesText")),
      mayChange(memory) && addForm(api, page),
      nextCursor !== null && h("p", h("a", { href: `${page}?${older}` }, t("older"))),
      slices.length === 0 ? h("p.quiet", t("noneYet")) : h(
        "ol.groups.cards",
        slices,
        cursor === null && !memory.redacted && presentCard(memory),
      ),
    ],
  };
}

/** @param {string} api @param {string} page */
function addForm(api, page) {
  const name = lineField({
    name: "label",
    label: t("nameOf"),
    hint: t("sliceLabelHint"),
    required: true,
    words: true,
  });
  const sendSlice = repeatable();
  const sent = watchFields([name]);
  const element = form([name], t("addSlice"), async () => {
    const here = thisVisit();
    const body = { label: name.text() };
    await withSession(() => sendSlice("POST", `${api}/slices`, { body }));
    sent();
    announce(t("kept"));
    await visit(page, here);
  });
  element.classList.add("one-line");
  return element;
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
    guarded(
      memory,
      `${t("theWords")}, ${name}`,
      () => h("p.words.reading", currentContent),
    ),
  ];
}
