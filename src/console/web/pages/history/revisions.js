/** The revisions of an object. */

import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { notFound, readModule } from "../../core/names.js";
import { optional } from "../../fields/shown/texts.js";
import { timeTag } from "../../fields/shown/times.js";
import { restorable } from "../../logic/local_time.js";
import { backButton } from "./back.js";
import { comparedField, compareForm, comparison, differences, pageQuery } from "./comparison.js";

/** @param {URLSearchParams} query @param {Historied} thing */
export async function revisions(query, thing) {
  const { page, api, nameOf = ({ title }) => title } = thing;
  const { items: shown, nextCursor } = await get(`${api}/revisions?${pageQuery(query)}`);
  const older = new URLSearchParams({ cursor: nextCursor });
  // The page's last item is compared with the revision before it.
  const next = nextCursor === null ? [] : (await get(`${api}/revisions?limit=1&${older}`)).items;
  const items = [...shown, ...next];
  const isPresent = (/** @type {number} */ index) => index === 0 && !query.has("cursor");
  const lines = shown.map((item, index) =>
    revisionLine(thing, item, items[index + 1] ?? null, { index, isPresent: isPresent(index) })
  );
  return {
    title: t("history"),
    body: [
      h("p", link(page, nameOf(shown[0]) || t("hidden"))),
      shown.length > 2 && compareForm(`${page}/history`, shown.map(({ revision }) => revision)),
      h("ol.lines.history", { reversed: true }, lines),
      nextCursor !== null && h("p", link(`${page}/history?${older}`, t("older"))),
    ],
  };
}

/**
 * @param {Historied} thing
 * @param {any} item
 * @param {any} before The revision before it; null for none.
 * @param {{ index: number, isPresent: boolean }} place
 */
function revisionLine(thing, item, before, { index, isPresent }) {
  const { page, fields, changes } = thing;
  const { revision, change } = item;
  /** @type {ChangeNames} */
  const names = { ...CHANGES, ...changes };
  // A root's revision has the root's times; a record's its own.
  const time = timeTag(item.updatedAt ?? item.createdAt);
  const own = {
    "aria-label": t("compareOfNow", { revision }),
    href: `${page}/history?from=${revision}`,
  };
  return h(
    "li",
    h(
      "details",
      { open: index === 0 },
      h("summary", `${revision} · ${t(names[change] ?? "modified")} · `, time),
      differences(fields, before, item, undefined, String(revision)),
      h("p", h("a", own, t("compareNow"))),
    ),
    !isPresent && backButton(thing, item),
  );
}

/** @type {ChangeNames} */
const CHANGES = { CREATED: "created", ARCHIVED: "archivedItems", RESTORED: "restoredChange" };

/**
 * History of an object with flat fields, changed by `set` and `remove`.
 * @param {Visit} visit
 * @param {ThingHistory} thing
 */
export function thingHistory(visit, { isFixed = false, fixed = [], fields, ...thing }) {
  const { api } = thing;
  return historyPage(visit, {
    earlier: (revision) => `${api}?revision=${revision}`,
    ...thing,
    fields: fields.map(({ text, ...field }) => ({
      ...comparedField(field, (state) => state[field.name] ?? undefined),
      ...(text !== undefined && { text, shown: text, named: undefined }),
    })),
    undo(name, former) {
      if (isFixed || fixed.includes(name)) return null;
      const value = formerValue(fields, name, former) ?? null;
      const body = value === null ? { remove: [name] } : { set: { [name]: value } };
      return { method: "PATCH", path: api, body };
    },
  });
}

/**
 * In the form that restores it.
 * @param {readonly TypedField[]} fields @param {string} name @param {Values} values
 */
function formerValue(fields, name, values) {
  const isTime = fields.some((field) => field.name === name && field.edit === "datetime");
  return isTime ? restorable(values[name]) : values[name];
}

const OWN = [optional("title", "text"), optional("summary", "textarea")];

/** @type {Page} */
export async function recordHistory(visit) {
  const { params } = visit;
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const api = `/api/v2/records/${module.code}/${params.id}`;
  const isOwn = (/** @type {string} */ name) => OWN.some((field) => field.name === name);
  const change = (/** @type {string} */ name, /** @type {any} */ former) => {
    if (isOwn(name)) return { [name]: former[name] };
    const value = formerValue(module.fields, name, former.payload);
    return value === undefined ? { payloadRemove: [name] } : { payload: { [name]: value } };
  };
  return await historyPage(visit, {
    page: `/console/records/${module.code}/${params.id}`,
    api,
    earlier: (revision) => `${api}?revision=${revision}`,
    fields: [...OWN, ...module.fields].map((field) =>
      comparedField(field, (state) => (isOwn(field.name) ? state : state.payload)[field.name])
    ),
    undo: (name, former) =>
      module.entry === "GENERIC"
        ? { method: "PATCH", path: api, body: change(name, former) }
        : null,
  });
}

/**
 * All revisions with their changes, newest first; or two compared.
 * @type {(visited: Visit, thing: Historied) => Promise<Content>}
 */
export async function historyPage({ query }, thing) {
  const [from, to] = ["from", "to"].map((name) => Number(query.get(name)));
  if (!from) return await revisions(query, thing);
  return await comparison({ from, to: to || null }, thing);
}
