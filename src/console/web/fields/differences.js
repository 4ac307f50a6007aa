/** Differences of texts and fields. */

import { h, numberText, t, timeText } from "../core/base.js";
import { label } from "../core/names.js";
import { roundedFigure, toComparedText, veiled } from "./shown.js";

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

/** Joins neighbours of one kind; drops empty parts. @param {readonly DiffPart[]} parts */
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

/**
 * @param {string} before
 * @param {string} after
 * @returns {TextPart[]} `same` and `removed` make `before`; `same` and `added` make `after`.
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

/** Marks changes by background and line, not by colour alone. */

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
 * @param {any} before Null for a new object.
 * @param {any} after
 * @param {(name: string, label: string) => Element | null} [beside] An element below a changed field.
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

/**
 * @param {LabelledField} field
 * @param {(state: any) => unknown} valueOf Undefined for none.
 * @returns {ComparedField}
 */
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
