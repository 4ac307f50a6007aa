/** Runs PostgreSQL's benchmark: the same statements from C, next to the server. */

interface PgbenchJob {
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
  readonly databaseUrl: string;
  /** The script's path. */
  readonly script: string;
  readonly connections: number;
  readonly seconds: number;
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Returns runs per second, without connecting.
 *
 * @throws if a statement fails.
 */
export async function runPgbench(job: PgbenchJob): Promise<number> {
  const { connections, variables = {} } = job;
  const options = {
    "-M": "prepared",
    "-T": String(job.seconds),
    "-c": String(connections),
    "-j": String(Math.min(connections, 2)),
    "-f": job.script,
  };
  const defined = Object.entries(variables).flatMap(([name, value]) => ["-D", `${name}=${value}`]);
  const { success, stdout, stderr } = await new Deno.Command(`${job.programs}/pgbench`, {
    args: ["-n", ...Object.entries(options).flat(), ...defined],
    env: connectionEnvironment(job.databaseUrl),
    stdin: "null",
  }).output();
  const [output, problem] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  const rate = rateOf(output ?? "");
  if (!success || rate === null) throw new Error(`pgbench failed: ${problem?.slice(0, 2_000)}`);
  return rate;
}

/** From pgbench's report; null without a rate or after a failure. */
export function rateOf(report: string): number | null {
  const failed = /^number of failed transactions: (\d+)/m.exec(report)?.[1];
  const rate = /^tps = ([\d.]+) \(without initial connection time\)/m.exec(report)?.[1];
  return rate === undefined || (failed !== undefined && failed !== "0") ? null : Number(rate);
}

/** Arguments are visible to everyone on the machine. */
function connectionEnvironment(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const sslMode = searchParams.get("sslmode");
  return {
    PGHOST: hostname,
    PGPORT: port || "5432",
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    // The report is parsed.
    LC_ALL: "C",
    ...(sslMode !== null && { PGSSLMODE: sslMode }),
  };
}
