/** The rounds of a benchmark: each measures everything once, so that a slow minute affects all rows. */

import type { RowName } from "./options.ts";

/** One measurement. */
export interface Sample {
  /** A second. */
  readonly rate: number;
  /** Milliseconds; null if only the rate is known. */
  readonly p50: number | null;
  readonly p99: number | null;
  readonly errors: number;
  readonly firstError: string | null;
}

/** The parts of a row: the subject, its limit, and the service's own statements alone. */
export type Part = "subject" | "limit" | "statements";

/** How a row's parts are measured; null is not counted. */
export interface Measurement {
  readonly row: RowName;
  readonly connections: number;
  readonly parts: Readonly<Partial<Record<Part, () => Promise<Sample | null>>>>;
}

/** A row's samples, one a round. */
export interface Measured {
  readonly row: RowName;
  readonly connections: number;
  readonly samples: Readonly<Record<Part, readonly Sample[]>>;
}

/**
 * Measures everything in turn, round after round; the parts of a row back to back, and in every other
 * round in the opposite order.
 *
 * @throws The reason of the signal, between two measurements.
 */
export async function measureRounds(
  measurements: readonly Measurement[],
  rounds: number,
  signal: AbortSignal,
  beforeRound: (round: number) => Promise<void>,
): Promise<Measured[]> {
  const measured = measurements.map(({ row, connections }) => ({
    row,
    connections,
    samples: { subject: [] as Sample[], limit: [] as Sample[], statements: [] as Sample[] },
  }));
  for (let round = 0; round < rounds; round++) {
    await beforeRound(round);
    for (const [index, { parts }] of measurements.entries()) {
      const names: Part[] = ["subject", "limit", "statements"];
      for (const part of round % 2 === 0 ? names : names.reverse()) {
        signal.throwIfAborted();
        const sample = await parts[part]?.();
        if (sample) measured[index]?.samples[part].push(sample);
      }
    }
  }
  return measured;
}
