/**
 * Moves the value of each rank to its place in ascending order, by Hoare's selection, which is much
 * faster than sorting. Yields after every pass, so that it can be paused.
 *
 * @param values In random order; changed in place; without NaN.
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
 * Partitions the values between the bounds around the value at `place`. Returns the bounds between
 * which the final value of `place` is.
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
