/** The mean of the middle two for even counts; `NaN` if empty. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Nearest rank: the smallest value that `fraction` of all do not exceed; `NaN` if empty. */
export function percentile(sorted: ArrayLike<number>, fraction: number): number {
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? NaN;
}

export class Durations {
  #values = new Float64Array(65_536);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(milliseconds: number): void {
    if (this.#count === this.#values.length) {
      const longer = new Float64Array(2 * this.#count);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.#count++] = milliseconds;
  }

  sorted(): Float64Array {
    return this.#values.slice(0, this.#count).sort();
  }
}
