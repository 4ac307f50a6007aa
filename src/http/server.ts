/** How long requests that are running may take when the service stops. */
const DRAIN_MS = 10_000;

/** A listening server. */
export interface Server {
  readonly hostname: string;
  readonly port: number;
  /** Accepts nothing more, and waits up to ten seconds for what is running. */
  stop(): Promise<void>;
}

/** Serves the application. Port 0 takes any free one. */
export function serve(
  app: { fetch(request: Request): Promise<Response> },
  address: { readonly host: string; readonly port: number },
): Server {
  const aborted = new AbortController();
  const server = Deno.serve({
    hostname: address.host,
    port: address.port,
    signal: aborted.signal,
    onListen: () => {},
  }, (request) => app.fetch(request));
  return {
    hostname: server.addr.hostname,
    port: server.addr.port,
    async stop() {
      const timer = setTimeout(() => aborted.abort(), DRAIN_MS);
      await server.shutdown();
      clearTimeout(timer);
    },
  };
}
