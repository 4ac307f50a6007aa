import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  type Assumptions,
  capacityOf,
  type Cost,
  costBetween,
  costOf,
  type Costs,
  deviation,
  type Habit,
  keptBytes,
  KINDS,
  needsOf,
} from "../../../scripts/bench/model_arithmetic.ts";

const NOTHING: Cost = {
  serverMs: 0,
  databaseMs: 0,
  logBytes: 0,
  heapBytes: 0,
  toastBytes: 0,
  indexBytes: 0,
  fileBytes: 0,
};

/** A second of processor and a kilobyte of each kind per day. */
const DAY: Cost = {
  serverMs: 400,
  databaseMs: 600,
  logBytes: 8_000,
  heapBytes: 500,
  toastBytes: 200,
  indexBytes: 300,
  fileBytes: 1_000,
};

const ASSUMED: Assumptions = {
  peakFactor: 10,
  processorShare: 0.5,
  cores: 2,
  years: 1,
  diskBytes: 73_000_000_000,
  diskShare: 0.5,
  diskRate: 1_000_000,
  logShare: 0.1,
  backupRate: 7_300_000,
  backupHours: 10,
  databaseNodes: 3,
  leastProcesses: 2,
};

function each<T>(value: (place: number) => T): Readonly<Record<(typeof KINDS)[number], T>> {
  return Object.fromEntries(KINDS.map((kind, place) => [kind, value(place)])) as never;
}

Deno.test("costOf() multiplies each kind by its frequency", () => {
  const costs: Costs = each((place) => ({ ...NOTHING, serverMs: 10 ** place, fileBytes: 1 }));
  const habit: Habit = { ...each(() => 0), create: 3, change: 0.5, "sign-in": 2 };
  const cost = costOf(costs, habit);
  assertEquals([cost.serverMs, cost.fileBytes, cost.logBytes], [3 + 5 + 2e7, 5.5, 0]);
});

Deno.test("costBetween() divides the cost among the requests", () => {
  const before = { ...NOTHING, databaseMs: 100, heapBytes: 8_192 };
  const after = { ...NOTHING, databaseMs: 350, heapBytes: 16_384 };
  const cost = costBetween(before, after, 100);
  assertEquals([cost.databaseMs, cost.heapBytes, cost.serverMs], [2.5, 81.92, 0]);
});

Deno.test("capacityOf() is the smallest bound", () => {
  const { by, accounts, bound } = capacityOf(DAY, ASSUMED);
  // Two processors for half of a day, at ten times a second each.
  assertEquals(by.processors, 8_640);
  // Half of 73 GB, at 2,000 bytes on 365 days.
  assertEquals(by.disk, 50_000);
  // A tenth of a MB per second, at ten times 8,000 bytes each.
  assertEquals(by.log, 108_000);
  // 7.3 MB per second for ten hours.
  assertEquals(by.backup, 360_000);
  assertEquals([accounts, bound], [8_640, "processors"]);
  const slow = capacityOf(DAY, { ...ASSUMED, backupRate: 7_300 });
  assertEquals([slow.accounts, slow.bound], [360, "backup"]);
});

Deno.test("needsOf() spreads the accounts over as few cells as possible", () => {
  const capacity = capacityOf(DAY, ASSUMED);
  const one = needsOf(8_640, DAY, capacity, ASSUMED);
  assertEquals([one.cells, one.accountsOfCell, one.processes, one.databaseNodes], [1, 8_640, 2, 3]);
  const two = needsOf(8_641, DAY, capacity, ASSUMED);
  assertEquals([two.cells, two.accountsOfCell], [2, 4_321]);
  // A kilobyte in three nodes, and one of attachments.
  assertEquals(two.diskBytes, 8_641 * 365 * 4_000);
  assertEquals(two.logBytes, 8_641 * 8_000);
  assertAlmostEquals(two.backupHours, 4_321 * 365 * keptBytes(DAY) / 7_300_000 / 3_600);
});

Deno.test("needsOf() gives a cell as many processes as its service needs processors", () => {
  const assumed = { ...ASSUMED, cores: 32 };
  const capacity = capacityOf(DAY, assumed);
  assertEquals(capacity.by.processors, 138_240);
  // 50,000 accounts need 2.3 processors at the peak, each half used.
  assertEquals(needsOf(50_000, DAY, capacity, assumed).processes, 5);
});

Deno.test("needsOf() rejects cells without capacity", () => {
  const assumed = { ...ASSUMED, diskBytes: 1_000 };
  const capacity = capacityOf(DAY, assumed);
  assertThrows(() => needsOf(1, DAY, capacity, assumed), RangeError);
});

Deno.test("deviation() is relative to the prediction", () => {
  assertAlmostEquals(deviation(200, 220), 0.1);
  assertAlmostEquals(deviation(200, 150), -0.25);
});
