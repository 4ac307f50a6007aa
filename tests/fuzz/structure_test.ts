import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject, JsonValue } from "../../src/core/json.ts";
import { MAX_BODY_BYTES } from "../../src/http/request.ts";
import { PAYLOAD_BYTE_LIMIT } from "../../src/catalog/payload_size.ts";
import { canonicalJson } from "../../src/validate/canonical.ts";
import { JSON_CEILINGS } from "../../src/validate/json_limits.ts";
import { assertWritesNothing } from "../http/kernel.ts";
import { assertPublicAnswer } from "../support/public_response.ts";
import { type Caller, sharedWorld, type TestResponse } from "../support/world.ts";

const world = sharedWorld();

const PATH = "/api/v2/records/integration";

function integration(mappingConfig: JsonValue): JsonObject {
  return {
    connectorType: "OTHER",
    provider: "a provider",
    authorizationStatus: "PENDING",
    importMode: "MANUAL",
    auditStatus: "CLEAN",
    mappingConfig,
  };
}

/** `mappingConfig` is sent literally. */
function send(caller: Caller, mappingConfig: string): Promise<TestResponse> {
  const payload = JSON.stringify(integration("HERE")).replace('"HERE"', () => mappingConfig);
  return sendBody(caller, `{"title":"A title","payload":${payload}}`);
}

function sendBody(caller: Caller, raw: string): Promise<TestResponse> {
  const headers = { "Content-Type": "application/json" };
  return caller.call("POST", PATH, { key: ulid(), raw, headers });
}

async function assertAccepted(caller: Caller, response: TestResponse): Promise<void> {
  assertEquals(response.status, 201, response.text.slice(0, 300));
  const read = await caller.call("GET", `${PATH}/${response.body.data.recordId}`);
  assertEquals(read.text.includes(JSON.stringify(response.body.data.payload)), true);
}

function assertRefused(response: TestResponse, ...rules: string[]): void {
  assertPublicAnswer(response, rules.join());
  assertEquals([response.status, response.body.error.details?.rules], [400, rules], response.text);
}

function nested(open: string, close: string, levels: number): string {
  return open.repeat(levels) + close.repeat(levels);
}

Deno.test("POST record accepts structures up to the depth limit only", async () => {
  const caller = await world().createCaller();
  // Body, payload and mappingConfig are the first three containers.
  const levels = JSON_CEILINGS.depth - 3;
  await assertAccepted(caller, await send(caller, `{"a":${nested("[", "]", levels)}}`));
  const objects = `{"a":${'{"b":'.repeat(levels)}0${"}".repeat(levels)}}`;
  await assertAccepted(caller, await send(caller, objects));
  await assertWritesNothing(world(), async () => {
    assertRefused(await send(caller, `{"a":${nested("[", "]", levels + 1)}}`), "json.depth");
    for (const levels of [100, 10_000, 500_000]) {
      assertRefused(await send(caller, `{"a":${nested("[", "]", levels)}}`), "json.depth");
      assertRefused(await send(caller, `{"a":${"[".repeat(levels)}`), "json.depth");
      assertRefused(await sendBody(caller, nested('{"a":[', "]}", levels / 2)), "json.depth");
    }
  });
});

Deno.test("POST record accepts values up to the node limit only", async () => {
  const caller = await world().createCaller();
  // Body, title, payload, its six fields and the list count too.
  const others = 10;
  const list = (length: number) => `{"a":[${Array(length).fill("0").join(",")}]}`;
  await assertAccepted(caller, await send(caller, list(JSON_CEILINGS.nodes - others)));
  await assertWritesNothing(world(), async () => {
    assertRefused(await send(caller, list(JSON_CEILINGS.nodes - others + 1)), "json.nodes");
    assertRefused(await send(caller, list(900_000)), "json.nodes");
    const keys = Array.from({ length: 150_000 }, (_, index) => `"k${index}":0`);
    assertRefused(await send(caller, `{${keys.join(",")}}`), "json.nodes");
  });
});

Deno.test("POST record accepts keys up to their limit in code points only", async () => {
  const caller = await world().createCaller();
  for (const character of ["k", "é", "🙂"]) {
    const longest = character.repeat(JSON_CEILINGS.keyCodePoints);
    await assertAccepted(caller, await send(caller, `{"${longest}":1}`));
    await assertWritesNothing(world(), async () => {
      assertRefused(await send(caller, `{"${longest}k":1}`), "json.key_length");
      assertRefused(await send(caller, `{"${character.repeat(300_000)}":1}`), "json.key_length");
    });
  }
});

Deno.test("POST record accepts payloads up to their limit in bytes only", async () => {
  const caller = await world().createCaller();
  const empty = canonicalJson(integration({ a: "" })).length;
  for (const [character, bytes] of [["x", 1], ["é", 2], ["🙂", 4], ["\u0001", 6]] as const) {
    const room = PAYLOAD_BYTE_LIMIT - empty;
    const fill = "y".repeat(room % bytes) + character.repeat(Math.floor(room / bytes));
    await assertAccepted(caller, await send(caller, JSON.stringify({ a: fill })));
    await assertWritesNothing(world(), async () => {
      assertRefused(await send(caller, JSON.stringify({ a: `${fill}y` })), "payload.bytes");
    });
  }
});

Deno.test("POST record reads bodies up to their limit in bytes only", async () => {
  const caller = await world().createCaller();
  const body = JSON.stringify({ title: "A title", payload: integration({}) });
  await assertAccepted(caller, await sendBody(caller, body.padEnd(MAX_BODY_BYTES)));
  await assertWritesNothing(world(), async () => {
    for (const length of [MAX_BODY_BYTES + 1, 3 * MAX_BODY_BYTES]) {
      const response = await sendBody(caller, body.padEnd(length));
      assertPublicAnswer(response, String(length));
      assertEquals([response.status, response.body.error.code], [413, "HTTP_413"]);
      assertEquals(response.body.error.details, { limit: MAX_BODY_BYTES });
    }
  });
});

Deno.test("POST record survives single values of enormous size", async () => {
  const caller = await world().createCaller();
  const long = 1_500_000;
  const values = [
    `{"a":${"9".repeat(long)}}`,
    `{"a":0.${"9".repeat(long)}}`,
    `{"a":1e${"9".repeat(long)}}`,
    `{"a":"${"x".repeat(long)}"}`,
    `{"a":"${"\\u0041".repeat(long / 6)}"}`,
    `{"a":"${"\\".repeat(long)}"}`,
    `{"a":"${"\\\\".repeat(long / 2)}"}`,
    `{"a":${" ".repeat(long)}1}`,
    `[${"-".repeat(long)}]`,
    "{".repeat(long),
    '"'.repeat(long),
  ];
  for (const value of values) {
    const about = `${value.slice(0, 20)}…`;
    const response = await send(caller, value);
    assertPublicAnswer(response, about);
    assert([201, 400].includes(response.status), about);
  }
});
