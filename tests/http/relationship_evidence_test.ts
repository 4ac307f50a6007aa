/** REL-006: evidence, controls, and SECRET in every ledger. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sha256Hex } from "../../src/core/digest.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { post, read } from "../families/memory/api.ts";
import {
  CONTACT,
  contact,
  control,
  createPerson,
  current,
  EVIDENCE,
  evidence,
  EXPERIENCE,
  experience,
  move,
  personPath,
  reclassified,
  RETRACTED,
  withoutSecrets,
} from "../families/relationship/api.ts";

const world = sharedWorld();

function supersededBy(entry: Json): JsonObject {
  return { kind: "SUPERSEDED", supersededBy: entry.evidenceId };
}

function pathOf(entry: Json): string {
  return personPath(entry, `/evidence/${entry.evidenceId}`);
}

Deno.test("Evidence reads back exactly, with the hash of its content", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const path = personPath(known, "/evidence");
  const sent = {
    stance: "COUNTER",
    content: " Ä\n🙂 ",
    sourceKind: "RECORD",
    sourceRef: ulid(),
    privacy: "PRIVATE",
    providerConsent: true,
  };
  const response = await post(caller, path, sent);
  assertEquals(response.status, 201, response.text);
  const made = response.body.data;
  assertEquals(response.headers.get("Location"), `${path}/${made.evidenceId}`);
  assertEquals(made, {
    evidenceId: made.evidenceId,
    personId: known.personId,
    ...sent,
    effectivePrivacy: "PRIVATE",
    state: "LIVE",
    supersededBy: null,
    contentHash: sha256Hex(sent.content),
    recordedAt: world().now().toISOString(),
  });
  assertEquals(await read(caller, pathOf(made)), made);
  assertEquals(await current(caller, known), known);
  // The origin need not exist, and other sources have no record.
  assertEquals((await evidence(caller, known)).sourceRef, null);
  assertEquals((await read(caller, personPath(known, "/timeline"))).items, []);
});

Deno.test("Invalid evidence is rejected with every wrong field, and writes nothing", async () => {
  const caller = await world().createCaller();
  const path = personPath(await createPerson(caller), "/evidence");
  await assertWritesNothing(world(), async () => {
    const cases: [Record<string, unknown>, string[], string[]][] = [
      [{ content: " \n" }, ["field.blank"], ["content"]],
      [{ content: "x".repeat(100_001) }, ["field.length"], ["content"]],
      [{ stance: "NEUTRAL" }, ["field.option"], ["stance"]],
      [{ sourceKind: "DREAM" }, ["field.option"], ["sourceKind"]],
      [{ providerConsent: "true" }, ["field.type"], ["providerConsent"]],
      [{ sourceKind: "RECORD" }, ["evidence.record_requires_source_ref"], [
        "sourceKind",
        "sourceRef",
      ]],
      [{ sourceKind: "RECORD", sourceRef: "a diary" }, ["field.identifier"], ["sourceRef"]],
      [{ sourceRef: ulid() }, ["evidence.source_ref_only_of_record"], ["sourceKind", "sourceRef"]],
      [{ effectivePrivacy: "SECRET" }, ["undeclared_field"], []],
    ];
    for (const [wrong, rules, fields] of cases) {
      const body = { ...EVIDENCE, ...wrong } as JsonObject;
      assertInvalid(await post(caller, path, body), rules, fields, rules[0]);
    }
    const required = ["stance", "content", "sourceKind", "privacy", "providerConsent"];
    assertInvalid(await post(caller, path, {}), ["field.required"], required);
  });
});

Deno.test("Each control accepts only its own members", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const [one, other] = [await evidence(caller, known), await evidence(caller, known)];
  await assertWritesNothing(world(), async () => {
    const cases: [JsonObject, string[], string[]][] = [
      [{ kind: "SUPERSEDED" }, ["control.parts"], ["kind", "supersededBy"]],
      [{ ...supersededBy(other), privacy: "SECRET" }, ["control.parts"], ["kind", "privacy"]],
      [{ ...supersededBy(other), kind: "RETRACTED" }, ["control.parts"], ["kind", "supersededBy"]],
      [{ kind: "PRIVACY_RECLASSIFIED" }, ["control.parts"], ["kind", "privacy"]],
      [{ ...reclassified("SECRET"), ...supersededBy(other), kind: "PRIVACY_RECLASSIFIED" }, [
        "control.parts",
      ], ["kind", "supersededBy"]],
      [{ kind: "LIVE" }, ["field.option"], ["kind"]],
      [{ ...RETRACTED, reason: "A" }, ["undeclared_field"], []],
      [{ kind: "SUPERSEDED", supersededBy: "it" }, ["field.identifier"], ["supersededBy"]],
    ];
    for (const [body, rules, fields] of cases) {
      assertInvalid(await control(caller, one, body), rules, fields, JSON.stringify(body));
    }
  });
});

Deno.test("Evidence ends once, by retraction or by live evidence about the same person", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const [known, another] = [await createPerson(caller), await createPerson(caller)];
  const make = () => evidence(caller, known);
  const [one, two, three, four] = [await make(), await make(), await make(), await make()];
  const foreign = await evidence(stranger, await createPerson(stranger));
  const elsewhere = await evidence(caller, another);
  const superseded = await control(caller, one, supersededBy(two));
  assertEquals([superseded.status, superseded.body.data], [200, {
    ...one,
    state: "SUPERSEDED",
    supersededBy: two.evidenceId,
  }]);
  assertEquals(superseded.headers.get("Location"), null);
  assertEquals(await read(caller, pathOf(one)), superseded.body.data);
  const retracted = await control(caller, two, RETRACTED);
  assertEquals(retracted.body.data, { ...two, state: "RETRACTED" });
  // The superseding evidence may end.
  assertEquals((await read(caller, pathOf(one))).supersededBy, two.evidenceId);
  const refusals: [Json, JsonObject, ErrorCode][] = [
    [three, supersededBy({ evidenceId: ulid() }), "RECORD_NOT_FOUND"],
    [three, supersededBy(foreign), "RECORD_NOT_FOUND"],
    [three, supersededBy(three), "RELATIONSHIP_ENTRY_CONFLICT"],
    [three, supersededBy(elsewhere), "RELATIONSHIP_ENTRY_CONFLICT"],
    [three, supersededBy(one), "RELATIONSHIP_ENTRY_CONFLICT"],
    [three, supersededBy(two), "RELATIONSHIP_ENTRY_CONFLICT"],
    [one, supersededBy(four), "RELATIONSHIP_ENTRY_CONFLICT"],
    [one, RETRACTED, "RELATIONSHIP_ENTRY_CONFLICT"],
    [two, RETRACTED, "RELATIONSHIP_ENTRY_CONFLICT"],
    // Missing precedes ended.
    [one, supersededBy({ evidenceId: ulid() }), "RECORD_NOT_FOUND"],
    [{ ...three, ...another }, RETRACTED, "RECORD_NOT_FOUND"],
    [{ ...three, evidenceId: ulid() }, RETRACTED, "RECORD_NOT_FOUND"],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [entry, body, code] of refusals) {
      assertFailure(await control(caller, entry, body), code, JSON.stringify(body));
    }
  });
});

Deno.test("Privacy can be raised, also of ended evidence, and never lowered", async () => {
  const caller = await world().createCaller();
  const entry = await evidence(caller, await createPerson(caller));
  const set = (privacy: string) => control(caller, entry, reclassified(privacy));
  const raised = await set("PRIVATE");
  assertEquals(raised.body.data, { ...entry, effectivePrivacy: "PRIVATE" });
  await control(caller, entry, RETRACTED);
  await assertWritesNothing(world(), async () => {
    assertFailure(await set("NORMAL"), "PRIVACY_DOWNGRADE_FORBIDDEN");
  });
  const secret = await set("SECRET");
  assertEquals(secret.body.data, { ...entry, effectivePrivacy: "SECRET", state: "RETRACTED" });
  await assertWritesNothing(world(), async () => {
    for (const level of ["NORMAL", "PRIVATE"]) {
      assertFailure(await set(level), "PRIVACY_DOWNGRADE_FORBIDDEN", level);
    }
  });
  const counted = () =>
    world().rows(`
      select (select count(*) from person_evidence_controls c
               where c.evidence_id = '${entry.evidenceId}')::integer as controls,
             (select count(*) from audit_entries a
               where a.owner_id = '${caller.accountId}')::integer as audited`);
  const before = await counted();
  const same = await set("SECRET");
  assertEquals([same.status, same.body.data], [200, secret.body.data]);
  assertEquals(await counted(), before);
});

Deno.test("Replays show evidence as it was right after each write", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const other = await evidence(caller, known);
  const list = personPath(known, "/evidence");
  const making = ulid();
  const made = await caller.call("POST", list, { key: making, body: EVIDENCE });
  const entry = made.body.data;
  const bodies = [
    reclassified("NORMAL"),
    reclassified("PRIVATE"),
    reclassified("PRIVATE"),
    supersededBy(other),
    reclassified("PRIVATE"),
    reclassified("SECRET"),
    reclassified("SECRET"),
  ];
  const sent: { key: string; body: JsonObject; data: Json }[] = [];
  for (const body of bodies) {
    const key = ulid();
    const response = await control(caller, entry, body, key);
    assertEquals(response.status, 200, response.text);
    sent.push({ key, body, data: response.body.data });
  }
  await control(caller, other, RETRACTED);
  await move(caller, known, "SEALED");
  await assertWritesNothing(world(), async () => {
    const again = await caller.call("POST", list, { key: making, body: EVIDENCE });
    assertEquals([again.status, again.body.data], [201, entry]);
    for (const { key, body, data } of sent) {
      const repeated = await control(caller, entry, body, key);
      assertEquals([repeated.status, repeated.body.data], [200, data], JSON.stringify(body));
      assertEquals(repeated.headers.get("Idempotency-Replayed"), "true");
    }
  });
  const audited = await world().rows(`
    select a.subject_id = c.control_id as named, a.revision from audit_entries a
      left join person_evidence_controls c on c.control_id = a.subject_id
     where a.owner_id = '${caller.accountId}' and a.operation = 'relationship.evidence.control'`);
  const named = Array.from({ length: 4 }, () => ({ named: true, revision: null }));
  assertEquals(audited, named);
  // Neither evidence nor controls append a person revision.
  const created = await world().rows(`
    select subject_id, revision from audit_entries
     where owner_id = '${caller.accountId}' and operation = 'relationship.evidence.create'
     order by subject_id`);
  const ids = [other.evidenceId, entry.evidenceId].sort();
  assertEquals([...created], ids.map((subject_id) => ({ subject_id, revision: null })));
});

const LOCAL = "2019-08-02T20:00:00+09:00[Asia/Tokyo]";

/** Replacement of hidden members by kind. */
const HIDDEN = {
  contacts: { note: null, contentHash: null, localTimes: {}, redacted: true },
  experiences: {
    title: "",
    narrative: null,
    timeText: null,
    contentHash: null,
    localTimes: {},
    redacted: true,
  },
  evidence: { content: null, sourceRef: null, contentHash: null, redacted: true },
} as const;

Deno.test("Without access to secrets SECRET entries show no text, also own ones", async () => {
  const caller = await world().createCaller();
  const reader = await withoutSecrets(world(), caller);
  const known = await createPerson(caller);
  const kinds = [
    ["contacts", contact, { ...CONTACT, contactedAt: LOCAL }, "contactId"],
    [
      "experiences",
      experience,
      { ...EXPERIENCE, occurredAt: LOCAL, timeText: "then" },
      "experienceId",
    ],
    ["evidence", evidence, { ...EVIDENCE, sourceKind: "RECORD", sourceRef: ulid() }, "evidenceId"],
  ] as const;
  for (const [kind, append, body, id] of kinds) {
    const secret = await append(caller, known, { ...body, privacy: "SECRET" });
    world().advance(2);
    const open = await append(caller, known, { ...body, privacy: "PRIVATE" });
    const hidden = { ...secret, ...HIDDEN[kind] };
    const path = personPath(known, `/${kind}`);
    assertEquals(await read(caller, `${path}/${secret[id]}`), secret);
    assertEquals(await read(reader, `${path}/${secret[id]}`), hidden);
    assertEquals((await walkPages(reader, path, { limit: "1" })).flat(), [open, hidden]);
    const key = ulid();
    const sent = { ...body, privacy: "SECRET" };
    const own = await reader.call("POST", path, { key, body: sent });
    assertEquals(own.status, 201, own.text);
    const { redacted, [Object.keys(HIDDEN[kind])[0] ?? ""]: word } = own.body.data;
    assertEquals([redacted, word === null || word === ""], [true, true]);
    const replay = await reader.call("POST", path, { key, body: sent });
    assertEquals([replay.status, replay.body.data], [201, own.body.data]);
    // Replays respect current access.
    const whole = await caller.call("POST", path, { key, body: sent });
    assertEquals([whole.headers.get("Idempotency-Replayed"), whole.body.data.redacted], [
      "true",
      undefined,
    ]);
  }
});

Deno.test("Without access to secrets a SECRET entry cannot be controlled, in any state", async () => {
  const caller = await world().createCaller();
  const reader = await withoutSecrets(world(), caller);
  const known = await createPerson(caller);
  const call = await contact(caller, known, { privacy: "SECRET" });
  const open = await evidence(caller, known);
  const secret = await evidence(caller, known, { privacy: "SECRET" });
  const raised = await evidence(caller, known);
  await control(caller, raised, reclassified("SECRET"));
  const ended = await evidence(caller, known, { privacy: "SECRET" });
  await control(caller, ended, RETRACTED);
  await assertWritesNothing(world(), async () => {
    assertFailure(await control(reader, call, RETRACTED), "FORBIDDEN");
    for (const entry of [secret, raised, ended]) {
      for (const body of [RETRACTED, supersededBy(open), reclassified("NORMAL")]) {
        assertFailure(await control(reader, entry, body), "FORBIDDEN", JSON.stringify(body));
      }
    }
    // Missing entries come first.
    const unknown = supersededBy({ evidenceId: ulid() });
    assertFailure(await control(reader, secret, unknown), "RECORD_NOT_FOUND");
  });
  // A reader without access to secrets may make an entry SECRET.
  const closing = await control(reader, open, reclassified("SECRET"));
  assertEquals(closing.body.data, { ...open, effectivePrivacy: "SECRET", ...HIDDEN.evidence });
});

Deno.test("A page of long entries ends before its limit, and hidden ones do not count", async () => {
  const caller = await world().createCaller();
  const reader = await withoutSecrets(world(), caller);
  const known = await createPerson(caller);
  const content = "🚀".repeat(100_000);
  for (let index = 0; index < 22; index++) {
    await evidence(caller, known, { content, privacy: "SECRET" });
  }
  const path = personPath(known, "/evidence");
  const pages = await walkPages(caller, path, { limit: "100" });
  assertEquals([pages.length, pages.flat().length], [2, 22]);
  assertEquals((await walkPages(reader, path, { limit: "100" })).length, 1);
});
