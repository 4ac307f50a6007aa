/** The lines that Prometheus reads (text format 0.0.4). */

/** A metric that is measured when it is read. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** The values by their labels, written as they appear: `state="busy"`, or nothing. */
  readonly values: Readonly<Record<string, number>>;
}

/** The lines before the samples of a metric. */
export function head(
  name: string,
  type: "counter" | "gauge" | "histogram",
  help: string,
): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** A sample; `labels` are written as they appear: `state="busy"`, or nothing. */
export function sample(name: string, labels: string, value: number): string {
  return labels === "" ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}

/** Counts one more of a name. */
export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The samples of a metric that counts by one label. */
export function countLines(
  metric: string,
  label: string,
  counts: ReadonlyMap<string, number>,
): string[] {
  return Array.from(counts, ([name, value]) => sample(metric, `${label}="${name}"`, value));
}

/** A histogram of durations. Observing a duration allocates nothing. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** By the first bound that holds the duration; the last is beyond all. */
  readonly #counts: Float64Array;
  #seconds = 0;

  /** @param bounds Upper ones in seconds, rising. */
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

  /** The samples of a metric, which all carry the labels. */
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
