/** How long requests that are running may take when the service stops. */
const DRAIN_MS = 10_000;

/** A listening server. */
export interface Server {
  readonly hostname: string;
  readonly port: number;
  /** Turns new requests away from now on; those that are running go on. */
  drain(): void;
  /** Drains, waits up to ten seconds for requests that are running, and closes. */
  stop(): Promise<void>;
}

/** What answers requests. */
interface Application {
  /** `peer` is the address that the connection comes from. */
  fetch(request: Request, peer: string): Promise<Response>;
  /** Turns new requests away from now on; resolves when none is running. */
  drain(): Promise<void>;
}

/**
 * Listens, and serves the application that is made for the port. Port 0 takes any free one, which is
 * known only then.
 */
export function serve(
  address: { readonly host: string; readonly port: number },
  createApplication: (port: number) => Application,
): Server {
  const aborted = new AbortController();
  const server = Deno.serve(
    {
      hostname: address.host,
      port: address.port,
      signal: aborted.signal,
      onListen: () => {},
    },
    (request, { remoteAddr }) => application.fetch(request, remoteAddr.hostname),
  );
  // No request is handed out before this function has returned.
  const application = createApplication(server.addr.port);
  return {
    hostname: server.addr.hostname,
    port: server.addr.port,
    drain: () => void application.drain(),
    async stop() {
      const timer = setTimeout(() => aborted.abort(), DRAIN_MS);
      // `shutdown` cuts off request bodies that are still being read, so it comes when none is left.
      await Promise.race([application.drain(), server.finished]);
      await server.shutdown();
      clearTimeout(timer);
    },
  };
}
