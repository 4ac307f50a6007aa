import { assertEquals } from "@std/assert";
import { seededRandom } from "../support/random.ts";
import { makeToken } from "../support/tokens.ts";
import { callApp, type Caller, ORIGIN, sharedWorld } from "../support/world.ts";
import { assertRefused, AUTH, COOKIE, parseSetCookie, register } from "./access.ts";

const world = sharedWorld();

const RECORDS = "/api/v2/records/commitment";
const PROMISE = {
  title: "A promise",
  payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
};

const cookieOf = (caller: Caller, name = COOKIE) => ({ Cookie: `${name}=${caller.secret}` });

Deno.test("Session cookie behind https is bound to the host and hidden from scripts", async () => {
  const body = await register(world());
  const { pair, attributes } = parseSetCookie(
    await world().call("POST", `${AUTH}/login`, { body }),
  );
  assertEquals(pair.split("=")[0], "__Host-prs_session");
  assertEquals(attributes.toSorted(), [
    "HttpOnly",
    "Max-Age=2592000",
    "Path=/",
    "SameSite=Lax",
    "Secure",
  ]);
});

Deno.test("Session cookie on loopback http has no host prefix", async () => {
  const publicOrigin = "http://prs.localhost:8000";
  const app = world().again({ publicOrigin, allowedHosts: [new URL(ORIGIN).hostname] });
  const body = await register(world());
  const { pair, attributes } = parseSetCookie(
    await callApp(app, "POST", `${AUTH}/login`, { body }),
  );
  assertEquals(pair.split("=")[0], "prs_session");
  assertEquals(attributes.toSorted(), ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"]);
  const headers = { Cookie: pair };
  assertEquals((await callApp(app, "GET", `${AUTH}/session`, { headers })).status, 200);
});

Deno.test("Session cookie is read under its own name only", async () => {
  const caller = await world().createCaller();
  const good = await world().call("GET", `${AUTH}/session`, { headers: cookieOf(caller) });
  assertEquals(good.status, 200, good.text);
  for (const name of ["prs_session", "__host-prs_session", "__Secure-prs_session", "session"]) {
    const response = await world().call("GET", `${AUTH}/session`, {
      headers: cookieOf(caller, name),
    });
    assertRefused(response, "AUTH_REQUIRED", name);
  }
});

Deno.test("Malformed Cookie header counts as no cookie", async () => {
  const caller = await world().createCaller();
  const { Cookie: good } = cookieOf(caller);
  const login = await register(world());
  for (const Cookie of ["=x", "a=b;", ";", "=", "", `${good};`, `=x; ${good}`, `${good};;a=b`]) {
    const headers = { Cookie };
    const read = await world().call("GET", RECORDS, { headers });
    assertRefused(read, "AUTH_REQUIRED", Cookie);
    const write = await world().call("POST", RECORDS, { key: "one", headers, body: PROMISE });
    assertRefused(write, "AUTH_REQUIRED", Cookie);
    const bearer = await caller.call("GET", RECORDS, { headers });
    assertEquals(bearer.status, 200, Cookie);
    const signedIn = await world().call("POST", `${AUTH}/login`, { headers, body: login });
    assertEquals(signedIn.status, 200, Cookie);
  }
});

const REQUESTS: readonly [string, Record<string, string>, "written" | "refused"][] = [
  ["without any sign of its origin", {}, "refused"],
  ["from the public origin", { Origin: ORIGIN }, "written"],
  ["that its browser calls same-origin", { "Sec-Fetch-Site": "same-origin" }, "written"],
  ["from a foreign origin, whatever else its browser says", {
    "Origin": "https://evil.example",
    "Sec-Fetch-Site": "same-origin",
  }, "refused"],
  ["from an opaque origin, whatever else its browser says", {
    "Origin": "null",
    "Sec-Fetch-Site": "same-origin",
  }, "refused"],
  ["from the public origin, whatever else its browser says", {
    "Origin": ORIGIN,
    "Sec-Fetch-Site": "cross-site",
  }, "written"],
  ["from another origin", { Origin: "https://evil.example" }, "refused"],
  ["from the origin with another port", { Origin: `${ORIGIN}:8443` }, "refused"],
  ["from the origin over http", { Origin: ORIGIN.replace("https", "http") }, "refused"],
  ["from an origin that begins alike", { Origin: `${ORIGIN}.evil.example` }, "refused"],
  ["from an opaque origin", { Origin: "null" }, "refused"],
  ["from the same site", { "Sec-Fetch-Site": "same-site" }, "refused"],
  ["from another site", { "Sec-Fetch-Site": "cross-site" }, "refused"],
  ["that a person typed", { "Sec-Fetch-Site": "none" }, "refused"],
];

for (const [what, headers, outcome] of REQUESTS) {
  Deno.test(`Cookie on a writing request ${what} is ${outcome === "written" ? "enough" : "FORBIDDEN"}`, async () => {
    const caller = await world().createCaller();
    const cookie = cookieOf(caller);
    const response = await world().call("POST", RECORDS, {
      key: "one",
      headers: { ...cookie, ...headers },
      body: PROMISE,
    });
    const patch = await world().call("PATCH", `${RECORDS}/not-an-id`, {
      headers: { ...cookie, ...headers },
      body: {},
    });
    if (outcome === "written") {
      assertEquals([response.status, patch.status], [201, 400], response.text);
    } else {
      assertRefused(response, "FORBIDDEN");
      assertRefused(patch, "FORBIDDEN");
    }
    const list = await world().call("GET", RECORDS, { headers: { ...cookie, ...headers } });
    assertEquals([list.status, list.body.data.items.length], [200, outcome === "written" ? 1 : 0]);
    const bearer = await caller.call("POST", RECORDS, { key: "two", headers, body: PROMISE });
    assertEquals(bearer.status, 201, bearer.text);
  });
}

Deno.test("Bearer credential wins over any cookie, which is not looked at", async () => {
  const [one, other] = [await world().createCaller(), await world().createCaller()];
  const { token } = await makeToken(world(), one, { permissions: ["record.write"] });
  let key = 0;
  for (const cookie of [one.secret, other.secret, "prs_s_unknown", ""]) {
    for (const bearer of [one.secret, token]) {
      for (const origin of [{}, { Origin: "https://evil.example" }]) {
        const headers = {
          ...origin,
          Cookie: `${COOKIE}=${cookie}`,
          Authorization: `Bearer ${bearer}`,
        };
        const read = await world().call("GET", `${AUTH}/session`, { headers });
        assertEquals(read.body.data.account.accountId, one.accountId, read.text);
        const write = { key: `key-${key++}`, headers, body: PROMISE };
        assertEquals((await world().call("POST", RECORDS, write)).status, 201);
      }
    }
  }
  assertEquals((await other.call("GET", RECORDS)).body.data.items, []);
  for (const Authorization of ["Bearer prs_s_unknown", "Basic bWU6bWU=", "Bearer", ""]) {
    const headers = { ...cookieOf(one), Origin: ORIGIN, Authorization };
    const write = { key: "one", headers, body: PROMISE };
    assertRefused(await world().call("GET", RECORDS, { headers }), "AUTH_REQUIRED", Authorization);
    assertRefused(await world().call("POST", RECORDS, write), "AUTH_REQUIRED", Authorization);
  }
});

Deno.test("Cookie next to a credential of another scheme still needs the own origin", async () => {
  const body = await register(world());
  const caller = await world().createCaller();
  const login = (Authorization: string) =>
    world().call("POST", `${AUTH}/login`, {
      body,
      headers: { ...cookieOf(caller), Origin: "https://evil.example", Authorization },
    });
  // Browsers add the password of a proxy by themselves.
  assertRefused(await login("Basic bWU6bWU="), "FORBIDDEN");
  assertEquals((await login(`Bearer ${caller.secret}`)).status, 200);
});

Deno.test("Malformed credentials are 401, never 500", async () => {
  const seed = 4_711;
  const random = seededRandom(seed);
  const caller = await world().createCaller();
  // Latin-1 without controls.
  const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
    .filter((character) => /[\t\x20-\x7e\x80-\xff]/.test(character));
  const noise = (most: number) =>
    Array.from({ length: random.integer(0, most) }, () => random.pick(characters)).join("");
  const nearly = () => {
    const at = random.integer(0, caller.secret.length - 1);
    return random.pick([
      caller.secret.slice(0, at),
      caller.secret.slice(0, at) + random.pick(characters.slice(2)) + caller.secret.slice(at),
      caller.secret.toUpperCase(),
      `${caller.secret}${noise(3)}=`,
      caller.secret.replace("prs_s_", random.pick(["prs_p_", "prs_i_", "prs_x_", ""])),
    ]);
  };
  const value = () => random.chance(0.5) ? nearly() : noise(200);
  const schemes = ["Bearer", "bearer", "Basic", "Bearer Bearer", "", "Bearer,"];
  for (let round = 1; round <= 400; round++) {
    const headers: Record<string, string> = {};
    if (random.chance(0.7)) headers.Authorization = `${random.pick(schemes)} ${value()}`;
    if (random.chance(0.7)) {
      const name = random.pick([COOKIE, noise(5), "__proto__", "constructor", ""]);
      headers.Cookie = `${noise(10)};${name}=${value()};${random.pick([";", "=", noise(10)])}`;
    }
    const sent = JSON.stringify(headers);
    if (sent.includes(caller.secret)) continue;
    const [read, write] = [
      await world().call("GET", `${AUTH}/session`, { headers }),
      await world().call("POST", RECORDS, { key: "k", headers, body: PROMISE }),
    ];
    assertRefused(read, "AUTH_REQUIRED", `seed ${seed}, round ${round}: ${sent}`);
    assertRefused(write, "AUTH_REQUIRED", `seed ${seed}, round ${round}: ${sent}`);
  }
});

Deno.test("POST login with a cookie requires the service's own origin", async () => {
  const known = await register(world());
  const caller = await world().createCaller();
  const Cookie = `${COOKIE}=${caller.secret}`;
  const login = (headers: Record<string, string>) =>
    world().call("POST", `${AUTH}/login`, { body: known, headers });
  assertRefused(await login({ Cookie }), "FORBIDDEN");
  assertRefused(await login({ Cookie, Origin: "https://evil.example" }), "FORBIDDEN");
  assertEquals((await login({ Cookie, Origin: ORIGIN })).status, 200);
  assertEquals((await login({})).status, 200);
});
