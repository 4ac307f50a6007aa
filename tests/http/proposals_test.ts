/** Proposals of assistants: checks, states, and the owner's decisions. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { DAY_MS } from "../../src/core/clock.ts";
import { createPerson } from "../families/relationship/api.ts";
import { makeToken } from "../support/tokens.ts";
import { callerOf, createWorld, fileWorld, type Json, type World } from "../support/world.ts";
import { setMaintenance } from "../../src/command/maintenance.ts";
import { assertRefused } from "./access.ts";
import {
  contentOf,
  createAssistant,
  decide,
  LIMITS,
  PROPOSALS,
  refusal,
  type TestAssistant,
} from "./assistants.ts";
import { COMMITMENT, readPage, walkPages } from "./kernel.ts";

const world = fileWorld({ assistants: LIMITS });
const MODULES = ["commitment", "memory", "relationship", "media"];

async function setUp(own: World = world(), more: Json = {}) {
  const owner = await own.createCaller();
  const helper = await createAssistant(own, owner, { modules: MODULES, mayPropose: true, ...more });
  const record = await owner.create("commitment", { ...COMMITMENT, notes: "Old" }, "Ladder");
  const key = {
    moduleCode: "commitment",
    recordId: record.recordId,
    expectedRevision: record.revision,
  };
  return { owner, helper, record, key };
}

async function propose(helper: TestAssistant, tool: string, args: Json): Promise<string> {
  const content = contentOf(await helper.call(tool, args));
  assertEquals(Object.keys(content), ["proposalId", "state", "expiresAt"]);
  return content.proposalId;
}

async function stateOf(owner: Json, id: string): Promise<string> {
  return (await owner.call("GET", `${PROPOSALS}/${id}`)).body.data.state;
}

async function newMemory(owner: Json, more: Json = {}): Promise<Json> {
  const response = await owner.call("POST", "/api/v2/memory/texts", {
    body: { title: "The lake", memoryType: "PLACE", originalContent: "We swam.", ...more },
    key: ulid(),
  });
  return response.body.data;
}

Deno.test("A proposal of a record is written by its acceptance, and only then", async () => {
  const { owner, helper } = await setUp();
  // Lists are in the order of identifiers, which begin with the time.
  world().advance(1);
  const sent = { title: "Paint", payload: { ...COMMITMENT, notes: "Blue" } };
  const id = await propose(helper, "propose_record", { moduleCode: "commitment", ...sent });
  const created = world().now();
  const pending = (await owner.call("GET", `${PROPOSALS}/${id}`)).body.data;
  assertEquals(pending, {
    proposalId: id,
    assistantId: helper.id,
    kind: "RECORD",
    moduleCode: "commitment",
    target: null,
    expectedRevision: null,
    body: sent,
    state: "PENDING",
    createdAt: created.toISOString(),
    expiresAt: new Date(created.getTime() + 14 * DAY_MS).toISOString(),
    decidedAt: null,
    result: null,
  });
  assertEquals((await owner.call("GET", PROPOSALS)).body.data.items, [pending]);
  const list = "/api/v2/records/commitment";
  assertEquals((await readPage(owner, list)).items.length, 1);
  const key = ulid();
  const response = await decide(owner, id, "accept", key);
  const accepted = response.body.data;
  const [record] = (await readPage(owner, list)).items;
  assertEquals(accepted, {
    ...pending,
    state: "ACCEPTED",
    decidedAt: world().now().toISOString(),
    result: { recordId: record.recordId, revision: 1 },
  });
  assertEquals(
    [record.title, record.payload, record.sourceType],
    ["Paint", sent.payload, "USER_INPUT"],
  );
  const again = await decide(owner, id, "accept", key);
  assertEquals(again.body.data, accepted);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  const acceptAgained = await decide(owner, id, "accept");
  assertEquals(acceptAgained.body.error.details, { operation: "proposal.accept" });
  const rejectAgained = await decide(owner, id, "reject");
  assertEquals(rejectAgained.body.error.details, { operation: "proposal.reject" });
  const { items } = (await owner.call("GET", "/api/v2/audit")).body.data;
  const via = items.filter((entry: Json) => "viaAssistant" in entry);
  assertEquals(via.length, 1);
  assertEquals(
    [via[0].operation, via[0].subjectId, via[0].viaAssistant, via[0].credentialKind],
    ["record.create", record.recordId, helper.id, "SESSION"],
  );
  assertEquals((await owner.call("GET", PROPOSALS)).body.data.items, []);
  const found = (await owner.call("GET", `${PROPOSALS}?state=ACCEPTED`)).body.data.items;
  assertEquals(found, [accepted]);
});

Deno.test("A change is accepted as it was proposed, or goes stale with its record", async () => {
  const { owner, helper, record, key } = await setUp();
  const change = { summary: "New", payload: { notes: "New" }, payloadRemove: ["dueAt"] };
  const id = await propose(helper, "propose_change", { ...key, ...change });
  const { kind, target, expectedRevision, body } =
    (await owner.call("GET", `${PROPOSALS}/${id}`)).body.data;
  assertEquals([kind, target, expectedRevision, body], ["CHANGE", record.recordId, 1, change]);
  const { result } = (await decide(owner, id, "accept")).body.data;
  assertEquals(result, { recordId: record.recordId, revision: 2 });
  const path = `/api/v2/records/commitment/${record.recordId}`;
  const changed = (await owner.call("GET", path)).body.data;
  assertEquals([changed.summary, changed.payload.notes], ["New", "New"]);
  const stale = await propose(helper, "propose_change", {
    ...key,
    expectedRevision: 2,
    title: "Other",
  });
  await owner.call("PATCH", path, { body: { title: "Mine" } });
  assertEquals(await stateOf(owner, stale), "STALE");
  for (const how of ["accept", "reject"] as const) {
    const response = await decide(owner, stale, how);
    assertEquals(response.body.error.code, "PROPOSAL_STATE_CONFLICT");
  }
  assertEquals((await owner.call("GET", path)).body.data.title, "Mine");
});

Deno.test("A proposal states clocks, and one that returns a time as it was read keeps its clock", async () => {
  const { owner, helper } = await setUp();
  const dueAt = "2025-11-01T08:00:00+09:00[Asia/Tokyo]";
  const shown = { dueAt: "2025-11-01T08:00:00.000+09:00[Asia/Tokyo]" };
  const accept = async (tool: string, args: Json): Promise<Json> => {
    const id = await propose(helper, tool, { moduleCode: "commitment", ...args });
    const { body, result } = (await decide(owner, id, "accept")).body.data;
    assertEquals(body.payload, args.payload);
    return (await owner.call("GET", `/api/v2/records/commitment/${result.recordId}`)).body.data;
  };
  const made = await accept("propose_record", {
    title: "A",
    payload: { ...COMMITMENT, dueAt },
  });
  assertEquals(made.localTimes, shown);
  const { recordId, payload } = made;
  const read = { payload: { dueAt: payload.dueAt, notes: "New" } };
  const kept = await accept("propose_change", { recordId, expectedRevision: 1, ...read });
  assertEquals([kept.payload.notes, kept.localTimes], ["New", shown]);

  const key = { moduleCode: "commitment", recordId, expectedRevision: 2 };
  const refused: Readonly<Record<string, string>> = {
    [dueAt]: "proposal.no_change",
    [payload.dueAt]: "proposal.no_change",
    "2025-11-01T08:00:00+08:00[Asia/Tokyo]": "field.time_offset",
    "2025-11-01T08:00:00+09:00[Mars/Olympus]": "field.time_zone",
  };
  for (const [dueAt, rule] of Object.entries(refused)) {
    world().advance(60_000);
    const result = await helper.call("propose_change", { ...key, payload: { dueAt } });
    assertEquals(refusal(result).details.rules, [rule], dueAt);
    assert(!JSON.stringify(result).includes(dueAt), dueAt);
  }
  const offset = "2025-11-01T08:00:00+09:00";
  const { localTimes } = await accept("propose_change", { ...key, payload: { dueAt: offset } });
  assertEquals(localTimes, { dueAt: "2025-11-01T08:00:00.000+09:00" });
  const told = await world().rows(`select to_json(a) as row from audit_entries a
    union all select to_json(e) from access_events e`);
  assert(!/Tokyo|Mars/.test(JSON.stringify([told, world().log])));
});

Deno.test("A text for a memory stays beside the owner's words", async () => {
  const { owner, helper } = await setUp();
  const { memoryId } = await newMemory(owner);
  const args = { memoryId, expectedRevision: 1, aiDraft: "We swam until dusk." };
  const id = await propose(helper, "propose_memory_text", args);
  const accepted = (await decide(owner, id, "accept")).body.data;
  assertEquals(accepted.result, { recordId: memoryId, revision: 2 });
  const memory = (await owner.call("GET", `/api/v2/memory/texts/${memoryId}`)).body.data;
  assertEquals(
    [memory.currentContent, memory.aiDraft, memory.aiDraftProvider],
    ["We swam.", "We swam until dusk.", "Helper"],
  );
  const same = { ...args, expectedRevision: 2 };
  const unchanged = await propose(helper, "propose_memory_text", same);
  const kept = (await decide(owner, unchanged, "accept")).body.data;
  assertEquals([kept.state, kept.result], ["ACCEPTED", { recordId: memoryId, revision: 2 }]);
  const secret = await propose(helper, "propose_memory_text", { ...same, aiDraft: "More" });
  await owner.call("POST", `/api/v2/memory/texts/${memoryId}/privacy`, {
    body: { expectedRevision: 2, privacyLevel: "SECRET" },
    key: ulid(),
  });
  assertEquals(await stateOf(owner, secret), "STALE");
  const after = { ...same, expectedRevision: 3, aiDraft: "More" };
  assertEquals(refusal(await helper.call("propose_memory_text", after)).code, "RECORD_NOT_FOUND");
});

Deno.test("Proposals are refused by the checks of the ordinary write, in their order", async () => {
  const { owner, helper, key } = await setUp();
  const person = await createPerson(owner, { personName: "Ana" });
  const code = async (tool: string, args: Json) => {
    // Refused calls of one minute are combined.
    world().advance(60_000);
    return refusal(await helper.call(tool, args));
  };
  const record = { title: "A", payload: {} };
  const refused: readonly [string, Json, string][] = [
    ["propose_record", { moduleCode: "action", ...record }, "RECORD_MODULE_NOT_FOUND"],
    ["propose_record", { moduleCode: "none", ...record }, "RECORD_MODULE_NOT_FOUND"],
    [
      "propose_record",
      { moduleCode: "memory", ...record },
      "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED",
    ],
    [
      "propose_change",
      { ...key, moduleCode: "relationship", recordId: person.personId },
      "RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED",
    ],
    ["propose_change", { ...key, recordId: ulid() }, "RECORD_NOT_FOUND"],
    ["propose_change", { ...key, expectedRevision: 9 }, "REVISION_CONFLICT"],
    [
      "propose_memory_text",
      { memoryId: ulid(), expectedRevision: 1, aiDraft: "A" },
      "RECORD_NOT_FOUND",
    ],
  ];
  for (const [tool, args, expected] of refused) {
    assertEquals((await code(tool, args)).code, expected, JSON.stringify(args));
  }
  const rules: readonly [string, Json, string[], string[]][] = [
    ["propose_change", key, ["proposal.no_change"], []],
    ["propose_change", { ...key, payload: { notes: "Old" } }, ["proposal.no_change"], []],
    ["propose_change", { ...key, title: "Ladder" }, ["proposal.no_change"], []],
    ["propose_change", { ...key, payload: { content: "X" } }, ["proposal.hidden_field"], [
      "content",
    ]],
    ["propose_change", { ...key, payloadRemove: ["content"] }, ["proposal.hidden_field"], [
      "content",
    ]],
    ["propose_change", { ...key, payload: { notes: 1 } }, ["field.type"], ["notes"]],
  ];
  for (const [tool, args, broken, fields] of rules) {
    const { code: found, details } = await code(tool, args);
    assertEquals([found, details.rules, details.fields ?? []], ["PAYLOAD_INVALID", broken, fields]);
  }
  const { details } = await code("propose_record", { moduleCode: "commitment", ...record });
  assert(details.fields.includes("content"));
  const shown = await createAssistant(world(), owner, {
    modules: ["commitment"],
    mayPropose: true,
    sensitive: "SHOWN",
  });
  await propose(shown, "propose_change", { ...key, payload: { content: "Seen" } });
  await propose(helper, "propose_record", {
    moduleCode: "commitment",
    ...record,
    payload: COMMITMENT,
  });
  const trail = (await owner.call("GET", "/api/v2/audit?kind=access&limit=100")).body.data.items;
  const proposed = trail.filter(({ event }: Json) => event === "ASSISTANT_PROPOSED");
  assertEquals(proposed.length, refused.length + rules.length + 3);
  assert(proposed.every(({ records }: Json) => records === 0));
});

Deno.test("An equal proposal is the same one, and fifty may be pending", async () => {
  const { owner, helper, key } = await setUp();
  const id = await propose(helper, "propose_change", { ...key, title: "Title 0" });
  assertEquals(await propose(helper, "propose_change", { ...key, title: "Title 0" }), id);
  for (let count = 1; count < 50; count++) {
    await propose(helper, "propose_change", { ...key, title: `Title ${count}` });
  }
  const { code, details } = refusal(
    await helper.call("propose_change", { ...key, title: "Title 50" }),
  );
  assertEquals([code, details], ["PAYLOAD_INVALID", { rules: ["proposal.count"], limit: 50 }]);
  assertEquals(await propose(helper, "propose_change", { ...key, title: "Title 0" }), id);
  assertEquals((await walkPages(owner, PROPOSALS, { limit: "20" })).map((page) => page.length), [
    20,
    20,
    10,
  ]);
  world().advance(1);
  await decide(owner, id, "reject");
  const next = await propose(helper, "propose_change", { ...key, title: "Title 0" });
  assert(next !== id);
  const of = async (query: string) =>
    (await owner.call("GET", `${PROPOSALS}?limit=100&${query}`)).body.data.items.length;
  assertEquals(await of(`assistantId=${helper.id}`), 50);
  assertEquals(await of(`assistantId=${ulid()}`), 0);
  assertEquals(await of("state=REJECTED"), 1);
  const [entry] = (await owner.call("GET", "/api/v2/audit")).body.data.items;
  assertEquals([entry.operation, entry.subjectId, "viaAssistant" in entry], [
    "proposal.reject",
    id,
    false,
  ]);
});

Deno.test("A proposal expires after 14 days, and a revoked assistant's proposals stay", async () => {
  await using own = await createWorld({ assistants: LIMITS });
  const { owner, helper, key } = await setUp(own);
  const id = await propose(helper, "propose_change", { ...key, title: "Late" });
  await owner.call("POST", `/api/v2/auth/assistants/${helper.id}/revoke`);
  own.advance(14 * DAY_MS - 1);
  assertEquals(await stateOf(owner, id), "PENDING");
  own.advance(1);
  assertEquals(await stateOf(owner, id), "EXPIRED");
  await owner.call("PATCH", `/api/v2/records/commitment/${key.recordId}`, { body: { title: "B" } });
  assertEquals(await stateOf(owner, id), "EXPIRED");
  assertEquals((await decide(owner, id, "accept")).body.error.code, "PROPOSAL_STATE_CONFLICT");
});

Deno.test("Only sessions with the permission decide; strangers find nothing", async () => {
  const { owner, helper, key } = await setUp();
  const { memoryId } = await newMemory(owner);
  const change = await propose(helper, "propose_change", { ...key, title: "New" });
  const text = { memoryId, expectedRevision: 1, aiDraft: "A" };
  const memory = await propose(helper, "propose_memory_text", text);
  const { token } = await makeToken(world(), owner, { permissions: ["record.read"] });
  const program = callerOf(world().app, { ...owner, secret: token });
  assertRefused(await program.call("GET", PROPOSALS), "FORBIDDEN");
  const stranger = await world().createCaller();
  for (const how of ["accept", "reject"] as const) {
    assertRefused(await decide(stranger, change, how), "RECORD_NOT_FOUND");
    const keyless = await owner.call("POST", `${PROPOSALS}/${change}/${how}`);
    assertEquals(keyless.body.error.code, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
  }
  assertRefused(await stranger.call("GET", `${PROPOSALS}/${change}`), "RECORD_NOT_FOUND");
  await world().raw(`update accounts set role = 'VIEWER' where account_id = '${owner.accountId}'`);
  for (const id of [change, memory]) assertRefused(await decide(owner, id, "accept"), "FORBIDDEN");
  assertEquals(await stateOf(owner, change), "PENDING");
});

Deno.test("The maintenance window freezes proposals and acceptances, and no rejection", async () => {
  await using own = await createWorld({ assistants: LIMITS });
  const { owner, helper, key } = await setUp(own);
  const { memoryId } = await newMemory(owner);
  const text = { memoryId, expectedRevision: 1, aiDraft: "A" };
  const one = await propose(helper, "propose_change", { ...key, title: "One" });
  const two = await propose(helper, "propose_change", { ...key, title: "Two" });
  const memory = await propose(helper, "propose_memory_text", text);
  await setMaintenance(own.database, true);
  for (
    const [tool, args] of [
      ["propose_change", { ...key, expectedRevision: 9, title: "Three" }],
      ["propose_record", { moduleCode: "commitment", title: "A", payload: {} }],
      ["propose_memory_text", { ...text, memoryId: ulid() }],
    ] as const
  ) {
    assertEquals(refusal(await helper.call(tool, args)).code, "SYSTEM_MAINTENANCE");
  }
  assertEquals((await decide(owner, one, "accept")).body.error.code, "SYSTEM_MAINTENANCE");
  assertEquals((await decide(owner, two, "reject")).body.data.state, "REJECTED");
  assertEquals((await decide(owner, memory, "accept")).body.data.state, "ACCEPTED");
  await setMaintenance(own.database, false);
  assertEquals((await decide(owner, one, "accept")).body.data.state, "ACCEPTED");
  await own.raw(`update accounts set frozen_at = now() where account_id = '${owner.accountId}'`);
  const frozen = await helper.call("propose_change", { ...key, title: "Three" });
  assertEquals(refusal(frozen).code, "SYSTEM_MAINTENANCE");
  assertEquals((await helper.call("list_modules")).isError, undefined);
});

Deno.test("Of many decisions at once one wins, and one revision is written", async () => {
  const { owner, helper, key } = await setUp();
  const path = `/api/v2/records/commitment/${key.recordId}`;
  let revision = 1;
  for (let round = 0; round < 6; round++) {
    const args = { ...key, expectedRevision: revision, title: `Round ${round}` };
    const id = await propose(helper, "propose_change", args);
    const edit = () => owner.call("PATCH", path, { body: { summary: `Edit ${round}` } });
    const calls = [
      decide(owner, id, "accept"),
      decide(owner, id, "accept"),
      ...(round % 3 === 1 ? [decide(owner, id, "reject")] : []),
      ...(round % 3 === 2 ? [edit()] : []),
    ];
    const answers = await Promise.all(calls);
    const decided = round % 3 === 2 ? answers.slice(0, 2) : answers;
    const won = decided.filter(({ status }) => status === 200).length;
    assert(round % 3 === 2 ? won <= 1 : won === 1, JSON.stringify(answers.map(({ text }) => text)));
    for (const { status, body } of decided) {
      if (status !== 200) assertEquals(body.error.code, "PROPOSAL_STATE_CONFLICT");
    }
    const before = revision;
    revision = (await owner.call("GET", path)).body.data.revision;
    const state = await stateOf(owner, id);
    const edits = round % 3 === 2 ? 1 : 0;
    assertEquals(revision - before, edits + (state === "ACCEPTED" ? 1 : 0));
  }
  const record = { moduleCode: "commitment", title: "Once", payload: COMMITMENT };
  const id = await propose(helper, "propose_record", record);
  const answers = await Promise.all([1, 2, 3].map(() => decide(owner, id, "accept")));
  assertEquals(answers.filter(({ status }) => status === 200).length, 1);
  const made = (await readPage(owner, "/api/v2/records/commitment")).items;
  assertEquals(made.filter(({ title }) => title === "Once").length, 1);
});
