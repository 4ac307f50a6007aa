import { ServiceError } from "../errors/service_error.ts";

/** What the database said, by the parts that never hold a value: SQLSTATE and constraint. */
export interface DatabaseFailure {
  readonly sqlstate: string;
  readonly constraint: string | null;
}

/** Reads SQLSTATE and constraint from a driver error; null for anything else. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error) || error.name !== "PostgresError") return null;
  const { code, constraint_name: constraint } = error as {
    code?: string;
    constraint_name?: string;
  };
  return code === undefined ? null : { sqlstate: code, constraint: constraint ?? null };
}

/** All connections stayed in use for as long as a transaction may wait for one. */
export class NoFreeConnectionError extends Error {
  override readonly name = "NoFreeConnectionError";
  readonly code = "NO_FREE_CONNECTION";

  constructor() {
    super("No connection to the database became free in time");
  }
}

/** A statement's connection was lost, before or after it was sent. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
  readonly code = "CONNECTION_LOST";

  constructor() {
    super("The connection to the database was lost");
  }
}

// Lock time-out, statement time-out, deadlock: the same transaction may succeed a moment later.
const PASSING = new Set(["55P03", "57014", "40P01"]);
// The server is starting, stopping, or out of connections.
const SERVER_AWAY = new Set(["57P01", "57P02", "57P03", "53300"]);
const DRIVER_AWAY = new Set([
  "NO_FREE_CONNECTION",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECTION_LOST",
  "CONNECT_TIMEOUT",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

function isPassing(error: unknown): boolean {
  return PASSING.has(databaseFailure(error)?.sqlstate ?? "");
}

/** Whether the server cannot be reached, or lets nobody in. */
export function isAway(error: unknown): boolean {
  const failure = databaseFailure(error);
  if (failure !== null) return SERVER_AWAY.has(failure.sqlstate);
  return error instanceof Error && "code" in error && DRIVER_AWAY.has(String(error.code));
}

/**
 * Runs a read or a whole transaction, once more where it lost a lock, a deadlock or its time.
 *
 * @throws ServiceError `HTTP_503` when the second try fails the same way, or the database is away.
 */
export async function withOneRetry<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isPassing(error)) throw unavailable(error);
  }
  try {
    return await attempt();
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(error: unknown): unknown {
  if (!isPassing(error) && !isAway(error)) return error;
  return new ServiceError("HTTP_503", { cause: error });
}
