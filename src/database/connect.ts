import postgres from "postgres";
import type { Connect } from "./connection.ts";
import { type DatabaseAddress, parseDatabaseUrl, socketFile } from "./database_url.ts";
import { type DatabaseHost, PrimarySearch } from "./primary_search.ts";
import { type ServerSettings, SESSION_SETTINGS } from "./session_settings.ts";

export interface ConnectOptions {
  /** PEM of the authorities that may sign the server's certificate; null for the public ones. */
  readonly authority?: string | null;
  /** Settings that take precedence over the service's own. */
  readonly settings?: ServerSettings;
  /**
   * When a connection is opened, or by a first statement (one round trip more): for poolers such as
   * PgBouncer that reject settings on opening.
   */
  readonly settle?: "start" | "statement";
}

const CONNECTION_KINDS = {
  /** For shared reads and transactions: transactions begin READ WRITE, nothing else can write. */
  reading: { default_transaction_read_only: "on" },
  /** Used by single-statement writes, which have no BEGIN. */
  writing: { default_transaction_read_only: "off" },
} as const;

const SECONDS_TO_CONNECT = 5;

export function settingsOf(
  kind: keyof typeof CONNECTION_KINDS,
  { settings = {} }: ConnectOptions,
): ServerSettings {
  return { ...SESSION_SETTINGS, ...CONNECTION_KINDS[kind], ...settings };
}

/** @throws DatabaseUrlError */
export function createConnect(
  url: string,
  kind: keyof typeof CONNECTION_KINDS,
  options: ConnectOptions = {},
): Connect {
  const address = parseDatabaseUrl(url);
  const settings = settingsOf(kind, options);
  if (options.settle !== "statement") return connectTo(address, options, settings);
  const connect = connectTo(address, options, {});
  const text = settingStatement(settings);
  return (given) => holdUntil(connect(given), async (send) => await send(text).simple());
}

export function createPlainConnect(url: string, options: ConnectOptions = {}): Connect {
  return connectTo(parseDatabaseUrl(url), options, {});
}

/** Opens a client. With several hosts, it connects to the one that accepts writes. */
function connectTo(
  address: DatabaseAddress,
  options: ConnectOptions,
  settings: ServerSettings,
): Connect {
  const { hosts } = address;
  const toHosts = (hosts: DriverHosts) => connectToHosts(address, hosts, options, settings);
  const [only] = hosts;
  if (only !== undefined && hosts.length === 1) return toHosts(driverHosts(only));
  const search = new PrimarySearch(hosts, (host) => toHosts(driverHosts(host)));
  return (given) => {
    // The driver reads these lists at the first statement.
    const found: DriverHosts = { host: [], port: [] };
    return holdUntil(toHosts(found)(given), async () => {
      const { name, port } = await search.find();
      [found.host[0], found.port[0]] = [name, port];
    });
  };
}

function connectToHosts(
  { hosts, user, password, database, sslmode }: DatabaseAddress,
  driverHosts: DriverHosts,
  { authority = null }: ConnectOptions,
  settings: ServerSettings,
): Connect {
  // The driver's types do not declare lists; in a text it could not parse IPv6 addresses.
  const place = driverHosts as unknown as { host: string; port: number };
  return (given) =>
    postgres({
      ...place,
      ...socketOf(driverHosts),
      user,
      password,
      database,
      ssl: sslmode === "disable" ? false : authority === null ? sslmode : { ca: authority },
      // The others are standbys.
      ...(hosts.length > 1 && { target_session_attrs: "primary" }),
      connect_timeout: SECONDS_TO_CONNECT,
      // Saves one query per connection: arrays are not used.
      fetch_types: false,
      // Otherwise the driver prints notices to the console.
      onnotice: () => {},
      connection: { application_name: "personal-records-service", ...settings },
      ...given,
    });
}

/**
 * Returns the file of a Unix socket, if the host is its folder.
 *
 * @throws Deno.errors.NotCapable if the program may not use it. The driver would throw this error
 *   in a callback, as an uncaught one.
 */
function socketOf(
  { host: [folder = ""], port: [port = 0] }: DriverHosts,
): { readonly path?: string } {
  if (!folder.startsWith("/")) return {};
  const path = socketFile({ name: folder, port });
  for (const name of ["read", "write"] as const) {
    if (Deno.permissions.querySync({ name, path }).state === "granted") continue;
    throw new Deno.errors.NotCapable(`Requires ${name} access to "${path}"`);
  }
  return { path };
}

/** With several hosts, the driver itself searches for the one that accepts writes. */
interface DriverHosts {
  readonly host: string[];
  readonly port: number[];
}

function driverHosts({ name, port }: DatabaseHost): DriverHosts {
  return { host: [name], port: [port] };
}

/**
 * Holds the client's statements until an action has run. If the action fails, they fail with the
 * same error, and the client is closed.
 */
function holdUntil(
  client: postgres.Sql,
  prepare: (send: postgres.Sql["unsafe"]) => Promise<unknown>,
): postgres.Sql {
  const send = client.unsafe;
  const succeed = async () => {
    try {
      await prepare(send);
      // Another action may hold statements before this one.
      if (client.unsafe === hold) client.unsafe = send;
    } catch (error) {
      void client.end({ timeout: 0 });
      throw error;
    }
  };
  let success: Promise<void> | undefined;
  const hold = ((...statement: Parameters<typeof send>) => {
    const query = send(...statement) as unknown as HeldQuery;
    const { handler } = query;
    query.handler = () => {
      success ??= succeed();
      success.then(() => handler(query), query.reject);
    };
    return query;
  }) as unknown as typeof send;
  client.unsafe = hold;
  return client;
}

/** The part of the driver's query class that is used here; a test checks it against the driver. */
interface HeldQuery {
  /** Sends the query. Called once, at the first await. */
  handler(query: HeldQuery): void;
  reject(error: unknown): void;
}

/** Names are plain, and values have no quotes; a search path is already an SQL identifier. */
function settingStatement(settings: ServerSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${name === "search_path" ? value : `'${value}'`}`)
    .join("; ");
}
