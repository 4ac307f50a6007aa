/**
 * The addresses and sockets that the settings name. `scripts/net_access.ts` prints them before the
 * program starts, which cannot narrow its permissions after reading its settings. The program
 * reports invalid settings, so they are skipped here.
 *
 * @module
 */

import { resolve } from "node:path";
import { isHost, ownAddress } from "../../core/loopback.ts";
import { type DatabaseAddress, parseDatabaseUrl, socketFile } from "../../database/database_url.ts";

interface Settings {
  get(name: string): string | undefined;
  readFile(path: string): string;
  addresses(): readonly string[];
}

/**
 * Returns the addresses for `--allow-net`: the program's own, its health check, PostgreSQL servers,
 * evaluation provider, and the admin sockets of the built-in database.
 *
 * @param dataDir The folder of the admin sockets.
 */
export function netAccess(settings: Settings, dataDir: string): string[] {
  const isBuiltIn = !settings.get("DATABASE_URL") && !settings.get("DATABASE_URL_FILE");
  const sockets = isBuiltIn ? ["admin.sock", "admin.new/s"] : [];
  const reached = [
    ...listening(settings),
    ...databases(settings, "DATABASE_URL"),
    ...databases(settings, "ERASE_DATABASE_URL"),
    ...providers(settings),
  ];
  return [...new Set([...reached, ...sockets.map((name) => `unix:${resolve(dataDir)}/${name}`)])];
}

/**
 * Returns the files of the Unix sockets of PostgreSQL: to connect to a socket, Deno needs the
 * permissions to read and to write it.
 */
export function socketFiles(settings: Pick<Settings, "get" | "readFile">): string[] {
  return ["DATABASE_URL", "ERASE_DATABASE_URL"]
    .flatMap((name) => databaseHosts(settings, name))
    .filter(({ name }) => name.startsWith("/")).map(socketFile);
}

function listening(settings: Settings): string[] {
  const host = settings.get("HOST") || "127.0.0.1";
  const port = settings.get("PORT") || "8000";
  if (!isHost(host)) return [];
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return [];
  // After listening on a host name, `Deno.serve` uses the resolved address.
  const isName = !host.includes(":") && !/^[\d.]+$/.test(host);
  const listened = [host, ...(isName ? settings.addresses() : [])].map(bracketed);
  // Any port: the system chooses.
  return [...listened, ownAddress(host)].map((each) => port === "0" ? each : `${each}:${port}`);
}

function databases(settings: Settings, name: string): string[] {
  return databaseHosts(settings, name).map(({ name, port }) =>
    name.startsWith("/") ? `unix:${socketFile({ name, port })}` : withPort(name, port)
  );
}

/**
 * The hosts of the URL in a setting; none if the URL is absent or invalid, which the program
 * reports.
 */
function databaseHosts(
  settings: Pick<Settings, "get" | "readFile">,
  name: string,
): DatabaseAddress["hosts"] {
  try {
    const file = settings.get(`${name}_FILE`);
    const url = settings.get(name) || (file ? settings.readFile(file) : "");
    return url === "" ? [] : parseDatabaseUrl(url.replace(/\r?\n$/, "")).hosts;
  } catch {
    return [];
  }
}

function providers(settings: Settings): string[] {
  const url = URL.parse(settings.get("EVALUATION_PROVIDER_URL") ?? "");
  if (url === null || url.hostname === "") return [];
  return [`${url.hostname}:${url.port || (url.protocol === "http:" ? 80 : 443)}`];
}

function withPort(host: string, port: number | string): string {
  return `${bracketed(host)}:${port}`;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
