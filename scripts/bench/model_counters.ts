/**
 * Counters of the resources that the service and its PostgreSQL have used so far, in the terms of the
 * model.
 */

import type postgres from "postgres";
import { ignoreNotFound } from "../../src/core/files.ts";
import { filesUnder } from "../../tests/support/attachments.ts";
import { endOfLog } from "./growth_cost.ts";
import type { Cost } from "./model_arithmetic.ts";

/** The unit of the times of `/proc`, which Linux has fixed. */
const TICK_MS = 10;

/** The sources of the counters. */
export interface Watched {
  readonly sql: postgres.Sql;
  readonly servicePid: number;
  /** The process that all others of PostgreSQL are children of. */
  readonly postmasterPid: number;
  /** The folder of attachments. */
  readonly objects: string;
}

/** Reads all counters. The difference of two readings is what was used between them. */
export async function readCounters(
  { sql, servicePid, postmasterPid, objects }: Watched,
): Promise<Cost> {
  const [[size], logBytes, fileBytes, serverMs, databaseMs] = await Promise.all([
    sql<{ heap: number; toast: number; index: number }[]>`
      select sum(pg_table_size(c.oid) - coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0))
               ::float8 as heap,
             sum(coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 as toast,
             sum(pg_indexes_size(c.oid))::float8 as index
        from pg_class c
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    endOfLog(sql),
    sizeOf(objects),
    processorMs(servicePid),
    processorMsOfAll(postmasterPid),
  ]);
  return {
    serverMs,
    databaseMs,
    logBytes,
    fileBytes,
    heapBytes: size?.heap ?? NaN,
    toastBytes: size?.toast ?? NaN,
    indexBytes: size?.index ?? NaN,
  };
}

/** The process that started the one that serves a connection. */
export async function readPostmaster(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return Number(await say("ps", "-o", "ppid=", "-p", String(row?.pid)));
}

async function processorMs(pid: number): Promise<number> {
  const { own } = readTimes(await say("cat", `/proc/${pid}/stat`));
  return own;
}

/** For a process and its children, including those that have ended. */
async function processorMsOfAll(parent: number): Promise<number> {
  const children = (await say("ps", "-o", "pid=", "--ppid", String(parent))).split(/\s+/)
    .filter((pid) => pid !== "");
  const files = [parent, ...children].map((pid) => `/proc/${pid}/stat`);
  const [first = "", ...others] = (await say("cat", ...files)).split("\n");
  const { own, ended } = readTimes(first);
  return others.reduce((sum, line) => sum + readTimes(line).own, own + ended);
}

/** The times in a line of `/proc/…/stat`, in milliseconds: of the process, and of its ended children. */
function readTimes(line: string): { readonly own: number; readonly ended: number } {
  // The name of the program may hold spaces; the state is the third field, after it.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ").map(Number);
  const [user = NaN, system = NaN, endedUser = NaN, endedSystem = NaN] = fields.slice(11, 15);
  return { own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS };
}

/** The output of a program: Deno itself can read `/proc` only with all permissions. */
async function say(program: string, ...args: string[]): Promise<string> {
  const options = { args, stderr: "null" } as const;
  const { stdout } = await new Deno.Command(program, options).output();
  return new TextDecoder().decode(stdout).trim();
}

async function sizeOf(folder: string): Promise<number> {
  const files = await filesUnder(folder).catch(ignoreNotFound) ?? [];
  const sizes = await Promise.all(files.map((file) => Deno.stat(`${folder}/${file}`)));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
