/**
 * Moves the value of each rank to its place in ascending order, by Hoare's selection, which takes a
 * fraction of the time of sorting. It can be paused at each yield, which follows every pass over the
 * values.
 *
 * @param values In random order, which is changed; none is NaN.
 * @param ranks From 1 to the number of values, ascending.
 */
export function* placeRanks(
  values: Float64Array,
  ranks: readonly number[],
): Generator<void, void, void> {
  let first = 0;
  for (const rank of ranks) {
    const place = rank - 1;
    let left = first;
    let right = values.length - 1;
    while (left < right) {
      [left, right] = partition(values, left, right, place);
      yield;
    }
    // Values of later ranks are at least as large as this one.
    first = place;
  }
}

/**
 * Moves the values between both bounds that are smaller than the one at `place` before those that are
 * larger, and returns the bounds between which the value that belongs there must be.
 */
function partition(
  values: Float64Array,
  left: number,
  right: number,
  place: number,
): [number, number] {
  const pivot = values[place] as number;
  let low = left;
  let high = right;
  while (low <= high) {
    while ((values[low] as number) < pivot) low++;
    while (pivot < (values[high] as number)) high--;
    if (low > high) break;
    const greater = values[low] as number;
    values[low++] = values[high] as number;
    values[high--] = greater;
  }
  return [high < place ? low : left, place < low ? high : right];
}
