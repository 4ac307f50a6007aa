/** Paths that a proxy may read otherwise than the service: none of them is resolved. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { Secret } from "../../src/operator/config/secrets.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { exchange, lines } from "../support/wire.ts";
import { sharedWorld } from "../support/world.ts";

const metricsToken = new Secret("a-token-that-only-tests-know");
const world = sharedWorld({ metricsToken });

const PROBES = ["healthz", "readyz", "metrics"];

/** What stands for a step back, for staying, and between two segments. */
const STEPS = ["..", "%2e%2e", "%2E.", ".%2e"];
const STAYS = [".", "%2e", "%2E"];
const BETWEEN = ["/", "\\"];

/** What the application says to a target on the wire. */
async function ask(target: string): Promise<string> {
  const authorization = `Authorization: Bearer ${metricsToken.reveal()}`;
  const head = [`GET ${target} HTTP/1.1`, "Host: localhost", authorization, "Connection: close"];
  const { text } = await exchange(world().again(), lines(...head, "", ""));
  return text;
}

/** A path that a URL parser resolves to a probe, and that is not the probe's own. */
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

Deno.test("No detour leads to what is for those who watch", async () => {
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

Deno.test("A path that only looks like another one is another one", async () => {
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
