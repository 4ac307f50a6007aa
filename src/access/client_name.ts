/** The name of a program that sends requests: its family and system, in words of the service's own. */

/** How much of the header is examined. */
const EXAMINED = 512;

/** Families by a token of their header. Browsers name their ancestors too, so the youngest come first. */
const FAMILIES = [
  ["Edg/", "Edge"],
  ["EdgA/", "Edge"],
  ["EdgiOS/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["CriOS/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
  ["Wget/", "Wget"],
  ["Deno/", "Deno"],
  ["node", "Node"],
  ["undici", "Node"],
  ["Bun/", "Bun"],
  ["Python", "Python"],
  ["python", "Python"],
  ["Go-http-client/", "Go"],
  ["okhttp/", "OkHttp"],
  ["Postman", "Postman"],
] as const;

/** Operating systems in the same way: Android also contains Linux, and an iPhone `like Mac OS X`. */
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["CrOS", "ChromeOS"],
  ["Macintosh", "macOS"],
  ["Linux", "Linux"],
] as const;

const UNKNOWN = "unknown";

/** The words that a name is made of. */
export const CLIENT_WORDS = {
  families: [...new Set(FAMILIES.map(([, family]) => family)), UNKNOWN],
  systems: [...new Set(SYSTEMS.map(([, system]) => system))],
} as const;

/**
 * Names a client by its `User-Agent`, such as `Firefox on Windows`, `curl` or `unknown`. The name is always
 * a family of `CLIENT_WORDS`, followed by ` on ` and a system if one is recognised. The header is the
 * client's own claim: the name helps to recognise a device, and proves nothing.
 */
export function clientName(userAgent: string | null): string {
  const examined = userAgent?.slice(0, EXAMINED) ?? "";
  const family = nameIn(examined, FAMILIES) ?? UNKNOWN;
  const system = nameIn(examined, SYSTEMS);
  return system === null ? family : `${family} on ${system}`;
}

function nameIn(text: string, names: readonly (readonly [string, string])[]): string | null {
  return names.find(([word]) => text.includes(word))?.[1] ?? null;
}
