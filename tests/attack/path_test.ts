/** Paths that a proxy may read differently: none is resolved. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { Secret } from "../../src/operator/config/secrets.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { exchange, lines } from "../support/wire.ts";
import { sharedWorld } from "../support/world.ts";

const metricsToken = new Secret("a-token-that-only-tests-know");
const world = sharedWorld({ metricsToken });

const PROBES = ["healthz", "readyz", "metrics"];

/** Spellings of "..", "." and "/". */
const STEPS = ["..", "%2e%2e", "%2E.", ".%2e"];
const STAYS = [".", "%2e", "%2E"];
const BETWEEN = ["/", "\\"];

/** Sends a target on the wire. */
async function ask(target: string): Promise<string> {
  const authorization = `Authorization: Bearer ${metricsToken.reveal()}`;
  const head = [`GET ${target} HTTP/1.1`, "Host: localhost", authorization, "Connection: close"];
  const { text } = await exchange(world().again(), lines(...head, "", ""));
  return text;
}

/** A path that a URL parser resolves to the probe. */
function detour(random: Random, probe: string): string {
  const between = () => random.pick(BETWEEN);
  const parts = Array.from(
    { length: random.integer(1, 3) },
    () =>
      random.chance(0.7)
        ? `/x${between()}${random.pick(STEPS)}${between()}`
        : `/${random.pick(STAYS)}${between()}`,
  );
  return parts.join("").replaceAll(/[/\\]{2}/g, "/") + probe;
}

Deno.test("No rewritten path reaches the monitoring routes", async () => {
  const detours = [
    "/x\\..\\metrics",
    "/a/%2e%2e/readyz",
    "/x/..\\healthz",
    "/healthz#x",
    "/./metrics",
  ];
  for (let seed = 0; seed < 20; seed++) {
    const random = seededRandom(seed);
    for (const probe of PROBES) detours.push(detour(random, probe));
  }
  for (const path of detours) {
    const resolved = new URL(`http://localhost${path}`).pathname.slice(1);
    assert(PROBES.includes(resolved), path);
    const text = await ask(path);
    assertMatch(text, /^HTTP\/1\.1 400 [^]*"code":"PAYLOAD_INVALID"[^]*"url\.format"/, path);
  }
});

Deno.test("A path that only looks like another one is a different path", async () => {
  for (const probe of PROBES) {
    for (
      const path of [`//${probe}`, `/${probe}/`, `/${probe};x`, `/${probe}%00`, `/%2f${probe}`]
    ) {
      assertMatch(await ask(path), /^HTTP\/1\.1 404 [^]*"code":"HTTP_404"/, path);
    }
    assertMatch(await ask(`/%${probe.charCodeAt(0).toString(16)}${probe.slice(1)}`), /HTTP_404/);
    assertEquals(/^HTTP\/1\.1 (\d+)/.exec(await ask(`/${probe}`))?.[1], "200", probe);
  }
});
