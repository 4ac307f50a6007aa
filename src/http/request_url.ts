import { payloadInvalid, type ServiceError } from "../errors/service_error.ts";

/** The parts of a request's URL. */
export interface RequestUrl {
  /** The host, in the canonical form of a URL and without its port. */
  readonly hostname: string;
  /** As it was sent, which is as a URL has it: percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Scheme, host, path and query. The server builds the URL from the Host header and the path: a Host
 * header with `/`, `?` or `#` would otherwise change the path.
 */
const ADDRESS = /^https?:\/\/([^/\\?#@]+)(\/[^?#]*)(\?[^#]*)?$/is;

/** A path that a URL parser hands back as it stands: no dot, no escape, nothing to encode. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_-]+)+$/;

/**
 * Reads where requests go. A URL parser is the judge; but it costs as much as the rest of a short
 * request's head, so a plain path behind the host that it accepted last is taken as it stands.
 *
 * A path that the parser would change is refused instead of resolved: a proxy that reads `/x\..\metrics`
 * or `/x/%2e%2e/metrics` otherwise would have let it pass for another path.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for an address that is none, or means another one than it says.
 */
export function createUrlReader(): (request: Request) => RequestUrl {
  let known = { host: "", hostname: "" };
  return ({ url, headers }) => {
    const [, host, path, query = ""] = ADDRESS.exec(url) ?? [];
    if (host === undefined || path === undefined) throw malformed();
    // The server takes another host where the address names one, and where it cannot read the header.
    if ((headers.get("Host") ?? host) !== host) throw malformed();
    if (host !== known.host || !PLAIN_PATH.test(path)) {
      known = { host, hostname: hostnameOf(url, path) };
    }
    return { hostname: known.hostname, path, query: new URLSearchParams(query) };
  };
}

/** @throws ServiceError `PAYLOAD_INVALID` where the address has no host, or another path. */
function hostnameOf(url: string, path: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.pathname !== path) throw malformed();
  return parsed.hostname;
}

function malformed(): ServiceError {
  return payloadInvalid(["url.format"]);
}
