/** Sends the requests of one account as fast as they are answered, on many lanes, in a thread of its own. */

/** A request that is sent over and over. */
export interface Order {
  readonly secret: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or bytes; null for a body that begins and does not end. */
  readonly body?: string | Uint8Array<ArrayBuffer> | null;
  /** Whether each has an Idempotency-Key of its own. */
  readonly isKeyed?: boolean;
}

/** What an aggressor is told to do. */
export interface Orders {
  readonly origin: string;
  /** Each is sent on so many lanes. */
  readonly lanes: number;
  readonly orders: readonly Order[];
}

/** How often each status was answered; 0: no answer came. */
export type Tally = Readonly<Record<number, number>>;

const tally: Record<number, number> = {};
const stopping = new AbortController();

// The types of the tests are those of a page, which has no messages of its own.
const thread = globalThis as unknown as Worker;

thread.onmessage = ({ data }: MessageEvent<Orders | "stop">) => {
  if (data === "stop") {
    stopping.abort();
    thread.postMessage(tally);
    return;
  }
  for (const order of data.orders) {
    for (let lane = 0; lane < data.lanes; lane++) void repeat(data.origin, order);
  }
};

async function repeat(origin: string, order: Order): Promise<void> {
  while (!stopping.signal.aborted) {
    const status = await send(origin, order).catch(() => 0);
    tally[status] = (tally[status] ?? 0) + 1;
    // One that is refused at once waits a moment, as it would be told to.
    if (status >= 400 || status === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function send(
  origin: string,
  { secret, method, path, headers = {}, body, isKeyed = false }: Order,
): Promise<number> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${secret}`,
      "Content-Type": "application/json",
      ...(isKeyed && { "Idempotency-Key": crypto.randomUUID() }),
      ...headers,
    },
    ...(body !== undefined && { body: body ?? endless() }),
    signal: stopping.signal,
  });
  for await (const _ of response.body ?? []) { /* What is answered does not matter. */ }
  return response.status;
}

/** A body that never ends. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("{")) });
}
