export interface DatabaseAddress {
  /**
   * Several hosts are for failover; the one that accepts writes is used. A Unix socket is one host,
   * whose name is its folder.
   */
  readonly hosts: readonly { readonly name: string; readonly port: number }[];
  readonly user: string;
  /** Empty if none is given. */
  readonly password: string;
  readonly database: string;
  /** `verify-full` checks certificate and host name. */
  readonly sslmode: SslMode;
  /** The authority that signs the server's certificate; null for the public ones. */
  readonly sslrootcert: string | null;
}

type SslMode = (typeof SSL_MODES)[number];

/** The message names the reason and contains no part of the URL. */
class DatabaseUrlError extends Error {
  override readonly name = "DatabaseUrlError";
}

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-full"] as const;
const VERIFIED_OR_OFF: readonly SslMode[] = ["verify-full", "disable"];
const PARAMETERS = ["sslmode", "sslrootcert", "target_session_attrs", "host"];
/** Values of `target_session_attrs` that select the server that accepts writes. */
const WRITING_ATTRIBUTES = ["primary", "read-write"];
const STANDARD_PORT = 5432;
/** As in libpq: the public authorities. */
const PUBLIC_AUTHORITIES = "system";

const SHAPE = /^postgres(?:ql)?:\/\/([^/?#]+)@([^/?#@]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;

/**
 * Parses a URL such as
 * `postgres://user:password@one.example,two.example:5433/name?sslmode=verify-full`. The user is
 * required, because the driver would ask the system for one, which the service may not do. A Unix
 * socket is `postgres://user@%2Frun%2Fpostgresql/name` or
 * `postgres://user@/name?host=/run/postgresql`.
 *
 * @throws DatabaseUrlError
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const [, login = "", hostList = "", path = "", query = ""] = SHAPE.exec(text) ?? [];
  const [user = "", ...passwordParts] = login.split(":").map(decoded);
  const parameters = parseParameters(query);
  const host = parameters.get("host");
  if (user === "" || (hostList === "") === (host === undefined)) {
    throw new DatabaseUrlError("not valid");
  }
  const hosts = parseHosts(host ?? hostList);
  const sslmode = parseSslMode(parameters.get("sslmode"), hosts.map(({ name }) => name));
  const target = parameters.get("target_session_attrs");
  if (target !== undefined && !WRITING_ATTRIBUTES.includes(target)) {
    throw new DatabaseUrlError("target_session_attrs must be primary or read-write");
  }
  const sslrootcert = parameters.get("sslrootcert") ?? PUBLIC_AUTHORITIES;
  if (sslrootcert !== PUBLIC_AUTHORITIES && sslmode !== "verify-full") {
    throw new DatabaseUrlError("sslrootcert needs sslmode=verify-full");
  }
  return {
    hosts,
    user,
    sslmode,
    password: passwordParts.join(":"),
    database: decoded(path) || user,
    sslrootcert: sslrootcert === PUBLIC_AUTHORITIES ? null : sslrootcert,
  };
}

/** Null if the URL is valid. */
export function databaseUrlProblem(text: string): string | null {
  try {
    parseDatabaseUrl(text);
    return null;
  } catch (error) {
    if (error instanceof DatabaseUrlError) return error.message;
    throw error;
  }
}

/** The file of a Unix socket, whose host is its folder. */
export function socketFile({ name, port }: DatabaseAddress["hosts"][number]): string {
  return `${name}/.s.PGSQL.${port}`;
}

function parseHosts(text: string): DatabaseAddress["hosts"] {
  // Commas separate permissions.
  const [, folder, digits] = /^(\/[^,]+?)\/?(?::(\d{1,5}))?$/.exec(decoded(text)) ?? [];
  if (folder === undefined) return text.split(",").map(parseHost);
  if (folder.split("/").includes("..")) throw new DatabaseUrlError("not valid");
  return [{ name: folder, port: parsePort(digits) }];
}

/** A name, or an IPv4 or bracketed IPv6 address, with or without a port. */
function parseHost(text: string): { name: string; port: number } {
  const [, host = "", digits] = /^(\[[^\]]*\]|[^:[\]%]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  // Normalises an address, and rejects a text that is neither a name nor an address.
  const name = URL.parse(`http://${host}/`)?.hostname ?? "";
  if (name === "") throw new DatabaseUrlError("not valid");
  return { name: name.replace(/^\[(.*)\]$/, "$1"), port: parsePort(digits) };
}

function parsePort(digits: string | undefined): number {
  const port = digits === undefined ? STANDARD_PORT : Number(digits);
  if (port < 1 || port > 65_535) throw new DatabaseUrlError("not valid");
  return port;
}

function parseParameters(query: string): Map<string, string> {
  const given = [...new URLSearchParams(query)];
  const parameters = new Map(given);
  if (parameters.size < given.length) throw new DatabaseUrlError("a parameter is given twice");
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name)) {
      throw new DatabaseUrlError(
        `accepts only the parameters ${PARAMETERS.join(", ")}; src/database/README.md says what ` +
          "to write instead of others",
      );
    }
  }
  return parameters;
}

function parseSslMode(given: string | undefined, hosts: readonly string[]): SslMode {
  const mode = SSL_MODES.find((mode) => mode === (given ?? "disable"));
  const isChosen = given !== undefined && mode !== undefined && VERIFIED_OR_OFF.includes(mode);
  if (!isChosen && !hosts.every(isLoopback)) {
    throw new DatabaseUrlError(
      "off this machine sslmode=verify-full is needed, or sslmode=disable where others cannot listen",
    );
  }
  if (mode === undefined) throw new DatabaseUrlError("sslmode is not known");
  if (hosts.some(isFolder)) {
    // As in libpq, these mean no TLS there.
    if (mode === "verify-full" || mode === "require") {
      throw new DatabaseUrlError("a Unix socket has no TLS: leave sslmode out");
    }
    return "disable";
  }
  if (mode === "verify-full" && hosts.some(isAddress)) {
    // The driver would compare the certificate with "localhost".
    throw new DatabaseUrlError("sslmode=verify-full needs host names instead of addresses");
  }
  return mode;
}

/** False for names under `localhost`, which some resolvers ask the network for. */
function isLoopback(host: string): boolean {
  return isFolder(host) || host === "localhost" || host === "::1" ||
    /^127(?:\.\d+){3}$/.test(host);
}

function isFolder(host: string): boolean {
  return host.startsWith("/");
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+(?:\.\d+){3}$/.test(host);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DatabaseUrlError("not valid");
  }
}
