import { assert, assertEquals } from "@std/assert";
import { clientAddress, networkOf } from "../../../src/http/client_address.ts";
import { type Random, seededRandom } from "../../support/random.ts";

const PEER = "203.0.113.9";

function direct(peer: string | null): string {
  return clientAddress(new Headers(), peer, 0);
}

/** With this many proxies. */
function forwarded(lines: readonly string[], trustedProxies: number): string {
  const headers = new Headers(lines.map((line): [string, string] => ["X-Forwarded-For", line]));
  return clientAddress(headers, PEER, trustedProxies);
}

Deno.test("clientAddress() without a proxy is the peer's, whatever the client claims", () => {
  assertEquals(direct(PEER), PEER);
  assertEquals(forwarded(["198.51.100.1"], 0), PEER);
});

Deno.test("clientAddress() of a request without a connection is unknown", () => {
  for (const peer of [null, "", "/run/prs.sock", "localhost"]) {
    assertEquals(direct(peer), "unknown", String(peer));
  }
});

Deno.test("clientAddress() uses the entry of the outermost trusted proxy", () => {
  const line = "192.0.2.66, 198.51.100.1,10.0.0.2 ,  10.0.0.3";
  assertEquals(forwarded([line], 1), "10.0.0.3");
  assertEquals(forwarded([line], 2), "10.0.0.2");
  assertEquals(forwarded([line], 3), "198.51.100.1");
});

Deno.test("clientAddress() reads several lines of the header as one list", () => {
  const lines = ["192.0.2.66", "198.51.100.1, 10.0.0.2", "10.0.0.3"];
  assertEquals([1, 2, 3, 4].map((proxies) => forwarded(lines, proxies)), [
    "10.0.0.3",
    "10.0.0.2",
    "198.51.100.1",
    "192.0.2.66",
  ]);
});

Deno.test("clientAddress() is the peer's if the entry is missing", () => {
  assertEquals(forwarded([], 1), PEER);
  assertEquals(forwarded(["198.51.100.1"], 2), PEER);
  assertEquals(forwarded(["198.51.100.1, 10.0.0.3"], 10), PEER);
});

const NO_ADDRESSES = [
  "",
  "1.2.3.4 5",
  ..."unknown _hidden localhost".split(" "),
  ..."256.0.0.1 1.2.3 1.2.3.4.5 1.2.3.4. 01.2.3.4 0x1.2.3.4 16909060".split(" "),
  ..."1.2.3.4: 1.2.3.4:port 1.2.3.4/32 [1.2.3.4]:80:80".split(" "),
  ...": ::: 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 12345:: g::1".split(" "),
  ..."::1.2.3 ::256.0.0.1 fe80::1%eth0".split(" "),
  ..."[::1 ::1] [::1]x [] [::1]@[2001:db8::1] 2001:db8::1]/[::1".split(" "),
];

for (const text of NO_ADDRESSES) {
  Deno.test(`clientAddress() is the peer's if the entry is ${JSON.stringify(text)}`, () => {
    assertEquals(forwarded([`198.51.100.1, ${text}`], 1), PEER);
  });
}

/** Keyed by canonical form. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  "192.0.2.1": [
    "192.0.2.1",
    "192.0.2.1:1",
    "192.0.2.1:65535",
    "::ffff:192.0.2.1",
    "::FFFF:c000:201",
    "0:0:0:0:0:ffff:192.0.2.1",
    "0000:0000:0000:0000:0000:ffff:c000:0201",
    "[::ffff:192.0.2.1]",
    "[::ffff:192.0.2.1]:443",
  ],
  "0.0.0.0": ["0.0.0.0", "::ffff:0:0"],
  "255.255.255.255": ["255.255.255.255", "::ffff:ffff:ffff"],
  "2001:db8:0:1::/64": [
    "2001:db8:0:1::",
    "2001:db8:0:1::1",
    "2001:DB8::1:0:0:0:2",
    "2001:0db8:0000:0001:ffff:ffff:ffff:ffff",
    "[2001:db8:0:1:a:b:c:d]",
    "[2001:db8:0:1::5]:8080",
    "2001:db8:0:1::192.0.2.1",
  ],
  "0:0:0:0::/64": ["::", "::1", "0:0:0:0:0:0:0:1", "::1.2.3.4", "::fffe:1.2.3.4"],
  "1:2:3:4::/64": ["1:2:3:4:5:6:7:8", "1:2:3:4::8", "1:2:3:4:5:6:7::"],
  "1:0:0:0::/64": ["1::", "1::8"],
};

Deno.test("networkOf() is the /56 of an IPv6 address, and null for any other", () => {
  const networks = {
    "2001:db8:0:1::/64": "2001:db8:0:0::/56",
    "2001:db8:0:ff::/64": "2001:db8:0:0::/56",
    "2001:db8:0:100::/64": "2001:db8:0:100::/56",
    "2001:db8:0:abcd::/64": "2001:db8:0:ab00::/56",
    "0:0:0:0::/64": "0:0:0:0::/56",
    "192.0.2.1": null,
    "unknown": null,
  };
  for (const [address, network] of Object.entries(networks)) {
    assertEquals(networkOf(address), network, address);
  }
});

for (const [canonical, spellings] of Object.entries(SPELLINGS)) {
  Deno.test(`clientAddress() writes each spelling of ${canonical} alike`, () => {
    for (const spelling of spellings) {
      assertEquals(forwarded([spelling], 1), canonical, spelling);
      // Proxies add brackets and port.
      const isBare = !/\[|\.\d+:/.test(spelling);
      assertEquals(direct(spelling), isBare ? canonical : "unknown", spelling);
    }
  });
}

/** A spelling of eight groups. */
function spelled(groups: readonly number[], random: Random): string {
  const start = random.integer(0, 8);
  const end = random.integer(start, 8);
  const isAllZero = end > start && groups.slice(start, end).every((group) => group === 0);
  const write = (group: number) => {
    const digits = group.toString(16);
    const padded = random.chance(0.5) ? digits.padStart(4, "0") : digits;
    return random.chance(0.5) ? padded.toUpperCase() : padded;
  };
  const written = (part: readonly number[]) => part.map(write).join(":");
  const text = isAllZero
    ? `${written(groups.slice(0, start))}::${written(groups.slice(end))}`
    : written(groups);
  const port = random.chance(0.5) ? `:${random.integer(0, 65_535)}` : "";
  return random.chance(0.5) ? `[${text}]${port}` : text;
}

Deno.test("clientAddress() is equal for any spelling of an IPv6 address and its network", () => {
  const random = seededRandom(64);
  for (let round = 0; round < 2_000; round++) {
    const group = () => random.chance(0.5) ? 0 : random.integer(0, 0xffff);
    const groups = Array.from({ length: 8 }, group);
    // Avoids mapped addresses.
    if (groups.slice(0, 4).every((value) => value === 0)) groups[0] = random.integer(1, 0xffff);
    const network = groups.slice(0, 4).map((value) => value.toString(16)).join(":");
    const text = spelled(groups, random);
    assertEquals(forwarded([text], 1), `${network}::/64`, text);
  }
});

Deno.test("clientAddress() is equal for an IPv4 address and its mapped spellings", () => {
  const random = seededRandom(4);
  for (let round = 0; round < 2_000; round++) {
    const bytes = Array.from({ length: 4 }, () => random.integer(0, 255));
    const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
    const mapped = [0, 0, 0, 0, 0, 0xffff, first * 256 + second, third * 256 + fourth];
    const dotted = bytes.join(".");
    assertEquals(forwarded([dotted], 1), dotted);
    assertEquals(forwarded([`::ffff:${dotted}`], 1), dotted);
    const text = spelled(mapped, random);
    assertEquals(forwarded([text], 1), dotted, text);
  }
});

/** Similar to a list of addresses. */
function headerValue(random: Random): string {
  const pieces = [
    ..."192.0.2.1 2001:db8::1 [2001:db8::1]:1 ::ffff:1.2.3.4 unknown for=1.2.3.4 ::".split(" "),
    ", ",
    ..."0f,:.[]%@/#?\\\t\xe9",
  ];
  return Array.from({ length: random.integer(0, 9) }, () => random.pick(pieces)).join("").trim();
}

const CANONICAL = /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]{1,4}(:[\da-f]{1,4}){3}::\/64)$/;

Deno.test("clientAddress() returns a canonical address or the peer's for any header", () => {
  const random = seededRandom(27);
  for (let round = 0; round < 3_000; round++) {
    const lines = Array.from({ length: random.integer(0, 3) }, () => headerValue(random));
    const address = forwarded(lines, random.integer(0, 10));
    assert(CANONICAL.test(address), `${JSON.stringify(lines)}: ${address}`);
  }
});

Deno.test("clientAddress() never depends on entries left of the trusted ones", () => {
  const random = seededRandom(13);
  for (let round = 0; round < 2_000; round++) {
    const proxies = random.integer(1, 4);
    const added = Array.from({ length: proxies }, () => `10.0.0.${random.integer(0, 255)}`);
    const sent = headerValue(random);
    const lines = random.chance(0.5) ? [sent, added.join(",")] : [[sent, ...added].join(", ")];
    assertEquals(forwarded(lines, proxies), added[0], JSON.stringify(lines));
  }
});
