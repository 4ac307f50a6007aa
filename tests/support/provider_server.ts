/** Loopback servers for the HTTP provider, some misbehaving. */

export interface ProviderServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
}

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Serves on a free port. */
export function serveProvider(
  respond: (request: ReceivedRequest) => Response | Promise<Response>,
): ProviderServer {
  const requests: ReceivedRequest[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const received = {
      method: request.method,
      target: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    };
    requests.push(received);
    return await respond(received);
  });
  const { port } = server.addr;
  return {
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    port,
    requests,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
}

/** Sends fixed bytes to each connection; keeps the first received ones. */
export interface ByteServer extends AsyncDisposable {
  readonly port: number;
  /** Received on the first connection. */
  readonly received: Promise<Uint8Array>;
}

/** Answers each connection, then closes it. */
export function serveBytes(response: string): ByteServer {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const received = Promise.withResolvers<Uint8Array>();
  const serve = async () => {
    for await (const connection of listener) {
      const buffer = new Uint8Array(64 * 1024);
      received.resolve(buffer.slice(0, await connection.read(buffer) ?? 0));
      await connection.write(new TextEncoder().encode(response)).catch(() => {});
      connection.close();
    }
  };
  const serving = serve();
  return {
    port: listener.addr.port,
    received: received.promise,
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
    },
  };
}

/** A completion with one choice. */
export function completion(content: unknown): string {
  const message = { role: "assistant", content };
  return JSON.stringify({ id: "1", choices: [{ index: 0, message, finish_reason: "stop" }] });
}
