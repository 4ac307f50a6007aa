import type { DiskCost, LogCost } from "./growth_cost.ts";
import type { Page, PageTimes } from "./growth_pages.ts";
import type { Rates } from "./growth_rates.ts";
import { align } from "./report_lines.ts";

/** The service with this many records. */
export interface Stage {
  readonly records: number;
  readonly create: Rates;
  readonly get: Rates;
  readonly pages: PageTimes;
}

export interface Growth {
  readonly server: string;
  readonly pages: readonly Page[];
  readonly stages: readonly Stage[];
  /** The last stage's records, shared among many owners. */
  readonly shared: { readonly owners: number; readonly create: Rates; readonly get: Rates };
  readonly disk: DiskCost;
  readonly log: readonly LogCost[];
}

/** Maximum factor by which a page may slow down. */
const SLOWEST = 1.5;
/** The row limit of filtered pages; a page that reads fewer does not measure it. */
const BUDGET = 5_000;

export function growthLines(growth: Growth): string[] {
  return [
    `The service on ${growth.server}, the same process and connections through all stages; rate ` +
    "limits are set to 0",
    "",
    ...align(rateRows(growth)),
    "",
    "Pages of 50, milliseconds (median, 1 connection), and how many times slower the last stage is",
    ...align(pageRows(growth)),
    "",
    ...slowPages(growth),
    "",
    "Bytes of a record with one revision on the disk, after a vacuum",
    ...align(diskRows(growth.disk)),
    "",
    "Bytes of the write-ahead log for each request",
    ...align(logRows(growth.log)),
  ];
}

function rateRows({ stages, shared }: Growth): string[][] {
  const first = stages[0];
  const last = stages.at(-1);
  const headings = stages.map(({ records }) => whole(records));
  return [
    ["requests a second", "conn", ...headings, "of the first", `${shared.owners} owners`, "of one"],
    ...(["create", "get"] as const).flatMap((name) =>
      Object.keys(first?.[name] ?? {}).map((connections) => {
        const rates = stages.map((stage) => stage[name][connections] ?? NaN);
        const sharedRate = shared[name][connections] ?? NaN;
        return [
          name,
          connections,
          ...rates.map(whole),
          ratio(rates.at(-1), rates[0]),
          whole(sharedRate),
          ratio(sharedRate, last?.[name][connections]),
        ];
      })
    ),
  ];
}

function pageRows(growth: Growth): string[][] {
  return [
    ["page", ...growth.stages.map(({ records }) => whole(records)), "times", "against"],
    ...growth.pages.map((page) => {
      const base = baseOf(growth, page);
      return [
        page.name,
        ...growth.stages.map(({ pages }) => decimals(pages[page.name])),
        decimals(slowdown(growth, page)),
        base === undefined ? "" : whole(base.records),
      ];
    }),
  ];
}

/** Compared with the first stage that can use up the row limit. */
function baseOf({ stages }: Growth, { kind }: Page): Stage | undefined {
  if (kind === "walk") return stages[0];
  return stages.find(({ records }) => records > BUDGET) ?? stages[0];
}

function slowdown(growth: Growth, page: Page): number {
  const base = baseOf(growth, page)?.pages[page.name] ?? NaN;
  return (growth.stages.at(-1)?.pages[page.name] ?? NaN) / base;
}

function slowPages(growth: Growth): string[] {
  const slow = growth.pages.filter((page) => slowdown(growth, page) > SLOWEST);
  if (slow.length === 0) return [`No page is more than ${SLOWEST} times slower`];
  return slow.map((page) => `SLOWER: ${page.name}: ${decimals(slowdown(growth, page))} times`);
}

function diskRows({ parts, bytesPerRecord, contentBytes }: DiskCost): string[][] {
  return [
    ["table", "part", "bytes"],
    ...parts.map(({ table, part, bytesPerRow }) => [table, part, whole(bytesPerRow)]),
    ["together", "", whole(bytesPerRecord)],
    ["payload, title and summary", "", whole(contentBytes)],
    ["times", "", decimals(bytesPerRecord / contentBytes)],
  ];
}

function logRows(costs: readonly LogCost[]): string[][] {
  return [
    [
      "request",
      "body",
      "first 500 after a checkpoint",
      "next 500",
      "without whole pages",
      "of body",
    ],
    ...costs.map(({ request, bodyBytes, afterCheckpoint, later, withoutPages }) => [
      request,
      ...[bodyBytes, afterCheckpoint, later].map(whole),
      withoutPages === null ? "" : whole(withoutPages),
      withoutPages === null ? "" : ratio(withoutPages, bodyBytes),
    ]),
  ];
}

function ratio(value: number | undefined, base: number | undefined): string {
  return decimals((value ?? NaN) / (base ?? NaN));
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function decimals(value: number | undefined): string {
  return value === undefined ? "" : value.toFixed(2);
}
