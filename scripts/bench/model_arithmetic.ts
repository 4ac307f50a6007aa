/**
 * The arithmetic of the capacity model: accounts per cell, and the needs of many accounts. Measures and
 * prints nothing.
 */

export const KINDS = [
  "create",
  "change",
  "read",
  "list",
  "search",
  "upload",
  "download",
  "sign-in",
] as const;

export type Kind = (typeof KINDS)[number];

/** Requests by kind; by default of one account per day. */
export type Habit = Readonly<Record<Kind, number>>;

/** The cost of a request, an account's day, or a run. */
export interface Cost {
  readonly serverMs: number;
  /** Processor time of all PostgreSQL processes. */
  readonly databaseMs: number;
  /** Write-ahead log, with full-page images. */
  readonly logBytes: number;
  /** Growth of the tables: rows, TOAST and indexes. */
  readonly heapBytes: number;
  readonly toastBytes: number;
  readonly indexBytes: number;
  /** Bytes of attachments. */
  readonly fileBytes: number;
}

export type Costs = Readonly<Record<Kind, Cost>>;

const MEMBERS: readonly (keyof Cost)[] = [
  "serverMs",
  "databaseMs",
  "logBytes",
  "heapBytes",
  "toastBytes",
  "indexBytes",
  "fileBytes",
];

export function costOf(costs: Costs, habit: Habit): Cost {
  const total = (member: keyof Cost) =>
    KINDS.reduce((sum, kind) => sum + habit[kind] * costs[kind][member], 0);
  return fromMembers(total);
}

export function costBetween(before: Cost, after: Cost, requests: number): Cost {
  return fromMembers((member) => (after[member] - before[member]) / requests);
}

function fromMembers(value: (member: keyof Cost) => number): Cost {
  const entries = MEMBERS.map((member) => [member, value(member)]);
  return Object.fromEntries(entries) as unknown as Cost;
}

export function tableBytes({ heapBytes, toastBytes, indexBytes }: Cost): number {
  return heapBytes + toastBytes + indexBytes;
}

/** Bytes that a backup contains. */
export function keptBytes(cost: Cost): number {
  return tableBytes(cost) + cost.fileBytes;
}

export interface Assumptions {
  /** Requests in the busiest second, relative to the mean. */
  readonly peakFactor: number;
  /** Usable share of the processors in the busiest second. */
  readonly processorShare: number;
  /** For service and database together. */
  readonly cores: number;
  /** Years of the habit; nothing is deleted. */
  readonly years: number;
  /** Bytes of a database node's disk, and the share that may be full. */
  readonly diskBytes: number;
  readonly diskShare: number;
  /** Bytes per second of the disk, and the share usable by the log. */
  readonly diskRate: number;
  readonly logShare: number;
  /** Bytes per second of a backup, and its maximum hours. */
  readonly backupRate: number;
  readonly backupHours: number;
  /** Each has all rows. */
  readonly databaseNodes: number;
  /** Minimum per cell. */
  readonly leastProcesses: number;
}

const DAY_SECONDS = 86_400;
const YEAR_DAYS = 365;

/** Possible limits of a cell. */
export const BOUNDS = ["processors", "disk", "log", "backup"] as const;

export type Bound = (typeof BOUNDS)[number];

/** Accounts per cell. */
export interface Capacity {
  /** Keyed by each limit alone. */
  readonly by: Readonly<Record<Bound, number>>;
  /** The smallest, and its limit. */
  readonly accounts: number;
  readonly bound: Bound;
}

/** @param day Per account. */
export function capacityOf(day: Cost, assumed: Assumptions): Capacity {
  const { peakFactor, processorShare, cores, years, diskBytes, diskShare } = assumed;
  const { diskRate, logShare, backupRate, backupHours } = assumed;
  const processorMs = day.serverMs + day.databaseMs;
  const kept = keptBytes(day) * YEAR_DAYS * years;
  const by = {
    processors: Math.floor(
      (cores * processorShare * DAY_SECONDS * 1000) / (processorMs * peakFactor),
    ),
    disk: Math.floor((diskBytes * diskShare) / kept),
    log: Math.floor((diskRate * logShare * DAY_SECONDS) / (day.logBytes * peakFactor)),
    backup: Math.floor((backupRate * backupHours * 3600) / kept),
  };
  const [bound] = BOUNDS.toSorted((one, other) => by[one] - by[other]) as [Bound];
  return { by, accounts: by[bound], bound };
}

export interface Needs {
  readonly accounts: number;
  readonly cells: number;
  readonly accountsOfCell: number;
  /** Processes of all cells. */
  readonly processes: number;
  readonly databaseNodes: number;
  /** All nodes and attachments, after all years. */
  readonly diskBytes: number;
  /** Bytes per day of all cells; one copy. */
  readonly logBytes: number;
  /** For one cell, after all years. */
  readonly backupHours: number;
}

/** Accounts are spread evenly. */
export function needsOf(
  accounts: number,
  day: Cost,
  capacity: Capacity,
  assumed: Assumptions,
): Needs {
  const { peakFactor, processorShare, years, backupRate, databaseNodes, leastProcesses } = assumed;
  if (capacity.accounts < 1) throw new RangeError("A cell does not carry a single account");
  const cells = Math.ceil(accounts / capacity.accounts);
  const accountsOfCell = Math.ceil(accounts / cells);
  // A service process computes on one processor.
  const busyCores = (accountsOfCell * day.serverMs * peakFactor) / (DAY_SECONDS * 1000);
  const processesOfCell = Math.max(leastProcesses, Math.ceil(busyCores / processorShare));
  const days = YEAR_DAYS * years;
  return {
    accounts,
    cells,
    accountsOfCell,
    processes: cells * processesOfCell,
    databaseNodes: cells * databaseNodes,
    diskBytes: accounts * days * (tableBytes(day) * databaseNodes + day.fileBytes),
    logBytes: accounts * day.logBytes,
    backupHours: (accountsOfCell * keptBytes(day) * days) / backupRate / 3600,
  };
}

/** Relative: 0.1 if a tenth above the prediction. */
export function deviation(predicted: number, measured: number): number {
  return measured / predicted - 1;
}
