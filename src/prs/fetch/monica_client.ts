/** Reads from Monica, one request at a time, and repeats requests that may succeed later. */

import { sleep } from "../../client/sender.ts";
import { readBytes } from "../../core/read_bytes.ts";
import { CommandError, EXIT } from "../failures.ts";
import { note } from "../terminal.ts";

/** The pauses between two tries, in milliseconds. */
const FIRST_PAUSE = 250;
const MAX_PAUSE = 10_000;
/** The waits that an answer may ask for, in milliseconds. */
const MIN_ASKED = 1_000;
const MAX_ASKED = 15 * 60_000;
/** The wait after a 429 that names none. */
const USUAL_ASKED = 60_000;
/** Ends a try during which nothing arrives for so many milliseconds. */
const MAX_IDLE = 60_000;
/** Ten photos of the size that Monica accepts fit. */
const MAX_BYTES = 256 * 1024 * 1024;

/** An answer with its body if its status is 200. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Waits for so many milliseconds. */
export type Pause = (milliseconds: number) => Promise<void>;

export class MonicaClient {
  readonly #token: string;
  readonly #wait: number;
  readonly #pause: Pause;

  /** @param wait How long failures of the server and the network are retried, in milliseconds. */
  constructor(token: string, wait: number, pause: Pause = (time) => sleep(time, undefined)) {
    this.#token = token;
    this.#wait = wait;
    this.#pause = pause;
  }

  /**
   * Sends a GET, with the token, until its answer is final. Does not follow redirects.
   *
   * @param url An address of the server that the token is for.
   * @throws CommandError if the server cannot be reached, or asks for too long a wait.
   */
  async get(url: string): Promise<Answer> {
    let spent = 0;
    for (let pause = FIRST_PAUSE;; pause = Math.min(2 * pause, MAX_PAUSE)) {
      const started = performance.now();
      const answer = await this.#try(url);
      const asked = answer === null ? null : askedWait(answer);
      if (asked !== null) {
        note(`Monica asks to wait ${Math.ceil(asked / 1000)} seconds`);
        await this.#pause(asked);
        continue;
      }
      if (answer !== null && answer.status < 500) return answer;
      // Summed up, so that a change of the clock has no effect.
      spent += performance.now() - started + pause;
      if (spent <= this.#wait) await this.#pause(pause);
      else if (answer !== null) return answer;
      else throw new CommandError("Monica is not reachable", EXIT.unreachable);
    }
  }

  /** Returns null if the answer does not arrive, or is cut off. */
  async #try(url: string): Promise<Answer | null> {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(() => ending.abort(), MAX_IDLE);
    };
    try {
      restart();
      const response = await fetch(url, {
        headers: { Accept: "application/json", Authorization: `Bearer ${this.#token}` },
        redirect: "manual",
        signal: ending.signal,
      });
      const { status, headers, body } = response;
      if (status === 200 && body !== null) {
        return { status, headers, bytes: await all(body, restart) };
      }
      await body?.cancel();
      return { status, headers, bytes: new Uint8Array() };
    } catch (error) {
      if (error instanceof CommandError) throw error;
      return null;
    } finally {
      clearTimeout(timer);
      ending.abort();
    }
  }
}

/** All bytes of a body; calls `see` for each piece. */
async function all(body: ReadableStream<Uint8Array>, see: () => void): Promise<Uint8Array> {
  const seen = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        see();
        controller.enqueue(piece);
      },
    }),
  );
  const tooLarge = () => new CommandError(`An answer has more than ${MAX_BYTES} bytes`);
  return await readBytes(seen.getReader(), MAX_BYTES, tooLarge);
}

/**
 * The wait before the next try, in milliseconds; null if the answer does not ask for one.
 *
 * @throws CommandError if it is too long.
 */
function askedWait({ status, headers }: Answer): number | null {
  if (status !== 429 && status !== 503) return null;
  const asked = retryAfter(headers) ?? (status === 429 ? USUAL_ASKED : null);
  if (asked !== null && asked > MAX_ASKED) {
    const minutes = Math.ceil(asked / 60_000);
    throw new CommandError(`Monica asks to wait ${minutes} minutes: try later`, EXIT.unreachable);
  }
  return asked === null ? null : Math.max(asked, MIN_ASKED);
}

/** In milliseconds, by the clock of the server if the answer states it; null without a wait. */
function retryAfter(headers: Headers): number | null {
  const text = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(text)) return 1000 * Number(text);
  const left = Date.parse(text) - (Date.parse(headers.get("Date") ?? "") || Date.now());
  return Number.isNaN(left) ? null : left;
}
