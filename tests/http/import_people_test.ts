/** Imports of people: formats, possible duplicates, links, repetition and withdrawal. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import { makeToken, proofOf } from "../support/tokens.ts";
import {
  act,
  imported,
  IMPORTS,
  itemsFile,
  itemsOf,
  planned,
  ran,
  settled,
  upload,
} from "./imports.ts";

function card(...lines: readonly string[]): string {
  return ["BEGIN:VCARD", "VERSION:4.0", ...lines, "END:VCARD", ""].join("\r\n");
}

const world = sharedWorld();

const PEOPLE = "/api/v2/relationship/people";

const NOTHING = { rule: "import.nothing", count: 1 };

async function read(caller: Caller, path: string): Promise<Json> {
  const { status, body } = await caller.call("GET", path);
  assertEquals(status, 200, JSON.stringify(body));
  return body.data;
}

async function detailsOf(caller: Caller, personId: string): Promise<Json[]> {
  return (await read(caller, `${PEOPLE}/${personId}/details?limit=100`)).items.toReversed();
}

async function map(caller: Caller, importId: string, mapping: Json) {
  return await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, { body: mapping });
}

const LENA = card(
  "UID:lena",
  "FN:Lena",
  "TEL;TYPE=cell:+49 30 123456",
  "EMAIL:lena@example.org",
  "RELATED;TYPE=friend:urn:uuid:anna",
  "NOTE:Sails alone",
  "CATEGORIES:Choir",
  "PHOTO:data:image/png;base64,iVBORw0KGgo=",
);
const ANNA = card("UID:urn:uuid:anna", "FN:Anna", "BDAY:--0229");
const CHOIR = card(
  "KIND:group",
  "UID:choir",
  "FN:The choir",
  "MEMBER:lena",
  "MEMBER:urn:uuid:anna",
);

Deno.test("Cards become people with details, links, notes, tags and pictures, and groups communities", async () => {
  const caller = await world().createCaller();
  const plan = await planned(caller, "vcard", CHOIR + LENA + ANNA);
  const none = { unchanged: 0, changed: 0, refused: 0, possibleDuplicate: 0 };
  assertEquals(plan.counts, { community: { new: 1, ...none }, person: { new: 2, ...none } });
  assertEquals([plan.source, plan.attachments], ["vcard", { new: 1, unchanged: 0, missing: 0 }]);
  const done = await ran(caller, plan);
  assertEquals([done.state, done.counts], ["DONE", plan.counts]);
  const [choir, lena, anna] = await itemsOf(caller, done.importId);
  assertEquals([lena.matches, lena.outcome, lena.attachmentIds.length], [[], "NEW", 1]);
  const person = await read(caller, `${PEOPLE}/${lena.recordId}`);
  assertEquals([person.personName, person.relationshipType, person.importance], [
    "Lena",
    "OTHER",
    3,
  ]);
  const record = await read(caller, `/api/v2/records/relationship/${lena.recordId}`);
  assertEquals([record.sourceType, record.title], ["IMPORT", "Lena"]);
  const details = await detailsOf(caller, lena.recordId);
  const [link, ...inOrder] = details.toSorted((one) => one.kind === "LINK" ? -1 : 0);
  assertEquals(link.value, { personId: anna.recordId, relation: "friend" });
  assertEquals(inOrder.map(({ kind, value, privacy }) => [kind, value, privacy]), [
    ["PHONE", { types: ["cell"], value: "+49 30 123456" }, "PRIVATE"],
    ["EMAIL", { value: "lena@example.org" }, "PRIVATE"],
    ["OTHER", { property: "PHOTO", value: `attachment:${lena.attachmentIds[0]}` }, "PRIVATE"],
  ]);
  const notes = await read(caller, `${PEOPLE}/${lena.recordId}/experiences`);
  assertEquals(notes.items.map(({ title, narrative }: Json) => [title, narrative]), [
    ["Note", "Sails alone"],
  ]);
  const photo = await read(caller, `/api/v2/attachments/${lena.attachmentIds[0]}`);
  assertEquals([photo.mediaType, photo.filename], ["image/png", "photo.png"]);
  const community = await read(caller, `/api/v2/records/community/${choir.recordId}`);
  assertEquals(community.payload.memberIds, [lena.recordId, anna.recordId]);

  const again = await imported(caller, "vcard", CHOIR + LENA + ANNA);
  assertEquals([again.counts.person.unchanged, again.counts.community.unchanged], [2, 1]);
  assertEquals((await detailsOf(caller, lena.recordId)).length, 4);
});

Deno.test("A group takes 50 members, and a larger one is counted", async () => {
  const caller = await world().createCaller();
  const places = Array.from({ length: 51 }, (_, place) => place);
  const members = places.map((place) => `MEMBER:urn:uuid:row-${place}`);
  const file = places.map((place) => card(`UID:row-${place}`, `FN:Row ${place}`)).join("") +
    card("KIND:group", "UID:boat", "FN:The boat", ...members);
  const done = await imported(caller, "vcard", file);
  assertEquals([done.state, done.unmapped], ["DONE", [{ name: "MEMBER", count: 1 }]]);
  const { items } = await read(caller, "/api/v2/records/community");
  assertEquals(items[0].payload.memberIds.length, 50);
  const again = await imported(caller, "vcard", file);
  assertEquals([again.counts.community.unchanged, again.counts.person.unchanged], [1, 51]);
});

Deno.test("A changed card adds what is new and retracts what is gone", async () => {
  const caller = await world().createCaller();
  const first = await imported(caller, "vcard", LENA + ANNA);
  const [{ recordId }] = await itemsOf(caller, first.importId);
  const changed = LENA.replace("EMAIL:lena@example.org", "EMAIL:l@example.org");
  const second = await imported(caller, "vcard", changed + ANNA);
  assertEquals([second.counts.person.changed, second.counts.person.unchanged], [1, 1]);
  const kinds = (await detailsOf(caller, recordId)).map(({ kind, value }) =>
    `${kind} ${value.value}`
  );
  assertEquals(kinds.filter((text) => text.startsWith("EMAIL")), ["EMAIL l@example.org"]);
  assertEquals(kinds.length, 4);
  const { status } = await caller.call("POST", `${PEOPLE}/${recordId}/details`, {
    body: { kind: "URL", value: { value: "https://example.org" }, privacy: "NORMAL" },
    key: "url",
  });
  assertEquals(status, 201);
  const third = await imported(caller, "vcard", LENA + ANNA);
  assertEquals([third.counts.person.changed, third.rules], [1, []]);
  const after = (await detailsOf(caller, recordId)).map(({ kind, value }) =>
    `${kind} ${value.value}`
  );
  assertEquals(after.filter((text) => /^(?:EMAIL|URL)/.test(text)).toSorted(), [
    "EMAIL lena@example.org",
    "URL https://example.org",
  ]);
});

Deno.test("A possible duplicate waits for its answer: join, new or leave", async () => {
  const caller = await world().createCaller();
  const first = await imported(caller, "vcard", LENA);
  const [{ recordId }] = await itemsOf(caller, first.importId);
  const others =
    card("FN:L", "EMAIL:LENA@example.org", "TEL:+49 (30) 123456", "URL:https://l.org") +
    card("FN:Max", "TEL:0301234567") + card("FN:M.", "TEL:030-1234567");
  const plan = await planned(caller, "vcard", others);
  assertEquals([plan.counts.person.new, plan.counts.person.possibleDuplicate], [1, 2]);
  const items = await itemsOf(caller, plan.importId, "&outcome=POSSIBLE_DUPLICATE");
  assertEquals(items.map(({ place, matches }) => [place, matches]), [[1, [recordId]], [3, []]]);
  const [joined, alike] = items.map(({ key }) => key);
  for (
    const duplicates of [
      { [joined]: "merge" },
      { unknown: "new" },
      { [alike]: `join:${ulid()}` },
      { [joined]: `join:${plan.importId}` },
    ]
  ) {
    const { status, body } = await map(caller, plan.importId, { duplicates });
    assertEquals([status, body.error.code], [400, "PAYLOAD_INVALID"]);
  }
  assertEquals(
    (await map(caller, plan.importId, { duplicates: { [joined]: "join" } })).status,
    200,
  );
  const answered = await settled(caller, plan.importId);
  assertEquals([answered.counts.person.changed, answered.counts.person.possibleDuplicate], [1, 1]);
  const done = await ran(caller, answered);
  assertEquals(done.counts, answered.counts);
  const details = await detailsOf(caller, recordId);
  assertEquals(details.filter(({ kind }) => kind !== "LINK").map(({ kind }) => kind).sort(), [
    "EMAIL",
    "OTHER",
    "OTHER",
    "PHONE",
    "URL",
  ]);
  assertEquals((await read(caller, `${PEOPLE}/${recordId}`)).personName, "Lena");

  const next = await planned(caller, "vcard", card("FN:M.", "TEL:030-1234567"));
  const [{ key }] = await itemsOf(caller, next.importId);
  await map(caller, next.importId, { duplicates: { [key]: "leave" } });
  const left = await settled(caller, next.importId);
  assertEquals(left.rules, [{ rule: "import.left", count: 1 }, NOTHING]);
  await map(caller, next.importId, { duplicates: { [key]: "new" } });
  assertEquals((await ran(caller, await settled(caller, next.importId))).counts.person.new, 1);
  const late = await map(caller, next.importId, { duplicates: { [key]: "new" } });
  assertEquals([late.status, late.body.error.details], [409, { rules: ["import.state"] }]);
});

Deno.test("The sample shows both cards of a possible duplicate, within bounds", async () => {
  const caller = await world().createCaller();
  const shared = ["TEL:0170 1234567", "ORG:Choir", "NOTE:Sings", "X-CAT:Tom"];
  const many = Array.from({ length: 30 }, (_, index) => `TEL:+49 170 1234${500 + index}`);
  const pages = Array.from(
    { length: 20 },
    (_, index) => `URL:https://${index}.example/${"x".repeat(300)}`,
  );
  const pictured = "PHOTO:data:image/png;base64,iVBORw0KGgo=";
  const file = card("FN:A", ...shared) + card("UID:b", "FN:B") +
    card("FN:C", "item1.TEL:0170 1234567", "item1.X-ABLabel:Sea", pictured, ...many) +
    card("FN:D", "TEL:01701234567", ...pages) +
    card("KIND:group", "UID:g", "FN:G") + card("KIND:group", "UID:g", "FN:H");
  const { importId } = await planned(caller, "vcard", file);
  const { items, questions } = await read(caller, `${IMPORTS}/${importId}/sample`);
  assertEquals(items.map(({ title }: Json) => title), ["A", "B", "C", "D", "G", "H"]);
  const [asked, last, group] = questions;
  const reports = await itemsOf(caller, importId, "&outcome=POSSIBLE_DUPLICATE");
  assertEquals(reports.map(({ place, key }) => [place, key]), [[3, asked.key], [4, last.key], [
    6,
    "g-2",
  ]]);
  assertEquals([asked.title, asked.notes, asked.details.length], ["C", 0, 20]);
  const [first] = asked.details;
  assertEquals(first, { kind: "PHONE", value: { value: "0170 1234567" }, label: "Sea" });
  const { place, title, notes, details } = asked.earlier;
  assertEquals([place, title, notes], [1, "A", 1]);
  assertEquals(details.map(({ kind }: Json) => kind), ["PHONE", "ORGANIZATION"]);
  assertEquals([last.title, last.earlier], ["D", asked.earlier]);
  assertEquals([group.title, group.earlier.title], ["H", "G"]);
  const bytes = JSON.stringify(last.details).length;
  assert(last.details.length > 10 && bytes < 4_200, `${bytes}`);
  await map(caller, importId, {
    duplicates: { [asked.key]: "join", [last.key]: "new", "g-2": "new" },
  });
  await settled(caller, importId);
  assertEquals((await read(caller, `${IMPORTS}/${importId}/sample`)).questions, []);
});

Deno.test("Categories give a person its type and importance", async () => {
  const caller = await world().createCaller();
  const plan = await planned(caller, "vcard", LENA);
  const wrong = await map(caller, plan.importId, { categories: { Choir: { importance: 9 } } });
  assertEquals(wrong.status, 400);
  const categories = { Choir: { relationshipType: "FRIEND", importance: 5 } };
  assertEquals((await map(caller, plan.importId, { categories })).status, 200);
  const done = await ran(caller, await settled(caller, plan.importId));
  const [{ recordId }] = await itemsOf(caller, done.importId);
  const person = await read(caller, `${PEOPLE}/${recordId}`);
  assertEquals([person.relationshipType, person.importance], ["FRIEND", 5]);
});

Deno.test("No card is refused alone, and another file whole", async () => {
  const caller = await world().createCaller();
  const cards = [LENA, LENA, card("FN:C", `UID:${"x".repeat(201)}`)];
  const plan = await planned(caller, "vcard", cards.join(""), { name: "Phone" });
  assertEquals(plan.source, "vcard:Phone");
  assertEquals((await itemsOf(caller, plan.importId)).map(({ outcome }) => outcome), [
    "NEW",
    "NEW",
  ]);
  // A repeated card is left out, and a long UID becomes a digest.
  assertEquals(plan.unmapped, [{ name: "item.repeated", count: 1 }]);
  for (const format of ["vcard", "monica-4"]) {
    const { status, body } = await upload(caller, format, "Name,Phone");
    assertEquals([status, body.error.details.rules], [415, ["import.format"]]);
  }
  const old = await planned(caller, "monica-4", JSON.stringify({ version: "0", account: {} }));
  assertEquals([old.state, old.refusal.rule], ["REFUSED", "import.version"]);
});

Deno.test("An item in our own form becomes a person, and withdrawal archives it", async () => {
  const caller = await world().createCaller();
  const details = [{ kind: "PHONE", value: { value: "123456" }, privacy: "SECRET" }];
  const contacts = [
    { contactedAt: "2020-01-02T00:00:00.000Z", channel: "CALL", direction: "MUTUAL" },
    { contactedAt: "2020-01-01T00:00:00.000Z", channel: "LETTER", direction: "MUTUAL" },
  ];
  const experiences = [{ title: "Met", timePrecision: "UNKNOWN" }];
  const item = (key: string, payload: Json) => ({ key, target: "person", title: key, payload });
  const file = itemsFile([
    item("lena", { importance: 4, details, contacts, experiences }),
    item("max", { details: [{ kind: "PHONE", value: {} }] }),
    item("eva", { other: 1 }),
    item("ada", { details: [{ ...details[0], lines: { version: "3.0", lines: ["TEL:123456"] } }] }),
    item("ida", {
      details: [{
        kind: "LINK",
        value: { relation: "friend", personId: "01KAGQ0000PERM000000000001" },
      }],
    }),
  ]);
  const done = await imported(caller, "prs-items", file);
  assertEquals(done.counts, { person: { new: 1, unchanged: 0, changed: 0, refused: 4 } });
  const [lena, ...wrong] = await itemsOf(caller, done.importId);
  assert(wrong.every(({ rules }) => rules.length > 0));
  assertEquals("matches" in lena, false);
  const person = await read(caller, `${PEOPLE}/${lena.recordId}`);
  assertEquals([person.lastContactAt, person.importance], ["2020-01-02T00:00:00.000Z", 4]);
  const proof = await proofOf(world(), caller, "IMPORT_WITHDRAW");
  await act(caller, done.importId, "withdraw", {}, { headers: proof });
  const gone = await settled(caller, done.importId);
  assertEquals([gone.state, gone.withdrawn], ["WITHDRAWN", { archived: 1, left: [] }]);
  assertEquals((await read(caller, `${PEOPLE}/${lena.recordId}`)).status, "ARCHIVED");
  const again = await imported(caller, "prs-items", file);
  assertEquals(again.counts.person.changed, 1);
  assertEquals((await read(caller, `${PEOPLE}/${lena.recordId}`)).status, "ACTIVE");
  assertEquals((await detailsOf(caller, lena.recordId)).length, 1);
});

Deno.test("Contacts and experiences of an item keep their clocks, and stay as they are", async () => {
  const caller = await world().createCaller();
  const local = "2020-01-02T09:00:00.000+09:00[Asia/Tokyo]";
  const fileOf = (time: string) => {
    const contacts = [{ contactedAt: time, channel: "CALL", direction: "MUTUAL" }];
    const experiences = [{ title: "Met", occurredAt: time, timePrecision: "DAY" }];
    const payload = { contacts, experiences };
    return itemsFile([{ key: "lena", target: "person", title: "Lena", payload }]);
  };
  const first = await imported(
    caller,
    "prs-items",
    fileOf("2020-01-02T09:00:00+09:00[asia/tokyo]"),
  );
  const [{ recordId }] = await itemsOf(caller, first.importId);
  const timesOf = async () => {
    const person = await read(caller, `${PEOPLE}/${recordId}`);
    const of = async (ledger: string) =>
      (await read(caller, `${PEOPLE}/${recordId}/${ledger}`)).items.map((each: Json) =>
        each.localTimes
      );
    return [person.localTimes, await of("contacts"), await of("experiences")];
  };
  const times = [{ lastContactAt: local }, [{ contactedAt: local }], [{ occurredAt: local }]];
  assertEquals(await timesOf(), times);
  // Equal but for the clock: no second contact, and no second experience.
  const again = await imported(caller, "prs-items", fileOf("2020-01-02T01:00:00+01:00"));
  assertEquals(again.counts.person.changed, 1);
  assertEquals(await timesOf(), times);
  const wrong = await planned(caller, "prs-items", fileOf("2020-01-02T09:00:00+08:00[Asia/Tokyo]"));
  assertEquals(wrong.rules, [{ rule: "field.time_offset", count: 1 }, NOTHING]);
});

Deno.test("An export of Monica becomes people with their links, contacts, tasks and files", async () => {
  const caller = await world().createCaller();
  const made = { created_at: "2021-05-04T10:00:00.000000Z" };
  const list = (type: string, ...values: Json[]) => ({ count: values.length, type, values });
  const contact = (uuid: string, name: string, ...data: Json[]) => ({
    uuid,
    ...made,
    data,
    properties: { first_name: name, stay_in_touch_frequency: 30, tags: ["Friends"] },
  });
  const call = { uuid: "c1", ...made, properties: { called_at: "2021-05-05", content: "Hello" } };
  const task = { uuid: "t1", ...made, properties: { title: "Write back", completed: false } };
  const photo = {
    uuid: "p1",
    properties: {
      original_filename: "a.png",
      mime_type: "image/png",
      dataUrl: "data:image/png;base64,iVBORw0KGgo=",
    },
  };
  const account = {
    data: [
      list(
        "contact",
        contact("lena", "Lena", list("call", call), list("task", task), list("photo", "p1")),
        contact("anna", "Anna"),
      ),
      list("relationship", { type: "sister", contact_is: "anna", of_contact: "lena" }),
      list("photo", photo),
    ],
  };
  const file = JSON.stringify({ version: "1.0-preview.1", account });
  const done = await imported(caller, "monica-4", file);
  const none = { unchanged: 0, changed: 0, refused: 0, possibleDuplicate: 0 };
  assertEquals([done.state, done.source, done.counts], ["DONE", "monica-4", {
    commitment: { new: 1, ...none },
    person: { new: 2, ...none },
  }]);
  const [lena, , anna] = await itemsOf(caller, done.importId);
  const person = await read(caller, `${PEOPLE}/${lena.recordId}`);
  assertEquals([person.lastContactAt, person.desiredContactIntervalDays], [
    "2021-05-05T00:00:00.000Z",
    30,
  ]);
  const record = await read(caller, `/api/v2/records/relationship/${lena.recordId}`);
  assertEquals(record.recordedAt, "2021-05-04T10:00:00.000Z");
  const values = (await detailsOf(caller, lena.recordId)).map(({ kind, value }) => [kind, value]);
  assertEquals(Object.fromEntries(values), {
    NAME: { given: "Lena" },
    OTHER: { property: "X-MONICA-PHOTO", value: `attachment:${lena.attachmentIds[0]}` },
    LINK: { personId: anna.recordId, relation: "sister" },
  });
  const again = await imported(caller, "monica-4", file);
  assertEquals(again.counts.person.unchanged, 2);
});

Deno.test("A token needs the permissions of people to run an import of people", async () => {
  const caller = await world().createCaller();
  const plan = await planned(caller, "vcard", LENA);
  const tokenOf = async (permissions: readonly string[]) => {
    const { token } = await makeToken(world(), caller, { permissions });
    return callerOf(world().app, { ...caller, secret: token });
  };
  const most = ["import.write", "relationship.person.write", "taxonomy.write", "attachment.write"];
  const little = await tokenOf(most);
  assertEquals((await act(little, plan.importId, "run", { plan: plan.plan })).status, 403);
  const enough = await tokenOf([...most, "relationship.ledger.write"]);
  assertEquals((await act(enough, plan.importId, "run", { plan: plan.plan })).status, 202);
  assertEquals((await settled(caller, plan.importId)).state, "DONE");
});

Deno.test("Cards that join one person, and a link that is gone", async () => {
  const caller = await world().createCaller();
  const first = await imported(caller, "vcard", ANNA + card("UID:1", "FN:L", "TEL:123456"));
  const personId = (await itemsOf(caller, first.importId))[1].recordId;
  const two = card("FN:A", "TEL:123-456", "URL:https://a.org") +
    card("FN:B", "TEL:12 34 56", "URL:https://b.org", "RELATED;VALUE=text;TYPE=friend:Max") +
    card("FN:C", "TEL:654321");
  const plan = await planned(caller, "vcard", two);
  const [a, b] = (await itemsOf(caller, plan.importId)).map(({ key }) => key);
  const duplicates = { [a]: "join", [b]: `join:${personId}` };
  assertEquals((await map(caller, plan.importId, { duplicates })).status, 200);
  const done = await ran(caller, await settled(caller, plan.importId));
  assertEquals([done.counts.person.changed, done.counts.person.new], [2, 1]);
  const kindsOf = async () =>
    (await detailsOf(caller, personId)).map(({ kind, value }) =>
      value.value ?? `${kind} ${value.name}`
    );
  assertEquals((await kindsOf()).sort(), ["123456", "LINK Max", "https://a.org", "https://b.org"]);

  const less = two.replace("RELATED;VALUE=text;TYPE=friend:Max\r\n", "");
  const again = await imported(caller, "vcard", less);
  assertEquals([again.counts.person.changed, again.counts.person.unchanged], [1, 2]);
  assertEquals((await kindsOf()).sort(), ["123456", "https://a.org", "https://b.org"]);

  const headers = await proofOf(world(), caller, "IMPORT_WITHDRAW");
  await act(caller, done.importId, "withdraw", {}, { headers });
  assertEquals((await settled(caller, done.importId)).withdrawn, {
    archived: 1,
    left: [{ rule: "import.made_before", count: 2 }],
  });
  assertEquals((await read(caller, `${PEOPLE}/${personId}`)).status, "ACTIVE");
});

Deno.test("A person takes 200 details, from whatever file", async () => {
  const caller = await world().createCaller();
  const lines = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => `TEL:${1_000_000 + from + index}`);
  const first = await imported(caller, "vcard", card("UID:1", "FN:L", ...lines(150)));
  assertEquals(first.counts.person.new, 1);
  const more = card("FN:M", ...lines(60, 149));
  const plan = await planned(caller, "vcard", more);
  const [{ key }] = await itemsOf(caller, plan.importId);
  await map(caller, plan.importId, { duplicates: { [key]: "join" } });
  const done = await ran(caller, await settled(caller, plan.importId));
  assertEquals([done.state, done.rules], ["DONE", [{ rule: "detail.count", count: 1 }]]);
  const many = await planned(caller, "vcard", card("UID:2", "FN:X", ...lines(10_000)));
  assertEquals([many.rules, many.unmapped], [
    [{ rule: "detail.count", count: 1 }],
    [{ name: "TEL", count: 1 }],
  ]);
});

Deno.test("A card joins an earlier card of its file, of the same batch or before", async () => {
  const caller = await world().createCaller();
  const many = Array.from({ length: 120 }, (_, index) => card(`UID:${index}`, `FN:P${index}`));
  const file = card("FN:A", "TEL:111111") + card("UID:b", "FN:B", "TEL:222222") + many.join("") +
    card("FN:A2", "TEL:11-11-11", "TEL:333333", "NOTE:Second") +
    card("FN:A3", "TEL:333333", "URL:https://a.org") +
    card("UID:c", "FN:C", "TEL:444444") + card("FN:C2", "TEL:444444", "URL:https://c.org") +
    card("FN:D", "TEL:222222", "TEL:444444");
  const plan = await planned(caller, "vcard", file);
  assertEquals(plan.counts.person.possibleDuplicate, 4);
  const held = await itemsOf(caller, plan.importId, "&outcome=POSSIBLE_DUPLICATE");
  assertEquals(held.map(({ matches }) => matches), [[], [], [], []]);
  const [a2, a3, c2, d] = held.map(({ key }) => key);
  // Two cards that the last one shares a number with; and one that stays out itself.
  for (const duplicates of [{ [d]: "join" }, { [a3]: "join" }, { [a3]: "join", [a2]: "leave" }]) {
    assertEquals((await map(caller, plan.importId, { duplicates })).status, 400);
  }
  const duplicates = { [a3]: "join", [a2]: "join", [c2]: "join" };
  assertEquals((await map(caller, plan.importId, { duplicates })).status, 200);
  const answered = await settled(caller, plan.importId);
  assertEquals([answered.counts.person.changed, answered.counts.person.possibleDuplicate], [3, 1]);
  const done = await ran(caller, answered);
  assertEquals([done.state, done.counts], ["DONE", answered.counts]);
  const [a] = await itemsOf(caller, plan.importId, "&outcome=NEW");
  const joined = await itemsOf(caller, plan.importId, "&outcome=CHANGED");
  assertEquals(joined.slice(0, 2).map(({ recordId }) => recordId), [a.recordId, a.recordId]);
  const texts = async (id: string) => (await detailsOf(caller, id)).map(({ value }) => value.value);
  assertEquals(await texts(a.recordId), ["111111", "333333", "https://a.org"]);
  assertEquals(await texts(joined[2].recordId), ["444444", "https://c.org"]);
  const notes = await read(caller, `${PEOPLE}/${a.recordId}/experiences`);
  assertEquals(notes.items.length, 1);
  assertEquals((await imported(caller, "vcard", file)).counts.person.unchanged, 126);
});

Deno.test("Cards of one batch that join one person share its room for details", async () => {
  const caller = await world().createCaller();
  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `TEL:${1_000_000 + from + index}`);
  const file = card("UID:a", "FN:A", ...lines(0, 100)) + card("FN:B", ...lines(99, 80)) +
    card("FN:C", ...lines(0, 1), ...lines(500, 60));
  const plan = await planned(caller, "vcard", file);
  const held = await itemsOf(caller, plan.importId, "&outcome=POSSIBLE_DUPLICATE");
  const duplicates = Object.fromEntries(held.map(({ key }) => [key, "join"]));
  assertEquals((await map(caller, plan.importId, { duplicates })).status, 200);
  const done = await ran(caller, await settled(caller, plan.importId));
  assertEquals([done.state, done.rules], ["DONE", [{ rule: "detail.count", count: 1 }]]);
});

Deno.test("Links keep the card's order, and count as details before they are written", async () => {
  const caller = await world().createCaller();
  const linked = card(
    "UID:a",
    "FN:A",
    "TEL:123456",
    "RELATED;VALUE=text;TYPE=kin:First",
    "RELATED;TYPE=friend:urn:uuid:b",
    "RELATED;VALUE=text;TYPE=kin:Third",
    "RELATED;TYPE=friend:urn:uuid:nobody",
  );
  const done = await imported(caller, "vcard", linked + card("UID:b", "FN:B"));
  const [a, b] = await itemsOf(caller, done.importId);
  const links = async () =>
    (await detailsOf(caller, a.recordId)).filter(({ kind }) => kind === "LINK")
      .map(({ value }) => value.personId ?? value.name);
  assertEquals(await links(), ["First", b.recordId, "Third"]);

  // A person who comes later completes the link of an unchanged card.
  const later = await imported(caller, "vcard", linked + card("UID:nobody", "FN:N"));
  const [, n] = await itemsOf(caller, later.importId);
  assertEquals([later.counts.person.unchanged, later.counts.person.new], [1, 1]);
  assertEquals(
    (await links()).toSorted(),
    ["First", b.recordId, "Third", n.recordId].toSorted(),
  );

  const more = card(
    "FN:C",
    "TEL:123456",
    ...Array.from({ length: 195 }, (_, index) => `TEL:${index}00000`),
    "RELATED;TYPE=friend:urn:uuid:b",
    "RELATED;TYPE=kin:urn:uuid:b",
  );
  const plan = await planned(caller, "vcard", more);
  const [{ key }] = await itemsOf(caller, plan.importId);
  await map(caller, plan.importId, { duplicates: { [key]: "join" } });
  const refused = await ran(caller, await settled(caller, plan.importId));
  assertEquals([refused.state, refused.rules], ["DONE", [{ rule: "detail.count", count: 1 }]]);
});

Deno.test("Two cards of one person, both with links, get all of them", async () => {
  const caller = await world().createCaller();
  const file = card("UID:a", "FN:A", "TEL:123456", "RELATED;TYPE=friend:urn:uuid:b") +
    card("FN:A2", "TEL:123456", "RELATED;TYPE=kin:urn:uuid:b") + card("UID:b", "FN:B") +
    card("KIND:group", "UID:g", "FN:G", "MEMBER:urn:uuid:z");
  const plan = await planned(caller, "vcard", file);
  const [{ key }] = await itemsOf(caller, plan.importId, "&outcome=POSSIBLE_DUPLICATE");
  await map(caller, plan.importId, { duplicates: { [key]: "join" } });
  const done = await ran(caller, await settled(caller, plan.importId));
  const [a, , , group] = await itemsOf(caller, done.importId);
  const relations = (await detailsOf(caller, a.recordId)).map(({ value }) => value.relation);
  assertEquals(relations.toSorted(), ["friend", "kin", undefined]);
  // A member who comes later completes the group.
  const later = await imported(caller, "vcard", file + card("UID:z", "FN:Z"));
  const z = (await itemsOf(caller, later.importId)).at(-1);
  const community = await read(caller, `/api/v2/records/community/${group.recordId}`);
  assertEquals(community.payload.memberIds, [z.recordId]);
  assertEquals(later.counts.person.unchanged, 3);
});
