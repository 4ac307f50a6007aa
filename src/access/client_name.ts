/** How many characters of the header are examined. */
const EXAMINED = 512;

/** Browsers, the youngest first: each also names its ancestors in the header. */
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

/** Systems, in this order because Android also contains Linux, and an iPhone `like Mac OS X`. */
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

export const CLIENT_WORDS = {
  families: [...new Set(FAMILIES.map(([, family]) => family)), UNKNOWN],
  systems: [...new Set(SYSTEMS.map(([, system]) => system))],
} as const;

/**
 * Returns e.g. `Firefox on Windows`, `curl` or `unknown`: only words from `CLIENT_WORDS`. The
 * header is the client's own claim and proves nothing.
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
