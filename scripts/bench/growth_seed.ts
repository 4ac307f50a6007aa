/**
 * Seeds many records by SQL: copies of rows that the service wrote, with other ids and times. All
 * constraints and triggers apply.
 */

import type postgres from "postgres";
import prepareSql from "./growth/prepare.sql" with { type: "text" };
import recordsSql from "./growth/records.sql" with { type: "text" };
import { SUMMARY } from "./operations.ts";
import type { ServiceProcess } from "./service_process.ts";

export const MODULE = "knowledge";
export const RECORDS = `/api/v2/records/${MODULE}`;

const BATCH = 10_000;
const MINUTE_MS = 60_000;

/** About 450 bytes. */
const SOURCE = {
  sourceType: "ARTICLE",
  url: "https://example.org/articles/2026/11/what-a-river-keeps?from=weekly",
  sourceTitle: "What a river keeps",
  publishedAt: "2026-11-01T08:00:00.000Z",
  annotation:
    "Walked along the river in the morning, then read two chapters and wrote down what I want to " +
    "remember about them for next week, including the names and the two places on the old map.",
};

/** Differ between copies. */
const TEMPLATES = [
  { author: "A. Writer", readingStatus: "READ" },
  { author: "A. Writer", readingStatus: "UNREAD" },
  { author: "A. Rarity", readingStatus: "READ" },
];

const MEASUREMENT = {
  metricType: "WEIGHT",
  value: 71.5,
  unit: "kg",
  measuredAt: "2026-11-01T08:00:00.000Z",
  quality: "MEASURED",
};

/** The originals; few and not counted. */
async function makeTemplates(service: ServiceProcess): Promise<void> {
  const title = "Reading notes of the week, 000000000000";
  for (const own of TEMPLATES) {
    const body = { title, summary: SUMMARY, payload: { ...SOURCE, ...own } };
    await service.call("POST", RECORDS, body);
  }
  const weight = { title: "Weight in the morning, 000000000000", payload: MEASUREMENT };
  await service.call("POST", "/api/v2/records/health", { ...weight, summary: "" });
}

/** Fills a database on which the service has just started. */
export class Seeding {
  readonly #sql: postgres.Sql;
  readonly #from: Date;
  readonly #until: Date;
  #made = 0;

  private constructor(sql: postgres.Sql, most: number) {
    this.#sql = sql;
    this.#until = new Date();
    this.#from = new Date(this.#until.getTime() - (most + 1) * MINUTE_MS);
  }

  /**
   * Starts with the service's own rows.
   *
   * @param sql One connection: it keeps temporary tables.
   * @param most Maximum number of records; the last is created now.
   */
  static async begin(
    sql: postgres.Sql,
    service: ServiceProcess,
    most: number,
  ): Promise<Seeding> {
    await makeTemplates(service);
    await sql.unsafe(prepareSql).simple();
    return new Seeding(sql, most);
  }

  /** Leaves the database as its vacuum and checkpoint would. */
  async growTo(count: number): Promise<void> {
    while (this.#made < count) {
      const last = Math.min(count, this.#made + BATCH);
      await this.#sql.unsafe(recordsSql, [this.#made + 1, last, this.#from, this.#until]);
      this.#made = last;
    }
    await this.#sql`vacuum (analyze)`;
    await this.#sql`checkpoint`;
  }
}
