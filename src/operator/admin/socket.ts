/**
 * Operator commands for a running server, over a Unix socket that only the server's user can open.
 * The request is a line of JSON. The response is lines `{ progress }`, then one line `{ lines }`,
 * `{ incomplete }` or `{ error }`.
 */

import { dirname } from "node:path";
import { ServerSecretError } from "../../access/server_secret.ts";
import { waitUpTo } from "../../core/deadline.ts";
import { ignoreNotFound } from "../../core/files.ts";
import type { JsonObject } from "../../core/json.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Report } from "../../core/report.ts";
import { IncompleteError, OperatorError } from "../../errors/operator_error.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { decodeJsonBytes } from "../../validate/json_safety.ts";
import { failureCause } from "../../errors/failure_cause.ts";
import { type AdminCommand, readCommand } from "./command.ts";
import { readLine, readLines, writeLine } from "./lines.ts";

export interface SocketLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

/** An erasure names up to 500 subjects, a backup up to 20 public keys of 2,000 characters. */
const LIMITS: SocketLimits = { bytes: 64 * 1024, milliseconds: 10_000 };
/** How long a client may take to read the response. */
const ANSWER_MS = 10_000;
/** Maximum bytes of a response, which may list every account with some hundred bytes each. */
const ANSWER_BYTES = 64 * 1024 * 1024;
/** Failures to accept a connection, such as too many open files, are often transient. */
const PAUSE_MS = 1_000;

export type RunCommand = (command: AdminCommand, report: Report) => Promise<string[]>;

export interface AdminSocket {
  /** Stops accepting commands, waits for running ones, and removes the socket. */
  stop(): Promise<void>;
}

/**
 * Accepts commands at `path`, replacing the socket of a killed server. The caller holds the lock of
 * its folder.
 *
 * @throws any error of binding; a `TypeError` if the path is too long for a Unix socket.
 */
export async function serveAdminSocket(
  path: string,
  run: RunCommand,
  log: Log,
  limits: SocketLimits = LIMITS,
): Promise<AdminSocket> {
  const listener = await bindPrivately(path);
  const server = new SocketServer(listener, { run, log, limits });
  const stop = async () => {
    await Deno.remove(path).catch(ignoreNotFound);
    await server.stop();
  };
  let stopping: Promise<void> | undefined;
  return { stop: () => stopping ??= stop() };
}

/** Creates the socket in a folder that no other user can enter, sets its mode, then moves it. */
async function bindPrivately(path: string): Promise<Deno.UnixListener> {
  const folder = `${dirname(path)}/admin.new`;
  await Deno.remove(folder, { recursive: true }).catch(ignoreNotFound);
  await Deno.mkdir(folder, { mode: 0o700 });
  try {
    const draft = `${folder}/s`;
    const listener = Deno.listen({ transport: "unix", path: draft });
    try {
      await Deno.chmod(draft, 0o600);
      await Deno.rename(draft, path);
      return listener;
    } catch (error) {
      listener.close();
      throw error;
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface SocketServices {
  readonly run: RunCommand;
  readonly log: Log;
  readonly limits: SocketLimits;
}

class SocketServer {
  readonly #listener: Deno.UnixListener;
  readonly #services: SocketServices;
  /** Connections without a command yet; a stop does not wait for them. */
  readonly #silent = new Set<Deno.Conn>();
  readonly #conversations = new Set<Promise<void>>();
  readonly #stopped = Promise.withResolvers<void>();
  readonly #accepting: Promise<void>;
  #isStopping = false;

  constructor(listener: Deno.UnixListener, services: SocketServices) {
    this.#listener = listener;
    this.#services = services;
    this.#accepting = this.#acceptAll();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopped.resolve();
    this.#listener.close();
    await this.#accepting;
    for (const connection of this.#silent) close(connection);
    await Promise.all(this.#conversations);
  }

  async #acceptAll(): Promise<void> {
    while (!this.#isStopping) {
      try {
        this.#begin(await this.#listener.accept());
      } catch (error) {
        if (this.#isStopping) return;
        this.#services.log.warn("admin_socket_failed", errorFields(error));
        await waitUpTo(PAUSE_MS, this.#stopped.promise);
      }
    }
  }

  #begin(connection: Deno.Conn): void {
    const conversation = this.#converse(connection);
    this.#conversations.add(conversation);
    conversation.finally(() => this.#conversations.delete(conversation));
  }

  async #converse(connection: Deno.Conn): Promise<void> {
    const { limits: { bytes, milliseconds } } = this.#services;
    try {
      this.#silent.add(connection);
      const line = await waitUpTo(milliseconds, readLine(connection, bytes));
      this.#silent.delete(connection);
      const progress = new ProgressLines(connection);
      const answer = await this.#answer(line, (text) => progress.report(text));
      await waitUpTo(ANSWER_MS, progress.endWith(answer));
    } catch {
      // The client has disconnected, or the server stops: no response can be sent.
    } finally {
      this.#silent.delete(connection);
      close(connection);
    }
  }

  async #answer(line: Uint8Array | null, report: Report): Promise<JsonObject> {
    const { run, log } = this.#services;
    try {
      if (line === null) return { error: NOT_VALID };
      const command = readCommand(decodeJsonBytes(line));
      const lines = await run(command, report);
      log.info("admin_command", { command: command.command });
      return { lines };
    } catch (error) {
      if (error instanceof IncompleteError) return { incomplete: [...error.lines] };
      const isExplained = error instanceof OperatorError || error instanceof ServerSecretError;
      if (isExplained) return { error: error.message };
      const cause = failureCause(error);
      if (error instanceof ServiceError && cause === null) {
        return { error: error.code === "PAYLOAD_INVALID" ? NOT_VALID : error.message };
      }
      log.error("admin_command_failed", errorFields(error));
      return {
        error: `The command failed${cause === null ? "; see the service's log" : `: ${cause}`}`,
      };
    }
  }
}

/** Writes progress lines; skips those that arrive during a write. */
class ProgressLines {
  readonly #connection: Deno.Conn;
  #writing: Promise<void> | null = null;

  constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  report(progress: string): void {
    // A command continues even if its client has disconnected.
    this.#writing ??= writeLine(this.#connection, { progress })
      .catch(() => {})
      .finally(() => this.#writing = null);
  }

  async endWith(answer: JsonObject): Promise<void> {
    await this.#writing;
    await writeLine(this.#connection, answer);
  }
}

const NOT_VALID = "The command is not valid";

/** Client, server and a stop may all close it. */
function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

/**
 * Sends a command to the server at `path`.
 *
 * @returns null without a server.
 * @throws OperatorError if the command is rejected, or the server ends before it responds;
 *   IncompleteError.
 */
export async function callAdminSocket(
  path: string,
  command: AdminCommand,
  report: Report = () => {},
): Promise<string[] | null> {
  const connection = await connect(path);
  if (connection === null) return null;
  try {
    return await exchange(connection, command, report);
  } finally {
    connection.close();
  }
}

async function connect(path: string): Promise<Deno.UnixConn | null> {
  try {
    return await Deno.connect({ transport: "unix", path });
  } catch (error) {
    // A path that is too long is a `TypeError`: no server can listen there.
    const { ConnectionRefused, NotFound } = Deno.errors;
    if ([ConnectionRefused, NotFound, TypeError].some((kind) => error instanceof kind)) return null;
    throw error;
  }
}

async function exchange(
  connection: Deno.Conn,
  command: AdminCommand,
  report: Report,
): Promise<string[]> {
  try {
    await writeLine(connection, { ...command });
    for await (const line of readLines(connection, ANSWER_BYTES)) {
      const { progress, error, incomplete, lines } = JSON.parse(new TextDecoder().decode(line));
      if (typeof error === "string") throw new OperatorError(error);
      if (Array.isArray(incomplete)) throw new IncompleteError(incomplete);
      if (typeof progress !== "string") return lines;
      report(progress);
    }
  } catch (error) {
    if (error instanceof OperatorError || error instanceof IncompleteError) throw error;
    // The connection broke before a response came.
  }
  throw new OperatorError(
    "The service stopped before it responded: the command may have been executed",
  );
}
