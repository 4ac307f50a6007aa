/** Lists of module `action` that each need their own statement. */

import type { Random } from "./random.ts";

/** The module has no tags. */
export const ACTION_FILTERS: readonly (readonly [name: string, value: string])[] = [
  ["filter[actionType]", "TASK"],
  ["filter[actionStatus]", "ACTIVE"],
  ["filter[actionTitle]", "Move house"],
  ["filter[parentId]", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  ["filter[priority]", "3"],
  ["filter[priority][gte]", "2"],
  ["filter[priority][lte]", "4"],
  ["filter[targetDate]", "2027-01-01T00:00:00.000Z"],
  ["filter[targetDate][gte]", "2026-01-01T00:00:00.000Z"],
  ["filter[targetDate][lte]", "2028-01-01T00:00:00.000Z"],
];

const TIMES = ["createdFrom", "createdTo", "updatedFrom", "updatedTo"];

/** Some filters in random order, with random sort and limit. */
export function randomList(random: Random): string {
  const filters = shuffled(random, ACTION_FILTERS).slice(0, random.integer(0, 10));
  const times = TIMES.filter(() => random.chance(0.5)).map((name) =>
    [name, "2026-06-01T00:00:00.000Z"] as const
  );
  const others = [
    ["sort", random.pick(["-createdAt", "createdAt", "-updatedAt", "updatedAt"])],
    ["archived", random.pick(["exclude", "only", "include"])],
  ] as const;
  return listOf(shuffled(random, [...filters, ...times, ...others]));
}

export function shuffledList(random: Random): string {
  return listOf(shuffled(random, ACTION_FILTERS));
}

function listOf(parameters: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  return `/api/v2/records/action?${query}`;
}

function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const order = values.map((value) => ({ value, place: random.next() }));
  return order.sort((one, other) => one.place - other.place).map(({ value }) => value);
}
