/** The service as a separate process, with an account, a session and its memory use. */

import { Output, ownEnvironment, PROJECT, taskFlags } from "../../tests/support/server_process.ts";

/** The data of the service under test. */
export interface ServicePlace {
  /** Null for the embedded engine. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/** A serving process with one account that is signed in. Disposing of it ends it. */
export interface ServiceProcess extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** The headers of a request by the account. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends one request of the account and returns the member `data` of the response. */
  // deno-lint-ignore no-explicit-any -- the caller knows the shape of what it asks for
  call(method: string, path: string, body?: unknown): Promise<any>;
}

const OWNER = { email: "bench@example.org", password: "a password that only the bench knows" };

/**
 * The settings of the service under test: its own defaults, with a log at its standard level, but
 * without rate limits, which would measure themselves.
 */
export function serviceEnvironment({ databaseUrl, dataDir }: ServicePlace): Record<string, string> {
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
    ...(databaseUrl !== null && server),
  };
}

/**
 * Starts the service with the permissions of `deno task start` and signs its owner in.
 *
 * Its log goes to the null device, so that reading it takes no processor time.
 *
 * @throws Error with its last output if it ends instead.
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

/** Ends a process whose state is not needed any more. */
export async function end(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    // It had ended by itself.
    if (!(error instanceof TypeError)) throw error;
  }
  await child.status;
}

/** The memory of a process that is in use, in megabytes. */
export async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "rss=", "-p", String(pid)] })
    .output();
  return Number(new TextDecoder().decode(stdout)) / 1024;
}

/** The processor time of all threads of a process, in milliseconds; NaN outside of Linux. */
export async function processorMilliseconds(pid: number): Promise<number> {
  // Deno itself cannot read below /proc without all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/stat`] }).output();
  // The name of the program is in parentheses; the times are in hundredths of a second.
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
