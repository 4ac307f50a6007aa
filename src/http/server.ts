import { ServiceError } from "../errors/service_error.ts";
import { requestIdOf } from "./request.ts";
import { toErrorResponse } from "./response.ts";

/** How long requests that are running may take when the service stops. */
const DRAIN_MS = 10_000;

/** A listening server. */
export interface Server {
  readonly hostname: string;
  readonly port: number;
  /** Takes no new requests, and waits up to ten seconds for those that are running. */
  stop(): Promise<void>;
}

/** What answers requests. */
interface Application {
  /** `peer` is the address that the connection comes from. */
  fetch(request: Request, peer: string): Promise<Response>;
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
  const running = new RunningRequests();
  const server = Deno.serve(
    {
      hostname: address.host,
      port: address.port,
      signal: aborted.signal,
      onListen: () => {},
    },
    (request, { remoteAddr }) =>
      running.count(request, (given) => application.fetch(given, remoteAddr.hostname)),
  );
  // No request is handed out before this function has returned.
  const application = createApplication(server.addr.port);
  return {
    hostname: server.addr.hostname,
    port: server.addr.port,
    async stop() {
      const timer = setTimeout(() => aborted.abort(), DRAIN_MS);
      // `shutdown` cuts off request bodies that are still being read, so it comes when none is left.
      await Promise.race([running.drain(), server.finished]);
      await server.shutdown();
      clearTimeout(timer);
    },
  };
}

/** Knows which requests are running, and when the last one has ended. */
class RunningRequests {
  #count = 0;
  #drained: PromiseWithResolvers<void> | null = null;

  /** Runs a request; while draining, turns it away. */
  async count(
    request: Request,
    answer: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    if (this.#drained !== null) return stopping(request);
    this.#count++;
    try {
      return await answer(request);
    } finally {
      this.#count--;
      this.#settle();
    }
  }

  /** Turns new requests away from now on; resolves when no request is running. */
  drain(): Promise<void> {
    this.#drained = Promise.withResolvers<void>();
    this.#settle();
    return this.#drained.promise;
  }

  #settle(): void {
    if (this.#count === 0) this.#drained?.resolve();
  }
}

/** A client keeps its request and tries again: by then a new process may be listening. */
function stopping(request: Request): Response {
  const headers = { "Retry-After": "1", "Connection": "close" };
  return toErrorResponse(
    new ServiceError("HTTP_503", { headers }),
    requestIdOf(request, new Date()),
  );
}
