/** Every read of SECRET content writes an access event first. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { freezeAccount } from "../../src/accounts/moving.ts";
import { setMaintenance } from "../../src/command/maintenance.ts";
import { Markers } from "../support/markers.ts";
import { proofOf } from "../support/tokens.ts";
import {
  type Caller,
  fileWorld,
  type Json,
  sharedWorld,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { emailOf, eventContextOf } from "../storage/operator.ts";
import { givePassword } from "./access.ts";
import { ACCOUNT_EXPORTS } from "./account.ts";
import {
  done,
  DRAFTS,
  EXPORTS,
  read,
  remember,
  textPath,
  TEXTS,
  withoutSecrets,
  withPermissions,
} from "../families/memory/api.ts";
import {
  contact,
  createPerson,
  detail,
  evidence,
  experience,
  personPath,
} from "../families/relationship/api.ts";
import { confirm, proposalPath, readyProposal } from "../families/relationship/evaluation.ts";
import { ask } from "./search.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

const world = sharedWorld();

const AUDIT = "/api/v2/audit?kind=access";
const HOUR = 60 * 60 * 1000;

/** Newest first. */
async function readsOf(caller: Pick<Caller, "call">): Promise<Json[]> {
  const { items } = await read(caller, `${AUDIT}&limit=100`);
  return items.filter(({ event }: Json) => event === "SECRET_READ");
}

/** Events left by an action, seen by the account's session. */
async function countReads(caller: Caller, act: () => Promise<unknown>): Promise<number> {
  const before = (await readsOf(caller)).length;
  await act();
  return (await readsOf(caller)).length - before;
}

/** A new credential, without recorded reads. */
function reader(own: World, caller: Caller): Promise<Caller> {
  return withPermissions(
    own,
    caller,
    "memory.read",
    "memory.write",
    "memory.secret",
    "record.read",
    "search.read",
    "relationship.person.read",
    "relationship.ledger.read",
    "relationship.ledger.secret",
    "audit.read",
  );
}

function assertOk({ status, text }: TestResponse): void {
  assert(status >= 200 && status < 300, text);
}

Deno.test("A read of a SECRET memory leaves an event with its credential and no content", async () => {
  const caller = await world().createCaller();
  const markers = new Markers();
  const content = markers.make("content");
  const memory = await remember(caller, { privacyLevel: "SECRET", originalContent: content });
  const other = await reader(world(), caller);
  world().advance(1);
  const found = await other.call("GET", textPath(memory));
  assertOk(found);
  assert(found.text.includes(content));
  const [event] = await readsOf(caller);
  assertEquals(Object.keys(event).sort(), [
    "addressDigest",
    "client",
    "createdAt",
    "credentialId",
    "credentialKind",
    "event",
    "eventId",
    "requestId",
  ]);
  assertEquals(event.credentialKind, "TOKEN");
  assertEquals(event.requestId, found.headers.get("X-Request-Id"));
  assertEquals((await read(caller, `${AUDIT}&limit=1`)).items[0].eventId, event.eventId);
  assert(!JSON.stringify(await readsOf(caller)).includes(content));
});

Deno.test("Proposals and evaluations with a SECRET source leave an event, in lists as alone", async () => {
  const caller = await world().createCaller();
  const person = await createPerson(caller);
  await evidence(caller, person, { privacy: "SECRET", providerConsent: true });
  const proposal = await readyProposal(world(), caller, person, true);
  const proposals = [personPath(person, "/proposals"), proposalPath(proposal)];
  for (const path of proposals) {
    const other = await reader(world(), caller);
    assertEquals(await countReads(caller, () => read(other, path)), 1, path);
  }
  await confirm(world(), caller, proposal);
  const path = personPath(person, "/evaluations");
  const other = await reader(world(), caller);
  assertEquals(await countReads(caller, () => read(other, path)), 1, path);
});

Deno.test("Every route that shows text of a SECRET memory leaves one event", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { privacyLevel: "SECRET", title: "Zanzibar" });
  const { sliceId } = await done(caller, textPath(memory, "/slices"), { label: "Then" });
  const draftId = ulid();
  const draft = { draftVersion: 1, memoryId: memory.memoryId, content: { title: "Soon" } };
  assertOk(await caller.call("PUT", `${DRAFTS}/${draftId}`, { body: draft }));
  const record = `/api/v2/records/memory/${memory.memoryId}`;
  const paths = [
    TEXTS,
    textPath(memory),
    textPath(memory, "/revisions"),
    textPath(memory, "/revisions/1"),
    textPath(memory, "/slices"),
    textPath(memory, `/slices/${sliceId}`),
    DRAFTS,
    `${DRAFTS}/${draftId}`,
    "/api/v2/records/memory",
    record,
    `${record}?revision=1`,
    `${record}/revisions`,
  ];
  for (const path of paths) {
    const other = await reader(world(), caller);
    assertEquals(await countReads(caller, () => read(other, path)), 1, path);
  }
  for (const order of ["NEWEST", "BEST"]) {
    const other = await reader(world(), caller);
    const found = await countReads(caller, () => ask(other, "zanzibar", { order }));
    assertEquals(found, 1, `search ${order}`);
  }
  const raising = { expectedRevision: 1, privacyLevel: "SECRET" };
  const again = await reader(world(), caller);
  const change = () => done(again, textPath(memory, "/privacy"), raising);
  assertEquals(await countReads(caller, change), 1, "a change that shows the whole memory");
});

Deno.test("Text that is hidden or not SECRET leaves no event", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { privacyLevel: "PRIVATE", title: "Plain" });
  const known = await createPerson(caller);
  await contact(caller, known, { note: "Open", privacy: "PRIVATE" });
  const contacts = personPath(known, "/contacts");
  const count = await countReads(caller, async () => {
    for (const path of [TEXTS, textPath(memory), textPath(memory, "/revisions"), contacts]) {
      await read(caller, path);
    }
    await ask(caller, "plain");
  });
  assertEquals(count, 0);
  const secret = await remember(caller, { privacyLevel: "SECRET" });
  const blind = await withoutSecrets(world(), caller);
  assertEquals(await countReads(caller, () => read(blind, textPath(secret))), 0);
  assertEquals(await countReads(caller, () => read(blind, TEXTS)), 0);
});

Deno.test("SECRET entries about people leave an event too", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const secret = { privacy: "SECRET" };
  await contact(caller, known, { note: "Told me", ...secret });
  await experience(caller, known, { narrative: "We fled", ...secret });
  await evidence(caller, known, secret);
  const value = { what: "BIRTHDAY", date: "--06-01" };
  await detail(caller, known, { kind: "DATE", value, ...secret });
  const dates = "/api/v2/relationship/dates?from=2026-01-01&to=2027-01-01";
  for (
    const path of [
      ...["contacts", "experiences", "evidence", "details"].map((name) =>
        personPath(known, `/${name}`)
      ),
      dates,
    ]
  ) {
    const other = await reader(world(), caller);
    assertEquals(await countReads(caller, () => read(other, path)), 1, path);
  }
  for (const [query, count] of [["?includeSecret=true", 1], ["", 0]] as const) {
    const other = await reader(world(), caller);
    const act = async () => void await other.call("GET", personPath(known, `/vcard${query}`));
    assertEquals(await countReads(caller, act), count, query);
  }
  const noted = await createPerson(caller);
  await experience(caller, noted, { title: "Note", ...secret });
  for (const [query, count] of [["&includeNotes=true", 1], ["", 0]] as const) {
    const other = await reader(world(), caller);
    const path = personPath(noted, `/vcard?includeSecret=true${query}`);
    assertEquals(await countReads(caller, async () => void await other.call("GET", path)), count);
  }
});

Deno.test("Exports of SECRET content leave an event before the content is readable", async () => {
  const caller = await world().createCaller();
  await givePassword(world(), caller);
  const memory = await remember(caller, { privacyLevel: "SECRET" });
  world().advance(HOUR);
  const proof = await proofOf(world(), caller, "MEMORY_SECRET_EXPORT");
  const part = { format: "JSON", memoryIds: [memory.memoryId] };
  assertEquals(await countReads(caller, () => done(caller, EXPORTS, part, proof)), 1);
  for (
    const [body, count] of [
      [{}, 1],
      [{ format: "MARKDOWN", includeSecret: true }, 1],
      [{ format: "MARKDOWN" }, 0],
    ] as const
  ) {
    const headers = await proofOf(world(), caller, "ACCOUNT_EXPORT");
    const act = async () =>
      assertOk(await caller.call("POST", ACCOUNT_EXPORTS, { body, key: ulid(), headers }));
    assertEquals(await countReads(caller, act), count, JSON.stringify(body));
  }
});

Deno.test("A page leaves one event; repeated reads one an hour per credential and record", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const memories: Json[] = [];
  for (let index = 0; index < 30; index++) {
    memories.push(await remember(caller, { privacyLevel: "SECRET" }));
  }
  const other = await reader(own, caller);
  assertEquals(await countReads(caller, () => read(other, `${TEXTS}?limit=100`)), 1);
  const again = async () => {
    for (const memory of memories) await read(other, textPath(memory));
    await read(other, TEXTS);
  };
  assertEquals(await countReads(caller, again), 0);
  const second = await reader(own, caller);
  assertEquals(await countReads(caller, () => read(second, TEXTS)), 1);
  own.advance(HOUR);
  const together = () => Promise.all(memories.slice(0, 5).map(() => read(other, TEXTS)));
  assertEquals(await countReads(caller, together), 1);
});

Deno.test("A 304 shows nothing and leaves no event", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { privacyLevel: "SECRET" });
  const path = `/api/v2/records/memory/${memory.memoryId}`;
  const other = await reader(world(), caller);
  const headers = { "If-None-Match": '"1"' };
  const act = async () => assertEquals((await other.call("GET", path, { headers })).status, 304);
  assertEquals(await countReads(caller, act), 0);
  assertEquals(await countReads(caller, () => read(other, path)), 1);
});

Deno.test("SECRET content is not sent until its event can be written", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const memory = await remember(caller, { privacyLevel: "SECRET", originalContent: "Hidden" });
  const plain = await remember(caller);
  own.advance(HOUR);
  await own.raw(`
    create function refuse_secret_read() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger no_room before insert on access_events
      for each row when (new.event = 'SECRET_READ') execute function refuse_secret_read()`);
  const refused = await caller.call("GET", textPath(memory));
  assertEquals(refused.status, 503, refused.text);
  assert(!refused.text.includes("Hidden"));
  assertOk(await caller.call("GET", textPath(plain)));
  await own.raw("drop trigger no_room on access_events");
  assertEquals(await countReads(caller, () => read(caller, textPath(memory))), 1);
});

Deno.test("A frozen account and a maintenance window still answer and record reads of SECRET", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const memory = await remember(caller, { privacyLevel: "SECRET" });
  await freezeAccount(own.database, emailOf(caller), () => eventContextOf(own));
  await setMaintenance(own.database, true);
  const other = await reader(own, caller);
  assertEquals(await countReads(caller, () => read(other, textPath(memory))), 1);
});

Deno.test("An ended credential leaves no event", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { privacyLevel: "SECRET" });
  const other = await reader(world(), caller);
  await read(other, TEXTS);
  await world().raw(
    `update tokens set revoked_at = now() where account_id = '${caller.accountId}'`,
  );
  world().advance(HOUR);
  const act = async () => assertEquals((await other.call("GET", textPath(memory))).status, 401);
  assertEquals(await countReads(caller, act), 0);
});
