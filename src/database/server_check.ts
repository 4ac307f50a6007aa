/** What is asked of a PostgreSQL server before the service relies on it. */

import type postgres from "postgres";
import { within } from "../core/deadline.ts";
import { errorFields } from "../core/log.ts";
import type { Connect } from "./connection.ts";
import { parseDatabaseUrl } from "./database_url.ts";
import { ConnectionLostError, databaseFailure, isUnavailable, isUntrusted } from "./failures.ts";
import { type ConnectOptions, createConnect, createPlainConnect, settingsOf } from "./connect.ts";

const MILLISECONDS_TO_RESPOND = 10_000;
/** What PgBouncer answers where it takes no settings at the start of a session, and much else. */
const PROTOCOL_VIOLATION = "08P01";
/** The settings without which a server may lose what it has committed. */
const DURABLE = ["fsync", "full_page_writes"];

/** A server that cannot hold what the service promises. The message says why, and nothing of the URL. */
export class DatabaseServerError extends Error {
  override readonly name = "DatabaseServerError";
}

/** What a server turned out to be. */
export interface CheckedServer {
  /** How to open its sessions, so that a commit that is acknowledged stays. */
  readonly options: ConnectOptions;
  /** The settings by which the server may lose commits nevertheless. */
  readonly unsafe: readonly string[];
}

/**
 * Opens two connections to a server, as the service will, and looks whether it gives each kind a session
 * of its own, which keeps its settings, and whether commits are safe with it.
 *
 * @throws DatabaseServerError, DatabaseUrlError, and what the driver throws.
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

/** Null where the sessions do not have the settings that were asked for. */
async function checkSessions(url: string, options: ConnectOptions): Promise<CheckedServer | null> {
  const atStart = options.settle === "start";
  // What is set by a statement in a session that is not ours alone would stay for others.
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
 * Whether two connections have a session each, however they take turns. A pooler that shares sessions
 * between transactions gives the next transaction the session that was freed last, or first: in three
 * turns, of which the last is the other way round, either reaches the wrong connection once.
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

/** Whether a session has the settings of its kind. */
async function isSettled(
  probe: Probe,
  kind: "reading" | "writing",
  options: ConnectOptions,
): Promise<boolean> {
  const present = await probe.settings();
  return Object.entries(settingsOf(kind, options))
    .every(([name, value]) => present.get(name) === value);
}

/** What the server says of itself, in a session without a `synchronous_commit` of ours. */
async function readServer(
  probe: Probe,
): Promise<{ synchronousCommit: string; unsafe: readonly string[] }> {
  const [server] = await probe.rows<{ standby: boolean }>("select pg_is_in_recovery() as standby");
  if (server?.standby !== false) {
    throw new DatabaseServerError("DATABASE_URL leads to a standby, which takes no writes");
  }
  const settings = await probe.settings();
  return {
    // It is asked for even where it is so already: a server's settings may change while we run.
    synchronousCommit: settings.get("synchronous_commit") === "remote_apply"
      ? "remote_apply"
      : "on",
    unsafe: DURABLE.filter((name) => settings.get(name) !== "on"),
  };
}

function keepsNoSessions(): DatabaseServerError {
  return new DatabaseServerError(
    "Something between the service and PostgreSQL keeps no session settings. " +
      "A pooler must be in session mode",
  );
}

/** Says what a failure means where its code alone would not. */
function explained(error: unknown, url: string): unknown {
  if (isUntrusted(error)) {
    const { code } = errorFields(error);
    return new DatabaseServerError(`PostgreSQL has no certificate that can be verified (${code})`);
  }
  if (isUnavailable(error) && parseDatabaseUrl(url).hosts.length > 1) {
    return new DatabaseServerError("No host of DATABASE_URL can be reached and takes writes");
  }
  return error;
}

/** A connection for a few questions, before there are pools. */
class Probe implements AsyncDisposable {
  readonly #client: postgres.Sql;

  constructor(connect: Connect) {
    this.#client = connect({ max: 1 });
  }

  /** Runs a statement without preparing it, which only a session of its own would remember. */
  async rows<Row>(statement: string): Promise<Row[]> {
    const query = this.#client.unsafe(statement, [], { prepare: false });
    const rows = await within(MILLISECONDS_TO_RESPOND, query, () => new ConnectionLostError());
    return [...rows] as Row[];
  }

  /** The settings of the session, by names in lower case. */
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
