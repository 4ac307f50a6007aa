/** Differences of texts and fields, and the history of an object. */

import { actButton } from "../core/acts.js";
import { get, h, link, numberText, t } from "../core/base.js";
import { newId } from "../fields/controls.js";
import {
  optional,
  roundedFigure,
  timeTag,
  timeText,
  toComparedText,
  veiled,
} from "../fields/shown.js";
import { label, notFound, readModule } from "../core/names.js";
import { restorable } from "../logic/local_time.js";

/** With more changes the sequences count as completely different, which limits the time. */
const MAX_CHANGES = 1_000;

/**
 * The shortest edit script, by Myers' algorithm: `same` and `removed` make `before`; `same` and
 * `added` make `after`.
 * @type {Diff}
 */
export function diffSequences(before, after) {
  const start = commonStart(before, after);
  const end = commonStart(before.slice(start).reverse(), after.slice(start).reverse());
  const middle = shortestChange(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  return join([
    { kind: "same", items: before.slice(0, start) },
    ...middle,
    { kind: "same", items: before.slice(before.length - end) },
  ]);
}

/** @param {readonly string[]} left @param {readonly string[]} right */
function commonStart(left, right) {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length++;
  return length;
}

/** @type {Diff} */
function shortestChange(before, after) {
  const most = Math.min(before.length + after.length, MAX_CHANGES);
  let ends = new Map([[1, 0]]);
  const rounds = [];
  for (let changes = 0; changes <= most; changes++) {
    rounds.push(ends);
    const next = new Map(ends);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = stepsDown(ends, diagonal, changes)
        ? ends.get(diagonal + 1) ?? 0
        : (ends.get(diagonal - 1) ?? 0) + 1;
      while (
        x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]
      ) x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) {
        return walkBack(before, after, rounds);
      }
    }
    ends = next;
  }
  return [{ kind: "removed", items: [...before] }, { kind: "added", items: [...after] }];
}

/**
 * True if the best path to a diagonal ends with an addition.
 * @type {(ends: DiffEnds, diagonal: number, changes: number) => boolean}
 */
function stepsDown(ends, diagonal, changes) {
  if (diagonal === -changes) return true;
  return diagonal !== changes && (ends.get(diagonal - 1) ?? -1) < (ends.get(diagonal + 1) ?? -1);
}

/** @type {(...texts: [...Parameters<Diff>, rounds: readonly DiffEnds[]]) => DiffPart[]} */
function walkBack(before, after, rounds) {
  /** @type {DiffPart[]} */
  const parts = [];
  let [x, y] = [before.length, after.length];
  for (let changes = rounds.length - 1; changes >= 0; changes--) {
    const ends = rounds[changes] ?? new Map();
    const diagonal = x - y;
    const isAddition = stepsDown(ends, diagonal, changes);
    const from = changes === 0 ? 0 : ends.get(isAddition ? diagonal + 1 : diagonal - 1) ?? 0;
    const [fromX, fromY] = changes === 0 ? [0, 0] : [from, from - diagonal - (isAddition ? 1 : -1)];
    const shared = Math.min(x - fromX, y - fromY);
    parts.push({ kind: "same", items: before.slice(x - shared, x) });
    [x, y] = [x - shared, y - shared];
    if (changes === 0) break;
    parts.push(
      isAddition
        ? { kind: "added", items: after.slice(fromY, y) }
        : { kind: "removed", items: before.slice(fromX, x) },
    );
    [x, y] = [fromX, fromY];
  }
  return parts.reverse();
}

/** @param {readonly DiffPart[]} parts */
function join(parts) {
  /** @type {DiffPart[]} */
  const joined = [];
  for (const { kind, items } of parts) {
    const last = joined.at(-1);
    if (items.length === 0) continue;
    if (last?.kind === kind) last.items.push(...items);
    else joined.push({ kind, items: [...items] });
  }
  return joined;
}

/**
 * Compares texts by paragraph, then changed paragraphs by word.
 * @param {string} before
 * @param {string} after
 */
export function diffTexts(before, after) {
  const lines = diffSequences(paragraphsOf(before), paragraphsOf(after));
  /** @type {TextPart[]} */
  const parts = [];
  for (let index = 0; index < lines.length; index++) {
    const [part, next] = [lines[index], lines[index + 1]];
    if (part === undefined) break;
    const isReplaced = next !== undefined && part.kind !== "same" && next.kind !== "same";
    if (!isReplaced) {
      parts.push({ kind: part.kind, text: part.items.join("") });
      continue;
    }
    const [removed, added] = part.kind === "removed" ? [part, next] : [next, part];
    const words = diffSequences(wordsOf(removed.items.join("")), wordsOf(added.items.join("")));
    parts.push(...words.map(({ kind, items }) => ({ kind, text: items.join("") })));
    index++;
  }
  return parts;
}

/** @param {string} text */
function paragraphsOf(text) {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** @param {string} text */
function wordsOf(text) {
  return text.match(/[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu) ?? [];
}

/** @param {string} before @param {string} after */
export function changedText(before, after) {
  const tags = /** @type {const} */ ({ same: "span", added: "ins", removed: "del" });
  return h("div.words", diffTexts(before, after).map(({ kind, text }) => h(tags[kind], text)));
}

/**
 * @param {readonly ComparedField[]} fields
 * @param {any} before Null for none.
 * @param {any} after
 * @param {(name: string, label: string) => Element | null} [beside] Below a changed field.
 * @param {string} [of] Distinguishes these differences from others on the page.
 */
export function differences(fields, before, after, beside = () => null, of = "") {
  const changed = fields.flatMap(({ text, shown = text, sensitive, byModel, ...field }) => {
    const [former, present] = [before === null ? "" : text(before), text(after)];
    if (former === present) return [];
    const [earlier, later] = [before === null ? "" : shown(before), shown(after)];
    const name = field.label ?? label(field.name);
    // Two values may share their readable text.
    const show = () =>
      earlier === later ? changedText(former, present) : changedText(earlier, later);
    const words = sensitive ? veiled(of === "" ? name : `${name}, ${of}`, show) : show();
    return [h("dt", name), h("dd", { class: byModel && "note" }, words, beside(field.name, name))];
  });
  return changed.length === 0 ? h("p.quiet", t("nothingChanged")) : h("dl.values", changed);
}

/** @type {(field: LabelledField, valueOf: (state: any) => unknown) => ComparedField} */
export function comparedField(field, valueOf) {
  return {
    name: field.name,
    sensitive: field.sensitive,
    ...(field.label !== undefined && { label: field.label }),
    text: (state) => toComparedText(field, valueOf(state)),
    shown: (state) => readText(field, valueOf(state)),
  };
}

/** @param {LabelledField} field @param {any} value */
function readText(field, value) {
  if (value === undefined) return "";
  switch (field.edit) {
    case "datetime":
      return timeText(value);
    case "boolean":
      return t(value ? "yes" : "no");
    case "number":
      return numberText(value);
    case "json":
      return JSON.stringify(value, roundedFigure, 2);
    default:
      return toComparedText(field, value);
  }
}

/** @param {string} path @param {readonly number[]} revisions */
function compareForm(path, revisions) {
  const list = (/** @type {number | undefined} */ chosen) =>
    h(
      "select",
      { id: newId() },
      revisions.map((revision) => h("option", { selected: revision === chosen }, revision)),
    );
  const [from, to] = [list(revisions[1]), list(revisions[0])];
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    location.assign(`${path}?${new URLSearchParams({ from: from.value, to: to.value })}`);
  };
  return h(
    "details",
    h("summary", t("compareTwo")),
    h(
      "form.bar",
      { onsubmit },
      h("div", h("label", { for: from.id }, t("compareFrom")), from),
      h("div", h("label", { for: to.id }, t("compareTo")), to),
      h("button", { type: "submit" }, t("compare")),
    ),
  );
}

const PAGE = 50;

/** @param {URLSearchParams} query */
export function pageQuery(query) {
  const cursor = query.get("cursor");
  return new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
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

/** @param {{ from: number, to: number | null }} compared @param {Historied} thing */
async function comparison({ from, to }, { page, api, earlier, fields, undo }) {
  const [before, after] = await Promise.all([
    get(earlier(from)),
    get(to === null ? api : earlier(to)),
  ]);
  const isFixed = to !== null || before.redacted || after.redacted;
  const changed = differences(fields, before, after, (name, label) => {
    const act = isFixed ? null : undo(name, before);
    return act && actButton({
      ...act,
      body: { ...act.body, expectedRevision: after.revision },
      page,
      name: t("restore"),
      label: `${t("restore")}: ${label}`,
      done: t("reverted"),
    });
  });
  return {
    title: t(to === null ? "comparison" : "comparisonOf", { from, to: after.revision }),
    body: [
      h("p", link(`${page}/history`, t("history"))),
      after.redacted && h("p.note", t("hidden")),
      changed,
    ],
  };
}

/** @param {URLSearchParams} query @param {Historied} thing */
async function revisions(query, { page, api, nameOf = ({ title }) => title, fields, changes }) {
  const { items: shown, nextCursor } = await get(`${api}/revisions?${pageQuery(query)}`);
  const older = new URLSearchParams({ cursor: nextCursor });
  // The page's last item is compared with the revision before it.
  const next = nextCursor === null ? [] : (await get(`${api}/revisions?limit=1&${older}`)).items;
  const items = [...shown, ...next];
  /** @type {ChangeNames} */
  const names = { ...CHANGES, ...changes };
  const lines = shown.map((item, index) => {
    const { revision, change } = item;
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
        differences(fields, items[index + 1] ?? null, item, undefined, String(revision)),
        h("p", h("a", own, t("compareNow"))),
      ),
    );
  });
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
      ...(text !== undefined && { text, shown: text }),
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
