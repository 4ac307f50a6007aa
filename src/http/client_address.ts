import { UNKNOWN_ADDRESS } from "../access/event_context.ts";

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/**
 * Returns the client's address in canonical form: two spellings of one address are equal.
 *
 * Each proxy appends the address that called it to `X-Forwarded-For`. With `n` trusted proxies the
 * client is the `n`th entry from the right; entries further left are the client's own and are
 * ignored. Without such an entry, or without proxies, it is the connection's `peer`.
 *
 * @returns an IPv4 address, the /64 network of an IPv6 address (a home has at least one), or
 *   `UNKNOWN_ADDRESS`.
 */
export function clientAddress(
  headers: Headers,
  peer: string | null,
  trustedProxies: number,
): string {
  return forwardedAddress(headers, trustedProxies) ?? canonicalAddress(peer ?? "") ??
    UNKNOWN_ADDRESS;
}

/**
 * Returns the /56 network of a client's address, which providers give to a home or server whole;
 * null unless it is an IPv6 address. A client can change its /64 network 256 times within it, so
 * requests are counted for the network too, with `NETWORK_FACTOR` times the limit.
 */
export function networkOf(address: string): string | null {
  const [, start, last] = /^((?:[\da-f]+:){3})([\da-f]+)::\/64$/.exec(address) ?? [];
  if (start === undefined || last === undefined) return null;
  return `${start}${(parseInt(last, 16) & 0xff00).toString(16)}::/56`;
}

/** The same factor as in `take_access_attempt`. */
export const NETWORK_FACTOR = 4;

function forwardedAddress(headers: Headers, trustedProxies: number): string | null {
  if (trustedProxies === 0) return null;
  // Several lines of the header are one list.
  const entries = headers.get("X-Forwarded-For")?.split(",") ?? [];
  const entry = entries.at(-trustedProxies)?.trim() ?? "";
  return canonicalAddress(withoutPort(entry));
}

/** Removes the port that some proxies append: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ??
    /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
}

function canonicalAddress(text: string): string | null {
  if (IPV4.test(text)) return text;
  const groups = ipv6Groups(text);
  if (groups === null) return null;
  const [high, low] = groups.slice(6).map((group) => parseInt(group, 16));
  const isMapped = groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff";
  if (isMapped && high !== undefined && low !== undefined) {
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** Lower case and without leading zeros; null if the text is not an IPv6 address. */
function ipv6Groups(text: string): string[] | null {
  if (!/^[\da-f:.]+$/i.test(text)) return null;
  // A URL writes the address in its canonical form.
  const host = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return null;
  const [left = "", right] = host.split("::");
  const before = left === "" ? [] : left.split(":");
  if (right === undefined) return before;
  const after = right === "" ? [] : right.split(":");
  return [...before, ...Array(8 - before.length - after.length).fill("0"), ...after];
}
