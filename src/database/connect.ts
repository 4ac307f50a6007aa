/** The sessions of the service on a PostgreSQL server: how they are opened, and with what settings. */

import postgres from "postgres";
import type { Connect } from "./connection.ts";
import { type DatabaseAddress, parseDatabaseUrl } from "./database_url.ts";
import { PLANNER_SETTINGS } from "./planner_settings.ts";
import { type DatabaseHost, PrimarySearch } from "./primary_search.ts";

/** PostgreSQL's settings by name, as `pg_settings` writes their values. */
export type ServerSettings = Readonly<Record<string, string>>;

/** How the sessions of a server are opened. */
export interface ConnectOptions {
  /** The authorities, in PEM, that may sign the server's certificate; null for the public ones. */
  readonly authority?: string | null;
  /** Further settings, which take precedence over the service's own. */
  readonly settings?: ServerSettings;
  /**
   * How a connection gets its settings: when it is opened, or by a first statement, for poolers such as
   * PgBouncer that reject settings on opening. The latter costs each connection one round trip.
   */
  readonly settle?: "start" | "statement";
}

/** The settings of each kind of connection, in addition to `SETTINGS`. */
export const CONNECTION_KINDS = {
  /** Shared reads and transactions: each transaction begins READ WRITE, and nothing else can write. */
  reading: { default_transaction_read_only: "on" },
  /** Writes that are a single statement, without BEGIN. */
  writing: { default_transaction_read_only: "off" },
} as const;

/** The settings that the service relies on. */
const SETTINGS: ServerSettings = {
  statement_timeout: "10000",
  lock_timeout: "3000",
  idle_in_transaction_session_timeout: "15000",
  ...PLANNER_SETTINGS,
  // No statement is long enough to gain from compilation, which takes ten milliseconds.
  jit: "off",
  timezone: "UTC",
  // The driver reads binary values in this form only.
  bytea_output: "hex",
};

const SECONDS_TO_CONNECT = 5;

/** All settings of a kind of connection. */
export function settingsOf(
  kind: keyof typeof CONNECTION_KINDS,
  { settings = {} }: ConnectOptions,
): ServerSettings {
  return { ...SETTINGS, ...CONNECTION_KINDS[kind], ...settings };
}

/**
 * Makes a function that connects to a server with the settings of a kind.
 *
 * @throws DatabaseUrlError
 */
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

/** Makes a function that connects to a server without any settings of the service. */
export function createPlainConnect(url: string, options: ConnectOptions = {}): Connect {
  return connectTo(parseDatabaseUrl(url), options, {});
}

/** Connects to the server of an address, or to the one of its servers that accepts writes. */
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
    // The driver reads these lists when it connects, which it does for the first statement.
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
  // The driver accepts lists, which its types do not declare; in a text it could not parse IPv6 addresses.
  const place = driverHosts as unknown as { host: string; port: number };
  return (given) =>
    postgres({
      ...place,
      user,
      password,
      database,
      ssl: sslmode === "disable" ? false : authority === null ? sslmode : { ca: authority },
      // The others are standbys, which do not accept writes.
      ...(hosts.length > 1 && { target_session_attrs: "primary" }),
      connect_timeout: SECONDS_TO_CONNECT,
      // Arrays are not used, and it saves one query per connection.
      fetch_types: false,
      // Notices go nowhere: the driver would print them to the console.
      onnotice: () => {},
      connection: { application_name: "personal-records-service", ...settings },
      ...given,
    });
}

/** A host in the driver's form; with several, it would itself look for the one that accepts writes. */
interface DriverHosts {
  readonly host: string[];
  readonly port: number[];
}

function driverHosts({ name, port }: DatabaseHost): DriverHosts {
  return { host: [name], port: [port] };
}

/**
 * Runs an action before the client's first statement. That statement and later ones wait for it. If it
 * fails, none of them is sent: each fails with the same error, and the client is closed.
 */
function holdUntil(
  client: postgres.Sql,
  prepare: (send: postgres.Sql["unsafe"]) => Promise<unknown>,
): postgres.Sql {
  const send = client.unsafe;
  const succeed = async () => {
    try {
      await prepare(send);
      // If another action runs before this one, it must still hold statements itself.
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

/** The members of the driver's query class that are needed here; a test holds the driver to them. */
interface HeldQuery {
  /** Sends the query; the driver calls it once, when the query is first awaited. */
  handler(query: HeldQuery): void;
  reject(error: unknown): void;
}

/** Settings have plain names, and values without quotes. */
function settingStatement(settings: ServerSettings): string {
  return Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`).join("; ");
}
