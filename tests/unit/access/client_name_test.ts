import { assert, assertEquals } from "@std/assert";
import { CLIENT_WORDS, clientName } from "../../../src/access/client_name.ts";
import { seededRandom } from "../../support/random.ts";

const MOZILLA = "Mozilla/5.0";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const WINDOWS = "(Windows NT 10.0; Win64; x64)";
const IPHONE = "(iPhone; CPU iPhone OS 17_5 like Mac OS X)";
const MAC = "(Macintosh; Intel Mac OS X 10_15_7)";
const ANDROID = "(Linux; Android 14; Pixel 8)";

const NAMES: readonly (readonly [string | null, string])[] = [
  [null, "unknown"],
  ["", "unknown"],
  ["My own program", "unknown"],
  [`${MOZILLA} (Windows NT 10.0; rv:127.0) Gecko/20100101 Firefox/127.0`, "Firefox on Windows"],
  [`${MOZILLA} (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0`, "Firefox on Linux"],
  [`${MOZILLA} (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0`, "Firefox on Android"],
  [`${MOZILLA} ${IPHONE} AppleWebKit/605.1.15 FxiOS/127.0 Safari/605.1.15`, "Firefox on iPhone"],
  [`${MOZILLA} ${WINDOWS} ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`${MOZILLA} ${WINDOWS} ${WEBKIT} Chrome/126.0 Safari/537.36 Edg/126.0`, "Edge on Windows"],
  [`${MOZILLA} ${MAC} ${WEBKIT} Chrome/126.0 Safari/537.36 OPR/111.0`, "Opera on macOS"],
  [`${MOZILLA} ${MAC} AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15`, "Safari on macOS"],
  [`${MOZILLA} ${IPHONE} AppleWebKit/605.1.15 Version/17.5 Safari/604.1`, "Safari on iPhone"],
  [`${MOZILLA} (iPad; CPU OS 17_5 like Mac OS X) CriOS/126.0 Safari/604.1`, "Chrome on iPad"],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/126.0`, "Chrome on ChromeOS"],
  [
    `${MOZILLA} ${ANDROID} ${WEBKIT} SamsungBrowser/25.0 Chrome/121.0 Safari/537.36`,
    "Samsung Internet on Android",
  ],
  [`${MOZILLA} ${WINDOWS}`, "unknown on Windows"],
  ["curl/8.5.0", "curl"],
  ["Wget/1.21.4", "Wget"],
  ["Deno/2.9.6", "Deno"],
  ["python-requests/2.32.3", "Python"],
  ["Go-http-client/2.0", "Go"],
];

for (const [userAgent, name] of NAMES) {
  Deno.test(`clientName() names ${userAgent ?? "a missing User-Agent"}: ${name}`, () => {
    assertEquals(clientName(userAgent), name);
  });
}

Deno.test("clientName() reads the first 512 characters only", () => {
  assertEquals(clientName(`${" ".repeat(507)}curl/`), "curl");
  assertEquals(clientName(`${" ".repeat(508)}curl/`), "unknown");
});

Deno.test("clientName() makes any text one of its own names, which the database accepts", () => {
  const random = seededRandom(12);
  const { families, systems } = CLIENT_WORDS;
  const names = new Set([
    ...families,
    ...families.flatMap((family) => systems.map((system) => `${family} on ${system}`)),
  ]);
  for (const name of names) assert(/^[A-Za-z ]{1,64}$/.test(name), name);
  const parts = [...NAMES.flatMap(([text]) => text?.split(" ") ?? []), "\r\n", "\0", '"}', "%0a"];
  for (let round = 0; round < 5_000; round++) {
    const text = Array.from(
      { length: random.integer(0, 30) },
      () => random.chance(0.5) ? random.pick(parts) : random.text(0, 20),
    ).join(random.pick(["", " ", "\n"]));
    assert(names.has(clientName(text)), text);
  }
});
