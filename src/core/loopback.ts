/** True for an address or a name to listen on, without a port. */
export function isHost(text: string): boolean {
  return /^[A-Za-z0-9.:_-]+$/.test(text) && !text.includes("..") && URL.canParse(urlOf(text));
}

/**
 * Returns the address at which this machine reaches a server that listens on `host`, as in a URL.
 *
 * @param host Valid for `isHost`.
 */
export function ownAddress(host: string): string {
  const { hostname } = new URL(urlOf(host));
  if (hostname === "0.0.0.0") return "127.0.0.1";
  return hostname === "[::]" ? "[::1]" : hostname;
}

function urlOf(host: string): string {
  return `http://${host.includes(":") ? `[${host}]` : host}`;
}

/**
 * True for an address instead of a name.
 *
 * @param hostname In the canonical form of a parsed URL: IPv6 in brackets, IPv4 as four numbers.
 */
export function isIpAddress(hostname: string): boolean {
  return /^(\[.*\]|\d+\.\d+\.\d+\.\d+)$/.test(hostname);
}

/**
 * True if the name always means this machine: `localhost`, a name under it (RFC 6761), an address
 * of 127.0.0.0/8, or `[::1]`.
 *
 * @param hostname In the canonical form of a parsed URL.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^(?:.+\.)?localhost$/.test(hostname) ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
