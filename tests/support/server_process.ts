/** `main.ts` as a process, with the permissions of `deno task start`. */

import { ENVIRONMENT_NAMES } from "../../src/operator/config/env.ts";
import { netAccess, socketFiles } from "../../src/operator/config/net_access.ts";
import { PROGRAM_ENVIRONMENT, programFlags } from "../../src/operator/config/program_flags.ts";
import {
  callApp,
  type Caller,
  callerOf,
  type CallOptions,
  type Json,
  ORIGIN,
  type TestResponse,
} from "./world.ts";

/** The folder of `deno.json`. */
export const PROJECT = new URL("../..", import.meta.url).pathname;

export interface Ended {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Disposal ends it. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** The standard error of the service so far. */
  readonly welcome: string;
  readonly app: { fetch(request: Request): Promise<Response> };
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** Creates the first account with the printed set-up token. */
  setUp(): Promise<Caller>;
  kill(signal: Deno.Signal): void;
  readonly ended: Promise<Ended>;
}

/** Tasks whose permissions are used. */
export type Task =
  | "start"
  | "admin"
  | "backup"
  | "restore"
  | "backup:verify"
  | "backup:keygen"
  | "audit:verify";

/** Flags of a task, such as `deno task start`, with these settings. */
export function taskFlags(
  task: Task,
  dataDir: string,
  env?: Readonly<Record<string, string>>,
): string[] {
  const configuration = Deno.readTextFileSync(`${PROJECT}/deno.json`);
  const { command } = JSON.parse(configuration).tasks[task];
  if (!CALLS_PROGRAM.test(command)) throw new Error(`The ${task} task does not run the program`);
  if (env === undefined) return programFlags(dataDir);
  const settings = {
    get: (name: string) => env[name],
    readFile: (path: string) => Deno.readTextFileSync(path),
    addresses: () => [],
  };
  const net = netAccess(settings, dataDir);
  return programFlags(dataDir, net, socketFiles(settings), env.ZONEINFO);
}

/** A task that runs the program with a word. */
export const CALLS_PROGRAM = /^deno task --quiet run(?: [\w-]+)?$/;

/**
 * Starts a server, and waits until it listens.
 *
 * @throws with its last output, if it ends.
 */
export async function startServer(
  env: Readonly<Record<string, string>>,
  { stdin = "null" }: { readonly stdin?: "null" | "unreadable" } = {},
): Promise<ServerProcess> {
  const { child, stdout, stderr, ended } = spawn(env, stdin === "unreadable" ? "0>/dev/null" : "");
  const listening = await stdout.until(/"event":"listening".*"port":(\d+)/);
  const ready = await stderr.until(/^Personal Records Service is ready at .*\n/m);
  if (listening === null || ready === null) {
    throw new Error(`The server ended: ${JSON.stringify(await ended)}`);
  }
  const port = Number(listening[1]);
  const app = {
    fetch: (request: Request) =>
      fetch(new Request(request.url.replace(ORIGIN, `http://127.0.0.1:${port}`), request)),
  };
  const call: ServerProcess["call"] = (...options) => callApp(app, ...options);
  return {
    pid: child.pid,
    port,
    get welcome() {
      return stderr.text;
    },
    app,
    call,
    setUp: async () => await setUp(app, await stderr.until(/"setupToken":"([^"]+)"/)),
    kill: (signal) => child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      kill(child);
      await ended;
    },
  };
}

export async function failStart(env: Readonly<Record<string, string>>): Promise<Ended> {
  const { child, stdout, ended } = spawn(env);
  if (await stdout.until(/"event":"listening"/) !== null) {
    kill(child);
    await ended;
    throw new Error("The server started");
  }
  return await ended;
}

/** Sends SIGTERM to a start once its standard error matches. */
export async function stopStarting(
  env: Readonly<Record<string, string>>,
  printed: RegExp,
): Promise<Ended> {
  const { child, stderr, ended } = spawn(env);
  if (await stderr.until(printed) !== null) child.kill("SIGTERM");
  return await ended;
}

// Tests run without limits by default.
const UNLIMITED = { RATE_LIMIT_PER_CREDENTIAL: "0", RATE_LIMIT_PER_ADDRESS: "0" };

/** @param redirection Words of a shell. */
function spawn(env: Readonly<Record<string, string>>, redirection = ""): {
  child: Deno.ChildProcess;
  stdout: Output;
  stderr: Output;
  ended: Promise<Ended>;
} {
  const flags = taskFlags("start", env.DATA_DIR ?? "./data", env);
  const child = new Deno.Command("sh", {
    args: ["-c", `exec "$@" ${redirection}`, "sh", Deno.execPath(), "run", ...flags, "main.ts"],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...UNLIMITED, ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdout = new Output(child.stdout);
  const stderr = new Output(child.stderr);
  const end = async () => {
    const [{ code, signal }] = await Promise.all([child.status, stdout.ended, stderr.ended]);
    return { code, signal, stdout: stdout.text, stderr: stderr.text };
  };
  return { child, stdout, stderr, ended: end() };
}

/** Omits the service's settings, and adds those of its memory. */
export function ownEnvironment(): Record<string, string> {
  const settings = new Set(ENVIRONMENT_NAMES);
  const own = Object.entries(Deno.env.toObject()).filter(([name]) => !settings.has(name));
  return { ...Object.fromEntries(own), ...PROGRAM_ENVIRONMENT };
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    // The process has ended.
    if (!(error instanceof TypeError)) throw error;
  }
}

async function setUp(
  app: ServerProcess["app"],
  printed: RegExpExecArray | null,
): Promise<Caller> {
  const response = await callApp(app, "POST", "/api/v2/auth/setup", {
    body: {
      setupToken: printed?.[1] ?? "",
      email: "owner@example.org",
      password: "a password that only tests know",
      displayName: "Owner",
      transport: "bearer",
    },
  });
  if (response.status !== 200) throw new Error(`Set-up was refused: ${response.text}`);
  const { account, session, accessToken }: Json = response.body.data;
  return callerOf(app, {
    accountId: account.accountId,
    sessionId: session.sessionId,
    secret: accessToken,
  });
}

export class Output {
  text = "";
  readonly ended: Promise<void>;
  #changed = Promise.withResolvers<void>();
  #done = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.ended = this.#collect(stream);
  }

  /** Null if the stream ends without it. */
  async until(pattern: RegExp): Promise<RegExpExecArray | null> {
    while (true) {
      const found = pattern.exec(this.text);
      if (found !== null || this.#done) return found;
      await this.#changed.promise;
    }
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      this.text += text;
      this.#signal();
    }
    this.#done = true;
    this.#signal();
  }

  #signal(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }
}
