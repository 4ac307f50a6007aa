import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { JsonValue } from "../../src/core/json.ts";
import { assertWritesNothing, tableCounts } from "../http/kernel.ts";
import { uploaded } from "../support/attachments.ts";
import { damaged, randomJson, writtenFreely } from "../support/json_values.ts";
import { randomPayload } from "../support/payloads.ts";
import { assertPublicAnswer } from "../support/public_response.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, type JsonRecord, sharedWorld, type TestResponse } from "../support/world.ts";

const world = sharedWorld();

const GENERIC = CATALOG.modules.filter(({ access: entry }) => entry === "GENERIC");

const COMMITMENT = { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" };

/** Every route with a JSON body, with a record if needed. */
function targetsOf({ recordId }: JsonRecord): readonly (readonly [string, string])[] {
  const record = `/api/v2/records/commitment/${recordId}`;
  return [
    ["POST", "/api/v2/records/commitment"],
    ["PATCH", record],
    ["POST", `${record}/archive`],
    ["POST", `${record}/restore`],
    ["POST", `${record}/features/CMT-001`],
    ["POST", "/api/v2/auth/login"],
    ["POST", "/api/v2/auth/setup"],
  ];
}

function send(caller: Caller, [method, path]: readonly [string, string], raw: BodyInit) {
  const headers = { "Content-Type": "application/json" };
  return caller.call(method, path, { raw, key: ulid(), headers });
}

async function refuseEverywhere(
  seed: number,
  runs: number,
  make: (random: Random) => BodyInit,
): Promise<void> {
  const caller = await world().createCaller();
  const targets = targetsOf(await caller.create("commitment", COMMITMENT));
  await assertWritesNothing(world(), async () => {
    const random = seededRandom(seed);
    for (let run = 0; run < runs; run++) {
      const body = make(random);
      const response = await send(caller, random.pick(targets), body);
      const about = `seed ${seed}, run ${run}: ${String(body).slice(0, 200)}`;
      assert(response.status >= 400, `${about}: ${response.text}`);
      assertPublicAnswer(response, about);
    }
  });
}

/** A JSON payload with one replaced place. */
function planted(random: Random, thing: string): string {
  const depth = random.integer(0, 5);
  let text = thing;
  for (let level = 0; level < depth; level++) {
    const other = writtenFreely(randomJson(random, 1), random);
    text = random.chance(0.5) ? `[${other},${text}]` : `{"a":${other},"b":${text}}`;
  }
  return `{"title":"A title","payload":${
    JSON.stringify(COMMITMENT).slice(0, -1)
  },"notes":${text}}}`;
}

Deno.test("Routes reject random bytes as JSON and write nothing", async () => {
  await refuseEverywhere(1, 150, (random) => {
    const bytes = Uint8Array.from({ length: random.integer(1, 300) }, () => random.integer(0, 255));
    // No JSON text begins so.
    bytes[0] = random.pick([0x00, 0x80, 0xbf, 0xc0, 0xed, 0xfe, 0xff]);
    return bytes;
  });
});

Deno.test("Routes reject ill-formed UTF-8 in JSON and write nothing", async () => {
  const illFormed = [
    [0x80],
    [0xc3],
    [0xc0, 0x80],
    [0xe0, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0xed, 0xbf, 0xbf],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xff],
    [0xfe],
    [0xe2, 0x82],
  ];
  await refuseEverywhere(2, 80, (random) => {
    const [before, after] = planted(random, '"MARK"').split("MARK");
    const encoder = new TextEncoder();
    const bytes = [before, after].map((part) => [...encoder.encode(part)]);
    return Uint8Array.from([...bytes[0] ?? [], ...random.pick(illFormed), ...bytes[1] ?? []]);
  });
});

Deno.test("Routes reject lone surrogates and NUL in texts and keys and write nothing", async () => {
  const texts = ["\\ud800", "\\udfff", "\\ud83d", "\\udc00\\ud800", "\\u0000", "a\\u0000b"];
  await refuseEverywhere(3, 80, (random) => {
    const text = random.pick(texts);
    return planted(random, random.chance(0.5) ? `"${text}"` : `{"${text}":1}`);
  });
});

Deno.test("Routes reject dangerous keys at every depth and write nothing", async () => {
  const keys = ["__proto__", "prototype", "constructor", "__pro\\u0074o__", "\\u0063onstructor"];
  await refuseEverywhere(4, 80, (random) => {
    const value = random.pick(["1", "{}", '{"polluted":true}', "null"]);
    return planted(random, `{"${random.pick(keys)}":${value}}`);
  });
  assertEquals(Reflect.get({}, "polluted"), undefined);
});

Deno.test("Routes reject duplicate keys at every depth and write nothing", async () => {
  const pairs = [
    ["a", "a"],
    ["a", "\\u0061"],
    ["\\ud83d\\ude42", "🙂"],
    ["", ""],
    ["length", "length"],
  ];
  await refuseEverywhere(5, 80, (random) => {
    const [first, second] = random.pick(pairs);
    return planted(random, `{"${first}":1,"x":2,"${second}":1}`);
  });
});

Deno.test("Routes reject numbers beyond every double and write nothing", async () => {
  const literals = ["1e309", "-1e309", "1e999999999", `${"9".repeat(400)}`, "-1E+400"];
  await refuseEverywhere(6, 40, (random) => planted(random, random.pick(literals)));
});

Deno.test("Routes reject random JSON that is not a valid body", async () => {
  await refuseEverywhere(7, 200, (random) => {
    const value = randomJson(random);
    const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    // Some routes accept an empty object.
    return writtenFreely(isEmpty ? [value] : value, random);
  });
});

Deno.test("POST record accepts or rejects a damaged body as specified, and writes what it accepts", async () => {
  const caller = await world().createCaller();
  const attachmentIds = [await uploaded(caller, "a file")];
  const seed = 8;
  const random = seededRandom(seed);
  const before = await tableCounts(world());
  const created: TestResponse[] = [];
  for (let run = 0; run < 120; run++) {
    const module = random.pick(GENERIC);
    const payload = randomPayload(module, random, { now: world().now(), attachmentIds });
    const body: JsonValue = { title: random.text(1, 20), summary: random.text(0, 20), payload };
    const text = damaged(writtenFreely(body, random), random);
    const response = await send(caller, ["POST", `/api/v2/records/${module.code}`], text);
    assertPublicAnswer(response, `seed ${seed}, run ${run}: ${text}`);
    if (response.status === 201) created.push(response);
  }
  assert(created.length > 10, "The damage left too little that is valid");
  const written: Record<string, number> = { ...before };
  const tables = ["records", "record_revisions", "record_order", "search_index", "audit_entries"];
  for (const table of [...tables, "idempotency_envelopes"]) {
    written[table] = (written[table] ?? 0) + created.length;
  }
  assertEquals(await tableCounts(world()), written);
  for (const { body: { data } } of created) {
    const read = await caller.call("GET", `/api/v2/records/${data.moduleCode}/${data.recordId}`);
    assertEquals(read.body.data, data);
  }
});

Deno.test("PATCH record accepts or rejects a random change as specified", async () => {
  const caller = await world().createCaller();
  const seed = 9;
  const random = seededRandom(seed);
  const { recordId } = await caller.create("commitment", COMMITMENT);
  const path = `/api/v2/records/commitment/${recordId}`;
  const names = ["content", "notes", "dueAt", "completedAt", "reliabilityImpact", "x", "__proto__"];
  let revision = 1;
  for (let run = 0; run < 80; run++) {
    const body: JsonValue = {
      ...(random.chance(0.5) && { title: random.text(0, 250) }),
      ...(random.chance(0.5) && {
        payload: { [random.pick(names)]: random.chance(0.6) ? "text" : randomJson(random, 2) },
      }),
      ...(random.chance(0.5) && { payloadRemove: [random.pick(names), random.pick(names)] }),
      ...(random.chance(0.3) &&
        { expectedRevision: random.pick<JsonValue>([revision, 1, -1, "1"]) }),
    };
    const response = await caller.call("PATCH", path, { body });
    assertPublicAnswer(response, `seed ${seed}, run ${run}: ${JSON.stringify(body)}`);
    if (response.status === 200) revision = response.body.data.revision;
    const read = await caller.call("GET", path);
    assertEquals(read.body.data.revision, revision, `seed ${seed}, run ${run}`);
  }
  assert(revision > 5, "Too few of the changes were valid");
});
