/** Details of people. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sha256Hex } from "../../src/core/digest.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { canonicalJson } from "../../src/validate/canonical.ts";
import { createWorld, type Json, sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  setMaintenance,
  walkPages,
} from "./kernel.ts";
import { post, read } from "../families/memory/api.ts";
import {
  control,
  createPerson,
  current,
  DETAIL,
  detail,
  move,
  personPath,
  reclassified,
  RETRACTED,
  withoutSecrets,
} from "../families/relationship/api.ts";

const world = sharedWorld();

function supersededBy(entry: Json): JsonObject {
  return { kind: "SUPERSEDED", supersededBy: entry.detailId };
}

function pathOf(entry: Json): string {
  return personPath(entry, `/details/${entry.detailId}`);
}

Deno.test("A detail reads back exactly and appends a revision of its person", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const path = personPath(known, "/details");
  const sent = {
    kind: "ADDRESS",
    value: { street: "Ä 1\n2. 🙂", country: "Ö", types: ["home"] },
    label: "Old, flat",
    preferred: true,
    note: "Ring\ntwice",
    privacy: "NORMAL",
  };
  world().advance(1);
  const response = await post(caller, path, sent);
  assertEquals(response.status, 201, response.text);
  const made = response.body.data;
  assertEquals(response.headers.get("Location"), `${path}/${made.detailId}`);
  assertEquals(made, {
    detailId: made.detailId,
    personId: known.personId,
    ...sent,
    effectivePrivacy: "NORMAL",
    state: "LIVE",
    supersededBy: null,
    contentHash: sha256Hex(canonicalJson(sent.value)),
    personRevision: 2,
    recordedAt: world().now().toISOString(),
  });
  assertEquals(await read(caller, pathOf(made)), made);
  assertEquals((await current(caller, known)).revision, 2);
  const { items: [newest] } = await read(caller, personPath(known, "/revisions"));
  assertEquals(newest.change, "DETAIL_RECORDED");
  const { items: [event] } = await read(caller, "/api/v2/audit?limit=1");
  assertEquals([event.operation, event.subjectId, event.revision], [
    "relationship.detail.create",
    made.detailId,
    2,
  ]);
  assertEquals((await read(caller, personPath(known, "/timeline"))).items, []);
  const { label, preferred, note } = await detail(caller, known);
  assertEquals([label, preferred, note], [null, false, null]);
});

Deno.test("Every kind accepts its members and refuses others", async () => {
  const caller = await world().createCaller();
  const [known, friend] = [await createPerson(caller), await createPerson(caller)];
  const path = personPath(known, "/details");
  const valid: readonly [string, JsonObject][] = [
    ["NAME", { phonetic: "Lehna" }],
    ["EMAIL", { value: "not an address", service: "mail", types: ["home", "x-1"] }],
    ["URL", { value: "x".repeat(2_000) }],
    ["HANDLE", { value: "@lena", service: "Mastodon" }],
    ["ADDRESS", { extra: "a\nb" }],
    ["ORGANIZATION", { title: "Dr." }],
    ["DATE", { what: "BIRTHDAY", date: "--02-29" }],
    ["DATE", { what: "MET", date: "0001-01-01" }],
    ["DATE", { what: "OTHER", date: "9999" }],
    ["DATE", { what: "MET", date: "2001-05-06", yearly: true }],
    ["LINK", { personId: friend.personId, relation: "sister" }],
    ["LINK", { name: "Anna", relation: "sister" }],
    ["OTHER", { property: "X-Foo", value: "x".repeat(16 * 1024) }],
  ];
  for (const [kind, value] of valid) {
    const response = await post(caller, path, { ...DETAIL, kind, value });
    assertEquals([response.status, response.body.data?.value], [201, value], response.text);
  }
  const wrong: readonly [string, JsonObject, string, string[]][] = [
    ["NAME", {}, "detail.empty", ["value"]],
    ["NAME", { given: " " }, "field.blank", ["given"]],
    ["NAME", { given: "a\nb" }, "field.control_character", ["given"]],
    ["PHONE", { value: "x".repeat(2_001) }, "field.length", ["value"]],
    ["PHONE", { types: ["home"] }, "field.required", ["value"]],
    ["PHONE", { value: "1", types: [] }, "field.length", ["types"]],
    ["PHONE", { value: "1", types: ["Home"] }, "field.option", ["types"]],
    ["PHONE", { value: "1", types: ["home", "home"] }, "field.repeated", ["types"]],
    ["PHONE", { value: "1", number: "1" }, "undeclared_field", []],
    ["ADDRESS", { types: ["home"] }, "detail.empty", ["value"]],
    ["ADDRESS", { street: "a\tb" }, "field.control_character", ["street"]],
    ["ADDRESS", { locality: "a\nb" }, "field.control_character", ["locality"]],
    ["ORGANIZATION", {}, "detail.empty", ["value"]],
    ["DATE", { what: "BIRTH", date: "1984" }, "field.option", ["what"]],
    ["DATE", { what: "MET", date: "2001-05-06", yearly: "yes" }, "field.type", ["yearly"]],
    ["DATE", { what: "MET", date: "2001", yearly: false }, "detail.yearly", ["yearly"]],
    ...["--02-30", "1983-02-29", "84", "0000", "1984-02", "--13-01", "1984-2-9"].map((date) =>
      ["DATE", { what: "DEATH", date }, "detail.date", ["date"]] as [
        string,
        JsonObject,
        string,
        string[],
      ]
    ),
    ["LINK", { relation: "sister" }, "detail.empty", ["value"]],
    ["LINK", { name: "Anna" }, "field.required", ["relation"]],
    ["LINK", { personId: "anna", relation: "sister" }, "field.identifier", ["personId"]],
    ["OTHER", { property: "X_FOO", value: "1" }, "detail.property", ["property"]],
    ["OTHER", { property: "X-FOO", value: "ä".repeat(8 * 1024 + 1) }, "field.length", ["value"]],
    ["OTHER", { property: "X-FOO", value: "a\nb" }, "field.control_character", ["value"]],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [kind, value, rule, fields] of wrong) {
      const response = await post(caller, path, { ...DETAIL, kind, value });
      assertInvalid(response, [rule], fields, JSON.stringify([kind, value]));
    }
    const bodies: readonly [JsonObject, string, string[]][] = [
      [{ label: "x".repeat(65) }, "field.length", ["label"]],
      [{ note: "x".repeat(2_001) }, "field.length", ["note"]],
      [{ preferred: "yes" }, "field.type", ["preferred"]],
      [{ kind: "FAX" }, "field.option", ["kind"]],
      [{ value: "1" }, "field.type", ["value"]],
      [{ state: "LIVE" }, "undeclared_field", []],
    ];
    for (const [more, rule, fields] of bodies) {
      assertInvalid(await post(caller, path, { ...DETAIL, ...more }), [rule], fields, rule);
    }
  });
  const stranger = await createPerson(await world().createCaller());
  for (
    const [personId, code] of [
      [ulid(), "RECORD_NOT_FOUND"],
      [stranger.personId, "RECORD_NOT_FOUND"],
      [known.personId, "RELATIONSHIP_ENTRY_CONFLICT"],
    ] as const
  ) {
    const value = { personId, relation: "self" };
    assertFailure(await post(caller, path, { ...DETAIL, kind: "LINK", value }), code);
  }
});

Deno.test("A detail ends once, by retraction or by a live detail of its person and kind", async () => {
  const caller = await world().createCaller();
  const [known, another] = [await createPerson(caller), await createPerson(caller)];
  const make = () => detail(caller, known);
  const [one, two, three] = [await make(), await make(), await make()];
  const elsewhere = await detail(caller, another);
  const email = await detail(caller, known, { kind: "EMAIL" });
  const { revision } = await current(caller, known);
  const superseded = await control(caller, one, supersededBy(two));
  assertEquals([superseded.status, superseded.body.data], [200, {
    ...one,
    state: "SUPERSEDED",
    supersededBy: two.detailId,
  }]);
  assertEquals(await read(caller, pathOf(one)), superseded.body.data);
  assertEquals((await current(caller, known)).revision, revision + 1);
  const { items: [newest] } = await read(caller, personPath(known, "/revisions"));
  assertEquals(newest.change, "DETAIL_CONTROLLED");
  assertEquals((await control(caller, two, RETRACTED)).body.data.state, "RETRACTED");
  const refusals: readonly [Json, JsonObject, ErrorCode][] = [
    [one, RETRACTED, "RELATIONSHIP_ENTRY_CONFLICT"],
    [two, supersededBy(three), "RELATIONSHIP_ENTRY_CONFLICT"],
    [three, supersededBy(three), "RELATIONSHIP_ENTRY_CONFLICT"],
    [three, supersededBy(two), "RELATIONSHIP_ENTRY_CONFLICT"],
    [three, supersededBy(elsewhere), "RELATIONSHIP_ENTRY_CONFLICT"],
    [three, supersededBy(email), "RELATIONSHIP_ENTRY_CONFLICT"],
    [three, { kind: "SUPERSEDED", supersededBy: ulid() }, "RECORD_NOT_FOUND"],
    [{ ...three, detailId: ulid() }, RETRACTED, "RECORD_NOT_FOUND"],
    [{ ...three, personId: another.personId }, RETRACTED, "RECORD_NOT_FOUND"],
    [three, reclassified("NORMAL"), "PRIVACY_DOWNGRADE_FORBIDDEN"],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [entry, body, code] of refusals) {
      assertFailure(await control(caller, entry, body), code, JSON.stringify(body));
    }
    assertInvalid(await control(caller, three, { kind: "SUPERSEDED" }), ["control.parts"], [
      "kind",
      "supersededBy",
    ]);
  });
  // The same level writes only an envelope; the privacy of an ended detail can still be raised.
  const before = await current(caller, known);
  assertEquals((await control(caller, three, reclassified("PRIVATE"))).body.data, three);
  assertEquals(await current(caller, known), before);
  const raised = await control(caller, one, reclassified("SECRET"));
  assertEquals(raised.body.data.effectivePrivacy, "SECRET");
});

Deno.test("Replays show a detail as it was", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const key = ulid();
  const path = personPath(known, "/details");
  const made = await caller.call("POST", path, { key, body: DETAIL });
  const entry = made.body.data;
  const [first, second] = [ulid(), ulid()];
  const raised = await control(caller, entry, reclassified("SECRET"), first);
  await control(caller, entry, RETRACTED, second);
  const again = await caller.call("POST", path, { key, body: DETAIL });
  assertEquals([again.status, again.body.data], [201, entry]);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  const replayed = await control(caller, entry, reclassified("SECRET"), first);
  assertEquals(replayed.body.data, raised.body.data);
  assertFailure(await control(caller, entry, RETRACTED, first), "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("A list has live details, newest first, and all on request", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const path = personPath(known, "/details");
  const made: Json[] = [];
  for (let index = 0; index < 5; index++) {
    world().advance(1);
    made.unshift(await detail(caller, known));
  }
  await control(caller, made[1] as Json, RETRACTED);
  const idsOf = (items: Json[]) => items.map((item) => item.detailId);
  const live = made.filter((_, index) => index !== 1);
  assertEquals(idsOf((await walkPages(caller, path, { limit: "2" })).flat()), idsOf(live));
  const all = await walkPages(caller, path, { limit: "2", all: "true" });
  assertEquals(idsOf(all.flat()), idsOf(made));
  const { nextCursor } = await read(caller, `${path}?limit=2`);
  const misused = await caller.call("GET", `${path}?limit=2&all=true&cursor=${nextCursor}`);
  assertInvalid(misused, ["cursor.unknown"], ["cursor"]);
  assertInvalid(await caller.call("GET", `${path}?all=1`), ["field.option"], ["all"]);
  assertFailure(
    await caller.call("GET", `${personPath({ personId: ulid() }, "/details")}`),
    "RECORD_NOT_FOUND",
  );
});

Deno.test("Words of a SECRET detail are for readers with the permission", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const other = await withoutSecrets(world(), caller);
  const path = personPath(known, "/details");
  const secret = { ...DETAIL, label: "Home", note: "Never call", privacy: "SECRET" };
  const hidden = { value: null, label: null, note: null, contentHash: null, redacted: true };
  const made = (await post(other, path, secret)).body.data;
  assertEquals(made, { ...made, ...hidden });
  const shown = await read(caller, pathOf(made));
  assertEquals([shown.value, shown.redacted], [DETAIL.value, undefined]);
  assertEquals(await read(other, pathOf(made)), { ...shown, ...hidden });
  assertEquals((await read(other, path)).items, [{ ...shown, ...hidden }]);
  assertFailure(await control(other, made, RETRACTED), "FORBIDDEN");
  const plain = await detail(caller, known);
  await control(caller, plain, reclassified("SECRET"));
  const raised = await read(other, pathOf(plain));
  assertEquals([raised.privacy, raised.effectivePrivacy, raised.value], [
    "PRIVATE",
    "SECRET",
    null,
  ]);
});

Deno.test("The maintenance window does not freeze details", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const known = await createPerson(caller);
  await setMaintenance(own, true);
  const entry = await detail(caller, known);
  assertEquals((await control(caller, entry, RETRACTED)).status, 200);
});

Deno.test("Archived and sealed people take no details", async () => {
  const caller = await world().createCaller();
  for (const to of ["archive", "SEALED"] as const) {
    const known = await createPerson(caller);
    const entry = await detail(caller, known);
    await move(caller, known, to);
    const path = personPath(known, "/details");
    assertFailure(await post(caller, path, DETAIL), "RELATIONSHIP_STATUS_CONFLICT");
    assertFailure(await control(caller, entry, RETRACTED), "RELATIONSHIP_STATUS_CONFLICT");
    assertInvalid(await post(caller, path, {}), ["field.required"], ["kind", "privacy", "value"]);
    assertEquals((await read(caller, path)).items, [entry]);
  }
});

Deno.test("A person has two hundred live details", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  let last: Json = null;
  for (let index = 0; index < 200; index++) last = await detail(caller, known);
  const path = personPath(known, "/details");
  const refused = assertFailure(await post(caller, path, DETAIL), "PAYLOAD_INVALID");
  assertEquals(refused, { rules: ["detail.count"], limit: 200 });
  await control(caller, last, RETRACTED);
  await detail(caller, known);
});
