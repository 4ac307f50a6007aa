/** `prs fetch monica` before a stand-in of Monica's API. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../../src/core/json.ts";
import { isSameServer } from "../../../src/prs/fetch/answers.ts";
import { MONICA } from "../../../src/imports/converters/monica.ts";
import { recognizeFormat } from "../../../src/imports/converters/signs.ts";
import { inputOf, parted, storedBytes } from "../../families/relationship/cards.ts";
import { uuid } from "../../support/monica_api.ts";
import { MARKER, MonicaPlace, TOKEN } from "../../support/monica_place.ts";

Deno.test("An account becomes a file that the import of Monica's export reads", async () => {
  await using place = new MonicaPlace();
  const end = await place.run();
  assertEquals([end.code, end.out], [0, `${end.folder}/monica-4.json\n`], end.error);
  assertStringIncludes(end.error, "notes 100\nnotes 105\n");
  assertStringIncludes(end.error, "contacts/6: absent (404)\n");
  assertStringIncludes(end.error, "3 of 4 documents lack their bytes\n");
  const { version, account } = JSON.parse(end.file);
  assertEquals([version, Object.keys(account)], ["1.0-preview.1", [
    "data",
    "properties",
    "instance",
  ]]);

  const bytes = new TextEncoder().encode(end.file);
  const input = inputOf(bytes, 10_000);
  assertEquals(await recognizeFormat({ file: input.file, archive: null }), MONICA.format);
  const { items, refused, unmapped } = parted(await Array.fromAsync(MONICA.convert(input)));
  assertEquals(refused, {});
  const people = items.filter(({ target }) => target === "person");
  assertEquals(people.map(({ title }) => title), [
    "Finn Fox",
    "Anna Maria Berg",
    "Ben Cole",
    "Cleo",
    "Dora",
    "Eve",
  ]);
  const archived = people.filter((person) => "archived" in person && person.archived === true);
  assertEquals(archived.map(({ title }) => title), ["Cleo"]);
  const [finn, anna, ben] = people;
  const { details, contacts, experiences, ...fields } = anna?.payload ?? {};
  assertEquals(fields.desiredContactIntervalDays, 30);
  assertEquals((details as JsonObject[]).map(({ kind, value }) => [kind, value]), [
    ["NAME", { given: "Anna", additional: "Maria", family: "Berg", nickname: "Ani" }],
    ["ORGANIZATION", { name: "Sea", title: "Captain" }],
    ["PHONE", { value: "+49 30 5550301" }],
    ["HANDLE", { value: "ani_b", service: "Telegram" }],
    ["ADDRESS", { street: "Quay 1", locality: "Bergen", postalCode: "5003", country: "Norway" }],
    ["DATE", { what: "BIRTHDAY", date: "--02-29" }],
    ["DATE", { what: "MET", date: "1999-01-01" }],
    ["OTHER", { property: "X-MONICA-GENDER", value: "Woman" }],
    ["OTHER", { property: "X-MONICA-FOOD-PREFERENCES", value: "No fish" }],
    ["OTHER", {
      property: "X-MONICA-GIFT",
      value: "Book (offered); amount: €12.00; date: 2022-05-06",
    }],
    ["OTHER", { property: "X-MONICA-PET", value: "Rex (dog)" }],
    ["OTHER", { property: "PHOTO", value: `attachment:${uuid("photo", 1)}` }],
    ...Array.from({ length: 11 }, (_, index) => [
      "OTHER",
      { property: "X-MONICA-PHOTO", value: `attachment:${uuid("photo", index + 2)}` },
    ]),
    ...[1, 2, 3, 4].map((id) => [
      "OTHER",
      { property: "X-MONICA-DOCUMENT", value: `attachment:${uuid("document", id)}` },
    ]),
  ]);
  assertEquals(
    (contacts as JsonObject[]).map(({ channel, direction, note }) => [channel, direction, note]),
    [
      ["CALL", "INCOMING", "Long"],
      ["MESSAGE", "MUTUAL", "me: Hi\nthem: Hello"],
      ["IN_PERSON", "MUTUAL", "Dinner\nWith: Finn Fox, Ben Cole"],
      ["OTHER", "MUTUAL", undefined],
    ],
  );
  const narratives = (experiences as JsonObject[]).map(({ narrative }) => narrative);
  assertEquals([narratives.length, narratives[0], narratives.at(-1)], [
    37,
    "Kind.",
    "How we met\nAt the harbour.\nIt rained.",
  ]);
  assertEquals(anna?.tags, ["sailing"]);
  assertEquals(
    people.flatMap(({ title, links = [] }) =>
      links.map(({ name, relation }) => `${name}, ${relation}, ${title}`)
    ),
    [
      "Cleo, introduced by, Anna Maria Berg",
      "Anna Maria Berg, parent, Dora",
      "Dora, sibling, Eve",
    ],
  );
  const stored = anna?.files.map((file) => new TextDecoder("latin1").decode(storedBytes(file)));
  assertEquals([stored?.length, stored?.includes("a cv.\n")], [13, true]);
  assertStringIncludes(JSON.stringify(ben), "X-MONICA-DEAD");
  assertEquals((finn?.payload.contacts as JsonObject[]).length, 1);
  assertEquals(
    items.filter(({ target }) => target !== "person").map(({ target, title }) => [target, title]),
    [
      ["commitment", "Dentist"],
      ["timeline", "Wedding"],
      ["commitment", "Call back"],
      ["commitment", "€12.00 to Ben Cole"],
      ["memory", "2022-06-06"],
    ],
  );
  assertEquals(unmapped, {
    "activity.type": 3,
    "call.emotions": 1,
    "conversation.contact_field_type": 1,
    "gift.photos": 1,
    "reminder.delible": 1,
    tasks: 1,
  });
});

Deno.test("The token is sent to the one server, in one header, and is nowhere else", async () => {
  await using place = new MonicaPlace();
  const folder = place.newFolder();
  const pages: string[] = [];
  const modes: number[] = [];
  const end = await place.run({
    folder,
    words: ["--json"],
    fault: (path, count) => {
      if (!path.startsWith("/store/") || count > 0) return null;
      for (const { name } of Deno.readDirSync(`${folder}/pages`)) {
        const page = `${folder}/pages/${name}`;
        pages.push(name, Deno.readTextFileSync(page));
        modes.push((Deno.statSync(page).mode ?? 0) & 0o777);
      }
      modes.push(((Deno.statSync(`${folder}/pages`).mode ?? 0) & 0o777) - 0o100);
      return null;
    },
  });
  assertEquals([end.code, new Set(modes)], [0, new Set([0o600])]);
  assertEquals(place.server.credentials, new Set([`Bearer ${TOKEN}`]));
  const { requests } = place.server;
  assert(requests.every((request) => request.startsWith("GET ")), requests.join("\n"));
  assertEquals(requests[0], "GET /api/me");
  const texts = [...requests, ...pages, end.out, end.error, end.file];
  assertEquals(texts.filter((text) => text.includes(MARKER)), []);
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["monica-4.json"]);
  assertEquals((Deno.statSync(`${folder}/monica-4.json`).mode ?? 0) & 0o777, 0o600);
  const { file, counts } = JSON.parse(end.out);
  const { contacts, relationships, notes, photos, lifeevents } = counts;
  assertEquals([file, contacts, relationships, notes, photos, lifeevents], [
    `${folder}/monica-4.json`,
    6,
    2,
    105,
    12,
    1,
  ]);
});

Deno.test("Bytes of a document come from the server of Monica alone, and without a user", () => {
  const base = "https://m.example/monica";
  const links = ["/store/a.pdf", "//x@m.example/a.pdf", "//other.example/a.pdf", "//m.example:8/a"]
    .map((link) => new URL(link, base).href);
  assertEquals(links.map((link) => isSameServer(link, base)), [true, false, false, false]);
  assertEquals(isSameServer("a.pdf", base), false);
});
