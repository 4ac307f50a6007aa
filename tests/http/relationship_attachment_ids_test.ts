/** The member `attachmentIds` of people. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { patch } from "../families/decision/api.ts";
import { post, read, withPermissions } from "../families/memory/api.ts";
import {
  contact,
  control,
  createPerson,
  current,
  detail,
  move,
  PEOPLE,
  PERSON,
  personPath,
  reclassified,
  RETRACTED,
} from "../families/relationship/api.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { pictures, unusedIds } from "./attachment_ids.ts";
import { assertInvalid, walkPages } from "./kernel.ts";

const world = sharedWorld();
const [A = "", B = "", C = "", D = "", E = ""] = unusedIds(5);

function other(caller: Caller, known: Json, property: string, value: string, more: Json = {}) {
  return detail(caller, known, {
    kind: "OTHER",
    value: { property, value },
    privacy: "NORMAL",
    ...more,
  });
}

Deno.test("A person has those of its details, pictures first, then of its texts", async () => {
  const caller = await world().createCaller();
  const [logo = "", card = "", photo = "", text = "", none = ""] = unusedIds(5);
  const known = await createPerson(caller, {
    evidence: pictures(B, photo),
    opinion: pictures(A),
    counterEvidence: pictures(C),
  });
  assertEquals(known.attachmentIds, [A, B, photo, C]);
  const stated = { attachmentIds: [A] };
  assertInvalid(await post(caller, PEOPLE, { ...PERSON, ...stated }), ["undeclared_field"]);
  const change = { expectedRevision: 1, set: stated };
  assertInvalid(await patch(caller, personPath(known), change), ["undeclared_field"]);
  await other(caller, known, "X-CARD", `attachment:${card}`);
  await other(caller, known, "logo", `attachment:${logo}`);
  await other(caller, known, "PHOTO", `attachment:${photo}`);
  await other(caller, known, "PHOTO", `attachment:${D}`);
  await other(caller, known, "NOTE", `see attachment:${text}`);
  await other(caller, known, "NOTE", `attachment:${text} `);
  await other(caller, known, "NOTE", `attachment:${text.toLowerCase()}`);
  await detail(caller, known, { kind: "URL", value: { value: `attachment:${none}` } });
  const expected = [photo, D, logo, card, A, B, C];
  const person = await current(caller, known);
  assertEquals(person.attachmentIds, expected);
  assertEquals((await read(caller, PEOPLE)).items, [person]);
  assertEquals((await read(caller, `${PEOPLE}?status=ACTIVE`)).items, [person]);
  for (const to of ["PAUSED", "archive", "restore", "SEALED"] as const) {
    assertEquals((await move(caller, known, to)).attachmentIds, expected, to);
  }
  const others = [
    await read(caller, personPath(known, "?revision=9")),
    ...(await walkPages(caller, personPath(known, "/revisions"))).flat(),
  ];
  assertEquals(others.length, 14);
  for (const shown of others) assertEquals(Object.hasOwn(shown, "attachmentIds"), false);
  const record = await read(caller, `/api/v2/records/relationship/${known.personId}`);
  assertEquals(record.attachmentIds, []);
});

Deno.test("Details that are SECRET or have ended name no file, for any reader", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { opinion: pictures(E) });
  const shown = async () => (await current(caller, known)).attachmentIds;
  const raised = await other(caller, known, "PHOTO", `attachment:${A}`);
  const ended = await other(caller, known, "PHOTO", `attachment:${B}`);
  await other(caller, known, "PHOTO", `attachment:${C}`, { privacy: "SECRET" });
  await other(caller, known, "X", `attachment:${D}`, { privacy: "SECRET" });
  await other(caller, known, "X", `attachment:${D}`);
  assertEquals(await shown(), [A, B, D, E]);
  await control(caller, raised, reclassified("PRIVATE"));
  assertEquals(await shown(), [A, B, D, E]);
  await control(caller, raised, reclassified("SECRET"));
  assertEquals(await shown(), [B, D, E]);
  await control(caller, ended, RETRACTED);
  assertEquals(await shown(), [D, E]);
  assertEquals((await read(caller, PEOPLE)).items[0].attachmentIds, [D, E]);
  const person = await withPermissions(world(), caller, "relationship.person.read");
  assertEquals((await current(person, known)).attachmentIds, [E]);
  assertEquals((await read(person, PEOPLE)).items[0].attachmentIds, [E]);
});

Deno.test("A repeated change of a person answers with the details of that time", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const photo = await other(caller, known, "PHOTO", `attachment:${A}`);
  const secret = await other(caller, known, "PHOTO", `attachment:${B}`);
  const sent = { key: ulid(), body: { expectedRevision: 3, set: { opinion: pictures(C) } } };
  const change = async () => (await caller.call("PATCH", personPath(known), sent)).body.data;
  const first = await change();
  assertEquals(first.attachmentIds, [A, B, C]);
  await control(caller, photo, RETRACTED);
  await other(caller, known, "PHOTO", `attachment:${D}`);
  await contact(caller, known);
  assertEquals(await change(), first);
  // Details that became SECRET are left out.
  await control(caller, secret, reclassified("SECRET"));
  assertEquals(await change(), { ...first, attachmentIds: [A, C] });
});
