/** Clients that write continuously, and record acknowledgements. */

import { type Random, seededRandom } from "../../tests/support/random.ts";
import type { Caller, CallOptions, Json, TestResponse } from "../../tests/support/world.ts";
import { pause, until } from "./until.ts";

export const RECORDS = "/api/v2/records/commitment";
/** Between a response and the writer's next request. */
const PAUSE_MS = 200;
/** The pause before a write is repeated. */
const RETRY_MS = 100;
/** Acknowledged writes per writer that prove recovery. */
const SERVED_AGAIN = 3;

/** A write from its first sending to its acknowledgement. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly options: CallOptions;
  readonly sentAt: number;
  acknowledged: { readonly at: number; readonly response: TestResponse } | null;
}

/** Allowed during recovery; other answers are defects. */
const TO_REPEAT: readonly string[] = [
  // Lost connections, and timeouts.
  "no response",
  "no response in time",
  // The proxy's and the service's.
  "502",
  "503",
  "504",
  "503 HTTP_503",
  // The earlier attempt is still being rolled back.
  "409 IDEMPOTENCY_IN_PROGRESS",
];

/** They share one account; each waits for its write before the next. */
export class Writers {
  readonly writes: Write[][];
  /** Counts of responses other than acknowledgements. */
  readonly refusals = new Map<string, number>();
  readonly #caller: Caller;
  readonly #done: Promise<unknown>;
  #stopped = false;

  constructor(caller: Caller, count: number, seed: number) {
    this.#caller = caller;
    this.writes = Array.from({ length: count }, () => []);
    this.#done = Promise.all(
      // A writer depends on the seed alone, not on the others.
      this.writes.map((writes, index) => this.#run(writes, seededRandom(seed * count + index))),
    );
    this.#done.catch(() => this.#stopped = true);
  }

  /** Until each writer has several new acknowledgements. */
  async untilServed(): Promise<void> {
    const now = performance.now();
    await until("all writers are served", async () => {
      // Rethrows a writer's error.
      if (this.#stopped) await this.#done;
      return this.writes.every((writes) =>
        writes.filter(({ sentAt, acknowledged }) => sentAt >= now && acknowledged !== null)
          .length >= SERVED_AGAIN
      );
    });
  }

  /** The longest write of each writer among those that end from `since` on. */
  outages(since: number): number[] {
    return this.writes.map((writes) => {
      const took = writes.flatMap(({ sentAt, acknowledged }) =>
        acknowledged !== null && acknowledged.at >= since ? [acknowledged.at - sentAt] : []
      );
      return Math.max(0, ...took);
    });
  }

  /** After the current writes. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  /** Repeats it until acknowledged. */
  async acknowledge({ method, path, options }: Write): Promise<TestResponse> {
    while (true) {
      const outcome = await this.#send(method, path, options);
      if (typeof outcome !== "string") return outcome;
      this.refusals.set(outcome, (this.refusals.get(outcome) ?? 0) + 1);
      if (!TO_REPEAT.includes(outcome)) throw new Error(`A write was answered ${outcome}`);
      await pause(RETRY_MS);
    }
  }

  /** Creates and changes records. */
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

  /** The acknowledgement, or the kind of failure. */
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
      // Thrown by `fetch`, or by JSON that breaks off.
      if (error instanceof TypeError || error instanceof SyntaxError) return "no response";
      throw error;
    }
  }
}
