/** Checks a PostgreSQL server before the service relies on it. */

import type postgres from "postgres";
import { within } from "../core/deadline.ts";
import { errorFields } from "../core/log.ts";
import { ExplainedError } from "../errors/operator_error.ts";
import { ServiceError } from "../errors/service_error.ts";
import { type ConnectOptions, createConnect, createPlainConnect, settingsOf } from "./connect.ts";
import type { Connect } from "./connection.ts";
import { type DatabaseAddress, parseDatabaseUrl } from "./database_url.ts";
import { causeOf } from "./failure_causes.ts";
import { ConnectionLostError, databaseFailure, isUnavailable, isUntrusted } from "./failures.ts";
import type { ServerSettings } from "./session_settings.ts";

const MILLISECONDS_TO_RESPOND = 10_000;
/** PgBouncer's SQLSTATE for unsupported settings at the start of a session, among other things. */
const PROTOCOL_VIOLATION = "08P01";
/** Settings without which a server may lose committed data. */
const DURABLE = ["fsync", "full_page_writes"];

const OLDEST_SERVER = 150_000;
const ENCODING = "UTF8";

/** The message names the reason, and of the URL at most host, role and database. */
export class DatabaseServerError extends ExplainedError {
  override readonly name = "DatabaseServerError";
}

interface CheckedServer {
  /** Options with which acknowledged commits are durable. */
  readonly options: ConnectOptions;
  /** Settings by which the server may lose commits despite these options. */
  readonly unsafe: readonly string[];
}

/**
 * Checks the server over a connection without our settings. Then opens two connections in the same
 * way as the service, and checks that each has its own session with its own settings, and that
 * commits are durable.
 *
 * @throws DatabaseServerError, DatabaseUrlError, and errors of the driver whose cause is unknown.
 */
export async function checkServer(
  url: string,
  given: ConnectOptions = {},
): Promise<CheckedServer> {
  try {
    const { settings, unsafe } = await inspectServer(url, given);
    const checked = { ...given, settings: { ...given.settings, ...settings } };
    for (const settle of ["start", "statement"] as const) {
      const options = { ...checked, settle };
      if (await keepsSessions(url, options)) return { options, unsafe };
    }
  } catch (error) {
    throw explainDatabaseFailure(error, url);
  }
  throw keepsNoSessions();
}

/** Replaces a failure by a DatabaseServerError with its cause, if that is known. */
export function explainDatabaseFailure(error: unknown, url: string): unknown {
  const failure = error instanceof ServiceError ? error.cause ?? error : error;
  if (isUntrusted(failure)) {
    const { code } = errorFields(failure);
    return new DatabaseServerError(`The certificate of PostgreSQL cannot be verified (${code})`);
  }
  const address = parseDatabaseUrl(url);
  if (isUnavailable(failure) && address.hosts.length > 1) {
    return new DatabaseServerError("No host of DATABASE_URL can be reached and accepts writes");
  }
  const cause = causeOf(failure, address);
  return cause === null ? error : new DatabaseServerError(cause.text, cause);
}

interface Inspection {
  /** Settings that depend on the server, and take precedence over those of the role. */
  readonly settings: ServerSettings;
  readonly unsafe: readonly string[];
}

interface ServerRow {
  readonly standby: boolean;
  readonly schema: string | null;
}

/** @throws DatabaseServerError if the server, the database or the role cannot be used. */
async function inspectServer(url: string, options: ConnectOptions): Promise<Inspection> {
  await using probe = new Probe(createPlainConnect(url, options));
  const [server] = await probe.rows<ServerRow>(
    "select pg_is_in_recovery() as standby, quote_ident(current_schema()) as schema",
  );
  const present = await probe.settings();
  const schema = checkUsable(server, present, parseDatabaseUrl(url));
  return {
    settings: {
      search_path: schema,
      // Set even if it is the default, which may change while the service runs.
      synchronous_commit: present.get("synchronous_commit") === "remote_apply"
        ? "remote_apply"
        : "on",
      // PostgreSQL 17 and newer have it.
      ...present.has("transaction_timeout") && { transaction_timeout: "0" },
    },
    unsafe: DURABLE.filter((name) => present.get(name) !== "on"),
  };
}

/** Returns the schema of the service's tables. */
function checkUsable(
  server: ServerRow | undefined,
  present: ReadonlyMap<string, string>,
  { database }: Pick<DatabaseAddress, "database">,
): string {
  if (Number(present.get("server_version_num")) < OLDEST_SERVER) {
    refuse("PostgreSQL 15 or newer is needed");
  }
  const encoding = present.get("server_encoding");
  if (encoding !== ENCODING) {
    refuse(
      `The database "${database}" has the encoding ${encoding}, and the service needs ${ENCODING}: ` +
        "create another one with the line of src/database/README.md",
    );
  }
  if (present.get("session_replication_role") !== "origin") {
    refuse("session_replication_role must be origin: otherwise PostgreSQL checks no references");
  }
  if (server?.standby !== false) {
    throw new DatabaseServerError("DATABASE_URL points to a standby, which does not accept writes");
  }
  return server.schema ??
    refuse(
      `No schema in the role's search_path exists in the database "${database}": create one, or ` +
        "change search_path",
    );
}

function refuse(message: string): never {
  throw new DatabaseServerError(message, { isPermanent: true });
}

/** False if the connections do not have the requested settings. */
async function keepsSessions(url: string, options: ConnectOptions): Promise<boolean> {
  const atStart = options.settle === "start";
  // In a shared session a statement's settings would affect others.
  const connect = (kind: "reading" | "writing") =>
    atStart ? createConnect(url, kind, options) : createPlainConnect(url, options);
  try {
    await using reader = new Probe(connect("reading"));
    await using writer = new Probe(connect("writing"));
    if (!await haveOwnSessions(reader, writer)) throw keepsNoSessions();
    return atStart
      ? await isSettled(reader, "reading", options) && await isSettled(writer, "writing", options)
      : await canBeSettled(url, options);
  } catch (error) {
    if (databaseFailure(error)?.sqlstate === PROTOCOL_VIOLATION) return false;
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
 * True if each connection has its own session. A pooler that shares sessions reuses the one that
 * was freed last, or first: in three rounds, the last in reverse order, both connections would
 * reach the wrong session once.
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

function keepsNoSessions(): DatabaseServerError {
  return new DatabaseServerError(
    "A pooler between the service and PostgreSQL does not preserve session settings. " +
      "A pooler must be in session mode",
  );
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
