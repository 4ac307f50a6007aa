/** Parts of the pages of an object, its history, and the choice of two revisions. */

import { actButton } from "../core/acts.js";
import { h, notLoaded, send, t, timeText } from "../core/base.js";
import { newId } from "../fields/controls.js";
import { comparedField, differences } from "../fields/differences.js";
import { viewOf } from "../fields/module_values.js";
import { ago, needed, optional, parts, toText } from "../fields/shown.js";

/** The history of an object, and the choice of two revisions. */

/** @param {string} path @param {readonly number[]} revisions Newest first. */
function compareForm(path, revisions) {
  const list = (/** @type {string} */ label, /** @type {number | undefined} */ chosen) => {
    const options = revisions.map((revision) =>
      h("option", { selected: revision === chosen }, revision)
    );
    const select = h("select", { id: newId() }, options);
    return { select, part: h("div", h("label", { for: select.id }, label), select) };
  };
  const from = list(t("compareFrom"), revisions[1]);
  const to = list(t("compareTo"), revisions[0]);
  const compare = (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = { from: from.select.value, to: to.select.value };
    location.assign(`${path}?${new URLSearchParams(chosen)}`);
  };
  return h(
    "details",
    h("summary", t("compareTwo")),
    h(
      "form.bar",
      { onsubmit: compare },
      from.part,
      to.part,
      h("button", { type: "submit" }, t("compare")),
    ),
  );
}

/** All revisions with their changes, newest first; or two compared. */

const PAGE = 50;

/** @type {(visited: Visit, thing: Historied) => Promise<Content>} */
export async function historyPage({ query, session }, thing) {
  const [from, to] = ["from", "to"].map((name) => Number(query.get(name)));
  if (!from) return await revisions(query, thing);
  return await comparison({ from, to: to || null }, session, thing);
}

/**
 * @param {{ from: number, to: number | null }} compared Null for the current state.
 * @param {Session} session
 * @param {Historied} thing
 */
async function comparison({ from, to }, session, { page, api, earlier, fields, undo }) {
  const [{ data: before }, { data: after }] = await Promise.all([
    send("GET", earlier(from)),
    send("GET", to === null ? api : earlier(to)),
  ]);
  const undoButton = (/** @type {string} */ name, /** @type {string} */ label) => {
    const act = to !== null || before.redacted || after.redacted ? null : undo(name, before);
    if (act === null) return null;
    const body = { ...act.body, expectedRevision: after.revision };
    return actButton(session, {
      ...act,
      body,
      page,
      name: t("revert"),
      label: `${t("revert")}: ${label}`,
      done: t("reverted"),
    });
  };
  return {
    title: t(to === null ? "comparison" : "comparisonOf", { from, to: after.revision }),
    body: [
      h("p", h("a", { href: `${page}/history` }, t("history"))),
      after.redacted && h("p.note", t("hidden")),
      differences(fields, before, after, undoButton),
    ],
  };
}

/** @param {URLSearchParams} query @param {Historied} thing */
async function revisions(query, { page, api, nameOf = ({ title }) => title, fields, changeName }) {
  const asked = new URLSearchParams({ limit: String(PAGE) });
  const cursor = query.get("cursor");
  if (cursor !== null) asked.set("cursor", cursor);
  const { data: { items: shown, nextCursor } } = await send("GET", `${api}/revisions?${asked}`);
  const older = nextCursor === null ? null : new URLSearchParams({ cursor: nextCursor });
  // The page's last item is compared with the revision before it.
  const next = older && await send("GET", `${api}/revisions?limit=1&${older}`);
  const items = [...shown, ...next?.data.items ?? []];
  const lines = shown.map((/** @type {any} */ item, /** @type {number} */ index) => {
    // A root's revision has the root's times; a record's its own.
    const at = item.updatedAt ?? item.createdAt;
    return h(
      "li",
      h(
        "details",
        { open: index === 0 },
        h(
          "summary",
          `${item.revision} · ${changeName(item.change)} · `,
          h("time", { datetime: at }, timeText(at)),
        ),
        differences(fields, items[index + 1] ?? null, item, undefined, String(item.revision)),
        h("p", compareLink(page, item.revision)),
      ),
    );
  });
  return {
    title: t("history"),
    body: [
      h("p", h("a", { href: page }, nameOf(shown[0]) || t("hidden"))),
      shown.length > 2 &&
      compareForm(
        `${page}/history`,
        shown.map((/** @type {any} */ item) => item.revision),
      ),
      h("ol.lines.history", { reversed: true }, lines),
      older !== null && h("p", h("a", { href: `${page}/history?${older}` }, t("older"))),
    ],
  };
}

/** @param {string} page @param {number} revision */
function compareLink(page, revision) {
  const label = t("compareOfNow", { revision });
  return h(
    "a",
    { href: `${page}/history?from=${revision}`, "aria-label": label },
    t("compareNow"),
  );
}

/** @param {string} change */
export function changeName(change) {
  const names = /** @type {const} */ ({
    CREATED: "created",
    ARCHIVED: "archivedChange",
    RESTORED: "restoredChange",
  });
  return t(names[/** @type {keyof typeof names} */ (change)] ?? "modified");
}

/** Parts of the pages of an object. */

/** Facts, archive and history of roots. */

/** @param {{ revision: number, createdAt: string, updatedAt: string }} root */
export function rootFacts({ revision, createdAt, updatedAt }) {
  const values = { revision, created: ago(createdAt), updated: ago(updatedAt) };
  return h("p.quiet.small", parts("facts", values));
}

/** @param {{ archivedAt: string | null }} root */
export function archivedNote({ archivedAt }) {
  return archivedAt !== null &&
    h("p.note", t("isArchived", { time: timeText(archivedAt) }));
}

/**
 * @param {Session} session
 * @param {{ archivedAt: string | null, revision: number }} root
 * @param {Paths} place
 */
export function archiveButton(session, { archivedAt, revision }, { page, api }) {
  const isArchived = archivedAt !== null;
  return actButton(session, {
    path: `${api}/${isArchived ? "restore" : "archive"}`,
    name: t(isArchived ? "restore" : "archive"),
    done: t(isArchived ? "restored" : "archived"),
    body: { expectedRevision: revision },
    page,
  });
}

export function archivedViews() {
  return {
    name: "archived",
    views: [
      { value: "exclude", text: t("currentItems") },
      { value: "only", text: t("archivedItems") },
    ],
  };
}

/**
 * History of an object with flat fields, changed by `set` and `remove`.
 * @param {Visit} visit
 * @param {Paths & {
 *   nameOf: (state: any) => string,
 *   fields: readonly (CatalogField & { text?: (state: any) => string })[],
 *   isFixed?: boolean,
 *   fixed?: readonly string[],
 *   nameOfChange?: (change: string) => string,
 *   earlier?: (revision: number) => string,
 * }} thing `text` shows a field whose form in answers differs; fixed objects and fields cannot be restored.
 */
export function thingHistory(visit, { page, api, nameOf, fields, ...rest }) {
  const { isFixed = false, fixed = [], nameOfChange = changeName } = rest;
  return historyPage(visit, {
    page,
    api,
    nameOf,
    changeName: nameOfChange,
    earlier: rest.earlier ?? ((revision) => `${api}?revision=${revision}`),
    fields: fields.map(({ text, ...field }) => ({
      ...comparedField(field, (state) => state[field.name] ?? undefined),
      ...(text !== undefined && { text, shown: text }),
    })),
    undo(field, former) {
      if (isFixed || fixed.includes(field)) return null;
      const value = former[field] ?? null;
      const body = value === null ? { remove: [field] } : { set: { [field]: value } };
      return { method: "PATCH", path: api, body };
    },
  });
}

/**
 * The newest items, with a link to all.
 * @param {string} title
 * @param {any} found
 * @param {string} all
 * @param {{
 *   add?: Element | false,
 *   isLong?: boolean,
 *   line: (item: any, index: number) => Element,
 * }} parts `isLong` if a line has more than a title and facts.
 */
export function listSection(
  title,
  { items, nextCursor },
  all,
  { add = false, isLong = false, line },
) {
  return h(
    "section",
    h("h2", title),
    items.length === 0
      ? h("p.quiet", t("noneYet"))
      : h("ul", { class: isLong ? "lines entries" : "lines" }, items.map(line)),
    h("div.bar", add, nextCursor !== null && h("a", { href: all }, t("allOf", { name: title }))),
  );
}

/** Objects that forms create or change: records and things of families. */

/**
 * @param {CatalogModule} module
 * @param {string | undefined} recordId Undefined for a new record.
 * @param {Readonly<Record<string, string>>} [first]
 * @returns {Editable}
 */
export function editableRecord(module, recordId, first = {}) {
  const list = `/api/v2/records/${module.code}`;
  return {
    fields: [
      needed("title", "text", { label: t("title") }),
      optional("summary", "textarea", { label: t("summary") }),
      ...module.fields,
    ],
    list,
    one: recordId === undefined ? null : `${list}/${recordId}`,
    first,
    matters: viewOf(module.code).facts,
    valuesOf: ({ title, summary, payload }) => ({ ...payload, title, summary }),
    idOf: ({ recordId }) => recordId,
    creation: ({ set: { title, summary, ...payload } }) => ({ title, summary, payload }),
    patch({ set: { title, summary, ...payload }, remove }) {
      const removed = remove.filter((name) => name !== "summary");
      return {
        title,
        summary: remove.includes("summary") ? "" : summary,
        ...(Object.keys(payload).length > 0 && { payload }),
        ...(removed.length > 0 && { payloadRemove: removed }),
      };
    },
  };
}

/**
 * An object of a family: flat fields, null without a value; a patch names the fields to set and to
 * remove.
 * @param {readonly CatalogField[]} fields
 * @param {{ list: string, one: string | null, idName: string }} place Paths of creation and change
 *   (null for a new object), and the name of the id.
 * @param {Readonly<Record<string, string>>} [first]
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

/** Empty for a new object. @param {Editable} editable @param {any} shown */
export function shownValues({ valuesOf }, shown) {
  return shown === null ? {} : valuesOf(shown);
}

/** @type {(editable: Editable, shown: any) => Record<string, string>} */
export function shownTexts(editable, shown) {
  const values = shownValues(editable, shown);
  return Object.fromEntries(
    editable.fields.map((field) => [field.name, toText(field, values[field.name])]),
  );
}

/**
 * @param {Editable} editable
 * @param {FieldChange} change
 * @param {any} shown Null for a new object.
 * @param {number | null} base Its revision.
 */
export function requestOf({ one, list, creation, patch, changes }, change, shown, base) {
  if (one === null) return { method: "POST", path: list, body: creation(change) };
  const body = { ...patch(change, shown), expectedRevision: base };
  return changes === undefined
    ? { method: "PATCH", path: one, body }
    : { method: "POST", path: changes, body };
}

/** Finds a revision of objects that only list theirs. @param {string} one @param {number} wanted */
export async function readListedRevision(one, wanted) {
  const { readAll } = await import("./drafts.js").catch(notLoaded);
  const revisions = await readAll(`${one}/revisions?limit=100`);
  return revisions.find(({ revision }) => revision === wanted);
}

/** @type {(fields: readonly Pick<CatalogField, "name">[], shown: any) => Record<string, any>} */
export function presentValues(fields, shown) {
  const present = fields.filter(({ name }) => shown[name] !== null && shown[name] !== undefined);
  return Object.fromEntries(present.map(({ name }) => [name, shown[name]]));
}
