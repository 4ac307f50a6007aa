import { payloadInvalid, type ServiceError } from "../errors/service_error.ts";

export interface RequestUrl {
  /** Canonical form, without the port. */
  readonly hostname: string;
  /** Percent-encoded, as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * The server builds the URL from the Host header and the path: a Host header with `/`, `?` or `#`
 * would otherwise change the path.
 */
const ADDRESS = /^https?:\/\/([^/\\?#@]+)(\/[^?#]*)(\?[^#]*)?$/is;

/** Paths that a URL parser would not change: no dot, no escape, nothing to encode. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_-]+)+$/;

/**
 * Creates a function that reads a request's URL. Parsing costs as much as the rest of a short
 * request's head, so a plain path with the last accepted host is not parsed.
 *
 * A path that the parser would change is rejected instead of resolved: a proxy that reads
 * `/x\..\metrics` or `/x/%2e%2e/metrics` differently would have let it pass as another path.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for an invalid address, or one that would be changed.
 */
export function createUrlReader(): (request: Request) => RequestUrl {
  let known = { host: "", hostname: "" };
  return ({ url, headers }) => {
    const [, host, path, query = ""] = ADDRESS.exec(url) ?? [];
    if (host === undefined || path === undefined) throw malformed();
    // The server uses another host if the address contains one, or if it cannot read the header.
    if ((headers.get("Host") ?? host) !== host) throw malformed();
    if (host !== known.host || !PLAIN_PATH.test(path)) {
      known = { host, hostname: hostnameOf(url, path) };
    }
    return { hostname: known.hostname, path, query: new URLSearchParams(query) };
  };
}

/** @throws ServiceError `PAYLOAD_INVALID`. */
function hostnameOf(url: string, path: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.pathname !== path) throw malformed();
  return parsed.hostname;
}

function malformed(): ServiceError {
  return payloadInvalid(["url.format"]);
}
