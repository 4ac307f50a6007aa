/** Repeated imports of cards: changes, removed tags, secret details, logs. */

import { proofOf } from "../support/tokens.ts";
import { assert, assertEquals } from "@std/assert";
import { createWorld, type Json, sharedWorld } from "../support/world.ts";
import { act } from "./imports.ts";
import {
  bring,
  card,
  detailsOf,
  notesOf,
  PEOPLE,
  read,
  rename,
  retract,
  send,
} from "./brought_cards.ts";

const world = sharedWorld();

Deno.test("Our own card takes nothing away, and brings the person back by identifier", async () => {
  const caller = await world().createCaller();
  const { ids: [mia] } = await bring(caller, [
    card("UID:mia-card-1", "FN:Mia", "TEL:0301112222", "EMAIL:mia@example.org", "NOTE:One"),
  ]);
  const product = "PRODID:-//Personal Records Service//vCard//EN";
  const own = (uid: string, ...lines: string[]) => card(product, `UID:${uid}`, "FN:M.", ...lines);
  assertEquals((await bring(caller, [own("mia-card-1", "TEL:0301112222")])).told, ["UNCHANGED"]);
  const named = await bring(caller, [own(`urn:prs:${mia}`, "NOTE:Two")], "Backup");
  assertEquals([named.told, named.ids], [["CHANGED import.uid_known"], [mia]]);
  assertEquals(await detailsOf(caller, mia), ["0301112222", "mia@example.org"]);
  assertEquals(await notesOf(caller, mia), ["One", "Two"]);
  assertEquals((await read(caller, `${PEOPLE}/${mia}`)).personName, "Mia");
  // A changed own card takes nothing away even in its own source.
  const less = await bring(caller, [own("mia-card-1", "URL:https://mia.example.org")]);
  assertEquals(less.told, ["CHANGED"]);
  assertEquals((await detailsOf(caller, mia)).length, 3);
  assertEquals((await bring(caller, [own("urn:prs:01ARZ3NDEKTSV4RRFFQ69G5FAV")], "B")).told, [
    "NEW",
  ]);
});

Deno.test("A changed card follows its source, and what was changed here stays so", async () => {
  const caller = await world().createCaller();
  const first = card("UID:kim-card", "FN:Kim", "TEL:1111111", "TEL:2222222", "NOTE:A");
  const { ids: [kim] } = await bring(caller, [first]);
  await retract(caller, kim, "1111111");
  const second = first.replace("NOTE:A", "NOTE:B").replace("FN:Kim", "FN:Kim Oak");
  assertEquals((await bring(caller, [second])).told, ["CHANGED"]);
  assertEquals((await read(caller, `${PEOPLE}/${kim}`)).personName, "Kim Oak");
  assertEquals(await detailsOf(caller, kim), ["2222222"]);
  assertEquals(await notesOf(caller, kim), ["A", "B"]);
  await rename(caller, kim, "Kimmy");
  const third = second.replace("TEL:2222222\r\n", "");
  assertEquals((await bring(caller, [third])).told, ["CHANGED import.edited_here"]);
  assertEquals(await detailsOf(caller, kim), []);
  // The source brings its number again, and the name stays even if nothing else changes.
  assertEquals((await bring(caller, [second])).told, ["CHANGED import.edited_here"]);
  assertEquals(await detailsOf(caller, kim), ["2222222"]);
  const renamed = second.replace("FN:Kim Oak", "FN:Kim Elm");
  assertEquals((await bring(caller, [renamed])).told, ["UNCHANGED import.edited_here"]);
  assertEquals((await bring(caller, [renamed.replace("FN:Kim Elm", "FN:Kimmy")])).told, [
    "UNCHANGED",
  ]);
  assertEquals((await read(caller, `${PEOPLE}/${kim}`)).personName, "Kimmy");
  // A new tag is a change.
  const tagged = renamed.replace("NOTE:B", "NOTE:B\r\nCATEGORIES:Choir");
  assertEquals((await bring(caller, [tagged])).told, ["CHANGED import.edited_here"]);
});

Deno.test("A changed card does not bring a SECRET detail back as PRIVATE", async () => {
  const caller = await world().createCaller();
  const first = card("UID:uli-card", "FN:Uli", "TEL:1111", "TEL:2222222", "BDAY:--0203");
  const { ids: [uli] } = await bring(caller, [first]);
  const privacy = async () => {
    const { items } = await read(caller, `${PEOPLE}/${uli}/details?limit=100`);
    return items.map(({ value, effectivePrivacy, detailId }: Json) =>
      [value.value ?? value.date, effectivePrivacy, detailId] as const
    ).toSorted();
  };
  for (const [, , detailId] of await privacy()) {
    await send(caller, "POST", `${PEOPLE}/${uli}/details/${detailId}/control`, {
      kind: "PRIVACY_RECLASSIFIED",
      privacy: "SECRET",
    });
  }
  await bring(caller, [first.replace("TEL:2222222\r\n", "")]);
  await bring(caller, [
    first.replace("TEL:1", "TEL;TYPE=home:1").replace("--0203", "19840203")
      .replace("BDAY", "EMAIL:uli@example.org\r\nBDAY"),
  ]);
  assertEquals((await privacy()).map(([value, level]: Json) => [value, level]), [
    ["1111", "SECRET"],
    ["1984-02-03", "SECRET"],
    ["2222222", "SECRET"],
    ["uli@example.org", "PRIVATE"],
  ]);
});

Deno.test("A tag that was removed here comes back by an answer alone", async () => {
  const caller = await world().createCaller();
  const tagged = (uid: string, ...more: string[]) =>
    card(`UID:${uid}`, "FN:Tia", "TEL:+49 30 5557777", ...more);
  const { ids: [tia] } = await bring(caller, [tagged("tia-card", "CATEGORIES:Choir")]);
  const assignments = "/api/v2/taxonomy/assignments";
  const carried = `${assignments}?moduleCode=relationship&recordId=${tia}`;
  const tags = async () => (await read(caller, carried)).items.map(({ name }: Json) => name);
  const [{ termId }] = (await read(caller, carried)).items;
  const about = { termId, moduleCode: "relationship", recordId: tia };
  await send(caller, "POST", `${assignments}/remove`, about);
  const moved = tagged("tia-card", "CATEGORIES:Choir", "PRODID:Other");
  assertEquals((await bring(caller, [moved])).told, ["UNCHANGED"]);
  const more = tagged("tia-card", "CATEGORIES:Choir,Sea", "ROLE:Cook");
  assertEquals((await bring(caller, [more])).told, ["CHANGED"]);
  assertEquals((await bring(caller, [more], "Two")).told, ["UNCHANGED import.uid_known"]);
  assertEquals(await tags(), ["Sea"]);
  const other = tagged("tia-other", "CATEGORIES:Choir");
  assertEquals((await bring(caller, [other], "Three", { 1: "join" })).told, ["CHANGED"]);
  assertEquals((await tags()).toSorted(), ["Choir", "Sea"]);
});

Deno.test("The UIDs and notes of cards that one run joins are in the order of the file", async () => {
  const caller = await world().createCaller();
  const places = [1, 2, 3, 4, 5, 6];
  const cards = places.map((place) => card("UID:one-of-six", "FN:Six", `NOTE:${place}`));
  const answers = Object.fromEntries(places.slice(1).map((place) => [place, "join"]));
  const { ids } = await bring(caller, cards, "Six", answers);
  assertEquals(new Set(ids).size, 1);
  const text = (await caller.call("GET", `${PEOPLE}/${ids[0]}/vcard?includeNotes=true`)).text;
  assertEquals(text.match(/^(?:UID|X-PRS-UID|NOTE):[^\r]*/gm), [
    "UID:one-of-six",
    ...places.slice(1).map((place) => `X-PRS-UID:one-of-six-${place}`),
    ...places.map((place) => `NOTE:${place}`),
  ]);
});

Deno.test("No log line has a word of a card", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const cards = [
    card("UID:logged-one", "FN:Wendeline", "TEL:0305550987", "BDAY:zwoelfter", "Querzeile"),
    card("UID:logged-one", "FN:Anderswer", "EMAIL:querpost@example.org"),
    card("UID:logged-two", "FN:Doppelt", "TEL:+49 30 5550987", "NOTE:Geheimnotiz"),
  ];
  const { importId } = await bring(caller, cards);
  await bring(caller, [card("UID:logged-two", "FN:Neuname", "TEL:1")]);
  await act(caller, importId, "withdraw", {}, {
    headers: await proofOf(own, caller, "ACCOUNT_EXPORT"),
  });
  const log = JSON.stringify(own.log);
  assert(own.log.length > 5);
  for (
    const word of [
      "Wendeline",
      "5550987",
      "zwoelfter",
      "Querzeile",
      "Anderswer",
      "querpost",
      "Doppelt",
      "Geheimnotiz",
      "Neuname",
      "logged-",
    ]
  ) {
    assert(!log.includes(word), word);
  }
});
