/** Servers on this machine for tests of the HTTP provider, some of which do not behave. */

/** A server that stores its requests. */
export interface ProviderServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Each request, with its body read. */
  readonly requests: readonly ReceivedRequest[];
}

/** A request as the server got it. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Serves HTTP on a free port of this machine. */
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

/** A byte server: the bytes it sends to each connection, and the first bytes it receives. */
export interface ByteServer extends AsyncDisposable {
  readonly port: number;
  /** The first bytes of the first connection. */
  readonly received: Promise<Uint8Array>;
}

/** Answers each connection with the same bytes, and closes it. */
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

/** The body of a chat completion with one choice. */
export function completion(content: unknown): string {
  const message = { role: "assistant", content };
  return JSON.stringify({ id: "1", choices: [{ index: 0, message, finish_reason: "stop" }] });
}
