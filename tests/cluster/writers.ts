/** Clients that write without end, and keep a book of what was acknowledged. */

import { type Random, seededRandom } from "../support/random.ts";
import type { Caller, CallOptions, Json, TestResponse } from "../support/world.ts";
import { pause, until } from "./until.ts";

export const RECORDS = "/api/v2/records/commitment";
/** Between a response and the next request of a writer. */
const PAUSE_MS = 200;
/** Before a write that was not acknowledged is sent again. */
const RETRY_MS = 100;
/** How many writes of each writer show that it is served again. */
const SERVED_AGAIN = 3;

/** A write, from its first sending until it was acknowledged. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly options: CallOptions;
  readonly sentAt: number;
  acknowledged: { readonly at: number; readonly response: TestResponse } | null;
}

/** What a client may meet while the cluster mends itself; anything else is a defect. */
const TO_REPEAT: readonly string[] = [
  // No connection, or one that ended; a client that waited for too long.
  ...["no response", "no response in time"],
  // The proxy's own responses, and the service's.
  ...["502", "503", "504", "503 HTTP_503"],
  // The write that was sent before is still being undone.
  "409 IDEMPOTENCY_IN_PROGRESS",
];

/** Writers that share one account, each of which waits for its write before the next. */
export class Writers {
  readonly writes: Write[][];
  /** How often each response was met that is no acknowledgement. */
  readonly refusals = new Map<string, number>();
  readonly #caller: Caller;
  readonly #done: Promise<unknown>;
  #stopped = false;

  constructor(caller: Caller, count: number, seed: number) {
    this.#caller = caller;
    this.writes = Array.from({ length: count }, () => []);
    this.#done = Promise.all(
      // What a writer writes depends on the seed alone, and not on when the others do.
      this.writes.map((writes, index) => this.#run(writes, seededRandom(seed * count + index))),
    );
    this.#done.catch(() => this.#stopped = true);
  }

  /** Waits until each writer was acknowledged several writes that it sent from now on. */
  async untilServed(): Promise<void> {
    const now = performance.now();
    await until("all writers are served", async () => {
      // What a writer has thrown is thrown here.
      if (this.#stopped) await this.#done;
      return this.writes.every((writes) =>
        writes.filter(({ sentAt, acknowledged }) => sentAt >= now && acknowledged !== null)
          .length >= SERVED_AGAIN
      );
    });
  }

  /** For each writer, how long the write took that took longest, of those that end from `since` on. */
  outages(since: number): number[] {
    return this.writes.map((writes) => {
      const took = writes.flatMap(({ sentAt, acknowledged }) =>
        acknowledged !== null && acknowledged.at >= since ? [acknowledged.at - sentAt] : []
      );
      return Math.max(0, ...took);
    });
  }

  /** Lets each writer end with its present write. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  /** Sends a write until it is acknowledged. */
  async acknowledge({ method, path, options }: Write): Promise<TestResponse> {
    while (true) {
      const outcome = await this.#send(method, path, options);
      if (typeof outcome !== "string") return outcome;
      this.refusals.set(outcome, (this.refusals.get(outcome) ?? 0) + 1);
      if (!TO_REPEAT.includes(outcome)) throw new Error(`A write was answered ${outcome}`);
      await pause(RETRY_MS);
    }
  }

  /** Makes a record, changes it, and so on. */
  async #run(writes: Write[], random: Random): Promise<void> {
    while (!this.#stopped) {
      const payload = { commitmentType: "OUTGOING", content: "Call", completionStatus: "OPEN" };
      const write = (method: string, path: string, body: Json) =>
        this.#write(writes, { method, path, options: { key: random.ulid(), body } });
      const title = random.text(1, 40);
      const { recordId } = await write("POST", RECORDS, { title, payload });
      const content = random.text(10, 500);
      await write("PATCH", `${RECORDS}/${recordId}`, { payload: { content } });
    }
  }

  async #write(
    writes: Write[],
    request: Pick<Write, "method" | "path" | "options">,
  ): Promise<Json> {
    const write: Write = { ...request, sentAt: performance.now(), acknowledged: null };
    writes.push(write);
    const response = await this.acknowledge(write);
    write.acknowledged = { at: performance.now(), response };
    await pause(PAUSE_MS);
    return response.body.data;
  }

  /** The response that acknowledges a write, or what came instead. */
  async #send(method: string, path: string, options: CallOptions): Promise<TestResponse | string> {
    try {
      const response = await this.#caller.call(method, path, options);
      if (response.status === (method === "POST" ? 201 : 200)) return response;
      const code = response.body?.error?.code;
      return code === undefined ? `${response.status}` : `${response.status} ${code}`;
    } catch (error) {
      if (error instanceof DOMException && error.name === "TimeoutError") {
        return "no response in time";
      }
      // What `fetch` throws; a response that breaks off in the middle of its JSON.
      if (error instanceof TypeError || error instanceof SyntaxError) return "no response";
      throw error;
    }
  }
}
