import { AccountMovedError, Refusal, Unreachable } from "./failures.ts";
import type { ClientOptions, RefusalCode } from "./types.ts";

/** The waits between two tries, in milliseconds. */
const FIRST_WAIT = 250;
const MAX_WAIT = 10_000;
const RETRY_FOR = 300_000;
/** How long one try of a request that may be repeated may take; shorter if repeats end sooner. */
const MAX_TRY = 60_000;
const MIN_TRY = 10_000;
const MAX_TIMER = 2 ** 31 - 1;

const ORIGIN = /^https?:\/\/[^\s/?#@\\]+\/?$/i;
/** URLs allow other characters in a host, such as `$(` and `;`. */
const PASTED_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;
const VISIBLE = /^[\x21-\x7e]+$/;
const THIS_MACHINE = /^(localhost|\[::1\]|127(\.\d+){3})$/;

/** A request, with everything but its credential. */
export interface Outgoing {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: BodyInit | undefined;
  /** True if it reads, or has a key. */
  readonly repeats: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests to one origin, and repeats those that may be repeated. */
export class Sender {
  readonly #origin: string;
  readonly #token: ClientOptions["token"];
  readonly #fetch: NonNullable<ClientOptions["fetch"]>;
  readonly #retryFor: number;

  /** @throws RangeError for an invalid origin or token. */
  constructor({ origin, token, fetch: own, retryFor = RETRY_FOR }: ClientOptions) {
    this.#origin = readOrigin(String(origin));
    if (typeof token === "string") assertVisible(token, "token");
    this.#token = token;
    this.#fetch = own ?? ((url, init) => fetch(url, init));
    this.#retryFor = retryFor;
  }

  /**
   * Sends a request and reads its successful answer, within the tries.
   *
   * @throws Refusal, Unreachable, or the signal's reason.
   */
  async send<T>(request: Outgoing, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal, repeats } = request;
    let spent = 0;
    for (let wait = FIRST_WAIT;; wait = Math.min(2 * wait, MAX_WAIT)) {
      const started = performance.now();
      let response: Response | undefined;
      let failure: Error;
      const headers = await this.#headersOf(request);
      // Ends a try without an answer, but not a body that is read after this returns.
      const ending = new AbortController();
      const limit = repeats ? AbortSignal.timeout(this.#tryLimit()) : undefined;
      const end = () => ending.abort(limit?.reason);
      limit?.addEventListener("abort", end);
      const either = AbortSignal.any(signal ? [signal, ending.signal] : [ending.signal]);
      try {
        return await unlessAborted(either, async () => {
          response = await this.#exchange(request, headers, either);
          if (response.ok) return await read(response);
          throw await refusalOf(response);
        });
      } catch (error) {
        signal?.throwIfAborted();
        failure = error instanceof Refusal ? error : new Unreachable(error);
      } finally {
        limit?.removeEventListener("abort", end);
      }
      if (!repeats || failure instanceof Refusal && !mayPass(failure)) throw failure;
      const asked = failure instanceof Refusal ? retryAfter(response?.headers) : 0;
      const pause = Math.max(wait * (0.5 + Math.random() / 2), asked);
      // Summed up, so that a change of the clock has no effect.
      spent += performance.now() - started + pause;
      if (spent > this.#retryFor) throw failure;
      await sleep(pause, signal);
    }
  }

  #tryLimit(): number {
    return Math.max(MIN_TRY, Math.min(MAX_TRY, this.#retryFor || MAX_TRY));
  }

  /** The headers of one try, with the current credential. */
  async #headersOf({ headers, signal }: Outgoing): Promise<Headers> {
    const ask = async () => typeof this.#token === "function" ? await this.#token() : this.#token;
    const token = await unlessAborted(signal, ask);
    const sent = new Headers(headers);
    if (token !== undefined) {
      assertVisible(token, "token");
      sent.set("Authorization", `Bearer ${token}`);
    }
    return sent;
  }

  #exchange({ method, path, body }: Outgoing, headers: Headers, signal: AbortSignal) {
    const init = { method, headers, signal, redirect: "manual", credentials: "omit" } as const;
    // Node requires `duplex` with a stream.
    const content = { body: body ?? null, ...body instanceof ReadableStream && { duplex: "half" } };
    return this.#fetch(this.#origin + path, body === undefined ? init : { ...init, ...content });
  }
}

/** True if another try may succeed. */
export function mayPass({ status, code }: Refusal): boolean {
  return [408, 429, 503].includes(status) || code === "IDEMPOTENCY_IN_PROGRESS";
}

/** @throws RangeError without the value. */
function readOrigin(text: string): string {
  const url = ORIGIN.test(text) && URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === "https:" || THIS_MACHINE.test(url?.hostname ?? "");
  if (url === null || !isAllowed) {
    throw new RangeError("The origin must use TLS or be this machine");
  }
  return url.origin;
}

/**
 * Asserts that a text can be the value of a header: an error of the runtime would repeat it.
 *
 * @throws RangeError without the value.
 */
export function assertVisible(text: unknown, name: string): void {
  if (typeof text === "string" && VISIBLE.test(text)) return;
  throw new RangeError(`The ${name} is not visible ASCII`);
}

/** The refusal in an unsuccessful response. */
export async function refusalOf(response: Response): Promise<Refusal> {
  if (response.type === "opaqueredirect") return new Refusal("HTTP_3XX", 0);
  const { status, headers } = response;
  const { code, requestId, details } = parse(await response.text())?.error ?? {};
  const id = headers.get("X-Request-Id");
  const isOurs = status >= 400 && /^[A-Z][A-Z0-9_]+$/.test(code);
  if (!isOurs) return new Refusal(`HTTP_${status}`, status, id);
  // Others could write control characters to a terminal.
  const named = typeof requestId === "string" && VISIBLE.test(requestId) ? requestId : id;
  const known = isObject(details) ? details : {};
  const movedTo = code === "ACCOUNT_MOVED" ? originOrNull(known["movedTo"]) : null;
  if (movedTo !== null) return new AccountMovedError(movedTo, status, named);
  return new Refusal(code as RefusalCode, status, named, known);
}

/** Null unless it is an origin that a person can safely paste into a shell. */
function originOrNull(value: unknown): string | null {
  try {
    const origin = readOrigin(String(value));
    return PASTED_ORIGIN.test(origin) ? origin : null;
  } catch {
    return null;
  }
}

/** Parses JSON; null for other text. */
// deno-lint-ignore no-explicit-any -- each reader checks the members that it reads
export function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** True for an object that is not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The wait that a response asks for, in milliseconds; a date counts from that of the response. */
function retryAfter(headers = new Headers()): number {
  const text = headers.get("Retry-After") ?? "";
  if (/^\d+$/.test(text)) return 1000 * Number(text);
  const left = Date.parse(text) - (Date.parse(headers.get("Date") ?? "") || Date.now());
  return left > 0 ? left : 0;
}

/** Waits, and rejects with the signal's reason if it is aborted. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(signal, () =>
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(milliseconds, MAX_TIMER));
      }));
  } finally {
    clearTimeout(timer);
  }
}

/** Runs something, and rejects with the signal's reason as soon as it is aborted. */
export function unlessAborted<T>(
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => reject(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    run().then(resolve, reject).finally(() => signal?.removeEventListener("abort", stop));
  });
}
