/**
 * Prints the addresses for `--allow-net`: the program's own, its health check, PostgreSQL servers, evaluation
 * provider and admin sockets. It runs before the program, which cannot narrow its permissions after reading
 * its settings. The program reports invalid settings, so they are skipped here.
 *
 * @module
 */

import { resolve } from "node:path";
import { isHost, ownAddress } from "../src/core/loopback.ts";
import {
  type DatabaseAddress,
  parseDatabaseUrl,
  socketFile,
} from "../src/database/database_url.ts";

export interface Settings {
  get(name: string): string | undefined;
  readFile(path: string): string;
  addresses(): readonly string[];
}

/** @param dataDir The folder of the admin sockets. */
export function netAccess(settings: Settings, dataDir: string): string[] {
  const sockets = ["admin.sock", "admin.new/s"].map((name) => `unix:${resolve(dataDir)}/${name}`);
  const reached = [
    ...listening(settings),
    ...databases(settings, "DATABASE_URL"),
    ...databases(settings, "ERASE_DATABASE_URL"),
    ...providers(settings),
  ];
  return [...new Set([...reached, ...sockets])];
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

/** The hosts of the URL in a setting; none if the URL is absent or invalid, which the program reports. */
export function databaseHosts(
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

if (import.meta.main) {
  const [dataDir = "./data"] = Deno.args;
  const access = netAccess({
    get: (name) => Deno.env.get(name),
    readFile: (path) => Deno.readTextFileSync(path),
    addresses: () => Deno.networkInterfaces().map(({ address }) => address),
  }, dataDir);
  Deno.stdout.writeSync(new TextEncoder().encode(`${access.join()}\n`));
}
