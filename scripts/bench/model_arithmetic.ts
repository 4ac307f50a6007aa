/**
 * The arithmetic of the capacity model: from the cost and frequency of each request, how many accounts a
 * cell carries and what many accounts need. It measures nothing and prints nothing.
 */

/** The kinds of requests that a habit consists of. */
export const KINDS = [
  ...["create", "change", "read", "list", "search"] as const,
  ...["upload", "download", "sign-in"] as const,
] as const;

export type Kind = (typeof KINDS)[number];

/** Requests of each kind; by default of one account per day. */
export type Habit = Readonly<Record<Kind, number>>;

/** The cost of a request, of an account per day, or of a whole run. */
export interface Cost {
  /** Milliseconds of a processor in the service. */
  readonly serverMs: number;
  /** Milliseconds of a processor in all processes of PostgreSQL. */
  readonly databaseMs: number;
  /** Bytes of the write-ahead log, including full-page images after a checkpoint. */
  readonly logBytes: number;
  /** Bytes that the tables grew by: rows, TOAST and indexes. */
  readonly heapBytes: number;
  readonly toastBytes: number;
  readonly indexBytes: number;
  /** Bytes of attachments, outside of the database. */
  readonly fileBytes: number;
}

export type Costs = Readonly<Record<Kind, Cost>>;

const MEMBERS: readonly (keyof Cost)[] = [
  ...["serverMs", "databaseMs", "logBytes"] as const,
  ...["heapBytes", "toastBytes", "indexBytes", "fileBytes"] as const,
];

/** The cost of a number of requests of each kind. */
export function costOf(costs: Costs, habit: Habit): Cost {
  const total = (member: keyof Cost) =>
    KINDS.reduce((sum, kind) => sum + habit[kind] * costs[kind][member], 0);
  return fromMembers(total);
}

/** The cost between two readings, per request. */
export function costBetween(before: Cost, after: Cost, requests: number): Cost {
  return fromMembers((member) => (after[member] - before[member]) / requests);
}

function fromMembers(value: (member: keyof Cost) => number): Cost {
  const entries = MEMBERS.map((member) => [member, value(member)]);
  return Object.fromEntries(entries) as unknown as Cost;
}

/** The bytes that stay in tables. */
export function tableBytes({ heapBytes, toastBytes, indexBytes }: Cost): number {
  return heapBytes + toastBytes + indexBytes;
}

/** All bytes that stay: a backup holds them. */
export function keptBytes(cost: Cost): number {
  return tableBytes(cost) + cost.fileBytes;
}

/** The assumptions of the model, and the measurements of the machine. */
export interface Assumptions {
  /** How many times the requests of a mean second the busiest second has. */
  readonly peakFactor: number;
  /** The share of a cell's processors that may be used in the busiest second. */
  readonly processorShare: number;
  /** Processors of a cell, for service and database together. */
  readonly cores: number;
  /** How many years an account continues its habit; nothing is deleted. */
  readonly years: number;
  /** The disk of a database node, in bytes, and the share of it that may be full. */
  readonly diskBytes: number;
  readonly diskShare: number;
  /** Bytes per second that the disk writes, and the share of it that the log may use. */
  readonly diskRate: number;
  readonly logShare: number;
  /** Bytes per second of a backup, and its maximum duration in hours. */
  readonly backupRate: number;
  readonly backupHours: number;
  /** Database nodes of a cell, each with all rows. */
  readonly databaseNodes: number;
  /** Service processes of a cell, at least. */
  readonly leastProcesses: number;
}

const DAY_SECONDS = 86_400;
const YEAR_DAYS = 365;

/** The possible limits of a cell. */
export const BOUNDS = ["processors", "disk", "log", "backup"] as const;

export type Bound = (typeof BOUNDS)[number];

/** How many accounts a cell carries. */
export interface Capacity {
  /** By each bound alone, in whole accounts. */
  readonly by: Readonly<Record<Bound, number>>;
  /** The smallest of them, and the limit that it belongs to. */
  readonly accounts: number;
  readonly bound: Bound;
}

/**
 * How many accounts a cell carries.
 *
 * @param day The cost of an account per day.
 */
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

/** The needs of a number of accounts. */
export interface Needs {
  readonly accounts: number;
  readonly cells: number;
  /** In each cell. */
  readonly accountsOfCell: number;
  /** For all cells. */
  readonly processes: number;
  readonly databaseNodes: number;
  /** Bytes of all nodes and of the attachments, after all years. */
  readonly diskBytes: number;
  /** Bytes a day, of all cells; one copy. */
  readonly logBytes: number;
  /** Hours that the backup of a cell takes after all years. */
  readonly backupHours: number;
}

/** The needs of a number of accounts that are spread evenly over cells. */
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
  // A process of the service computes on one processor.
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

/** The relative deviation of a measured value from the predicted one: 0.1 if it is a tenth more. */
export function deviation(predicted: number, measured: number): number {
  return measured / predicted - 1;
}
