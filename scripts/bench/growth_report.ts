import type { Page, PageTimes } from "./growth_pages.ts";
import type { StageRates } from "./growth_rates.ts";
import { align } from "./report_lines.ts";

/** The service with this many records. */
export interface Stage extends StageRates {
  readonly records: number;
  /** Bytes of the whole database, indexes included, divided by its records. */
  readonly bytesPerRecord: number;
  readonly pages: PageTimes;
}

export interface Growth {
  readonly server: string;
  readonly pages: readonly Page[];
  readonly stages: readonly Stage[];
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
    "Pages of 50, milliseconds (median, 1 connection), how many times slower the last stage is, and",
    "its time as a multiple of the first row, the list of today. Searches and counts read more rows",
    "as records grow.",
    ...align(pageRows(growth)),
    "",
    ...slowPages(growth),
  ];
}

function rateRows({ stages }: Growth): string[][] {
  const first = stages[0];
  const headings = stages.map(({ records }) => whole(records));
  return [
    ["requests a second", "conn", ...headings, "of the first"],
    ...(["create", "get", "upload", "upload-database"] as const).flatMap((name) =>
      Object.keys(first?.[name] ?? {}).map((connections) => {
        const rates = stages.map((stage) => stage[name][connections] ?? NaN);
        const ofFirst = (rates.at(-1) ?? NaN) / (rates[0] ?? NaN);
        return [name, connections, ...rates.map(whole), decimals(ofFirst)];
      })
    ),
    ["bytes a record", "", ...stages.map((stage) => whole(stage.bytesPerRecord))],
  ];
}

function pageRows(growth: Growth): string[][] {
  return [
    [
      "page",
      ...growth.stages.map(({ records }) => whole(records)),
      "times",
      "against",
      "of the list",
    ],
    ...growth.pages.map((page) => {
      const base = baseOf(growth, page);
      return [
        page.name,
        ...growth.stages.map(({ pages }) => decimals(pages[page.name])),
        decimals(slowdown(growth, page)),
        base === undefined ? "" : whole(base.records),
        decimals(ofList(growth, page)),
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

/** The time of a page in the last stage, as a multiple of the first page of the list. */
function ofList({ stages, pages: [list] }: Growth, { name }: Page): number {
  const times = stages.at(-1)?.pages ?? {};
  return (times[name] ?? NaN) / (times[list?.name ?? ""] ?? NaN);
}

function slowPages(growth: Growth): string[] {
  const slow = growth.pages.filter((page) =>
    page.kind !== "counted" && slowdown(growth, page) > SLOWEST
  );
  if (slow.length === 0) return [`No page is more than ${SLOWEST} times slower`];
  return slow.map((page) => `SLOWER: ${page.name}: ${decimals(slowdown(growth, page))} times`);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function decimals(value: number | undefined): string {
  return value === undefined ? "" : value.toFixed(2);
}
