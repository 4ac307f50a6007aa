/**
 * True if the name always means this machine: `localhost`, a name under it (RFC 6761), an address of
 * 127.0.0.0/8, or `[::1]`.
 *
 * @param hostname In the canonical form of a parsed URL.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^(?:.+\.)?localhost$/.test(hostname) ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
