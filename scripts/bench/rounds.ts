/** Each round measures everything once, so that a slow minute affects all rows. */

import type { RowName } from "./options.ts";

export interface Sample {
  /** Per second. */
  readonly rate: number;
  /** Milliseconds; null if unknown. */
  readonly p50: number | null;
  readonly p99: number | null;
  readonly errors: number;
  readonly firstError: string | null;
}

type Part = "subject" | "limit";

export interface Measurement {
  readonly row: RowName;
  readonly connections: number;
  readonly parts: Readonly<Partial<Record<Part, () => Promise<Sample>>>>;
}

/** One sample per round. */
export interface Measured {
  readonly row: RowName;
  readonly connections: number;
  readonly samples: Readonly<Record<Part, readonly Sample[]>>;
}

/**
 * Measures a row's parts back to back, in alternating order.
 *
 * @throws the signal's reason, between measurements.
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
    samples: { subject: [] as Sample[], limit: [] as Sample[] },
  }));
  for (let round = 0; round < rounds; round++) {
    await beforeRound(round);
    for (const [index, { parts }] of measurements.entries()) {
      const names: Part[] = ["subject", "limit"];
      for (const part of round % 2 === 0 ? names : names.reverse()) {
        signal.throwIfAborted();
        const sample = await parts[part]?.();
        if (sample) measured[index]?.samples[part].push(sample);
      }
    }
  }
  return measured;
}
