/**
 * A closed-loop load from a separate process: each connection sends its next request after the response to
 * the last one.
 */

import { linesOf } from "./lines.ts";

/**
 * A request to repeat. `{value}` is replaced by a random one of `values`, the same in the whole request; if
 * a value is a list, `{value}` is its first member and `{value2}` its second. `{serial}` is replaced by a
 * number of twelve digits that is unique in the process. In a body all values have the same length.
 */
export interface RequestTemplate {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text, unless the headers name another `Content-Type`. */
  readonly body?: string;
  readonly values?: readonly (string | readonly string[])[];
  /** The only status that is not counted as an error. */
  readonly status: number;
  /** Text that the response's head must contain, in lower case, such as `idempotency-replayed: true`. */
  readonly head?: string;
}

/** A load: for so many seconds, or until so many requests are answered. */
export interface LoadJob {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly connections: number;
  readonly template: RequestTemplate;
  /** Requests that begin within so many seconds are sent and not counted. */
  readonly warmUpSeconds?: number;
  readonly seconds?: number;
  readonly requests?: number;
}

/** A load of several requests, each so often, in random order. */
export interface MixedJob {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly connections: number;
  readonly parts: readonly { readonly template: RequestTemplate; readonly requests: number }[];
}

/** The result of a load. */
export interface LoadResult {
  /** Answered, errors among them. */
  readonly requests: number;
  readonly errors: number;
  /** The beginning of the first answer that was not expected. */
  readonly firstError: string | null;
  readonly seconds: number;
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** The reply of the other process to a job: its result, or the error. */
export type WorkerAnswer = { readonly result: LoadResult } | { readonly failure: string };

/** The process that makes loads, one at a time. It ends with this process, or when disposed of. */
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

  /**
   * Runs a load.
   *
   * @throws Error when a connection cannot be made or is lost.
   */
  async run(job: LoadJob | MixedJob): Promise<LoadResult> {
    await this.#input.write(new TextEncoder().encode(JSON.stringify(job) + "\n"));
    const { value, done } = await this.#answers.next();
    if (done) throw new Error("The process that makes the load has ended");
    const answer: WorkerAnswer = JSON.parse(value);
    if ("failure" in answer) throw new Error(`The load failed: ${answer.failure}`);
    return answer.result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // It reads to the end of its input; a load that is under way is cut short.
    await this.#input.close().catch(() => {});
    try {
      this.#child.kill("SIGTERM");
    } catch (error) {
      // It had ended by itself.
      if (!(error instanceof TypeError)) throw error;
    }
    await this.#child.status;
  }
}
