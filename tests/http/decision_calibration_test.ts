/** DEC-006: calibration. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { Fraction, sumOf } from "../support/fractions.ts";
import { decide, decisionPath, OUTCOME, patch, PREDICTION } from "../families/decision/api.ts";
import { assertInvalid, assertWritesNothing } from "./kernel.ts";
import { done, read } from "../families/memory/api.ts";

const world = sharedWorld();

const CALIBRATION = "/api/v2/decision/calibration";
const INTERVALS = "/api/v2/insight/calibration";

interface Judged {
  readonly probability: number;
  readonly occurred: boolean;
}

/** Predicts, and records the outcome. */
async function judge(
  caller: Caller,
  decision: Json,
  { probability, occurred }: Judged,
): Promise<Json> {
  const prediction = { ...PREDICTION, probability };
  const { predictionId } = await done(caller, decisionPath(decision, "/predictions"), prediction);
  const outcome = { ...OUTCOME, predictionId, occurred };
  return await done(caller, decisionPath(decision, "/outcomes"), outcome);
}

function decimal(value: number): Fraction {
  const [digits = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = digits.split(".");
  const exact = new Fraction(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
  const scale = new Fraction(10n ** BigInt(Math.abs(Number(power))));
  return power.startsWith("-") ? exact.over(scale) : exact.times(scale);
}

function meanOf(values: readonly Fraction[]): number | null {
  if (values.length === 0) return null;
  return sumOf(values).over(new Fraction(BigInt(values.length))).toNumber();
}

/** Computes the figures from their definition, in exact fractions. */
function calibrationOf(judged: readonly Judged[]): Json {
  const happened = ({ occurred }: Judged) => new Fraction(occurred ? 1n : 0n);
  const distances = judged.map((one) => decimal(one.probability).minus(happened(one)));
  const logs = judged.map(({ probability, occurred }) => {
    const held = Math.min(Math.max(probability, 1e-6), 1 - 1e-6);
    return -Math.log(occurred ? held : 1 - held);
  });
  const logScore = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return {
    count: judged.length,
    brierScore: meanOf(distances.map((distance) => distance.times(distance))),
    logScore: logs.length === 0 ? null : Number(logScore.toFixed(6)),
    reliability: Array.from({ length: 10 }, (_, tenth) => {
      const [from, to] = [new Fraction(BigInt(tenth), 10n), new Fraction(BigInt(tenth + 1), 10n)];
      const inside = judged.filter((one) => {
        const probability = decimal(one.probability);
        return probability.compare(from) >= 0 &&
          (tenth === 9 || probability.compare(to) < 0);
      });
      return {
        from: from.toNumber(),
        to: to.toNumber(),
        count: inside.length,
        meanProbability: meanOf(inside.map((one) => decimal(one.probability))),
        observedFrequency: meanOf(inside.map(happened)),
      };
    }),
  };
}

/** The ends of the Wilson interval: the frequencies that lie z deviations from the observed one. */
function intervalOf(occurred: number, count: number): Json {
  if (count === 0) return { low: null, high: null };
  const observed = occurred / count;
  const end = (outside: number) => {
    let inside = observed;
    for (let step = 0; step < 60; step++) {
      const middle = (inside + outside) / 2;
      const deviation = 1.959963984540054 * Math.sqrt(middle * (1 - middle) / count);
      if (Math.abs(observed - middle) <= deviation) inside = middle;
      else outside = middle;
    }
    return Number(inside.toFixed(6));
  };
  return { low: end(0), high: end(1) };
}

function withIntervals(figures: Json): Json {
  const reliability = figures.reliability.map((tenth: Json) => {
    const occurred = Math.round(tenth.count * tenth.observedFrequency);
    return { ...tenth, occurred, ...intervalOf(occurred, tenth.count) };
  });
  const occurred = reliability.reduce((sum: number, tenth: Json) => sum + tenth.occurred, 0);
  return { ...figures, occurred, reliability };
}

/** Around every edge between tenths, and the ends. */
const EDGES = [
  0,
  Number.MIN_VALUE,
  1e-200,
  1e-7,
  1e-6,
  0.123456789012345,
  0.999999,
  0.9999999,
  1,
  ...Array.from({ length: 9 }, (_, index) => (index + 1) / 10),
  ...[0.1, 0.3, 0.6, 0.7, 0.9].map((edge) => edge - 2 ** -53),
];

Deno.test("Calibration compares every prediction with its outcome, in any order", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(1);
  const judged: Judged[] = [
    ...[true, false].flatMap((occurred) => EDGES.map((probability) => ({ probability, occurred }))),
    ...Array.from({ length: 20 }, () => {
      const probability = random.chance(0.5) ? random.next() : random.integer(0, 100) / 100;
      return { probability, occurred: random.chance(probability) };
    }),
  ];
  const [one, other] = [await decide(caller), await decide(caller)];
  for (const prediction of judged) await judge(caller, random.pick([one, other]), prediction);
  const figures = await read(caller, CALIBRATION);
  assertEquals(figures, calibrationOf(judged));
  const again = await world().createCaller();
  const decision = await decide(again);
  for (const prediction of judged.toReversed()) await judge(again, decision, prediction);
  assertEquals(await read(again, CALIBRATION), figures);
  assertEquals(await read(again, INTERVALS), withIntervals(figures));
});

Deno.test("Calibration counts the owner's judged predictions with current outcomes", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  assertEquals(await read(caller, CALIBRATION), calibrationOf([]));
  assertEquals(await read(caller, INTERVALS), withIntervals(calibrationOf([])));
  const decision = await decide(caller);
  await judge(stranger, await decide(stranger), { probability: 0.2, occurred: true });
  // Without a prediction or outcome to compare.
  await done(caller, decisionPath(decision, "/predictions"), PREDICTION);
  await done(caller, decisionPath(decision, "/outcomes"), OUTCOME);
  assertEquals((await read(caller, CALIBRATION)).count, 0);
  // Earlier states of a prediction do not count.
  const changed = await done(caller, decisionPath(decision, "/predictions"), PREDICTION);
  const { predictionId } = changed;
  const change = (path: string, set: JsonObject) =>
    patch(caller, decisionPath(decision, path), { expectedRevision: 1, set });
  await change(`/predictions/${predictionId}`, { probability: 0.25 });
  const outcome = { ...OUTCOME, predictionId, occurred: true };
  const { outcomeId } = await done(caller, decisionPath(decision, "/outcomes"), outcome);
  assertEquals(
    await read(caller, CALIBRATION),
    calibrationOf([{ probability: 0.25, occurred: true }]),
  );
  await change(`/outcomes/${outcomeId}`, { occurred: false });
  await done(caller, decisionPath(decision, "/archive"), {});
  await assertWritesNothing(world(), async () => {
    assertEquals(
      await read(caller, CALIBRATION),
      calibrationOf([{ probability: 0.25, occurred: false }]),
    );
    const query = await caller.call("GET", `${CALIBRATION}?limit=1`);
    assertInvalid(query, ["undeclared_field"], ["limit"]);
    assertInvalid(await caller.call("GET", `${INTERVALS}?limit=1`), ["undeclared_field"], [
      "limit",
    ]);
  });
});
