/** Resources used so far by the service and PostgreSQL, in the model's terms. */

import type postgres from "postgres";
import { ignoreNotFound } from "../../src/core/files.ts";
import { filesUnder } from "../../tests/support/attachments.ts";
import { endOfLog } from "./growth_cost.ts";
import type { Cost } from "./model_arithmetic.ts";

/** The unit of `/proc` times, fixed by Linux. */
const TICK_MS = 10;

export interface Watched {
  readonly sql: postgres.Sql;
  readonly servicePid: number;
  /** The parent of all PostgreSQL processes. */
  readonly postmasterPid: number;
  /** The folder of attachments. */
  readonly objects: string;
}

/** The difference of two readings is the use in between. */
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

/** The parent of the process that serves a connection. */
export async function readPostmaster(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return Number(await say("ps", "-o", "ppid=", "-p", String(row?.pid)));
}

async function processorMs(pid: number): Promise<number> {
  const { own } = readTimes(await say("cat", `/proc/${pid}/stat`));
  return own;
}

/** Includes ended children. */
async function processorMsOfAll(parent: number): Promise<number> {
  const children = (await say("ps", "-o", "pid=", "--ppid", String(parent))).split(/\s+/)
    .filter((pid) => pid !== "");
  const files = [parent, ...children].map((pid) => `/proc/${pid}/stat`);
  const [first = "", ...others] = (await say("cat", ...files)).split("\n");
  const { own, ended } = readTimes(first);
  return others.reduce((sum, line) => sum + readTimes(line).own, own + ended);
}

/** From a line of `/proc/…/stat`, in milliseconds: the process, and its ended children. */
function readTimes(line: string): { readonly own: number; readonly ended: number } {
  // The program's name may contain spaces; the state is the third field.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ").map(Number);
  const [user = NaN, system = NaN, endedUser = NaN, endedSystem = NaN] = fields.slice(11, 15);
  return { own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS };
}

/** Deno can read `/proc` only with all permissions. */
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
