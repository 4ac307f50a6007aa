import { assert, assertArrayIncludes, assertEquals } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { textarea } from "../../../src/catalog/fields.ts";
import type { CatalogModule, Field } from "../../../src/catalog/module.ts";
import { CAPTURE } from "../../../src/catalog/modules/capture.ts";
import { COMMITMENT } from "../../../src/catalog/modules/commitment.ts";
import { DECISION } from "../../../src/catalog/modules/decision.ts";
import { IDENTITY } from "../../../src/catalog/modules/identity.ts";
import { MEDIA } from "../../../src/catalog/modules/media.ts";
import { TIMELINE } from "../../../src/catalog/modules/timeline.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import { applyPolicy, checkPatch } from "../../../src/catalog/policy.ts";
import { PAYLOAD_BYTE_LIMIT } from "../../../src/catalog/payload_size.ts";
import { joinLocalTimes } from "../../../src/validate/local_time.ts";
import { creationContext, randomPayload } from "../../support/payloads.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { refusalOf } from "../../support/refusals.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const ULID = "01JD5A0000000000000000TEST";
const CONTEXT = { now: NOW, recordId: ULID };
const PROMISE: JsonObject = {
  commitmentType: "OUTGOING",
  content: "I will water the plants",
  completionStatus: "OPEN",
};

function create(module: CatalogModule, payload: JsonObject) {
  return applyPolicy(module, payload, creationContext(payload, NOW));
}

function refusedCreation(module: CatalogModule, payload: JsonObject) {
  return refusalOf(() => create(module, payload));
}

Deno.test("applyPolicy() accepts a payload and keeps its text as written", () => {
  const payload = { ...PROMISE, counterparty: "  Zoe\u0308 " };
  assertEquals(create(COMMITMENT, payload), { payload, clocks: {}, references: [] });
});

Deno.test("applyPolicy() writes times in UTC and does not change its argument", () => {
  const payload = { ...PROMISE, dueAt: "2027-01-01T00:30:00.5+01:00" };
  const result = create(COMMITMENT, payload);
  assertEquals(result.payload, { ...PROMISE, dueAt: "2026-12-31T23:30:00.500Z" });
  assertEquals(result.clocks, { dueAt: "+01:00" });
  assertEquals(payload.dueAt, "2027-01-01T00:30:00.5+01:00");
});

Deno.test("applyPolicy() rejects an undeclared field without naming it", () => {
  for (const name of ["ownerId", "toString", "hasOwnProperty", "valueOf", ""]) {
    assertEquals(refusedCreation(COMMITMENT, { ...PROMISE, [name]: "x" }), {
      rules: ["undeclared_field"],
      fields: [],
    });
  }
});

Deno.test("applyPolicy() rejects an own key named like an inherited member", () => {
  const payload: JsonObject = JSON.parse('{"__proto__":{"content":"x"},"constructor":1}');
  assertEquals(refusedCreation(COMMITMENT, payload)?.rules, ["field.required", "undeclared_field"]);
});

Deno.test("applyPolicy() rejects a payload without its required fields", () => {
  assertEquals(refusedCreation(COMMITMENT, {}), {
    rules: ["field.required"],
    fields: ["commitmentType", "content", "completionStatus"],
  });
});

Deno.test("applyPolicy() rejects null, which is not a value", () => {
  assertEquals(refusedCreation(COMMITMENT, { ...PROMISE, notes: null }), {
    rules: ["field.null"],
    fields: ["notes"],
  });
});

Deno.test("applyPolicy() reports every violation once, rules before fields", () => {
  const payload = {
    dueAt: "tomorrow",
    notes: 1,
    content: 2,
    completionStatus: "OPEN",
    completedAt: "2027-01-01T00:00:00Z",
    secretNote: "mine",
  };
  assertEquals(refusedCreation(COMMITMENT, payload), {
    rules: [
      "commitment.completed_at_requires_completed",
      "commitment.completed_at_not_in_the_future",
      "field.type",
      "field.datetime",
      "field.required",
      "undeclared_field",
    ],
    fields: ["completedAt", "completionStatus", "content", "dueAt", "notes", "commitmentType"],
  });
});

Deno.test("applyPolicy() normalises before it checks", () => {
  const tags = Array.from({ length: 60 }, (_, index) => `tag ${index % 30}`);
  const { payload } = create(IDENTITY, { displayName: "Ada", tags });
  assertEquals(payload.tags, tags.slice(0, 30));
});

Deno.test("applyPolicy() removes the start of an event whose time becomes unknown", () => {
  const event: JsonObject = {
    eventType: "TRAVEL",
    eventTitle: "To the sea",
    eventDescription: "By train",
    timePrecision: "UNKNOWN",
    startAt: "2020-01-01T00:00:00.000Z",
  };
  const context = { ...creationContext(event, NOW), set: new Set(["timePrecision"]) };
  assertEquals("startAt" in applyPolicy(TIMELINE, event, context).payload, false);
  assertEquals(refusedCreation(TIMELINE, event), {
    rules: ["timeline.unknown_time_forbids_start_at"],
    fields: ["startAt", "timePrecision"],
  });
});

Deno.test("applyPolicy() returns the attachments that a payload names, each once", () => {
  const capture = {
    contentType: "IMAGE",
    originalContent: "a picture",
    targetModule: "media",
    capturedAt: NOW.toISOString(),
    routeStatus: "ROUTED",
    attachmentIds: [ULID, ULID, `${ULID.slice(0, -1)}0`],
  };
  const result = create(CAPTURE, capture);
  const ids = [ULID, `${ULID.slice(0, -1)}0`];
  assertEquals(
    result.references,
    ids.map((attachmentId) => ({ field: "attachmentIds", attachmentId })),
  );
  assertEquals(result.payload.attachmentIds, ids);
  assertEquals(create(MEDIA, { mediaType: "PHOTO", fileId: ULID }).references, [
    { field: "fileId", attachmentId: ULID },
  ]);
});

Deno.test("applyPolicy() accepts a payload of 512 KiB and rejects a larger one", () => {
  const diary: CatalogModule = {
    ...COMMITMENT,
    rules: [],
    fields: [{ ...textarea("text"), maximumLength: PAYLOAD_BYTE_LIMIT }],
  };
  const room = PAYLOAD_BYTE_LIMIT - '{"text":""}'.length;
  const tooLarge = { rules: ["payload.bytes"], fields: [] };
  assertEquals(refusedCreation(diary, { text: "a".repeat(room) }), null);
  assertEquals(refusedCreation(diary, { text: "a".repeat(room + 1) }), tooLarge);
  // Three UTF-8 bytes a character, and two characters of JSON for a line feed.
  assertEquals(
    refusedCreation(diary, { text: "\u0800".repeat(Math.floor(room / 3) + 1) }),
    tooLarge,
  );
  assertEquals(refusedCreation(diary, { text: "\n".repeat(Math.floor(room / 2)) }), null);
  assertEquals(refusedCreation(diary, { text: "\n".repeat(Math.floor(room / 2) + 1) }), tooLarge);
});

Deno.test("applyPolicy() accepts random valid payloads, and is idempotent", () => {
  for (const module of CATALOG.modules) {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed);
      const payload = withOffsets(module, randomPayload(module, random, { now: NOW }), random);
      const context = creationContext(payload, NOW);
      const refusal = refusalOf(() => applyPolicy(module, payload, context));
      assertEquals(refusal, null, `${module.code}, seed ${seed}`);
      const once = applyPolicy(module, payload, context);
      const stored = joinLocalTimes(once.payload, once.clocks);
      assertEquals(applyPolicy(module, stored, context), once, `${module.code}, ${seed}`);
      assertEquals(create(module, stored), once, `${module.code}, seed ${seed}`);
      assertEquals(refusalOf(() => checkPatch(module, payload, [], CONTEXT)), null);
      for (const [name, value] of Object.entries(payload)) {
        const alone = refusalOf(() => checkPatch(module, { [name]: value }, [], CONTEXT));
        assertEquals(alone, null, `${module.code}.${name}, seed ${seed}`);
      }
    }
  }
});

function withOffsets(module: CatalogModule, payload: JsonObject, random: Random): JsonObject {
  const changed = { ...payload };
  for (const { name, edit } of module.fields) {
    const time = changed[name];
    if (edit !== "datetime" || typeof time !== "string" || random.chance(0.5)) continue;
    const local = new Date(Date.parse(time) + 3_600_000).toISOString();
    changed[name] = local.replace("Z", "+01:00");
  }
  return changed;
}

const SECRET = "hunter2 is my secret";

Deno.test("applyPolicy() rejects random mutations and reports declared names only", () => {
  for (const module of CATALOG.modules) {
    const declared = module.fields.map((field) => field.name);
    const known = new Set(module.rules.map((rule) => rule.name));
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed);
      const payload = randomPayload(module, random, { now: NOW });
      const mutated = mutate(module, payload, random);
      const refusal = refusedCreation(module, mutated);
      const label = `${module.code}, seed ${seed}: ${JSON.stringify(mutated)}`;
      assert(refusal !== null, label);
      assertArrayIncludes(declared, [...refusal.fields], label);
      for (const rule of refusal.rules) assert(known.has(rule) || isGeneralRule(rule), label);
      assert(!JSON.stringify(refusal).includes("hunter2"), label);
    }
  }
});

function isGeneralRule(rule: string): boolean {
  return /^(undeclared_field|field\.[a-z_]+|payload\.bytes)$/.test(rule);
}

/** One wrong, missing or undeclared field. */
function mutate(module: CatalogModule, payload: JsonObject, random: Random): JsonObject {
  const field = random.pick(module.fields);
  const mutated = { ...payload };
  switch (random.pick(["wrong", "missing", "undeclared"])) {
    case "missing":
      delete mutated[random.pick(module.fields.filter((each) => each.required)).name];
      return mutated;
    case "undeclared":
      return { ...mutated, [random.pick([SECRET, "ownerId", "toString"])]: SECRET };
    default:
      return { ...mutated, [field.name]: random.pick(wrongValues(field)) };
  }
}

function wrongValues(field: Field): JsonValue[] {
  switch (field.edit) {
    case "text":
      return [null, 7, [SECRET], `${SECRET}\u0007`, SECRET.repeat(200)];
    case "textarea":
      return [null, 7, [SECRET], `${SECRET}\u0000`, SECRET.repeat(6000)];
    case "tags":
      return [null, 7, SECRET, [SECRET, 7], [SECRET.repeat(4)], [" "]];
    case "file":
      return [null, SECRET, [SECRET], [7], [ULID.toLowerCase()]];
    case "number":
      return [null, SECRET, [1], 1e15, -1e15];
    default:
      return [null, SECRET, 7];
  }
}

Deno.test("applyPolicy() returns a result or an error for any JSON", () => {
  const random = seededRandom(99);
  for (let run = 0; run < 2_000; run++) {
    const module = random.pick(CATALOG.modules);
    const payload: JsonObject = {};
    for (const { name } of module.fields) {
      if (random.chance(0.8)) payload[name] = anyJson(random, 3);
    }
    const refusal = refusedCreation(module, payload);
    assert(refusal === null || refusal.rules.length > 0);
    refusalOf(() => checkPatch(module, payload, [module.code], CONTEXT));
  }
});

function anyJson(random: Random, depth: number): JsonValue {
  const kind = random.integer(0, depth > 0 ? 7 : 5);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick([0, -0, 1, 0.5, -1e300, 1e300]);
  if (kind === 3) return random.text(0, 10);
  if (kind === 4) return random.pick(["EXACT", "UNKNOWN", "2026-01-01T00:00:00Z", ULID, "\ud800"]);
  if (kind === 5) return [];
  const members = Array.from({ length: random.integer(0, 3) }, () => anyJson(random, depth - 1));
  if (kind === 6) return members;
  const names = ["items", "length", "toString", "a"];
  return Object.fromEntries(members.map((member) => [random.pick(names), member]));
}

Deno.test("checkPatch() accepts a valid change", () => {
  const patch = { dueAt: "2027-01-01T00:00:00+01:00", completionStatus: "OPEN" };
  assertEquals(
    refusalOf(() => checkPatch(COMMITMENT, patch, ["notes", "completedAt"], CONTEXT)),
    null,
  );
  assertEquals(refusalOf(() => checkPatch(COMMITMENT, {}, [], CONTEXT)), null);
});

Deno.test("checkPatch() leaves rules that depend on the record to applyPolicy()", () => {
  const patch = { completedAt: "2020-01-01T00:00:00Z" };
  assertEquals(refusalOf(() => checkPatch(COMMITMENT, patch, [], CONTEXT)), null);
});

Deno.test("checkPatch() rejects violations of single-field rules, for any record", () => {
  const later = { completedAt: "2026-11-20T12:05:00.001Z" };
  assertEquals(refusalOf(() => checkPatch(COMMITMENT, later, [], CONTEXT)), {
    rules: ["commitment.completed_at_not_in_the_future"],
    fields: ["completedAt"],
  });
  const options = (...items: string[]) => ({ options: { items } });
  for (
    const wrong of [options("A"), options("A", " A "), options("A", " "), { options: ["A", "B"] }]
  ) {
    assertEquals(refusalOf(() => checkPatch(DECISION, wrong, [], CONTEXT)), {
      rules: ["decision.options_are_distinct_texts"],
      fields: ["options"],
    });
  }
  const right = { ...options("A", "B", "A "), chosenOption: "C" };
  assertEquals(refusalOf(() => checkPatch(DECISION, right, [], CONTEXT)), null);
});

Deno.test("checkPatch() rejects values of the wrong type", () => {
  assertEquals(refusalOf(() => checkPatch(COMMITMENT, { notes: 1, dueAt: null }, [], CONTEXT)), {
    rules: ["field.null", "field.type"],
    fields: ["dueAt", "notes"],
  });
});

Deno.test("checkPatch() rejects undeclared names without naming them", () => {
  const expected = { rules: ["undeclared_field"], fields: [] };
  assertEquals(refusalOf(() => checkPatch(COMMITMENT, { toString: "x" }, [], CONTEXT)), expected);
  assertEquals(refusalOf(() => checkPatch(COMMITMENT, {}, ["hasOwnProperty"], CONTEXT)), expected);
});

Deno.test("checkPatch() rejects the removal of a required field", () => {
  assertEquals(refusalOf(() => checkPatch(COMMITMENT, {}, ["content", "notes"], CONTEXT)), {
    rules: ["field.required"],
    fields: ["content"],
  });
});

Deno.test("checkPatch() rejects a field that is set and removed", () => {
  assertEquals(refusalOf(() => checkPatch(COMMITMENT, { notes: "x" }, ["notes"], CONTEXT)), {
    rules: ["payload.set_and_removed"],
    fields: ["notes"],
  });
});
