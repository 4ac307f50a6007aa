import { assert, assertEquals } from "@std/assert";
import {
  type AnalysedResource,
  analyseOverload,
  utilisationOf,
} from "../../../../src/families/resource/overload.ts";
import { Fraction } from "../../../support/fractions.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

const MILLION = new Fraction(1_000_000n);
const ONE = new Fraction(1n);

interface Written {
  readonly value: number;
  readonly exact: Fraction;
}

/** At most `digits` digits, some after the point. */
function write(random: Random, digits: number): Written {
  const places = random.integer(0, 9);
  const whole = BigInt(Math.floor(random.next() * 10 ** random.integer(0, digits)));
  return {
    value: Number(`${whole}e-${places}`),
    exact: new Fraction(whole, 10n ** BigInt(places)),
  };
}

interface Expected {
  readonly resource: AnalysedResource;
  /** In millionths, rounded half up; null if unknown. */
  readonly millionths: bigint | null;
}

function randomResource(random: Random): Expected {
  const capacity = random.chance(0.1) ? null : write(random, 12);
  let available = random.chance(0.1) ? null : write(random, 12);
  const isAbove = capacity !== null && available !== null &&
    available.exact.compare(capacity.exact) > 0;
  if (isAbove || random.chance(0.2)) {
    available = available &&
      { value: -available.value, exact: new Fraction(0n).minus(available.exact) };
  }
  const resource = {
    resource_id: random.ulid(),
    revision: random.integer(1, 9),
    capacity: capacity?.value ?? null,
    available: available?.value ?? null,
  };
  if (capacity === null || available === null || capacity.exact.numerator === 0n) {
    return { resource, millionths: null };
  }
  const utilisation = ONE.minus(available.exact.over(capacity.exact));
  return { resource, millionths: utilisation.times(MILLION).rounded() };
}

/** Thresholds in millionths. */
function stateOf(millionths: bigint | null, warning: bigint, overloaded: bigint): string {
  if (millionths === null) return "UNKNOWN";
  if (millionths >= overloaded) return "OVERLOADED";
  return millionths >= warning ? "WARNING" : "NORMAL";
}

Deno.test("analyseOverload() matches slow fractions, rounded before comparison", () => {
  const random = seededRandom(7);
  const met = new Set<string>();
  for (let round = 0; round < 400; round++) {
    const expected = Array.from({ length: random.integer(0, 8) }, () => randomResource(random));
    const known = expected.flatMap(({ millionths }) => millionths ?? []);
    // Every second threshold equals some resource's use.
    const threshold = () => {
      const exact = known.length > 0 && random.chance(0.5) ? random.pick(known) : 0n;
      return exact > 0n && exact <= 10_000_000n ? exact : BigInt(random.integer(0, 10_000_000));
    };
    const [low, high] = [threshold(), threshold()];
    const [warning, overloaded] = low < high ? [low, high] : [high, low];
    const thresholds = {
      warningFrom: Number(warning) / 1e6,
      overloadedFrom: Number(overloaded) / 1e6,
    };
    const analysis = analyseOverload(expected.map(({ resource }) => resource), thresholds);
    const items = expected.map(({ resource, millionths }) => ({
      resourceId: resource.resource_id,
      resourceRevision: resource.revision,
      utilisation: millionths === null ? null : new Fraction(millionths, 1_000_000n).toNumber(),
      state: stateOf(millionths, warning, overloaded),
    }));
    const byId = (one: { resourceId: string }, other: { resourceId: string }) =>
      one.resourceId < other.resourceId ? -1 : 1;
    assertEquals(analysis.items.toSorted(byId), items.toSorted(byId), `round ${round}`);
    for (const [name, count] of Object.entries(analysis.counts)) {
      const state = name.toUpperCase();
      assertEquals(count, items.filter((item) => item.state === state).length);
      if (count > 0) met.add(state);
    }
    assertEquals({ ...thresholds }, {
      warningFrom: analysis.warningFrom,
      overloadedFrom: analysis.overloadedFrom,
    });
    assertOrdered(analysis.items);
  }
  assertEquals([...met].sort(), ["NORMAL", "OVERLOADED", "UNKNOWN", "WARNING"]);
});

function assertOrdered(
  items: readonly { readonly resourceId: string; readonly utilisation: number | null }[],
): void {
  for (const [index, item] of items.slice(1).entries()) {
    const before = items[index];
    const [one, other] = [before?.utilisation ?? -1, item.utilisation ?? -1];
    assert(one > other || (one === other && (before?.resourceId ?? "") < item.resourceId));
  }
}

Deno.test("utilisationOf() uses the written decimals, and rounds half up", () => {
  const written: readonly [number, number, number | null][] = [
    [10, 2, 0.8],
    [0.3, 0.1, 0.666667],
    [1, 0.0000005, 1],
    [1, 0.0000004999, 1],
    [1, 0.0000015, 0.999999],
    [1, 0.0000014999, 0.999999],
    [2, 1.999999, 0.000001],
    [2, 1.9999991, 0],
    [1, -1e12, 1_000_000_000_001],
    [1e12, -1e-7, 1],
    [5e-324, 5e-324, 0],
    [0, 0, null],
    [-0, 0, null],
  ];
  for (const [capacity, available, utilisation] of written) {
    assertEquals(utilisationOf({ capacity, available }), utilisation, `${available}/${capacity}`);
  }
  assertEquals(utilisationOf({ capacity: null, available: 1 }), null);
  assertEquals(utilisationOf({ capacity: 1, available: null }), null);
});

Deno.test("utilisationOf() stays a JSON number, next to a capacity of 0", () => {
  assertEquals(utilisationOf({ capacity: 5e-324, available: -1e12 }), Number.MAX_VALUE);
  const { items } = analyseOverload(
    [{ resource_id: "01", revision: 1, capacity: 5e-324, available: -1e12 }],
    { warningFrom: 0.8, overloadedFrom: 1 },
  );
  assertEquals(items.map(({ state }) => state), ["OVERLOADED"]);
});
