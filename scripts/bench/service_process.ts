/** The service as a process, with an account, a session and its memory use. */

import { Output, ownEnvironment, PROJECT, taskFlags } from "../../tests/support/server_process.ts";

export interface ServicePlace {
  /** Null for the embedded engine. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** The place of uploads; `files` by default. */
  readonly attachments?: "files" | "database";
}

/** A service with one signed-in account. Disposal ends it. */
export interface ServiceProcess extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the response's `data`. */
  // deno-lint-ignore no-explicit-any -- the caller knows the shape of what it asks for
  call(method: string, path: string, body?: unknown): Promise<any>;
}

const OWNER = { email: "bench@example.org", password: "a password that only the bench knows" };

/** The service's defaults and log level, without rate limits. */
export function serviceEnvironment(
  { databaseUrl, dataDir, attachments = "files" }: ServicePlace,
): Record<string, string> {
  const server = {
    DATABASE_URL: databaseUrl ?? "",
    SERVER_SECRET: "a server secret that only the bench knows",
  };
  return {
    PORT: "0",
    DATA_DIR: dataDir,
    OWNER_EMAIL: OWNER.email,
    OWNER_PASSWORD: OWNER.password,
    RATE_LIMIT_PER_CREDENTIAL: "0",
    RATE_LIMIT_PER_ADDRESS: "0",
    ATTACHMENTS: attachments,
    ...(databaseUrl !== null && server),
  };
}

/**
 * Starts the service with the permissions of `deno task start`, and signs in. The log goes to the
 * null device, to save processor time.
 *
 * @throws with its last output, if it ends.
 */
export async function startServiceProcess(place: ServicePlace): Promise<ServiceProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...taskFlags("start", place.dataDir, serviceEnvironment(place)), "main.ts"],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...serviceEnvironment(place), NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  await using starting = new AsyncDisposableStack();
  starting.defer(() => end(child));
  const words = new Output(child.stderr);
  const ready = await words.until(/^Personal Records Service is ready at .*:(\d+)$/m);
  if (ready === null) throw new Error(`The service ended: ${words.text}`);
  const port = Number(ready[1]);
  const { accessToken } = await callService(port, {}, "POST", "/api/v2/auth/login", {
    ...OWNER,
    transport: "bearer",
  });
  const headers = { Authorization: `Bearer ${accessToken}` };
  const running = starting.move();
  return {
    pid: child.pid,
    port,
    headers,
    call: (...call) => callService(port, headers, ...call),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Kills: its state is not needed. */
export async function end(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    // Already ended.
    if (!(error instanceof TypeError)) throw error;
  }
  await child.status;
}

export async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "rss=", "-p", String(pid)] })
    .output();
  return Number(new TextDecoder().decode(stdout)) / 1024;
}

/** The most memory that the process has used so far; NaN outside Linux. */
export async function peakMegabytes(pid: number): Promise<number> {
  // Deno can read /proc only with all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(new TextDecoder().decode(stdout)) ?? [];
  return Number(kilobytes ?? NaN) / 1024;
}

/** Sums all threads; NaN outside Linux. */
export async function processorMilliseconds(pid: number): Promise<number> {
  // Deno can read /proc only with all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/stat`] }).output();
  // The program's name is in parentheses; times are in hundredths of a second.
  const [, fields = ""] = new TextDecoder().decode(stdout).split(") ");
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return ((user ?? NaN) + (system ?? NaN)) * 10;
}

async function callService(
  port: number,
  headers: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...headers,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${text}`);
  return JSON.parse(text).data;
}
