/** A throw-away PostgreSQL cluster for tests and benchmarks, private and on loopback. */

export interface Cluster {
  /** The URL of its maintenance database. */
  readonly url: string;
  readonly port: number;
  readonly version: string;
  /** The folder of its programs, such as `pgbench`. */
  readonly programs: string;
  readonly folder: string;
  /** The server's first process. */
  readonly pid: number;
  /** As the cluster's user. */
  call(program: string, ...args: string[]): Promise<string>;
  /** Loses unwritten data. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Stops and removes it in any state. */
  stop(options?: StopOptions): Promise<void>;
}

interface StopOptions {
  /** The folder for a copy of its data after a clean stop. */
  readonly saveTo?: string;
}

export interface ClusterOptions {
  /** Whether commits wait for the disk. Tests save that time. */
  readonly durable?: boolean;
  /** Server settings, without spaces or quotes. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Creates the data folder, by default of an empty server. */
  readonly fill?: Fill;
}

/** Fills the folder `data` with the cluster's programs. */
type Fill = (cluster: Pick<Cluster, "call" | "folder">, data: string) => Promise<unknown>;

const initialise: Fill = ({ call }, data) =>
  call("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync");

/**
 * In a new folder under the temporary directory. Run as root, its programs use the user `postgres`,
 * because PostgreSQL refuses root.
 *
 * @returns null if PostgreSQL is not installed.
 */
export async function startCluster(
  { durable = false, settings = {}, fill = initialise }: ClusterOptions = {},
): Promise<Cluster | null> {
  const programs = await findPrograms();
  if (programs === null) return null;
  const folder = await Deno.makeTempDir({ prefix: "prs-postgres-" });
  const isRoot = Deno.uid() === 0;
  if (isRoot) await run(["chown", "postgres", folder]);
  const user = isRoot ? ["runuser", "-u", "postgres", "--"] : [];
  const call = (program: string, ...args: string[]) =>
    run(user.concat(`${programs}/${program}`, args));
  const data = `${folder}/data`;
  const port = freePort();
  const options = serverOptions({ ...!durable && { fsync: "off" }, ...settings });
  const start = async () => {
    const own = `-p ${port} -k ${folder} ${options}`;
    await call("pg_ctl", "start", "-w", "-D", data, "-l", `${folder}/log`, "-o", own);
  };
  const crash = async () => {
    await call("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data);
  };
  try {
    await fill({ call, folder }, data);
    await start();
  } catch (error) {
    await Deno.remove(folder, { recursive: true });
    throw error;
  }
  const version = await call("postgres", "--version");
  return {
    get pid() {
      return Number(Deno.readTextFileSync(`${data}/postmaster.pid`).split("\n")[0]);
    },
    port,
    programs,
    folder,
    call,
    crash,
    start,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    version: version.trim(),
    async stop({ saveTo }: StopOptions = {}) {
      if (saveTo === undefined) {
        // May have crashed already.
        await crash().catch(() => {});
      } else {
        await call("pg_ctl", "stop", "-w", "-m", "fast", "-D", data);
        await copyData(data, saveTo);
      }
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function serverOptions(settings: Readonly<Record<string, string>>): string {
  const all = {
    listen_addresses: "127.0.0.1",
    max_connections: "200",
    log_min_messages: "fatal",
    // Starting workers takes 150 ms, longer than any statement of a test.
    max_parallel_workers_per_gather: "0",
    ...settings,
  };
  return Object.entries(all).map(([name, value]) => `-c ${name}=${value}`).join(" ");
}

/** The newest installed version; null for none. */
export async function installedVersion(): Promise<string | null> {
  const programs = await findPrograms();
  return programs === null ? null : (await run([`${programs}/postgres`, "--version"])).trim();
}

/** The folder that `POSTGRES_PROGRAMS` names, or the newest version's; null for none. */
export async function findPrograms(): Promise<string | null> {
  const candidates: string[] = [];
  const chosen = Deno.env.get("POSTGRES_PROGRAMS");
  if (chosen) candidates.push(chosen);
  const configured = await run(["pg_config", "--bindir"]).catch(() => "");
  if (configured !== "") candidates.push(configured.trim());
  for (const version of await versions("/usr/lib/postgresql")) {
    candidates.push(`/usr/lib/postgresql/${version}/bin`);
  }
  for (const folder of candidates) {
    if (await Deno.stat(`${folder}/initdb`).then(() => true, () => false)) return folder;
  }
  return null;
}

async function versions(folder: string): Promise<string[]> {
  try {
    const names = await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name);
    return names.sort((a, b) => Number(b) - Number(a));
  } catch {
    return [];
  }
}

/** Keeps owners and modes, which the server checks. */
export async function copyData(from: string, to: string): Promise<void> {
  await run(["cp", "-a", from, to]);
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function run([program = "", ...args]: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, stdin: "null" })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`Cannot run "${program}": ${text(stderr)}`);
  return text(stdout);
}
