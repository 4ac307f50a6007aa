/** The access events of assistants' calls, their storage, and the limits of a day. */

import { assert, assertEquals } from "@std/assert";
import { type Caller, callerOf, createWorld, fileWorld, type Json } from "../support/world.ts";
import { contentOf, createAssistant, LIMITS, refusal, send } from "./assistants.ts";
import { assertFailure, COMMITMENT, COMMITMENTS } from "./kernel.ts";

const world = fileWorld({ assistants: LIMITS });

const UNKNOWN = { moduleCode: "commitment", recordId: "01K00000000000000000000000" };

async function callsOf(owner: Caller): Promise<string[]> {
  const { items } = (await owner.call("GET", "/api/v2/audit?kind=access&limit=100")).body.data;
  return items.filter(({ tool }: Json) => tool !== undefined)
    .map(({ tool, records, count }: Json) => `${tool} ${records} ${count}`);
}

const codeOf = (result: Json): string | undefined => result.structuredContent.error?.code;

Deno.test("Refused calls of a minute are one event, and those after it one with their count", async () => {
  const owner = await world().createCaller();
  const helper = await createAssistant(world(), owner, { modules: ["commitment"] });
  for (let call = 0; call < 5; call++) {
    assertEquals(codeOf(await helper.call("get_record", UNKNOWN)), "RECORD_NOT_FOUND");
  }
  assertEquals(await callsOf(owner), ["get_record 0 undefined"]);
  world().advance(60_000);
  await helper.call("get_record", UNKNOWN);
  assertEquals((await callsOf(owner)).sort(), [
    "get_record 0 4",
    "get_record 0 undefined",
    "get_record 0 undefined",
  ]);
  const summary = await owner.call("GET", "/api/v2/audit/summary?since=2026-01-01T00:00:00Z");
  const { events, isWhole } = summary.body.data;
  assert(isWhole);
  assertEquals(events.find(({ event }: Json) => event === "ASSISTANT_READ").count, 6);
});

Deno.test("A stopping service writes the refused calls that it has counted", async () => {
  const owner = await world().createCaller();
  const app = world().again();
  const helper = await createAssistant({ ...world(), app }, owner, { modules: ["commitment"] });
  for (let call = 0; call < 3; call++) await helper.call("get_record", UNKNOWN);
  await app.drain();
  assertEquals((await callsOf(owner)).sort(), ["get_record 0 2", "get_record 0 undefined"]);
});

Deno.test("The events of calls fill the account's storage, and a full account answers no call", async () => {
  const owner = await world().createCaller();
  const helper = await createAssistant(world(), owner, { modules: ["commitment"] });
  const stored = async () =>
    (await owner.call("GET", "/api/v2/account/storage")).body.data.content.bytes;
  const before = await stored();
  await helper.call("list_modules");
  const [{ bytes }] = await world().rows(
    `select octet_length(e::text) as bytes from access_events e
      where credential_id = '${helper.id}' and tool is not null`,
  );
  assertEquals(await stored() - before, bytes);

  const app = world().again({ accountStorageBytes: before + bytes });
  const full = callerOf(app, helper.caller);
  for (const [tool, args] of [["list_modules", {}], ["get_record", UNKNOWN]] as const) {
    const { result } = (await send(full, "tools/call", { name: tool, arguments: args })).body;
    assertEquals(codeOf(result), "ACCOUNT_STORAGE_FULL");
  }
  assertEquals(await callsOf(owner), ["list_modules 0 undefined"]);
});

Deno.test("Below the reserve of the disk no call is answered", async () => {
  const owner = await world().createCaller();
  const helper = await createAssistant(world(), owner, { modules: ["commitment"] });
  const app = world().again({ readDiskSpace: () => ({ free: 1, total: 20 * 1024 ** 3 }) });
  const below = callerOf(app, helper.caller);
  for (const args of [UNKNOWN, { ...UNKNOWN, moduleCode: "nothing" }]) {
    const refused = await send(below, "tools/call", { name: "get_record", arguments: args });
    assertFailure(refused, "HTTP_503");
  }
  assertEquals(await callsOf(owner), []);
});

Deno.test("An assistant has a number of calls in a day of UTC, also over a restart", async () => {
  const services = { assistants: { ...LIMITS, callsPerDay: 5 } };
  await using limited = await createWorld(services);
  const owner = await limited.createCaller();
  const body = { title: "Ladder", payload: COMMITMENT };
  await owner.call("POST", COMMITMENTS, { body });
  const helper = await createAssistant(limited, owner, { modules: ["commitment"] });
  assertEquals(codeOf(await helper.call("search", { q: "ladder" })), undefined);
  // Arguments that break the schema leave no event, and count.
  await helper.call("search", { q: 1 });
  for (let call = 0; call < 3; call++) await helper.call("get_record", UNKNOWN);
  const { error } = (await helper.call("search", { q: "ladder" })).structuredContent;
  assertEquals([error.code, error.retryAfter], ["HTTP_429", 12 * 60 * 60]);
  assertEquals((await callsOf(owner)).length, 2);

  const before = { ...limited, app: limited.again({ assistants: { ...LIMITS, callsPerDay: 2 } }) };
  const again = callerOf(before.app, helper.caller);
  const sent = await send(again, "tools/call", { name: "list_modules", arguments: {} });
  assertEquals(codeOf(sent.body.result), "HTTP_429");

  limited.advance(12 * 60 * 60 * 1000);
  assertEquals(codeOf(await helper.call("search", { q: "ladder" })), undefined);
});

Deno.test("Calls at once are not given more than the day's limit and one page", async () => {
  await using limited = await createWorld({ assistants: { ...LIMITS, recordsPerDay: 10 } });
  const owner = await limited.createCaller();
  for (let count = 0; count < 3; count++) await owner.create("commitment", COMMITMENT, "Ladder");
  const helper = await createAssistant(limited, owner, { modules: ["commitment"] });
  const list = { moduleCode: "commitment" };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => helper.call("list_records", list)),
  );
  const given = answers.filter(({ isError }) => isError === undefined);
  assertEquals(given.map((answer) => contentOf(answer).items.length), [3, 3, 3, 3]);
  const refused = answers.filter(({ isError }) => isError === true);
  assertEquals(new Set(refused.map((answer) => refusal(answer).code)), new Set(["HTTP_429"]));
  const [{ records }] = await limited.rows(
    `select sum(records)::integer as records from access_events where event = 'ASSISTANT_READ'`,
  );
  assertEquals(records, 12);
  assertEquals(refusal(await helper.call("list_modules")).code, "HTTP_429");
});
