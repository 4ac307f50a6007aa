import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { JsonValue } from "../../../src/core/json.ts";
import { createFingerprinter } from "../../../src/http/fingerprint.ts";
import { randomJson } from "../../support/json_values.ts";
import { seededRandom } from "../../support/random.ts";

const SECRET = new TextEncoder().encode("a server secret");
const of = createFingerprinter(SECRET);

function hexOf(method: string, path: string, body: JsonValue): string {
  return of(method, path, body).fingerprint.toHex();
}

Deno.test("createFingerprinter() gives equal requests equal fingerprints, whatever the key order", () => {
  const one = hexOf("POST", "/a", { title: "A", payload: { x: 1, y: [1, 2] } });
  assertEquals(hexOf("POST", "/a", { payload: { y: [1, 2], x: 1 }, title: "A" }), one);
  assertMatch(one, /^[0-9a-f]{64}$/);
});

Deno.test("createFingerprinter() distinguishes methods, paths and bodies", () => {
  const requests: [string, string, JsonValue][] = [
    ["POST", "/a", {}],
    ["PATCH", "/a", {}],
    ["POST", "/b", {}],
    ["POST", "/a", null],
    ["POST", "/a", []],
    ["POST", "/a", { x: 1 }],
    ["POST", "/a", { x: "1" }],
    ["POST", "/a", { x: [1] }],
    ["POST", "/a", { x: null }],
    ["POST", "/a", { x: { y: 1 } }],
    ["POST", "/a", { x: 1, y: 1 }],
  ];
  assertEquals(new Set(requests.map((request) => hexOf(...request))).size, requests.length);
});

Deno.test("createFingerprinter() distinguishes random bodies exactly if they differ as JSON", () => {
  const random = seededRandom(1);
  for (let run = 0; run < 500; run++) {
    const [one, two] = [randomJson(random, 2), randomJson(random, 2)];
    const copy = JSON.parse(JSON.stringify(one));
    assertEquals(hexOf("POST", "/a", copy), hexOf("POST", "/a", one));
    if (JSON.stringify(one) === JSON.stringify(two)) continue;
    const label = JSON.stringify([one, two]);
    assertNotEquals(hexOf("POST", "/a", one), hexOf("POST", "/a", two), label);
  }
});

Deno.test("createFingerprinter() names its key, and another secret makes another", () => {
  const other = createFingerprinter(new TextEncoder().encode("another secret"));
  const [mine, theirs] = [of("POST", "/a", {}), other("POST", "/a", {})];
  assertMatch(mine.fingerprintKey, /^[0-9a-f]{16}$/);
  assertEquals(createFingerprinter(SECRET)("POST", "/b", 1).fingerprintKey, mine.fingerprintKey);
  assertNotEquals(theirs.fingerprintKey, mine.fingerprintKey);
  assertNotEquals(theirs.fingerprint, mine.fingerprint);
});
