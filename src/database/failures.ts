import { errorCode } from "../core/error_code.ts";
import { ServiceError } from "../errors/service_error.ts";

/** Contains only parts that never hold a value. */
interface DatabaseFailure {
  readonly sqlstate: string;
  readonly constraint: string | null;
}

/** Null unless it is the driver's error. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error) || error.name !== "PostgresError") return null;
  const { code, constraint_name: constraint } = error as {
    code?: string;
    constraint_name?: string;
  };
  return code === undefined ? null : { sqlstate: code, constraint: constraint ?? null };
}

/** No connection became free within the time that a transaction may wait. */
export class NoFreeConnectionError extends Error {
  override readonly name = "NoFreeConnectionError";
  readonly code = "NO_FREE_CONNECTION";

  constructor() {
    super("No connection to the database became free in time");
  }
}

/** The connection was lost before or after the statement was sent. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
  readonly code = "CONNECTION_LOST";

  constructor() {
    super("The connection to the database was lost");
  }
}

/** The engine could not clean up after a failed statement, such as when out of memory. */
export class EngineRecoveryError extends Error {
  override readonly name = "EngineRecoveryError";
  readonly code = "ENGINE_RECOVERY";

  constructor() {
    super("The engine could not recover from a failed statement");
  }
}

/** The session no longer has a prepared statement, or would answer it in another form. */
export class StaleStatementError extends Error {
  override readonly name = "StaleStatementError";
  readonly code: string;

  constructor(cause: unknown) {
    super("A prepared statement is no longer what it was", { cause });
    this.code = databaseFailure(cause)?.sqlstate ?? "STALE_STATEMENT";
  }
}

export class StandbyError extends Error {
  override readonly name = "StandbyError";
  readonly code: string;

  constructor(cause: unknown) {
    super("The database server is a standby", { cause });
    this.code = databaseFailure(cause)?.sqlstate ?? "STANDBY";
  }
}

// Lock timeout, statement timeout, deadlock, serialisation failure: a retry may succeed.
const TRANSIENT = new Set(["55P03", "57014", "40P01", "40001"]);
/** The session is gone, or must not be used again. */
const SESSION_LOST = new Set([
  // Ended by the server; no connection left. 57P04, 57P05: database dropped, idle too long. 25P03
  // and 25P04: its transaction was idle, or took too long.
  "57P01",
  "57P02",
  "57P03",
  "57P04",
  "57P05",
  "25P03",
  "25P04",
  "53300",
  // A pooler has given the connection to another client.
  "26000",
  // The server is out of memory; the session ends.
  "53200",
]);
/** SQLSTATE class 08: connection lost, refused, or out of step; from poolers also: server down. */
const CONNECTION_EXCEPTION = "08";
/**
 * SQLSTATEs for a disk that is full or fails, or a missing resource such as a file descriptor: the
 * session continues, and a retry may succeed.
 */
const OUT_OF_ROOM = new Set(["53000", "53100", "53400", "58030"]);
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
  "ENGINE_RECOVERY",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);
/** OpenSSL's names for why a certificate is refused. Revocation lists are not checked. */
const CERTIFICATE_REFUSED = new Set([
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERROR_IN_CERT_NOT_AFTER_FIELD",
  "ERROR_IN_CERT_NOT_BEFORE_FIELD",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "PATH_LENGTH_EXCEEDED",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY",
  "UNABLE_TO_DECRYPT_CERT_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
/** Other TLS errors, for example a certificate for another host (ERR_TLS_CERT_ALTNAME_INVALID). */
const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|EPROTO$)/;

function isTransient(error: unknown): boolean {
  return TRANSIENT.has(databaseFailure(error)?.sqlstate ?? "");
}

export function isLockTimeout(error: unknown): boolean {
  return error instanceof ServiceError && databaseFailure(error.cause)?.sqlstate === "55P03";
}

function isOutOfRoom(error: unknown): boolean {
  return OUT_OF_ROOM.has(databaseFailure(error)?.sqlstate ?? "");
}

/** True for "cached plan must not change result type", whose SQLSTATE is "not supported". */
function isStalePlan(error: unknown): boolean {
  return databaseFailure(error)?.sqlstate === "0A000" &&
    (error as { routine?: unknown }).routine === "RevalidateCachedQuery";
}

/** True if the server cannot be reached or trusted, refuses connections, or ended the session. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StaleStatementError || error instanceof StandbyError) return true;
  if (isStalePlan(error)) return true;
  const failure = databaseFailure(error);
  if (failure !== null) {
    return SESSION_LOST.has(failure.sqlstate) || failure.sqlstate.startsWith(CONNECTION_EXCEPTION);
  }
  return DRIVER_AWAY.has(errorCode(error)) || isUntrusted(error);
}

/** True if TLS failed, or the certificate could not be verified. No statement was sent. */
export function isUntrusted(error: unknown): boolean {
  const code = errorCode(error);
  return CERTIFICATE_REFUSED.has(code) || TLS_FAILURE.test(code);
}

/**
 * Runs a read or a whole transaction, and retries it after a deadlock or timeout.
 *
 * @throws ServiceError `HTTP_503` if the second try fails too, or the database is down or out of
 *   room.
 */
export async function withOneRetry<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isTransient(error)) throw unavailable(error);
  }
  try {
    return await attempt();
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(error: unknown): unknown {
  if (!isTransient(error) && !isUnavailable(error) && !isOutOfRoom(error)) return error;
  return new ServiceError("HTTP_503", { cause: error });
}
