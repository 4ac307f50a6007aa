/** Programs of the cluster as processes with their children. */

export interface Process {
  readonly pid: number;
  readonly ended: Promise<unknown>;
}

interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Receives its output. */
  readonly log: string;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Searches Debian's folders; null if not installed. */
export function findProgram(name: string): string | null {
  for (const folder of PATH.split(":")) {
    try {
      if (Deno.statSync(`${folder}/${name}`).isFile) return `${folder}/${name}`;
    } catch {
      // Not there.
    }
  }
  return null;
}

/** As user `postgres` if this process is root, which PostgreSQL refuses. */
export function start(words: readonly string[], { env = {}, log }: ProcessOptions): Process {
  const [program = "", ...args] = asPostgres(words);
  const child = new Deno.Command("sh", {
    args: ["-c", 'log=$1; shift; exec "$@" >>"$log" 2>&1', "sh", log, program, ...args],
    clearEnv: true,
    env: { PATH, LANG: "C.UTF-8", ...env },
    stdin: "null",
  }).spawn();
  return { pid: child.pid, ended: child.status };
}

/**
 * Runs a program as the same user.
 *
 * @throws with its output, if it fails.
 */
export async function run(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [program = "", ...args] = asPostgres(words);
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    clearEnv: true,
    env: { PATH, LANG: "C.UTF-8", ...env },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`Cannot run "${program}": ${text(stderr)}${text(stdout)}`);
  return text(stdout);
}

function asPostgres(words: readonly string[]): readonly string[] {
  if (Deno.uid() !== 0) return words;
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", ...words];
}

/** The process first. */
export async function withDescendants(pid: number): Promise<number[]> {
  const listing = await run(["ps", "-e", "-o", "pid=,ppid="]);
  const parents = listing.trim().split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) {
    found.push(...parents.filter(([, of]) => of === parent).map(([child = 0]) => child));
  }
  return found;
}

/** Ignores ended ones. */
export function signalAll(pids: readonly number[], signal: Deno.Signal): void {
  for (const pid of pids) {
    try {
      Deno.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
