/** Checks a PostgreSQL server before the service relies on it. */

import type postgres from "postgres";
import { within } from "../core/deadline.ts";
import { errorFields } from "../core/log.ts";
import type { Connect } from "./connection.ts";
import { parseDatabaseUrl } from "./database_url.ts";
import { ConnectionLostError, databaseFailure, isUnavailable, isUntrusted } from "./failures.ts";
import { type ConnectOptions, createConnect, createPlainConnect, settingsOf } from "./connect.ts";

const MILLISECONDS_TO_RESPOND = 10_000;
/** PgBouncer's SQLSTATE for unsupported settings at the start of a session, among other things. */
const PROTOCOL_VIOLATION = "08P01";
/** Settings without which a server may lose committed data. */
const DURABLE = ["fsync", "full_page_writes"];

/** The message gives the reason, and no part of the URL. */
export class DatabaseServerError extends Error {
  override readonly name = "DatabaseServerError";
}

export interface CheckedServer {
  /** Options with which acknowledged commits are durable. */
  readonly options: ConnectOptions;
  /** Settings by which the server may lose commits despite these options. */
  readonly unsafe: readonly string[];
}

/**
 * Opens two connections in the same way as the service, and checks that each has its own session with its
 * own settings, and that commits are durable.
 *
 * @throws DatabaseServerError, DatabaseUrlError, and errors of the driver.
 */
export async function checkServer(
  url: string,
  given: ConnectOptions = {},
): Promise<CheckedServer> {
  try {
    for (const settle of ["start", "statement"] as const) {
      const checked = await checkSessions(url, { ...given, settle });
      if (checked !== null) return checked;
    }
  } catch (error) {
    throw explained(error, url);
  }
  throw keepsNoSessions();
}

/** Null if the connections do not have the requested settings. */
async function checkSessions(url: string, options: ConnectOptions): Promise<CheckedServer | null> {
  const atStart = options.settle === "start";
  // In a shared session a statement's settings would affect others.
  const connect = (kind: "reading" | "writing") =>
    atStart ? createConnect(url, kind, options) : createPlainConnect(url, options);
  try {
    await using reader = new Probe(connect("reading"));
    await using writer = new Probe(connect("writing"));
    if (!await haveOwnSessions(reader, writer)) throw keepsNoSessions();
    const server = await readServer(reader);
    const areSettled = atStart
      ? await isSettled(reader, "reading", options) && await isSettled(writer, "writing", options)
      : await canBeSettled(url, options);
    if (!areSettled) return null;
    const settings = { ...options.settings, synchronous_commit: server.synchronousCommit };
    return { options: { ...options, settings }, unsafe: server.unsafe };
  } catch (error) {
    if (databaseFailure(error)?.sqlstate === PROTOCOL_VIOLATION) return null;
    throw error;
  }
}

async function canBeSettled(url: string, options: ConnectOptions): Promise<boolean> {
  for (const kind of ["reading", "writing"] as const) {
    await using probe = new Probe(createConnect(url, kind, options));
    if (!await isSettled(probe, kind, options)) return false;
  }
  return true;
}

/**
 * True if each connection has its own session. A pooler that shares sessions reuses the one that was freed
 * last, or first: in three rounds, the last in reverse order, both connections would reach the wrong
 * session once.
 */
async function haveOwnSessions(first: Probe, second: Probe): Promise<boolean> {
  const seen = new Map([[first, new Set<number>()], [second, new Set<number>()]]);
  for (const turn of [[first, second], [first, second], [second, first]]) {
    for (const probe of turn) {
      await probe.rows("begin read only");
      const [session] = await probe.rows<{ pid: number }>("select pg_backend_pid() as pid");
      if (session !== undefined) seen.get(probe)?.add(session.pid);
    }
    for (const probe of [first, second]) await probe.rows("commit");
  }
  return [...seen.values()].every((sessions) => sessions.size === 1);
}

async function isSettled(
  probe: Probe,
  kind: "reading" | "writing",
  options: ConnectOptions,
): Promise<boolean> {
  const present = await probe.settings();
  return Object.entries(settingsOf(kind, options))
    .every(([name, value]) => present.get(name) === value);
}

/** The settings in a session without our `synchronous_commit`. */
async function readServer(
  probe: Probe,
): Promise<{ synchronousCommit: string; unsafe: readonly string[] }> {
  const [server] = await probe.rows<{ standby: boolean }>("select pg_is_in_recovery() as standby");
  if (server?.standby !== false) {
    throw new DatabaseServerError("DATABASE_URL points to a standby, which does not accept writes");
  }
  const settings = await probe.settings();
  return {
    // Set even if it is the default, which may change while the service runs.
    synchronousCommit: settings.get("synchronous_commit") === "remote_apply"
      ? "remote_apply"
      : "on",
    unsafe: DURABLE.filter((name) => settings.get(name) !== "on"),
  };
}

function keepsNoSessions(): DatabaseServerError {
  return new DatabaseServerError(
    "A pooler between the service and PostgreSQL does not preserve session settings. " +
      "A pooler must be in session mode",
  );
}

/** Explains a failure whose code alone is not clear. */
function explained(error: unknown, url: string): unknown {
  if (isUntrusted(error)) {
    const { code } = errorFields(error);
    return new DatabaseServerError(`The certificate of PostgreSQL cannot be verified (${code})`);
  }
  if (isUnavailable(error) && parseDatabaseUrl(url).hosts.length > 1) {
    return new DatabaseServerError("No host of DATABASE_URL can be reached and accepts writes");
  }
  return error;
}

/** A connection for a few questions, before there are pools. */
class Probe implements AsyncDisposable {
  readonly #client: postgres.Sql;

  constructor(connect: Connect) {
    this.#client = connect({ max: 1 });
  }

  /** Unprepared, because a shared session would not remember it. */
  async rows<Row>(statement: string): Promise<Row[]> {
    const query = this.#client.unsafe(statement, [], { prepare: false });
    const rows = await within(MILLISECONDS_TO_RESPOND, query, () => new ConnectionLostError());
    return [...rows] as Row[];
  }

  /** By lower-case name. */
  async settings(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.rows<{ name: string; setting: string }>(
      "select lower(name) as name, setting from pg_settings",
    );
    return new Map(rows.map(({ name, setting }) => [name, setting]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end({ timeout: 0 });
  }
}
