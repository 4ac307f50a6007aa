/** Our own cards, read again: by the account that wrote them, and by another one. */

import { assert, assertEquals } from "@std/assert";
import { createPerson, detail, experience, personPath } from "../families/relationship/api.ts";
import { card } from "../families/relationship/cards.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { imported, itemsOf } from "./imports.ts";
import { walkPages } from "./kernel.ts";

const world = sharedWorld();

/** Cards show them whole. */
const SHOWN: readonly Json[] = [
  { kind: "PHONE", value: { value: "030 5550001;ext=5", types: ["cell"] }, label: "Home" },
  { kind: "EMAIL", value: { value: "mira@example.org" }, preferred: true },
  { kind: "ADDRESS", value: { street: "Weg 1\nHof", country: "Germany" }, label: "Summer; house" },
  { kind: "ORGANIZATION", value: { name: "Choir" } },
  { kind: "ORGANIZATION", value: { name: "Oak, Ltd", department: "R;Lab 4", title: "Cook" } },
  { kind: "URL", value: { value: "https://mira.example/a,b;c" } },
  { kind: "HANDLE", value: { service: "Matrix", value: "@mira:example.org" } },
  { kind: "DATE", value: { what: "BIRTHDAY", date: "1984-02-29" } },
  { kind: "DATE", value: { what: "BIRTHDAY", date: "--03-01" } },
  { kind: "DATE", value: { what: "ANNIVERSARY", date: "2011" } },
  { kind: "DATE", value: { what: "ANNIVERSARY", date: "2012-01-14" } },
  { kind: "DATE", value: { what: "DEATH", date: "2050" } },
  { kind: "DATE", value: { what: "DEATH", date: "2050-01-01" } },
  { kind: "DATE", value: { what: "MET", date: "2001-05-06" } },
  { kind: "DATE", value: { what: "OTHER", date: "2003" } },
  { kind: "DATE", value: { what: "OTHER", date: "--05-07" }, label: "Name day" },
  { kind: "LINK", value: { name: "Ben Elm", relation: "spouse" } },
  { kind: "LINK", value: { name: "Eve Oak", relation: "Anna's sister" } },
  { kind: "OTHER", value: { property: "ROLE", value: "ROLE:Cook" } },
];

/** Cards show some of their members alone. */
const SHOWN_IN_PART: readonly Json[] = [
  { kind: "NAME", value: { given: "Mira", family: "Oak, Elm", nickname: "Mimi" } },
  { kind: "NAME", value: { given: "Mira", family: "Ash", phonetic: "MEE-ra" } },
  { kind: "NAME", value: { nickname: "Second, Nick" } },
  { kind: "ORGANIZATION", value: { name: "Two" } },
  { kind: "ORGANIZATION", value: { title: "Three" } },
  { kind: "PHONE", value: { value: "tel:+49-30-5550002" } },
  { kind: "EMAIL", value: { value: "mailto:mira@example.net" } },
  { kind: "URL", value: { service: "Blog", value: "https://blog.example" } },
  { kind: "HANDLE", value: { value: "aim:123", types: ["pref"] } },
  { kind: "DATE", value: { what: "BIRTHDAY", date: "1983-01-01" }, label: "Official" },
  { kind: "DATE", value: { what: "OTHER", date: "2005-06-07" }, label: "Anniversary" },
  { kind: "DATE", value: { what: "OTHER", date: "2004-05-08", yearly: false }, label: "Exam" },
  { kind: "LINK", value: { name: "Leo", relation: "Friend" }, label: "old" },
  { kind: "OTHER", value: { property: "X-GIFT", value: "Kite; red" }, label: "Wish" },
];

async function personWith(caller: Caller, details: readonly Json[]): Promise<Json> {
  const known = await createPerson(caller, { personName: "Mira Oak" });
  for (const each of details) {
    world().advance(1);
    await detail(caller, known, each);
  }
  return known;
}

async function detailsOf(caller: Caller, known: Json): Promise<Json[]> {
  const details = (await walkPages(caller, personPath(known, "/details"))).flat().toReversed();
  return details.map(({ kind, value, label, preferred }) => ({ kind, value, label, preferred }));
}

async function cardOf(caller: Caller, known: Json, version: string): Promise<string> {
  return (await caller.call("GET", personPath(known, `/vcard?version=${version}`))).text;
}

for (const version of ["3.0", "4.0"]) {
  Deno.test(`A card ${version} of a person with every kind of detail brings nothing new`, async () => {
    const caller = await world().createCaller();
    const known = await personWith(caller, [...SHOWN_IN_PART, ...SHOWN]);
    const other = await createPerson(caller, { personName: "Ben, B" });
    for (const more of [{ relation: "Best friend" }, { relation: "kin", name: "Benny" }]) {
      await detail(caller, known, { kind: "LINK", value: { personId: other.personId, ...more } });
    }
    const row = await imported(caller, "vcard", await cardOf(caller, known, version));
    const [{ outcome, recordId }] = await itemsOf(caller, row.importId) as [Json];
    assertEquals([outcome, recordId], ["UNCHANGED", known.personId]);
  });

  Deno.test(`A card ${version} brings its details to another account`, async () => {
    const [caller, other] = [await world().createCaller(), await world().createCaller()];
    const known = await personWith(caller, SHOWN);
    const row = await imported(other, "vcard", await cardOf(caller, known, version));
    const [{ recordId }] = await itemsOf(other, row.importId) as [Json];
    const sorted = (details: Json[]) => details.map((each) => JSON.stringify(each)).toSorted();
    const again = await cardOf(other, { personId: recordId }, version);
    const lines = (text: string) =>
      text.split("\r\n").filter((line) => !/^(?:UID|REV):/.test(line));
    assertEquals(lines(again).toSorted(), lines(await cardOf(caller, known, version)).toSorted());
    assertEquals(
      sorted(await detailsOf(other, { personId: recordId })),
      sorted(await detailsOf(caller, known)),
    );
  });
}

Deno.test("A tab in a note or a kept line leaves as it came", async () => {
  const caller = await world().createCaller();
  const [note, kept] = ["NOTE:Tea\tgreen\\nmilk", "X-SEAT:12\tA"];
  const brought = card("VERSION:4.0", "FN:Mira Oak", note, kept);
  const row = await imported(caller, "vcard", brought);
  const [{ recordId }] = await itemsOf(caller, row.importId) as [Json];
  const path = personPath({ personId: recordId }, "/vcard?includeNotes=true");
  const { text } = await caller.call("GET", path);
  for (const line of [note, kept]) assert(text.split("\r\n").includes(line), text);
  const again = await imported(caller, "vcard", text);
  const [{ outcome }] = await itemsOf(caller, again.importId) as [Json];
  assertEquals(outcome, "UNCHANGED");
});

Deno.test("A note with other line ends is not brought a second time", async () => {
  const caller = await world().createCaller();
  const quoted = "NOTE;ENCODING=QUOTED-PRINTABLE:Tea=0Dmilk";
  const row = await imported(caller, "vcard", card("VERSION:2.1", "FN:Mira Oak", quoted));
  const [{ recordId }] = await itemsOf(caller, row.importId) as [Json];
  const known = { personId: recordId };
  await experience(caller, known, { title: "Note", narrative: "Bread\r\nand salt" });
  const path = personPath(known, "/vcard?includeNotes=true");
  const again = await imported(caller, "vcard", (await caller.call("GET", path)).text);
  const [{ outcome }] = await itemsOf(caller, again.importId) as [Json];
  assertEquals(outcome, "UNCHANGED");
});
