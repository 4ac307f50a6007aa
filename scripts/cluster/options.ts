import { parseArgs } from "node:util";
import { OptionError } from "../../tests/support/option_error.ts";
import { seededRandom } from "../../tests/support/random.ts";

/** Faults; the first ones are more frequent if rounds do not divide evenly. */
export const KINDS = [
  "kill-leader",
  "freeze-leader",
  "stop-leader",
  "switchover",
  "kill-service",
  "restart-etcd",
  "kill-standby",
  "freeze-standby",
] as const;
export type Kind = (typeof KINDS)[number];

export interface DrillOptions {
  readonly seed: number;
  readonly rounds: number;
  readonly kinds: readonly Kind[];
}

/** @throws OptionError, or TypeError for an unknown argument. */
export function readOptions(args: readonly string[]): DrillOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string", default: "1" },
      rounds: { type: "string", default: "20" },
      only: { type: "string", default: KINDS.join() },
    },
  });
  return {
    seed: readNumber("seed", values.seed),
    rounds: readNumber("rounds", values.rounds),
    kinds: values.only.split(",").map(readKind),
  };
}

/** Equal numbers of each kind, the remainder from the first kinds, in seeded order. */
export function planRounds({ seed, rounds, kinds }: DrillOptions): Kind[] {
  const random = seededRandom(seed);
  const left = Array.from({ length: rounds }, (_, round) => kinds[round % kinds.length] as Kind);
  return left.map((_, round) => {
    const picked = random.integer(round, left.length - 1);
    const kind = left[picked] as Kind;
    left[picked] = left[round] as Kind;
    left[round] = kind;
    return kind;
  });
}

function readNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OptionError(`--${name} takes whole numbers from 1`);
}

function readKind(text: string): Kind {
  const kind = KINDS.find((name) => name === text);
  if (kind === undefined) throw new OptionError(`--only takes some of ${KINDS.join()}`);
  return kind;
}
