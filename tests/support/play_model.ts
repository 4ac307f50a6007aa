/** Plays random steps, each compared with a model, for some seeds. */

import { assertEquals } from "@std/assert";
import { type Random, seededRandom } from "./random.ts";
import { createWorld, type TestResponse, type World } from "./world.ts";

export interface Game {
  readonly world: World;
  readonly random: Random;
  /** Collects successful commands and error codes. */
  readonly met: Set<string>;
  readonly label: string;
}

export interface ModelRun {
  /** Sends a random command; compares the response with the model. */
  step(label: string): Promise<void>;
  /** Compares the rest, such as the history. */
  finish(): Promise<void>;
}

export interface ModelPlay {
  readonly runs: number;
  readonly steps: number;
  readonly begin: (game: Game) => Promise<ModelRun>;
}

/** All seeds in one world. Returns the commands and codes that occurred. */
export async function playModel({ runs, steps, begin }: ModelPlay): Promise<ReadonlySet<string>> {
  await using world = await createWorld();
  const met = new Set<string>();
  for (let seed = 1; seed <= runs; seed++) {
    const label = `seed ${seed}`;
    const run = await begin({ world, random: seededRandom(seed), met, label });
    for (let step = 0; step < steps; step++) await run.step(`${label}, step ${step}`);
    await run.finish();
  }
  return met;
}

type Send = () => Promise<TestResponse>;

/** Completed requests, for replays. */
export class DoneRequests {
  readonly #done: { readonly send: Send; readonly response: TestResponse }[] = [];

  add(send: Send, response: TestResponse): void {
    this.#done.push({ send, response });
  }

  get count(): number {
    return this.#done.length;
  }

  /** Repeats a request, which must be answered as before. Returns its index. */
  async repeat(random: Random, label: string): Promise<number> {
    const place = random.integer(0, this.#done.length - 1);
    const { send, response } = random.pick(this.#done.slice(place, place + 1));
    const again = await send();
    assertEquals(again.headers.get("Idempotency-Replayed"), "true", `${label}, repeated`);
    assertEquals([again.status, again.body.data], [response.status, response.body.data], label);
    return place;
  }
}
