/** Sends one account's requests as fast as they are answered, on many lanes, in a thread. */

/** A repeated request. */
export interface Order {
  readonly secret: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON or bytes; null for a body that never ends. */
  readonly body?: string | Uint8Array<ArrayBuffer> | null;
  /** Whether each has its own Idempotency-Key. */
  readonly isKeyed?: boolean;
}

export interface Orders {
  readonly origin: string;
  /** Concurrent copies of each request. */
  readonly lanes: number;
  readonly orders: readonly Order[];
}

/** Answers by status; 0 without an answer. */
export type Tally = Readonly<Record<number, number>>;

const tally: Record<number, number> = {};
const stopping = new AbortController();

// Tests are typed as pages, which lack a worker's messages.
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
    // Rejected requests wait briefly, as Retry-After would ask.
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

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("{")) });
}
