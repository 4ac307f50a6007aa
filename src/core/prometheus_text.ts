/** Text format of Prometheus (0.0.4). */

export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Values by labels as they appear: `state="busy"`, or empty. */
  readonly values: Readonly<Record<string, number>>;
}

export function head(
  name: string,
  type: "counter" | "gauge" | "histogram",
  help: string,
): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** @param labels As they appear: `state="busy"`, or empty. */
export function sample(name: string, labels: string, value: number): string {
  return labels === "" ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function countLines(
  metric: string,
  label: string,
  counts: ReadonlyMap<string, number>,
): string[] {
  return Array.from(counts, ([name, value]) => sample(metric, `${label}="${name}"`, value));
}

/** A histogram of durations. Observing does not allocate. */
export class Histogram {
  readonly #bounds: readonly number[];
  /**
   * Counts by the first bound that is not exceeded; the last count is of those beyond all bounds.
   */
  readonly #counts: Float64Array;
  #seconds = 0;

  /** @param bounds Upper bounds in seconds, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(seconds: number): void {
    let index = 0;
    while (seconds > (this.#bounds[index] ?? Infinity)) index++;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#seconds += seconds;
  }

  samples(name: string, labels: string): string[] {
    const lines: string[] = [];
    const prefix = labels === "" ? "" : `${labels},`;
    let count = 0;
    for (const [index, added] of this.#counts.entries()) {
      count += added;
      lines.push(sample(`${name}_bucket`, `${prefix}le="${this.#bounds[index] ?? "+Inf"}"`, count));
    }
    lines.push(sample(`${name}_sum`, labels, this.#seconds));
    lines.push(sample(`${name}_count`, labels, count));
    return lines;
  }
}
