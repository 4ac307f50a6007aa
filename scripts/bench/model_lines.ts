/** The report: every step with its numbers, so that a reader can repeat it. */

import {
  type Assumptions,
  type Bound,
  BOUNDS,
  type Capacity,
  capacityOf,
  type Cost,
  costOf,
  type Costs,
  deviation,
  type Habit,
  keptBytes,
  type Kind,
  KINDS,
  type Needs,
  needsOf,
  tableBytes,
} from "./model_arithmetic.ts";
import type { MeasuredDay } from "./model_measure.ts";
import { FILE_BYTES } from "./model_requests.ts";
import { align } from "./report_lines.ts";

export interface Model {
  readonly accounts: number;
  readonly days: number;
  readonly habit: Habit;
  readonly costs: Costs;
  readonly laterLogBytes: Readonly<Record<Kind, number>>;
  readonly day: MeasuredDay;
  readonly assumptions: Assumptions;
  readonly server: string;
}

/** Numbers of accounts to report needs for. */
const CROWDS = [10_000, 1_000_000, 100_000_000] as const;
/** Powers of a thousand. */
const UNITS = ["B", "kB", "MB", "GB", "TB", "PB", "EB"] as const;

export function modelLines(model: Model): string[] {
  const { habit, costs, assumptions, server } = model;
  const day = costOf(costs, habit);
  const capacity = capacityOf(day, assumptions);
  const needs = CROWDS.map((accounts) => needsOf(accounts, day, capacity, assumptions));
  return [
    `Measured on ${server}, ${navigator.hardwareConcurrency} processors`,
    "",
    "1. What a request costs, and how often an active account sends one",
    ...align(costRows(model)),
    `An attachment has ${
      bytes(FILE_BYTES)
    }. The log is that behind a checkpoint, when each page is`,
    "logged whole where it is first touched; in brackets that of the same requests thereafter.",
    "",
    "2. What is assumed",
    ...assumptionLines(assumptions),
    "",
    "3. An account a day: the sum over all kinds of requests a day × cost of one",
    ...align(dayRows(day)),
    "",
    "4. What a cell carries",
    ...capacityLines(day, capacity, assumptions),
    "",
    `5. What many accounts need after ${assumptions.years} years`,
    ...align(needsRows(needs)),
    ...needsNotes(day, assumptions),
    "",
    "6. Held against a run",
    ...checkLines(model),
  ];
}

function costRows({ habit, costs, laterLogBytes }: Model): string[][] {
  return [
    ["request", "a day", "service ms", "database ms", "log", "", "heap", "toast", "index", "files"],
    ...KINDS.map((kind) => {
      const cost = costs[kind];
      return [
        kind,
        String(habit[kind]),
        cost.serverMs.toFixed(2),
        cost.databaseMs.toFixed(2),
        bytes(cost.logBytes),
        `(${bytes(laterLogBytes[kind])})`,
        ...[cost.heapBytes, cost.toastBytes, cost.indexBytes, cost.fileBytes].map(bytes),
      ];
    }),
  ];
}

function assumptionLines(assumed: Assumptions): string[] {
  const { peakFactor, processorShare, cores, years, diskBytes, diskShare } = assumed;
  const { diskRate, logShare, backupRate, backupHours, databaseNodes, leastProcesses } = assumed;
  return [
    `the busiest second has ${peakFactor} times the requests of a mean one`,
    `a cell has ${cores} processors for service and database, of which the peak may use ${
      percent(processorShare)
    }`,
    `an account keeps its habit for ${years} years, and nothing is deleted`,
    `a database node has a disk of ${bytes(diskBytes)}, which may be ${percent(diskShare)} full`,
    `the disk takes ${bytes(diskRate)} a second (measured here), of which the log may take ${
      percent(logShare)
    }`,
    `a backup goes through ${
      bytes(backupRate)
    } a second (measured here), and may take ${backupHours} h`,
    `a cell has ${databaseNodes} database nodes with all rows, and ${leastProcesses} service processes at least`,
  ];
}

function dayRows(day: Cost): string[][] {
  return [
    ["service", `${day.serverMs.toFixed(1)} ms`],
    ["database", `${day.databaseMs.toFixed(1)} ms`],
    ["log", bytes(day.logBytes)],
    ["tables", `${bytes(tableBytes(day))} (heap, toast and index)`],
    ["files", bytes(day.fileBytes)],
    ["kept", `${bytes(keptBytes(day))} (tables and files)`],
  ];
}

function capacityLines(day: Cost, { by, accounts, bound }: Capacity, assumed: Assumptions) {
  const { peakFactor, processorShare, cores, years, diskBytes, diskShare } = assumed;
  const { diskRate, logShare, backupRate, backupHours } = assumed;
  const processorMs = (day.serverMs + day.databaseMs).toFixed(1);
  const kept = `(${bytes(keptBytes(day))} × 365 × ${years})`;
  const formulas: Readonly<Record<Bound, string>> = {
    processors:
      `${cores} × ${processorShare} × 86,400,000 ms / (${processorMs} ms × ${peakFactor})`,
    disk: `${bytes(diskBytes)} × ${diskShare} / ${kept}`,
    log: `${bytes(diskRate)} × ${logShare} × 86,400 / (${bytes(day.logBytes)} × ${peakFactor})`,
    backup: `${bytes(backupRate)} × ${backupHours} × 3,600 / ${kept}`,
  };
  return [
    ...align(BOUNDS.map((name) => [name, formulas[name], `= ${whole(by[name])} accounts`])),
    `The least counts: ${whole(accounts)} active accounts, bounded by ${bound}`,
  ];
}

function needsRows(needs: readonly Needs[]): string[][] {
  const row = (name: string, value: (need: Needs) => string) => [name, ...needs.map(value)];
  return [
    row("accounts", ({ accounts }) => whole(accounts)),
    row("cells", ({ cells }) => whole(cells)),
    row("accounts of a cell", ({ accountsOfCell }) => whole(accountsOfCell)),
    row("service processes", ({ processes }) => whole(processes)),
    row("database nodes", ({ databaseNodes }) => whole(databaseNodes)),
    row("disk", ({ diskBytes }) => bytes(diskBytes)),
    row("log a day", ({ logBytes }) => bytes(logBytes)),
    row("backup of a cell", ({ backupHours }) => `${backupHours.toFixed(1)} h`),
  ];
}

function needsNotes(day: Cost, { years, databaseNodes, backupRate }: Assumptions): string[] {
  return [
    "cells = accounts / what a cell carries, rounded up",
    `disk = accounts × 365 × ${years} × (${bytes(tableBytes(day))} × ${databaseNodes} nodes + ${
      bytes(day.fileBytes)
    } of files); log = accounts × ${bytes(day.logBytes)}`,
    `backup = accounts of a cell × ${bytes(keptBytes(day))} × 365 × ${years} / ${
      bytes(backupRate)
    } / 3,600`,
  ];
}

function checkLines({ accounts, days, day }: Model): string[] {
  const { predicted, measured, requests, seconds } = day;
  const sent = KINDS.reduce((sum, kind) => sum + requests[kind], 0);
  const compare = (name: string, of: (cost: Cost) => number, show: (value: number) => string) => {
    const [expected, found] = [of(predicted), of(measured)];
    const off = Math.round(100 * deviation(expected, found));
    return [name, show(expected), show(found), `${off > 0 ? "+" : ""}${off} %`];
  };
  const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return [
    `${whole(accounts)} accounts, ${days} of a day in ${Math.round(seconds)} s: ${
      whole(sent)
    } requests`,
    ...align([
      ["", "predicted", "measured", "deviation"],
      compare("service", ({ serverMs }) => serverMs, inSeconds),
      compare("database", ({ databaseMs }) => databaseMs, inSeconds),
      compare("log", ({ logBytes }) => logBytes, bytes),
      compare("tables", tableBytes, bytes),
      compare("files", ({ fileBytes }) => fileBytes, bytes),
    ]),
  ];
}

/** Three digits. */
function bytes(value: number): string {
  const size = Math.abs(value);
  const place = Math.min(UNITS.length - 1, size < 1 ? 0 : Math.floor(Math.log10(size) / 3));
  const shown = value / 1000 ** place;
  return `${place === 0 ? Math.round(shown) : Number(shown.toPrecision(3))} ${UNITS[place]}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}
