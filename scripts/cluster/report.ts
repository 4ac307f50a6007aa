import { align } from "../bench/report_lines.ts";
import { median } from "../bench/statistics.ts";
import { type Kind, KINDS } from "./options.ts";

/** A round with each writer's longest wait, in milliseconds. */
export interface Round {
  readonly kind: Kind;
  readonly outages: readonly number[];
}

export function outageLines(rounds: readonly Round[]): string[] {
  const rows = KINDS.flatMap((kind) => {
    const own = rounds.filter((round) => round.kind === kind);
    const outages = own.flatMap((round) => round.outages);
    if (own.length === 0) return [];
    return [[kind, `${own.length}`, seconds(median(outages)), seconds(Math.max(...outages))]];
  });
  return align([["", "rounds", "median s", "longest s"], ...rows]);
}

/** Responses other than acknowledgements. */
export function refusalLines(refusals: ReadonlyMap<string, number>): string[] {
  return [...refusals].sort(([, left], [, right]) => right - left)
    .map(([what, count]) => `${what}: ${count}`);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
