/**
 * A closed loop from a separate process: each connection sends its next request after the last
 * response.
 */

import { linesOf } from "./lines.ts";

/**
 * A request to repeat. `{value}` is a random one of `values`, the same in the whole request.
 * `{serial}` is twelve digits, unique in the process.
 */
export interface RequestTemplate {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; all values in it have one length. */
  readonly body?: string;
  readonly values?: readonly string[];
  /** Other statuses are errors. */
  readonly status: number;
  /**
   * Lower-case text that the response's head must contain, such as `idempotency-replayed: true`.
   */
  readonly head?: string;
}

/** Ends after a time or a number of requests. */
export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  readonly template: RequestTemplate;
  /** Requests that begin in this time are not counted. */
  readonly warmUpSeconds?: number;
  readonly seconds?: number;
  readonly requests?: number;
}

export interface LoadResult {
  /** Includes errors. */
  readonly requests: number;
  readonly errors: number;
  /** The start of the first unexpected answer. */
  readonly firstError: string | null;
  readonly seconds: number;
  /** Per second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

export type WorkerAnswer = { readonly result: LoadResult } | { readonly failure: string };

/** Runs one load at a time. Ends with this process or on disposal. */
export class LoadProcess implements AsyncDisposable {
  readonly #child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-net=127.0.0.1",
      new URL("./load_worker.ts", import.meta.url).pathname,
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  readonly #input = this.#child.stdin.getWriter();
  readonly #answers = linesOf(this.#child.stdout);

  /** @throws if a connection fails. */
  async run(job: LoadJob): Promise<LoadResult> {
    await this.#input.write(new TextEncoder().encode(JSON.stringify(job) + "\n"));
    const { value, done } = await this.#answers.next();
    if (done) throw new Error("The process that makes the load has ended");
    const answer: WorkerAnswer = JSON.parse(value);
    if ("failure" in answer) throw new Error(`The load failed: ${answer.failure}`);
    return answer.result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Ends the worker: a running load is cut short.
    await this.#input.close().catch(() => {});
    try {
      this.#child.kill("SIGTERM");
    } catch (error) {
      // Already ended.
      if (!(error instanceof TypeError)) throw error;
    }
    await this.#child.status;
  }
}
