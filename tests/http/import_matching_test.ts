/** Matching of imported people: UIDs, numbers and repeated keys. */

import { assertEquals } from "@std/assert";
import { comparedUid } from "../../src/families/relationship/card_uids.ts";
import { comparedForms, sharedText } from "../../src/families/relationship/compared_number.ts";
import { type Json, sharedWorld } from "../support/world.ts";
import { proofOf } from "../support/tokens.ts";
import table from "./contact_cases/tables/numbers.json" with { type: "json" };
import uidTable from "./contact_cases/tables/uids.json" with { type: "json" };
import { act, IMPORTS, itemsOf, planned, ran, settled } from "./imports.ts";
import {
  archive,
  bring,
  card,
  detailsOf,
  notesOf,
  PEOPLE,
  read,
  send,
  toldOf,
} from "./brought_cards.ts";

const world = sharedWorld();

const LEA = card("UID:lea-one-1", "FN:Lea", "TEL:+49 30 5551111", "NOTE:Sails");

Deno.test("A UID in another form or source is the same person, who loses nothing by another source", async () => {
  const caller = await world().createCaller();
  const { ids: [lea] } = await bring(caller, [LEA]);
  const shouted = LEA.replace("lea-one-1", "URN:UUID:LEA-ONE-1");
  assertEquals((await bring(caller, [shouted])).told, ["UNCHANGED"]);
  // Its own source takes a number away, also under another form of the UID.
  const other = await bring(caller, [shouted.replace("5551111", "5552222")]);
  assertEquals([other.told, other.ids], [["CHANGED"], [lea]]);
  assertEquals(await detailsOf(caller, lea), ["+49 30 5552222"]);
  const laptop = card("UID:Lea-One-1", "FN:Lea Other", "EMAIL:lea@example.org", "NOTE:Sails");
  const known = await bring(caller, [laptop], "Laptop");
  assertEquals([known.told, known.ids], [["CHANGED import.uid_known"], [lea]]);
  const [{ matches }] = await itemsOf(caller, known.importId);
  assertEquals(matches, [lea]);
  assertEquals((await read(caller, `${PEOPLE}/${lea}`)).personName, "Lea");
  assertEquals(await notesOf(caller, lea), ["Sails"]);
  assertEquals(await detailsOf(caller, lea), ["+49 30 5552222", "lea@example.org"]);
  // Now the laptop has brought the address, and can take it away; nothing else.
  assertEquals((await bring(caller, [laptop], "Laptop")).told, ["UNCHANGED"]);
  const without = laptop.replace("EMAIL:lea@example.org\r\n", "");
  assertEquals((await bring(caller, [without], "Laptop")).told, ["CHANGED"]);
  assertEquals(await detailsOf(caller, lea), ["+49 30 5552222"]);
  // A card that brings nothing takes nothing of the others either, later on.
  const empty = card("UID:lea-one-1", "FN:Lea", "TEL:+49 30 5552222");
  assertEquals((await bring(caller, [empty], "Third")).told, ["UNCHANGED import.uid_known"]);
  const less = card("UID:lea-one-1", "FN:Lea");
  assertEquals((await bring(caller, [less], "Third")).told, ["UNCHANGED"]);
  assertEquals(await detailsOf(caller, lea), ["+49 30 5552222"]);
});

Deno.test("A short UID counts in its own source, and an archived person is a question", async () => {
  const caller = await world().createCaller();
  const { ids: [ann, ben] } = await bring(caller, [
    card("UID:7", "FN:Ann"),
    card("UID:ben-archived", "FN:Ben"),
  ]);
  assertEquals((await bring(caller, [card("UID:7", "FN:Al")], "Two")).told, ["NEW"]);
  await archive(caller, ben);
  const two = await bring(caller, [card("UID:ben-archived", "FN:Ben")], "Two");
  assertEquals(two.told, ["POSSIBLE_DUPLICATE"]);
  assertEquals((await itemsOf(caller, two.importId))[0].matches, [ben]);
  // The owner's answer brings an archived person back, in both forms, but not a sealed one.
  const { ids: [kai] } = await bring(caller, [card("UID:kai-sealed", "FN:Kai")]);
  const { revision: expectedRevision } = await read(caller, `${PEOPLE}/${kai}`);
  const status = { status: "SEALED", reason: "x", expectedRevision };
  await send(caller, "POST", `${PEOPLE}/${kai}/status`, status);
  const sealed = await planned(caller, "vcard", card("UID:kai-sealed", "FN:K"), { name: "Two" });
  for (const answer of ["join", `join:${kai}`]) {
    const body = { duplicates: { "kai-sealed": answer } };
    const put = await caller.call("PUT", `${IMPORTS}/${sealed.importId}/mapping`, { body });
    assertEquals(put.body.error?.details?.rules, ["import.answer"]);
  }
  const [later] = (await bring(caller, [card("UID:kim-sealed", "FN:Kim")])).ids;
  const { revision } = await read(caller, `${PEOPLE}/${later}`);
  await archive(caller, later);
  let plan = await planned(
    caller,
    "vcard",
    card("UID:kim-sealed", "FN:K") + card("UID:next-card", "FN:N"),
    { name: "Two" },
  );
  const body = { duplicates: { "kim-sealed": "join" } };
  await caller.call("PUT", `${IMPORTS}/${plan.importId}/mapping`, { body });
  plan = await settled(caller, plan.importId);
  await send(caller, "POST", `${PEOPLE}/${later}/status`, {
    ...status,
    expectedRevision: revision + 1,
  });
  assertEquals((await ran(caller, plan)).state, "DONE");
  assertEquals((await itemsOf(caller, plan.importId)).map(toldOf), ["POSSIBLE_DUPLICATE", "NEW"]);
  const back = await planned(caller, "vcard", card("UID:ben-archived", "FN:B"), { name: "Two" });
  for (const answer of [`join:${ben}`, "join"]) {
    const body = { duplicates: { "ben-archived": answer } };
    const put = await caller.call("PUT", `${IMPORTS}/${back.importId}/mapping`, { body });
    assertEquals(put.status, 200, put.text);
    await settled(caller, back.importId);
    assertEquals((await itemsOf(caller, back.importId)).map(toldOf), ["CHANGED"]);
  }
  // In its own source the card does not bring the person back.
  const own = await bring(caller, [card("UID:ben-archived", "FN:Ben", "TEL:1234567")]);
  assertEquals(own.told, ["UNCHANGED import.edited_here"]);
  assertEquals((await read(caller, `${PEOPLE}/${ben}`)).status, "ARCHIVED");
  // A short further UID.
  const short = await bring(caller, [card("UID:ann-long", "X-PRS-UID:7", "FN:Ann")]);
  assertEquals([short.told[0]?.split(" ")[1], short.ids], ["import.uid_known", [ann]]);
});

Deno.test("A person of two cards has the UIDs of both, and further ones are counted", async () => {
  const caller = await world().createCaller();
  const { ids: [eva] } = await bring(caller, [card("UID:eva-first", "FN:Eva", "TEL:0305553333")]);
  const second = card("UID:eva-second", "FN:Eva", "TEL:+49 30 5553333", "NOTE:Hi");
  const asked = await bring(caller, [second], "Two");
  assertEquals(asked.told, ["POSSIBLE_DUPLICATE"]);
  assertEquals((await bring(caller, [second], "Two", { 1: "join" })).ids, [eva]);
  assertEquals(await detailsOf(caller, eva), ["+49 30 5553333", "0305553333"]);
  // A card that joined a person changes no name.
  const changed = second.replace("FN:Eva", "FN:Evi").replace("NOTE:Hi", "NOTE:Ho");
  assertEquals((await bring(caller, [changed], "Two")).told, ["CHANGED"]);
  assertEquals((await read(caller, `${PEOPLE}/${eva}`)).personName, "Eva");
  const third = card("UID:eva-third", "FN:E", "X-PRS-UID:EVA-SECOND");
  const { told, ids } = await bring(caller, [third], "Three");
  assertEquals([told[0]?.split(" ")[1], ids], ["import.uid_known", [eva]]);
  assertEquals((await bring(caller, [card("UID:EVA-THIRD", "FN:E")], "Four")).ids, [eva]);
  const many = Array.from({ length: 25 }, (_, index) => `X-PRS-UID:eva-more-${index}`);
  const full = await bring(caller, [card("UID:eva-first", "FN:Eva", "TEL:0305553333", ...many)]);
  assertEquals(full.row.unmapped.filter(({ name }: Json) => name === "UID"), [
    { name: "UID", count: 1 },
  ]);
  const [{ count }] = await world().rows(`
    select count(distinct compared_uid(key))::integer as count from import_origins
     where record_id = '${eva}'`);
  assertEquals(count, 20);
  const uids = ["UID:uma-first", ...many.slice(0, 9).map((line) => line.replace("eva", "uma"))];
  const { ids: [uma] } = await bring(caller, [card(...uids, "FN:Uma")], "Five");
  const { text } = await caller.call("GET", `${PEOPLE}/${uma}/vcard`);
  assertEquals(text.split("\r\n").filter((line: string) => line.includes("UID:")), uids);
});

Deno.test("A UID of two people, and one of an earlier card of the file", async () => {
  const caller = await world().createCaller();
  const cards = [card("UID:dora-same", "FN:Dora"), card("UID:dora-other", "FN:Dora")];
  const { ids: [dora] } = await bring(caller, cards);
  const both = card("UID:dora-third", "X-PRS-UID:dora-same", "X-PRS-UID:dora-other", "FN:Dora");
  assertEquals((await bring(caller, [both], "Two")).told, ["POSSIBLE_DUPLICATE"]);
  const file = [
    card("UID:ed-first-1", "FN:Ed"),
    card("UID:ed-second", "X-PRS-UID:ED-FIRST-1", "FN:Ed", "TEL:3333333"),
    card("UID:new-key-1", "X-PRS-UID:dora-same", "FN:D", "NOTE:One"),
  ];
  const { told, ids } = await bring(caller, file, "Three");
  assertEquals(told, ["NEW", "CHANGED import.uid_known", "CHANGED import.uid_known"]);
  assertEquals([ids[1], ids[2]], [ids[0], dora]);
  assertEquals((await bring(caller, file, "Three")).told, ["UNCHANGED", "UNCHANGED", "UNCHANGED"]);
  // An answer is stronger than a UID.
  const again = card("UID:dora-same", "FN:Dora", "TEL:4444444");
  assertEquals((await bring(caller, [again], "Five", { 1: "new" })).told, ["NEW"]);
  assertEquals((await bring(caller, [again], "Six", { 1: "leave" })).told, [
    "REFUSED import.left",
  ]);
});

Deno.test("Equal numbers are a question, but not within one address book", async () => {
  const caller = await world().createCaller();
  const landline = (uid: string, name: string, number: string) =>
    card(`UID:${uid}`, `FN:${name}`, `TEL:${number}`);
  const { ids: [one] } = await bring(caller, [
    landline("couple-one", "One", "+49 170 5554444"),
    landline("couple-two", "Two", "0170 5554444"),
  ]);
  assertEquals((await bring(caller, [landline("couple-kid", "Kid", "0049170 5554444 x2")])).told, [
    "NEW",
  ]);
  const other = await bring(caller, [
    landline("other-one", "Uno", "(0170) 555-4444"),
    landline("other-two", "Due", "+1 171 5554444"),
    card("FN:No UID", "TEL:0170 5554444"),
  ], "Other");
  assertEquals(other.told, ["POSSIBLE_DUPLICATE", "NEW", "POSSIBLE_DUPLICATE"]);
  const [{ matches }] = await itemsOf(caller, other.importId);
  assertEquals(matches.length, 3);
  // The person whom an earlier card of the file joins is of its address book from then on.
  const joining = [
    landline("couple-one", "One", "+49 170 5554444"),
    landline("x-two", "X", "0170 5554444"),
  ];
  await archive(
    caller,
    (await read(caller, PEOPLE)).items.find(({ personName }: Json) => personName === "Two")
      .personId,
  );
  await archive(
    caller,
    (await read(caller, PEOPLE)).items.find(({ personName }: Json) => personName === "Kid")
      .personId,
  );
  await archive(
    caller,
    (await read(caller, PEOPLE)).items.find(({ personName }: Json) => personName === "Due")
      .personId,
  );
  const third = await bring(caller, joining, "Third");
  assertEquals([third.told, third.ids[0]], [["UNCHANGED import.uid_known", "NEW"], one]);
});

Deno.test("Cards of one address book join one person, each by its answer", async () => {
  const caller = await world().createCaller();
  const number = "TEL:+49 30 5556666";
  const further = ["second", "third", "fourth", "fifth"].map((each) => `X-PRS-UID:ida-${each}`);
  const { ids: [ida] } = await bring(caller, [card("UID:ida-first", "FN:Ida", number, ...further)]);
  world().advance(1);
  const others = Array.from({ length: 100 }, (_, index) => card(`UID:other-${index}`, "FN:O"));
  const book = [
    card("UID:ida-book", "FN:Ida", number),
    card("UID:ida-same-batch", "FN:Ida B", number),
    ...others,
    card("UID:ida-next-batch", "FN:Ida C", number),
  ];
  const { importId } = await planned(caller, "vcard", book.join(""), { name: "Book" });
  const duplicates = { "ida-book": "join", "ida-next-batch": "join" };
  await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, { body: { duplicates } });
  const plan = await settled(caller, importId);
  const { counts } = await ran(caller, plan);
  assertEquals(counts, plan.counts);
  const joined = await itemsOf(caller, importId, "&outcome=CHANGED");
  assertEquals(joined.map(({ recordId }) => recordId), [ida, ida]);
  const [asked] = await itemsOf(caller, importId, "&outcome=POSSIBLE_DUPLICATE");
  assertEquals([asked.key, asked.matches], ["ida-same-batch", [ida]]);
  const { text } = await caller.call("GET", `${PEOPLE}/${ida}/vcard`);
  const uids = text.match(/^(?:X-PRS-)?UID:.*(?=\r)/gm) ?? [];
  assertEquals(uids.slice(0, 5), ["UID:ida-first", ...further]);
  assertEquals(uids.slice(5).toSorted(), ["X-PRS-UID:ida-book", "X-PRS-UID:ida-next-batch"]);
});

Deno.test("A repeated key is a question that joins the first card or becomes another person", async () => {
  const caller = await world().createCaller();
  const cards = [
    card("UID:rep-card", "FN:R", "TEL:1231231"),
    card("UID:URN:UUID:REP-CARD", "FN:R", "TEL:1231231"),
    card("UID:Rep-Card", "FN:R", "TEL:4564564"),
    card("UID:rep-card", "FN:S"),
    card("UID:rep-card-2", "FN:T"),
  ];
  const plan = await bring(caller, cards);
  assertEquals(plan.told, [
    "NEW",
    "POSSIBLE_DUPLICATE import.key_repeated",
    "POSSIBLE_DUPLICATE import.key_repeated",
    "POSSIBLE_DUPLICATE import.key_repeated",
  ]);
  assertEquals((await itemsOf(caller, plan.importId)).map(({ key }) => key), [
    "rep-card",
    "Rep-Card-2",
    "rep-card-3",
    "rep-card-2-2",
  ]);
  const answered = await bring(caller, cards, "One", { 2: "join", 3: "new", 4: "new" });
  assertEquals(answered.told, [
    "UNCHANGED",
    "CHANGED import.key_repeated",
    "NEW import.key_repeated",
    "NEW import.key_repeated",
  ]);
  assertEquals(answered.ids[1], answered.ids[0]);
  assertEquals(await detailsOf(caller, answered.ids[0]), ["1231231", "4564564"]);
  const again = await bring(caller, cards);
  assertEquals(again.told.map((text) => text.split(" ")[0]), Array(4).fill("UNCHANGED"));
  const proof = await proofOf(world(), caller, "IMPORT_WITHDRAW");
  await act(caller, answered.importId, "withdraw", {}, { headers: proof });
  assertEquals((await settled(caller, answered.importId)).withdrawn, {
    archived: 2,
    left: [{ rule: "import.made_before", count: 1 }],
  });
});

Deno.test("A group and a person under one UID are two records", async () => {
  const caller = await world().createCaller();
  const [group, person] = [
    card("KIND:group", "UID:both-card", "FN:G"),
    card("UID:both-card", "FN:P"),
  ];
  const repeated = "POSSIBLE_DUPLICATE import.key_repeated";
  const first = await bring(caller, [group, person]);
  assertEquals(first.told, ["NEW", repeated]);
  assertEquals((await bring(caller, [group, person])).told, ["UNCHANGED", repeated]);
  // The card was a group before.
  world().advance(1);
  const { told, ids } = await bring(caller, [person]);
  assertEquals(told, ["NEW"]);
  assertEquals((await bring(caller, [person])).ids, ids);
  const headers = await proofOf(world(), caller, "IMPORT_WITHDRAW");
  await act(caller, first.importId, "withdraw", {}, { headers });
  assertEquals((await settled(caller, first.importId)).withdrawn, { archived: 1, left: [] });
});

Deno.test("Members and relations are found in the file, and then among people here", async () => {
  const caller = await world().createCaller();
  const { ids: [here] } = await bring(caller, [
    card("UID:here-person", "FN:Here", "EMAIL:here@example.org"),
  ]);
  const group = (...members: string[]) =>
    card("KIND:group", "UID:group-card", "FN:G", ...members.map((each) => `MEMBER:${each}`));
  const file = [
    card(
      "UID:Rel-Card-1",
      "FN:Rel",
      "EMAIL:Rel@example.org",
      "RELATED;TYPE=friend:urn:uuid:HERE-PERSON",
    ),
    group(
      "urn:uuid:rel-card-1",
      "urn:uuid:HERE-person",
      "mailto:here@example.org",
      "mailto:rel@example.org",
    ),
  ];
  const { ids: [rel, g], row } = await bring(caller, file, "Two");
  assertEquals(row.unmapped, []);
  const members = async (id: string | undefined) =>
    (await read(caller, `/api/v2/records/community/${id}`)).payload.memberIds;
  assertEquals(await members(g), [rel, here]);
  const again = group("urn:uuid:here-person").replace("UID:group-card", "UID:urn:uuid:Group-Card");
  assertEquals((await bring(caller, [again], "Two")).ids, [g]);
  assertEquals((await detailsOf(caller, rel)).includes(here ?? ""), true);
  const missing = await bring(caller, [
    group("urn:uuid:nobody-here", "mailto:nobody@example.org"),
    card("UID:double-1", "FN:D1", "EMAIL:double@example.org"),
    card("UID:double-2", "FN:D2", "EMAIL:double@example.org"),
  ], "Three");
  assertEquals(missing.row.unmapped, [{ name: "MEMBER", count: 1 }]);
  // A card that is left out is not a member.
  const held = await bring(caller, [
    group("urn:uuid:held-card"),
    card("UID:held-card", "FN:Held", "EMAIL:here@example.org"),
  ], "Four");
  assertEquals([held.told[1], held.row.unmapped], [
    "POSSIBLE_DUPLICATE",
    [{ name: "MEMBER", count: 1 }],
  ]);
});

Deno.test("SQL and TypeScript find numbers, addresses and UIDs under the same text", async () => {
  const numbers = [
    ...table.compared.map(({ text }) => text),
    "030 8120034 \u0434\u043e\u0431. 5",
    "+49\u00a030\u2011812\u20110034",
    "\uff0b49 30 8120034",
    "Tel. 030 8120034",
    "+0049 30 8120034",
    "12345",
    "123456",
    "00123456",
    "",
  ];
  const emails = ["Ana@Example.org", " \u00c4na@example.org\n", "a@b\u00a0"];
  const details = [
    ...numbers.map((value) => ({ kind: "PHONE", value: { value } })),
    ...emails.map((value) => ({ kind: "EMAIL", value: { value } })),
  ];
  const sent = JSON.stringify(details).replaceAll("'", "''");
  const rows = await world().rows(`
    select shared_by_details(kind, value) as shared
      from json_to_recordset('${sent}') as detail (kind text, value json)`);
  const own = details.map((detail) => comparedForms([detail]).map(sharedText)[0] ?? null);
  assertEquals(rows.map(({ shared }) => shared), own);
  const uids = [...uidTable.compared.map(({ uid }) => uid), "urn:uuid:", "\n\u00c4B-1\t"];
  const compared = await world().rows(`
    select compared_uid(uid) as uid
      from json_array_elements_text('${JSON.stringify(uids)}') as given (uid)`);
  assertEquals(compared.map(({ uid }) => uid), uids.map(comparedUid));
});
