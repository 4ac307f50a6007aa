import { assert, assertEquals } from "@std/assert";
import { assertWritesNothing, tableCounts } from "../http/kernel.ts";
import { uploaded } from "../support/attachments.ts";
import { assertPublicAnswer } from "../support/public_response.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, sharedWorld } from "../support/world.ts";

const world = sharedWorld();

const COMMITMENT = { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" };

/** Latin-1 without line ends and NUL. */
function headerText(random: Random): string {
  const unit = () => {
    const code = random.integer(0x20, 0xff);
    return code === 0x7f ? "x" : String.fromCharCode(code);
  };
  return Array.from({ length: random.pick([0, 1, 3, 20, 300]) }, unit).join("");
}

/** Percent escapes, valid and broken, and raw characters. */
function addressText(random: Random): string {
  const pieces = [
    ..."%00 %0a %2f %2e%2e %ff %c3%28 %ed%a0%80 % %zz %25 %5b".split(" "),
    ...".. . ; ' \" < | ` $ { 漢 🙂 \u202e + ~ *".split(" "),
    ..."__proto__ constructor toString null -1 0 1e9 NaN true a Z".split(" "),
  ];
  return Array.from({ length: random.integer(0, 5) }, () => random.pick(pieces)).join("");
}

/** A slightly damaged valid value. */
function nearly(random: Random, valid: string): string {
  const at = random.integer(0, valid.length);
  const inserted = random.pick(["", " ", "\u00e9", '"', ",", "=", "a", "Z", "0", "\t"]);
  return valid.slice(0, at) + inserted + valid.slice(at + random.integer(0, 2));
}

function randomHeaders(random: Random, caller: Caller, id: string): Record<string, string> {
  const authorization = `Bearer ${caller.secret}`;
  const cookie = `__proto__=1; __Host-prs_session=${caller.secret}`;
  const makers: Record<string, () => string> = {
    Authorization: () => random.chance(0.7) ? authorization : nearly(random, authorization),
    Cookie: () => random.chance(0.5) ? cookie : nearly(random, cookie),
    Origin: () => random.pick(["https://records.example", "null", "https://evil.example"]),
    "Idempotency-Key": () => random.chance(0.5) ? headerText(random) : nearly(random, '"a-key"'),
    "If-None-Match": () => nearly(random, `W/"1", "${id}", *`),
    "If-Range": () => nearly(random, `"${"0".repeat(64)}"`),
    Range: () =>
      nearly(random, random.pick(["bytes=0-5", "bytes=-3", "bytes=4-", "bytes=1-2,3-4"])),
    "X-Request-Id": () => random.chance(0.5) ? headerText(random) : nearly(random, "request-0001"),
    "Content-Type": () => nearly(random, random.pick(["application/json", "text/plain; a=b"])),
    "Content-Length": () => nearly(random, "12"),
    "X-Filename": () => nearly(random, "a%20file%F0%9F%99%82.txt"),
    "Content-Digest": () => nearly(random, `sha-256=:${"A".repeat(43)}=:`),
    "X-HTTP-Method-Override": () => "DELETE",
    "X-Forwarded-For": () => headerText(random),
  };
  const sent: Record<string, string> = {};
  for (const [name, make] of Object.entries(makers)) {
    if (random.chance(name === "Authorization" ? 0.8 : 0.3)) sent[name] = make();
  }
  return sent;
}

function randomPath(random: Random, ids: Readonly<Record<string, readonly string[]>>): string {
  // Signing out would end later calls' credential.
  const routes = world().app.routes.filter(({ path }) => !path.endsWith("/logout"));
  const { path } = random.pick(routes);
  const segments = path.slice(1).split("/").map((segment) => {
    if (!segment.startsWith(":")) return random.chance(0.02) ? addressText(random) : segment;
    if (random.chance(0.2)) return addressText(random);
    const valid = random.pick(ids[segment.slice(1)] ?? [random.ulid()]);
    return random.chance(0.3) ? encodeURI(nearly(random, valid)) : valid;
  });
  return `/${segments.join("/")}`;
}

function randomQuery(random: Random, id: string): string {
  const names = [
    ..."limit cursor sort archived createdFrom createdTo updatedFrom revision".split(" "),
    ..."filter[completionStatus] filter[dueAt][gte] filter[reliabilityImpact]".split(" "),
    ..."filter[content] filter[__proto__] filter[] filter __proto__ toString".split(" "),
  ];
  const values = [
    ..."1 100 0 -0 1.0 ٣ exclude include -createdAt OPEN".split(" "),
    "",
    id,
    "9".repeat(400),
    ..."2026-01-01T00:00:00Z 0001-01-01T00:00:00.000Z 9999-12-31T23:59:59%2B00:01".split(" "),
    ..."2147483647 2147483648 1e5 0.5 %00 %F0%9F%99%82 %ff".split(" "),
  ];
  const pairs = Array.from({ length: random.integer(0, 3) }, () => {
    const name = random.chance(0.8) ? random.pick(names) : addressText(random);
    const value = random.chance(0.7) ? random.pick(values) : addressText(random);
    return random.chance(0.95) ? `${name}=${value}` : name;
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

Deno.test("Routes answer any address, head and method as specified", async () => {
  const caller = await world().createCaller();
  const { recordId } = await caller.create("commitment", COMMITMENT);
  const attachmentId = await uploaded(caller, "a file");
  const ids = {
    moduleCode: ["commitment", "memory", "identity", "relationship", "media"],
    recordId: [recordId],
    featureId: ["CMT-001", "MEM-001", "XXX-000"],
    attachmentId: [attachmentId],
  };
  const methods = ["GET", "GET", "GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "FOO"];
  const seed = 42;
  const random = seededRandom(seed);
  const missing = new Set([200, 400, 401, 403, 404, 405, 415]);
  for (let run = 0; run < 700 || missing.size > 0; run++) {
    assert(run < 10_000, `No response was ${[...missing].join()}`);
    const path = randomPath(random, ids) + randomQuery(random, recordId);
    const method = random.pick(methods);
    const headers = randomHeaders(random, caller, recordId);
    const bodiless = method === "GET" || method === "HEAD";
    const body = bodiless || random.chance(0.3) ? {} : { raw: random.pick(["{}", "", "[", "\0"]) };
    const response = await world().call(method, path, { headers, ...body });
    const about = `seed ${seed}, run ${run}: ${method} ${path} ${JSON.stringify(headers)}`;
    // Files and documents have no envelope.
    const isRaw = /\/content|\/openapi\.json|^\/\.well-known\//.test(path) && response.status < 300;
    if (!isRaw) assertPublicAnswer(response, about);
    missing.delete(response.status);
  }
});

Deno.test("Routes reject NUL anywhere in path and query", async () => {
  const caller = await world().createCaller();
  const { recordId } = await caller.create("commitment", COMMITMENT);
  const records = "/api/v2/records";
  const record = `${records}/commitment/${recordId}`;
  const paths = [
    `/api%00/v2`,
    `${records}/%00`,
    `${records}/commitment%00`,
    `${records}/commitment/%00`,
    `${record}%00`,
    `${record}/revisions%00`,
    `${record}?revision=1%00`,
    `${record}?%00=1`,
    `${records}/commitment?filter[counterparty]=%00`,
    `${records}/commitment?cursor=%00`,
    `${records}/commitment?filter[counterparty%00]=1`,
    `${records}/commitment?limit=%001`,
    "/api/v2/attachments/%00",
    "/api/v2/attachments/%00/content",
    "/api/v2/attachments/%00/thumbnail",
    "/api/v2/attachments?ids=%00",
    "/api/v2/attachments?a=%00",
  ];
  await assertWritesNothing(world(), async () => {
    for (const path of paths) {
      for (const method of ["GET", "POST", "PATCH"]) {
        const response = await caller.call(method, path, {
          key: "k",
          ...(method !== "GET" && { body: {} }),
        });
        assertPublicAnswer(response, `${method} ${path}`);
        assert(response.status >= 400, `${method} ${path}: ${response.text}`);
      }
    }
  });
});

Deno.test("Routes reject damaged credentials", async () => {
  const caller = await world().createCaller();
  const seed = 42;
  const random = seededRandom(seed);
  const { secret } = caller;
  const spoilt = (): Record<string, string> => {
    const wrong = random.chance(0.5) ? headerText(random) : `${nearly(random, secret)}!`;
    return random.chance(0.5)
      ? { Authorization: random.pick([`Bearer ${wrong}`, `Basic ${secret}`, `Bearer`, wrong]) }
      : { Cookie: random.pick([`__Host-prs_session=${wrong}`, `prs_session=${secret}`, wrong]) };
  };
  await assertWritesNothing(world(), async () => {
    for (let run = 0; run < 150; run++) {
      const headers = spoilt();
      const response = await world().call("GET", "/api/v2/records/commitment", { headers });
      const about = `seed ${seed}, run ${run}: ${JSON.stringify(headers)}`;
      assertPublicAnswer(response, about);
      assertEquals([response.status, response.body.error.code], [401, "AUTH_REQUIRED"], about);
    }
  });
});

Deno.test("Lists reject every cursor that the service did not make", async () => {
  const caller = await world().createCaller();
  const { recordId } = await caller.create("commitment", COMMITMENT);
  const paths = [
    "/api/v2/records/commitment",
    `/api/v2/records/commitment/${recordId}/revisions`,
    `/api/v2/records/commitment/${recordId}/executions`,
    "/api/v2/attachments",
  ];
  const seed = 43;
  const random = seededRandom(seed);
  for (let run = 0; run < 120; run++) {
    const damaged = nearly(random, recordId);
    if (damaged === recordId) continue;
    const made = [random.ulid(), encodeURIComponent(damaged), addressText(random)];
    const cursor = random.pick(made);
    const path = random.pick(paths);
    const response = await caller.call("GET", `${path}?cursor=${cursor}`);
    const about = `seed ${seed}, run ${run}: ${path} ${cursor}`;
    assertPublicAnswer(response, about);
    assertEquals([response.status, response.body.error?.code], [400, "PAYLOAD_INVALID"], about);
  }
});

Deno.test("POST record accepts exactly the keys of visible ASCII", async () => {
  const caller = await world().createCaller();
  const seed = 44;
  const random = seededRandom(seed);
  const before = await tableCounts(world());
  const taken = new Set<string>();
  for (let run = 0; run < 150; run++) {
    const visible = () => String.fromCharCode(random.integer(0x21, 0x7e));
    const key = random.chance(0.5)
      ? headerText(random)
      : Array.from({ length: random.pick([1, 30, 255, 256]) }, visible).join("");
    const response = await caller.call("POST", "/api/v2/records/commitment", {
      headers: { "Idempotency-Key": key },
      body: { title: `Run ${run}`, payload: COMMITMENT },
    });
    const about = `seed ${seed}, run ${run}: ${key}`;
    assertPublicAnswer(response, about);
    const sent = key.trim();
    const bare = /^".*"$/.test(sent) ? sent.slice(1, -1) : sent;
    const isKey = /^[\x21-\x7e]{1,255}$/.test(bare);
    const expected = !isKey ? 400 : taken.has(bare) ? 409 : 201;
    assertEquals(response.status, expected, `${about}: ${response.text}`);
    if (isKey) taken.add(bare);
  }
  const { idempotency_envelopes: envelopes = 0 } = before;
  assertEquals((await tableCounts(world())).idempotency_envelopes, envelopes + taken.size);
});
