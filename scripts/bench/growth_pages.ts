import type postgres from "postgres";
import { DAY_MS } from "../../src/core/clock.ts";
import { MODULE, RECORDS } from "./growth_seed.ts";
import type { LoadProcess } from "./load.ts";
import type { ServiceProcess } from "./service_process.ts";

/** How a page's rows are found determines its cost. */
type PageKind =
  /** Reads the rows that it shows. */
  | "walk"
  /** Reads at most 5,000 rows until enough match. */
  | "filtered"
  /** Reads every row that counts, or compares. */
  | "counted";

export interface Page {
  readonly name: string;
  readonly kind: PageKind;
  readonly path: string;
  /** JSON, of a POST; by default it is a GET. */
  readonly body?: string;
}

/** Milliseconds by page name: the better median of two rounds. */
export type PageTimes = Readonly<Record<string, number>>;

const PAGE_ITEMS = 50;
const WARM_UP = { connections: 16, requests: 96 };
/** An account has two places for counts, and two for searches. */
const COUNT_WARM_UP = { connections: 2, requests: 12 };
const ROUNDS = 2;
const SECONDS = 0.5;

const ORDERS = ["-createdAt", "createdAt", "-updatedAt", "updatedAt"] as const;
type Order = (typeof ORDERS)[number];
const ARCHIVALS = {
  exclude: "archived_at is null",
  only: "archived_at is not null",
  include: "true",
};
type Archival = keyof typeof ARCHIVALS;

/** Plans pages over the owner's current records. */
export async function planPages(sql: postgres.Sql, owner: string): Promise<Page[]> {
  const places = new Places(sql, owner);
  const list = (query: string) => `${RECORDS}?limit=${PAGE_ITEMS}&${query}`;
  const walk = (name: string, path: string): Page => ({ name, path, kind: "walk" });
  const filtered = (name: string, path: string): Page => ({ name, path, kind: "filtered" });
  const pages: Page[] = [];
  for (const order of ORDERS) {
    for (const archived of ["exclude", "only", "include"] as const) {
      const query = `sort=${order}&archived=${archived}`;
      pages.push(walk(`list ${order}, archived ${archived}`, list(query)));
      const cursor = await places.deep(order, archived);
      pages.push(walk(`${pages.at(-1)?.name}, deep`, list(`${query}&cursor=${cursor}`)));
    }
  }
  const [from, to] = await places.middle();
  const record = `${RECORDS}/${await places.modified()}`;
  const audit = `/api/v2/audit?limit=${PAGE_ITEMS}`;
  return [
    ...pages,
    walk("list, created in a range", list(`createdFrom=${from}&createdTo=${to}`)),
    walk(
      "list -updatedAt, updated in a range",
      list(`sort=-updatedAt&updatedFrom=${from}&updatedTo=${to}`),
    ),
    filtered("list, updated in a range", list(`updatedFrom=${from}&updatedTo=${to}`)),
    filtered("list, filter that matches often", list("filter[readingStatus]=READ")),
    filtered("list, filter that matches rarely", list("filter[author]=A.%20Rarity")),
    filtered("list, filter that never matches", list("filter[author]=Nobody")),
    walk("revisions of a record", `${record}/revisions`),
    walk("executions of a record", `${record}/executions`),
    walk("audit", audit),
    walk("audit, deep", `${audit}&cursor=${await places.deepAudit()}`),
    filtered("audit, operation that never matches", `${audit}&operation=record.restore`),
    ...orderedPages(list),
    ...countedPages(),
  ];
}

/** Lists in the order of titles, names and own times. */
function orderedPages(list: (query: string) => string): Page[] {
  const walk = (name: string, path: string): Page => ({ name, path, kind: "walk" });
  const sorts = ["title", "-title", "time", "-time"];
  const [from, until] = lastYear();
  const range = `time[from]=${from}T00:00:00Z&time[to]=${until}T00:00:00Z`;
  const people = `/api/v2/relationship/people`;
  const find = {
    kind: "counted",
    path: `${people}/find`,
    body: JSON.stringify({ q: "mu" }),
  } as const;
  return [
    ...sorts.map((sort) => walk(`list ${sort}`, list(`sort=${sort}`))),
    walk("list title, archived include", list("sort=title&archived=include")),
    walk("list time, in a year", list(`sort=time&${range}`)),
    walk("people name", `${people}?limit=${PAGE_ITEMS}&sort=name`),
    walk("people -lastContact", `${people}?limit=${PAGE_ITEMS}&sort=-lastContact`),
    { name: "people found by a word", ...find },
    walk("memories -occurredAt", `/api/v2/memory/texts?limit=${PAGE_ITEMS}&sort=-occurredAt`),
    walk("tags name", `/api/v2/taxonomy/tags?limit=${PAGE_ITEMS}&sort=name`),
    walk("tags -use", `/api/v2/taxonomy/tags?limit=${PAGE_ITEMS}&sort=-use`),
  ];
}

/** Searches and counts. */
function countedPages(): Page[] {
  const insight = (name: string, path: string): Page => (
    { name, kind: "counted", path: `/api/v2/insight/${path}&zone=Europe/Berlin` }
  );
  const search = (name: string, body: object): Page => (
    { name, kind: "counted", path: "/api/v2/search", body: JSON.stringify(body) }
  );
  const [from, until] = lastYear();
  const year = `from=${from}&until=${until}`;
  const weight = "module=health&field=value&filter[metricType]=WEIGHT";
  return [
    search("search, newest first", { q: "reading notes" }),
    search("search, in a module without the word", { q: "reading notes", modules: ["health"] }),
    search("search, best first", { q: "reading notes", order: "BEST" }),
    search("search, best first, one title", { q: "notes 000000000500", order: "BEST" }),
    insight("series of a measure, a year by week", `series?${weight}&by=week&${year}`),
    insight("series of records, a year by month", `series?module=knowledge&by=month&${year}`),
    insight("days of a year", `days?${year}`),
    insight("contacts", `contacts?limit=${PAGE_ITEMS}`),
    insight("routines", "routines?limit=20"),
    insight("week", `week?start=${weekAgo()}`),
  ];
}

function lastYear(): [from: string, until: string] {
  const until = new Date();
  const from = new Date(until.getTime() - 365 * DAY_MS);
  return [dayOf(from), dayOf(until)];
}

function weekAgo(): string {
  return dayOf(new Date(Date.now() - 7 * DAY_MS));
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, "YYYY-MM-DD".length);
}

/** @throws if an answer is not the page. */
export async function measurePages(
  load: LoadProcess,
  { port, headers }: ServiceProcess,
  pages: readonly Page[],
): Promise<PageTimes> {
  const times: Record<string, number> = {};
  for (const { name, path, kind, body } of pages) {
    const template = body === undefined
      ? { method: "GET", path, headers, status: 200 } as const
      : { method: "POST", path, headers, body, status: 200 } as const;
    // PostgreSQL considers a generic plan from the sixth execution on each connection.
    await load.run({ port, template, ...kind === "counted" ? COUNT_WARM_UP : WARM_UP });
    for (let round = 0; round < ROUNDS; round++) {
      const job = { port, template, connections: 1, seconds: SECONDS };
      const { p50, errors, firstError } = await load.run(job);
      if (errors > 0) throw new Error(`The page "${name}" was refused: ${firstError}`);
      times[name] = Math.min(times[name] ?? Infinity, p50);
    }
  }
  return times;
}

class Places {
  readonly #sql: postgres.Sql;
  readonly #owner: string;

  constructor(sql: postgres.Sql, owner: string) {
    this.#sql = sql;
    this.#owner = owner;
  }

  /** A cursor at nine tenths of the walk, but before its last full page. */
  async deep(order: Order, archived: Archival): Promise<string> {
    const key = order.endsWith("createdAt") ? "record_id" : "revision_id";
    return await this.#deep(
      `select ${key} as id from records
        where owner_id = $1 and module_code = '${MODULE}' and ${ARCHIVALS[archived]}`,
      order.startsWith("-"),
    );
  }

  async deepAudit(): Promise<string> {
    return await this.#deep("select audit_id as id from audit_entries where owner_id = $1", true);
  }

  async #deep(rows: string, isDescending: boolean): Promise<string> {
    return await this.#one<string>(
      `with rows as materialized (${rows}), counted as (select count(*) as number from rows)
       select id as value from rows order by id ${isDescending ? "desc" : ""}
       offset (select greatest(0, least(number * 9 / 10, number - ${PAGE_ITEMS} - 2)) from counted)
        limit 1`,
    );
  }

  /** Between the creation of 40% and of 60% of the records. */
  async middle(): Promise<[string, string]> {
    const moments = await this.#one<Date[]>(
      `select percentile_disc(array[0.4, 0.6]) within group (order by created_at) as value
         from records where owner_id = $1 and module_code = '${MODULE}'`,
    );
    const [from, to] = moments.map((moment) => moment.toISOString());
    return [from ?? "", to ?? ""];
  }

  /** With two revisions and an execution. */
  async modified(): Promise<string> {
    return await this.#one<string>(
      "select record_id as value from executions where owner_id = $1 limit 1",
    );
  }

  async #one<T>(statement: string): Promise<T> {
    const [row] = await this.#sql.unsafe<{ value: T }[]>(statement, [this.#owner]);
    if (row === undefined) throw new Error("There are too few records to measure pages of them");
    return row.value;
  }
}
