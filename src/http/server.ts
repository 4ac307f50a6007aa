import { waitUpTo } from "../core/deadline.ts";
import { errorFields, type Log } from "../core/log.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { reasonOfNumber } from "../errors/reasons.ts";
import { Acceptor } from "./acceptor.ts";

/** Time for running requests when the service stops. */
const DRAIN_MS = 10_000;
/** The cause of a failed accept, such as too many open files, may pass in this time. */
const PAUSE_MS = 300;
/** Minimum time between log lines about failures. */
const LOG_INTERVAL_MS = 60_000;

export interface Server {
  readonly hostname: string;
  readonly port: number;
  /** Running requests continue. */
  drain(): void;
  /** Waits up to ten seconds for running requests. */
  stop(): Promise<void>;
}

export interface Application {
  fetch(request: Request, peer: string): Promise<Response>;
  /** Resolves when no request is running. */
  drain(): Promise<void>;
  listenerFailed(): void;
}

/**
 * Starts the server; port 0 means any free port. If accepting connections fails later, it listens
 * on the same port again.
 *
 * @throws OperatorError if it may not listen at the address; `Deno.errors.AddrInUse`.
 */
export function serve(
  address: { readonly host: string; readonly port: number },
  createApplication: (port: number) => Application,
  log: Log,
): Server {
  return new ListeningServer(address, createApplication, log);
}

class ListeningServer implements Server {
  readonly hostname: string;
  readonly port: number;
  readonly #application: Application;
  readonly #log: Log;
  /** The current one, and failed ones that still have requests to finish. */
  readonly #acceptors = new Set<Acceptor>();
  readonly #stopping = Promise.withResolvers<void>();
  readonly #listening: Promise<void>;
  #isStopping = false;
  #loggedAt = -Infinity;
  #failuresSince = 0;

  constructor(
    address: { readonly host: string; readonly port: number },
    createApplication: (port: number) => Application,
    log: Log,
  ) {
    const first = explainingFailure(address, () => this.#accept(address.host, address.port));
    // A name might resolve differently when listening again.
    ({ hostname: this.hostname, port: this.port } = first.address);
    // No request is served before this constructor has returned.
    this.#application = createApplication(this.port);
    this.#log = log;
    this.#listening = this.#keepListening(first);
  }

  drain(): void {
    void this.#application.drain();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopping.resolve();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      for (const acceptor of this.#acceptors) acceptor.abort();
      late.resolve();
    }, DRAIN_MS);
    // Closing aborts request bodies, so it must wait for all of them.
    await Promise.race([this.#application.drain(), late.promise]);
    await Promise.all(Array.from(this.#acceptors, (acceptor) => acceptor.close()));
    await this.#listening;
    clearTimeout(timer);
  }

  #accept(hostname: string, port: number): Acceptor {
    const acceptor = new Acceptor(
      { hostname, port },
      (request, peer) => this.#application.fetch(request, peer),
    );
    this.#acceptors.add(acceptor);
    return acceptor;
  }

  async #keepListening(first: Acceptor): Promise<void> {
    let acceptor: Acceptor | null = first;
    while (acceptor !== null) {
      const failure = await Promise.race([acceptor.failure, this.#stopping.promise]);
      if (this.#isStopping) return;
      this.#report(failure);
      this.#retire(acceptor);
      acceptor = await this.#listenAgain();
    }
  }

  /** Null if the server stops first. */
  async #listenAgain(): Promise<Acceptor | null> {
    while (true) {
      await this.#pause();
      if (this.#isStopping) return null;
      try {
        return this.#accept(this.hostname, this.port);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  async #pause(): Promise<void> {
    await waitUpTo(PAUSE_MS, this.#stopping.promise);
  }

  /** Closes a failed acceptor, which frees file descriptors for other connections. */
  async #retire(acceptor: Acceptor): Promise<void> {
    await acceptor.retire();
    this.#acceptors.delete(acceptor);
  }

  #report(failure: unknown): void {
    this.#application.listenerFailed();
    this.#failuresSince++;
    const now = performance.now();
    if (now - this.#loggedAt < LOG_INTERVAL_MS) return;
    const osError = osErrorOf(failure);
    const fields = { ...errorFields(failure), osError, reason: reasonOfNumber(osError) };
    this.#log.error("listener_failed", { ...fields, failures: this.#failuresSince });
    this.#loggedAt = now;
    this.#failuresSince = 0;
  }
}

/** @throws OperatorError if the address does not exist or is not allowed. */
function explainingFailure<T>({ host, port }: { host: string; port: number }, listen: () => T): T {
  try {
    return listen();
  } catch (error) {
    const problem = listenProblem(error, port);
    if (problem === null) throw error;
    throw new OperatorError(`Cannot listen on HOST ${host} and PORT ${port}: ${problem}`);
  }
}

function listenProblem(error: unknown, port: number): string | null {
  const { AddrNotAvailable, PermissionDenied } = Deno.errors;
  if (error instanceof AddrNotAvailable) return "this machine does not have that address";
  if (error instanceof PermissionDenied) {
    return `this user may not listen on port ${port}; use one of 1024 or more, behind a proxy`;
  }
  // Deno gives it no class of its own.
  const isUnknown = error instanceof Error && error.message.startsWith("failed to lookup address");
  return isUnknown ? "that name has no address" : null;
}

/** Only the message contains the code (24: too many open files). */
function osErrorOf(failure: unknown): number | null {
  const [, number] = /\(os error (\d+)\)/.exec(failure instanceof Error ? failure.message : "") ??
    [];
  return number === undefined ? null : Number(number);
}
