/** The differences of two texts. */

import { h } from "../../core/base/elements.js";

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
