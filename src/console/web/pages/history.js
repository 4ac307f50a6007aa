/** Differences of texts and fields, and the history of an object. */

import { actButton } from "../core/acts.js";
import { get, h, numberText, send, t, timeTag, timeText } from "../core/base.js";
import { newId } from "../fields/controls.js";
import { roundedFigure, toComparedText, veiled } from "../fields/shown.js";
import { label, notFound, readModule } from "../core/names.js";

/** Shortest edit script, by Myers' algorithm. */

/** With more changes the sequences count as completely different, which limits the time. */
const MAX_CHANGES = 1_000;

/**
 * @param {readonly string[]} before
 * @param {readonly string[]} after
 * @returns {DiffPart[]} `same` and `removed` make `before`; `same` and `added` make `after`.
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

/** @type {(before: readonly string[], after: readonly string[]) => DiffPart[]} */
function shortestChange(before, after) {
  const most = Math.min(before.length + after.length, MAX_CHANGES);
  // By diagonal (position before minus position after): the end of its best path.
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
 * Whether the best path to a diagonal ends with an addition.
 * @param {ReadonlyMap<number, number>} ends
 * @param {number} diagonal
 * @param {number} changes
 */
function stepsDown(ends, diagonal, changes) {
  if (diagonal === -changes) return true;
  return diagonal !== changes && (ends.get(diagonal - 1) ?? -1) < (ends.get(diagonal + 1) ?? -1);
}

/**
 * @param {readonly string[]} before
 * @param {readonly string[]} after
 * @param {readonly ReadonlyMap<number, number>[]} rounds
 */
function walkBack(before, after, rounds) {
  /** @type {DiffPart[]} */
  const parts = [];
  let [x, y] = [before.length, after.length];
  for (let changes = rounds.length - 1; changes >= 0; changes--) {
    const ends = /** @type {ReadonlyMap<number, number>} */ (rounds[changes]);
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

/** Compares texts by paragraph, then changed paragraphs by word. */

/** @param {string} before @param {string} after @returns {TextPart[]} */
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
  const parts = diffTexts(before, after).map(({ kind, text }) => {
    if (kind === "same") return h("span", text);
    return h(kind === "added" ? "ins" : "del", {}, text);
  });
  return h("div.words", parts);
}

/**
 * @param {readonly ComparedField[]} fields
 * @param {any} before
 * @param {any} after
 * @param {(name: string, label: string) => Element | null} [beside] An element below a changed
 * field.
 * @param {string} [of] Distinguishes these differences from others on the page.
 */
export function differences(fields, before, after, beside = () => null, of = "") {
  const changed = fields.flatMap((field) => {
    const [former, present] = textsOf(field.text, before, after);
    if (former === present) return [];
    const [earlier, later] = textsOf(field.shown ?? field.text, before, after);
    const isTold = earlier !== later;
    const name = field.label ?? label(field.name);
    const show = () => isTold ? changedText(earlier, later) : changedText(former, present);
    return [
      h("dt", name),
      h(
        "dd",
        { class: field.byModel && "note" },
        field.sensitive === true ? veiled(of === "" ? name : `${name}, ${of}`, show) : show(),
        beside(field.name, name),
      ),
    ];
  });
  return changed.length === 0 ? h("p.quiet", t("nothingChanged")) : h("dl.values", changed);
}

/**
 * @param {(state: any) => string} text
 * @param {...any} states
 * @returns {readonly [string, string]}
 */
function textsOf(text, ...states) {
  const [former = "", present = ""] = states.map((state) => state === null ? "" : text(state));
  return [former, present];
}

/** Compares two values by their readable text, if that differs. */

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
  const undoButton = (/** @type {string} */ name, /** @type {string} */ label) => {
    const act = to !== null || before.redacted || after.redacted ? null : undo(name, before);
    if (act === null) return null;
    const body = { ...act.body, expectedRevision: after.revision };
    return actButton({
      ...act,
      body,
      page,
      name: t("restore"),
      label: `${t("restore")}: ${label}`,
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
  const { items: shown, nextCursor } = await get(`${api}/revisions?${asked}`);
  const older = nextCursor === null ? null : new URLSearchParams({ cursor: nextCursor });
  // The page's last item is compared with the revision before it.
  const next = older && await send("GET", `${api}/revisions?limit=1&${older}`);
  const items = [...shown, ...next?.data.items ?? []];
  const lines = shown.map((item, index) => {
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
          timeTag(at),
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
        shown.map((item) => item.revision),
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
    ARCHIVED: "archivedItems",
    RESTORED: "restoredChange",
  });
  return t(names[/** @type {keyof typeof names} */ (change)] ?? "modified");
}

/**
 * History of an object with flat fields, changed by `set` and `remove`.
 * @param {Visit} visit
 * @param {ThingHistory} thing `text` shows a field whose form in answers differs; fixed objects and fields cannot be restored.
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

const OWN = /** @type {const} */ ([
  { name: "title", edit: "text", sensitive: false },
  { name: "summary", edit: "textarea", sensitive: false },
]);

/** @type {Page} */
export async function recordHistory(visit) {
  const { params } = visit;
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const api = `/api/v2/records/${module.code}/${params.id}`;
  const isOwn = (/** @type {string} */ name) => OWN.some((field) => field.name === name);
  const change = (/** @type {string} */ name, /** @type {any} */ former) => {
    if (isOwn(name)) return { [name]: former[name] };
    const value = former.payload[name];
    return value === undefined ? { payloadRemove: [name] } : { payload: { [name]: value } };
  };
  return await historyPage(visit, {
    page: `/console/records/${module.code}/${params.id}`,
    api,
    earlier: (revision) => `${api}?revision=${revision}`,
    fields: [...OWN, ...module.fields].map((field) =>
      comparedField(field, (state) => (isOwn(field.name) ? state : state.payload)[field.name])
    ),
    changeName,
    undo: (name, former) =>
      module.entry === "GENERIC"
        ? { method: "PATCH", path: api, body: change(name, former) }
        : null,
  });
}
