/** Shortest edit script, by Myers' algorithm. */

/** @typedef {{ kind: "same" | "removed" | "added", items: string[] }} Part */

/** With more changes the sequences count as completely different, which limits the time. */
const MAX_CHANGES = 1_000;

/**
 * @param {readonly string[]} before
 * @param {readonly string[]} after
 * @returns {Part[]} `same` and `removed` make `before`; `same` and `added` make `after`.
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

/**
 * @param {readonly string[]} left
 * @param {readonly string[]} right
 */
function commonStart(left, right) {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length++;
  return length;
}

/**
 * @param {readonly string[]} before
 * @param {readonly string[]} after
 * @returns {Part[]}
 */
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
 *
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
 * @returns {Part[]}
 */
function walkBack(before, after, rounds) {
  /** @type {Part[]} */
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

/**
 * Joins neighbours of one kind; drops empty parts.
 *
 * @param {readonly Part[]} parts
 */
function join(parts) {
  /** @type {Part[]} */
  const joined = [];
  for (const { kind, items } of parts) {
    const last = joined.at(-1);
    if (items.length === 0) continue;
    if (last?.kind === kind) last.items.push(...items);
    else joined.push({ kind, items: [...items] });
  }
  return joined;
}
