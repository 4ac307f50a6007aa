/** A client that follows the changes feed during faults. */

import type { Caller, Json } from "../../tests/support/world.ts";
import { pause, until } from "./until.ts";

const POLL_MS = 500;

/** Its compared parts. */
interface FeedEntry {
  readonly recordId: string;
  readonly revision: number;
}

/** Polls until stopped; repeats failed requests. */
export class Follower {
  readonly met: FeedEntry[] = [];
  readonly #caller: Caller;
  readonly #done: Promise<void>;
  #after: string | null = null;
  #stopped = false;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#done = this.#run();
  }

  /** Stops after this many entries. */
  async finish(entries: number): Promise<void> {
    await until("the feed has given everything", () => this.met.length >= entries);
    this.#stopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      if (!await this.#poll()) await pause(POLL_MS);
    }
  }

  /** Returns whether another page is ready. */
  async #poll(): Promise<boolean> {
    const query = new URLSearchParams({ limit: "100", ...(this.#after && { after: this.#after }) });
    const page = await this.#caller.call("GET", `/api/v2/changes?${query}`).catch(() => null);
    if (page?.status !== 200) return false;
    const { items, nextCursor, hasMore } = page.body.data;
    this.met.push(...items.map(({ recordId, revision }: Json) => ({ recordId, revision })));
    this.#after = nextCursor;
    return hasMore;
  }
}
