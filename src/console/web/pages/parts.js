/** Parts of lists and of the pages of an object. */

import { actButton, lineForm, repeatable, undoableButton } from "../core/acts.js";
import { ApiError, fill, get, h, link, loadArea, may, send, t } from "../core/base.js";
import { fold, lineField, viewsOf } from "../fields/controls.js";
import { ago, contactNow, daysBetween, parts, startOfDay, timeText } from "../fields/shown.js";
import { labelOfOne, moduleOfPath, modulePath, recordPath } from "../core/names.js";
import { deviceTime, restorable } from "../logic/local_time.js";

/**
 * By module: facts; the time; a state and its open values; `due` if it can be overdue.
 * @type {Texts}
 */
const VIEWS = {
  commitment:
    "completionStatus counterparty dueAt; dueAt; completionStatus OPEN IN_PROGRESS RENEGOTIATED; due",
  action:
    "actionStatus actionType targetDate; targetDate; actionStatus PLANNED ACTIVE BLOCKED; due",
  routine: "area nextDueAt; nextDueAt; active true; due",
  health: "value+unit metricType measuredAt; measuredAt",
  capture: "routeStatus capturedAt; capturedAt; routeStatus INBOX SUGGESTED CONFIRMED",
  interview: "interviewStatus askedAt; ; interviewStatus CANDIDATE SCHEDULED ASKED",
  knowledge: "readingStatus author sourceType; ; readingStatus UNREAD READING",
  publication: "publicationStatus publicationType publishedAt; ; publicationStatus DRAFT REVIEWED",
  "ai-agent": "sessionType approvalStatus model; ; approvalStatus PENDING",
  constitution: "entryType priority",
  review: "reviewType periodEnd; periodEnd",
  "personal-model": "modelType confidence",
  timeline: "eventType location startAt; startAt",
  media: "mediaType recordedAt; recordedAt",
  integration: "provider authorizationStatus lastSyncAt",
  legacy: "planType legacyStatus",
  community: "communityType role",
  place: "placeType lastVisitedAt",
};

/** @param {string} code @returns {ModuleView} */
export function viewOf(code) {
  const [facts = [], [time] = [], open = [], [due] = []] = (VIEWS[code] ?? "").split(";")
    .map((part) => part.match(/\S+/g) ?? []);
  return { facts, time, open, isDue: due !== undefined };
}

/**
 * The API's conditions of a quick filter (open, overdue or month): records that meet one of them.
 * @param {ModuleView} view
 * @param {string | null} quick
 * @param {Date} now
 * @returns {Record<string, string>[]}
 */
export function conditionsOfQuick({ open, time, isDue }, quick, now) {
  const [field = "", ...values] = open;
  const isOpen = values.map((value) => ({ [`filter[${field}]`]: value }));
  if (quick === "open" && values.length > 0) return isOpen;
  if (quick === "overdue" && isDue) {
    return isOpen.map((one) => ({ ...one, [`filter[${time}][lte]`]: now.toISOString() }));
  }
  if (quick !== "month") return [{}];
  const [from, to] = [0, 1].map((months) =>
    new Date(new Date(now.getFullYear(), now.getMonth() + months).getTime() - months).toISOString()
  );
  const [first, last] = time === undefined
    ? ["createdFrom", "createdTo"]
    : [`filter[${time}][gte]`, `filter[${time}][lte]`];
  return [{ [first]: from ?? "", [last]: to ?? "" }];
}

/**
 * The values that complete a record, on the device's clock; null for a module without such a state.
 * @param {string} moduleCode
 * @param {Date} now
 */
export function completion(moduleCode, now) {
  switch (moduleCode) {
    case "commitment":
      return { completionStatus: "COMPLETED", completedAt: deviceTime(now.getTime()) };
    case "action":
      return { actionStatus: "COMPLETED" };
    case "routine":
      return { lastCompletedAt: deviceTime(now.getTime()) };
    default:
      return null;
  }
}

/** @param {ModuleView} view @param {any} payload */
export function isOpen({ open }, payload) {
  const [field = "", ...values] = open;
  return values.includes(String(payload[field]));
}

/**
 * The change that undoes another one, without other fields.
 * @param {Readonly<Record<string, unknown>>} before
 * @param {Readonly<Record<string, unknown>>} after
 */
export function undoing(before, after) {
  const names = Object.keys({ ...before, ...after }).filter((name) =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name])
  );
  const had = names.filter((name) => before[name] !== undefined);
  const removed = names.filter((name) => before[name] === undefined);
  const payload = Object.fromEntries(had.map((name) => [name, restorable(before[name])]));
  return {
    ...(had.length > 0 && { payload }),
    ...(removed.length > 0 && { payloadRemove: removed }),
  };
}

/** @param {Date} now @param {number} days The days after today. */
export function dueList(now, days) {
  const until = startOfDay(now, days + 1).toISOString();
  return `/api/v2/due?limit=100&until=${encodeURIComponent(until)}`;
}

/**
 * The items by day: overdue ones first, then each day that has any.
 * @param {readonly Due[]} items
 * @param {Date} now
 */
export function byDay(items, now) {
  const days = Map.groupBy(items, (item) => item.overdue ? null : daysUntil(item, now));
  return [...days].map(([days, items]) => ({ days, items }))
    .sort((one, other) => (one.days ?? -Infinity) - (other.days ?? -Infinity));
}

/** Days from today; below zero for days gone. @param {Due} item @param {Date} now */
export function daysUntil({ at, date }, now) {
  return daysBetween(now, new Date(at ?? `${date}T00:00`));
}

/**
 * Completes a record; its undo restores the former values.
 * @param {Titled} record
 * @param {(data: any) => void} [then] Called after a change with the record.
 * @returns {HTMLButtonElement | false} false if the record cannot be completed.
 */
export function doneButton({ moduleCode, recordId, title }, then) {
  if (!may("record.write") || completion(moduleCode, new Date()) === null) return false;
  const path = `/api/v2/records/${moduleCode}/${recordId}`;
  const method = "PATCH";
  const refuseUnless = (/** @type {boolean} */ isCurrent) => {
    if (!isCurrent) throw new ApiError("REVISION_CONFLICT", { status: 409 });
  };
  return undoableButton({
    name: t("done"),
    label: `${t("done")}: ${title}`,
    done: t("completed", { title }),
    undone: t("undone", { title }),
    title,
    ...(then && { then }),
    act: async () => {
      const { payload: before, revision } = await get(path);
      refuseUnless(isOpen(viewOf(moduleCode), before));
      const undo = async (/** @type {any} */ { payload: done }) => {
        const { payload, revision } = await get(path);
        const change = undoing(before, done);
        const names = [...Object.keys(change.payload ?? {}), ...change.payloadRemove ?? []];
        refuseUnless(names.every((name) => payload[name] === done[name]));
        return { method, path, body: { ...change, expectedRevision: revision } };
      };
      const payload = completion(moduleCode, new Date());
      return { method, path, body: { payload, expectedRevision: revision }, undo };
    },
  });
}

/** Adds a contact of this minute with a person; its undo retracts it. @param {Titled} person */
export function spokeButton({ recordId, title }) {
  const path = `/api/v2/relationship/people/${recordId}/contacts`;
  const method = "POST";
  return may("relationship.ledger.write") && undoableButton({
    name: t("spoke"),
    label: `${t("spoke")}: ${title}`,
    done: t("spokeDone"),
    undone: t("contactUndone"),
    title,
    act: () => ({
      method,
      path,
      body: contactNow(),
      undo: ({ contactId }) => ({
        method,
        path: `${path}/${contactId}/control`,
        body: { kind: "RETRACTED" },
      }),
    }),
  });
}

const PAGE = 50;
/** Pages that a return to the list reads again. */
const MAX_PAGES = 10;

/** @param {URLSearchParams} query @param {Listed} listed */
export async function listPage(query, listed) {
  const { title, api, filter, beside = [], after = [], above, isLong = false, line } = listed;
  const { narrowed = {}, alsoAsked = {}, either = [{}], compare = () => 0, fits, arrange } = listed;
  const wanted = query.get(filter?.name ?? "");
  const view = filter?.views.find(({ value }) => value === wanted) ?? filter?.views[0];
  const chosen = filter && view && view.value !== "" ? { [filter.name]: view.value } : {};
  const isArchive = filter?.name === "archived" && view?.value === "only";
  const { page = location.pathname, none = t(isArchive ? "noneArchived" : "noneYet") } = listed;
  const reader = mergedPages(
    either.map((one) => async (cursor) => {
      const asked = { limit: String(PAGE), ...chosen, ...alsoAsked, ...one };
      const sent = new URLSearchParams({ ...asked, ...(cursor !== null && { cursor }) });
      return await get(`${api}?${sent}`);
    }),
    compare,
    PAGE,
  );
  /** @type {any[]} */
  const items = [];
  let pages = 0;
  const list = h("ul", { class: isLong ? "lines entries" : "lines" });
  const top = h("div");
  const extend = async () => {
    const begin = items.length;
    do {
      const found = await reader.next();
      items.push(...fits === undefined ? found : found.filter(fits));
      pages++;
    } while (items.length === begin && reader.hasMore());
    if (begin === 0 && !reader.hasMore()) items.sort(arrange ?? (() => 0));
    fill(top, above?.(items));
    list.append(...items.slice(begin).map((item, index) => line(item, begin + index)));
    more.hidden = !reader.hasMore();
  };
  const onclick = async () => {
    const begin = items.length;
    await extend();
    // A return to the page finds as many lines.
    const address = new URL(location.href);
    address.searchParams.set("pages", String(pages));
    history.replaceState(history.state, "", address);
    const focused = list.children[begin]?.querySelector("a, button, summary");
    if (focused instanceof HTMLElement) focused.focus();
  };
  const more = h("button", { onclick }, t("showMore"));
  const before = Math.min(MAX_PAGES, Number(query.get("pages")) || 1);
  do await extend(); while (pages < before && reader.hasMore());
  const views = filter?.views.map(({ value, text }) =>
    value === view?.value
      ? h("strong", text)
      : link(`${page}?${new URLSearchParams({ ...narrowed, [filter.name]: value })}`, text)
  );
  const group = { role: "group", "aria-label": t("shown") };
  const folded = [...views ? [h("div.bar", group, views)] : [], ...after];
  const code = moduleOfPath(page) ?? "";
  const isEmpty = none === t("noneYet") && modulePath(code) === page;
  return {
    title,
    body: [
      h("div.bar.controls", ...beside, ...(filter?.areTabs ? folded : fold(folded))),
      top,
      items.length > 0 ? list : isEmpty ? await emptyText(code) : h("p.quiet", none),
      h("p", more),
    ],
  };
}

/** @param {string} code */
async function emptyText(code) {
  await loadArea("modules");
  const line = t("moduleTexts").split("\n").find((line) => line.startsWith(`${code}|`));
  const [, text, example] = line?.split("|") ?? [];
  return h(
    "div",
    h("p.quiet", t("noneYet")),
    h("p", text),
    example !== undefined && h("p.quiet", t("forExample", { example })),
  );
}

/**
 * Reads lists that share an order as one. A single list is read page by page.
 * @param {readonly ReadPage[]} lists
 * @param {Order} compare
 * @param {number} limit
 */
export function mergedPages(lists, compare, limit) {
  /** @type {ListState[]} */
  const states = lists.map((read) => ({ read, items: [], cursor: null, isOver: false }));
  const fetch = async (/** @type {ListState} */ state) => {
    const { items, nextCursor } = await state.read(state.cursor);
    state.items.push(...items);
    state.cursor = nextCursor;
    state.isOver = nextCursor === null;
  };
  return {
    hasMore: () => states.some(({ items, isOver }) => items.length > 0 || !isOver),
    async next() {
      const [only, other] = states;
      if (only !== undefined && other === undefined) {
        await fetch(only);
        return only.items.splice(0);
      }
      const page = [];
      while (page.length < limit) {
        const waiting = states.filter(({ items, isOver }) => items.length === 0 && !isOver);
        await Promise.all(waiting.map(fetch));
        if (waiting.length > 0) continue;
        const [first] = states.filter(({ items }) => items.length > 0)
          .sort((one, other) => compare(one.items[0], other.items[0]));
        if (first === undefined) break;
        page.push(first.items.shift());
      }
      return page;
    },
  };
}

/** @param {any} root */
export function rootFacts({ revision, createdAt, updatedAt }) {
  const values = { revision, created: ago(createdAt), updated: ago(updatedAt) };
  return h("p.quiet.small", parts("facts", values));
}

/** @param {any} root */
export function archivedNote({ archivedAt }) {
  return archivedAt !== null && h("p.note", t("isArchived", { time: timeText(archivedAt) }));
}

/** @param {any} root @param {{ api: string }} place */
export function archiveButton(root, { api }) {
  const isArchived = root.archivedAt !== null;
  return actButton({
    path: `${api}/${isArchived ? "restore" : "archive"}`,
    name: t(isArchived ? "restore" : "archive"),
    done: t(isArchived ? "restored" : "archived"),
    body: () => ({ expectedRevision: root.revision }),
  });
}

/** @param {Texts} [more] */
export function archivedViews(more = {}) {
  const views = viewsOf({ exclude: t("currentItems"), only: t("archivedItems"), ...more });
  return { name: "archived", views };
}

/** @type {(title: string, found: any, all: string, parts: SectionParts) => Element} */
export function listSection(title, { items, nextCursor }, all, { add, isLong = false, line }) {
  return h(
    "section",
    h("h2", title),
    items.length === 0
      ? h("p.quiet", t("noneYet"))
      : h("ul", { class: isLong ? "lines entries" : "lines" }, items.map(line)),
    h("div.bar", add, nextCursor !== null && link(all, t("allOf", { name: title }))),
  );
}

/**
 * An object of a family: flat fields, null without a value; a patch names the fields to set and to
 * remove.
 * @param {readonly CatalogField[]} fields
 * @param {PartPaths} place
 * @param {Texts} [first]
 * @returns {Editable}
 */
export function editableThing(fields, { list, one, idName }, first = {}) {
  return {
    fields,
    list,
    one,
    first,
    valuesOf: (shown) => presentValues(fields, shown),
    idOf: (shown) => shown[idName],
    creation: ({ set }) => set,
    patch: ({ set, remove }) => ({
      ...(Object.keys(set).length > 0 && { set }),
      ...(remove.length > 0 && { remove }),
    }),
  };
}

/** @param {readonly { name: string }[]} fields @param {any} shown */
export function presentValues(fields, shown) {
  const values = fields.map(({ name }) => [name, shown[name] ?? null]);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

const API = "/api/v2/taxonomy";
const MAX_RELATED = 5;

/**
 * Filled once they are read; empty if they cannot be.
 * @param {string} moduleCode
 * @param {string} recordId
 */
export function tagsSection(moduleCode, recordId) {
  const section = h("section");
  const show = async () => {
    const shown = await tagsPart({ moduleCode, recordId }).catch((error) => {
      if (error instanceof ApiError) return [];
      throw error;
    });
    fill(section, ...shown);
  };
  if (may("taxonomy.read") && moduleCode !== "taxonomy") void show();
  return section;
}

/** @param {Tagged} record */
async function tagsPart(record) {
  const asked = new URLSearchParams({ ...record, limit: "100" });
  const { items } = await get(`${API}/assignments?${asked}`);
  const mayWrite = may("taxonomy.write");
  const lines = items.map(({ termId, name }) =>
    h(
      "li",
      link(`/console/tags/${termId}`, name),
      mayWrite && actButton({
        path: `${API}/assignments/remove`,
        body: { termId, ...record },
        name: "×",
        label: t("removeTag", { tag: name }),
        done: t("tagRemoved"),
      }),
    )
  );
  return [
    ...lines.length > 0 ? [h("h2", t("tags")), h("ul.tags", lines)] : [],
    mayWrite && tagForm(record),
    ...await relatedPart(items[0], record.recordId),
  ];
}

/** Accepts a name, then Enter; creates the tag if its name is new. @param {Tagged} record */
function tagForm(record) {
  const name = lineField({ name: "tagName", label: t("addTagTitle"), required: true, words: true });
  const [sendTag, sendAssignment] = [repeatable(), repeatable()];
  return lineForm(name, t("add"), async () => {
    const q = name.text().trim();
    const { data } = await send("POST", `${API}/search`, { body: { q, kind: "TAG", limit: 1 } });
    const [found] = data.items;
    const isThere = found?.matched.text.toLowerCase() === q.toLowerCase();
    const { termId } = isThere
      ? found
      : (await sendTag("POST", `${API}/tags`, { body: { name: q } })).data;
    await sendAssignment("POST", `${API}/assignments`, { body: { termId, ...record } });
  });
}

/** @param {any} tag @param {string} own */
async function relatedPart(tag, own) {
  if (tag === undefined) return [];
  const asked = `termId=${tag.termId}&limit=${MAX_RELATED + 1}`;
  const { items } = await get(`${API}/assignments?${asked}`);
  const others = items.filter(({ recordId }) => recordId !== own).slice(0, MAX_RELATED);
  const lines = await Promise.all(others.map(async ({ moduleCode, recordId }) => {
    const { redacted, title } = await get(`/api/v2/records/${moduleCode}/${recordId}`);
    return h(
      "li",
      link(recordPath(moduleCode, recordId), redacted ? t("hidden") : title, "words"),
      h("span.quiet.small", labelOfOne(moduleCode)),
    );
  }));
  return lines.length === 0
    ? []
    : [h("h2", t("relatedRecords", { tag: tag.name })), h("ul.lines", lines)];
}
