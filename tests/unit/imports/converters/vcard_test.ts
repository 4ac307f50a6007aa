/** Conversions of vCards. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { DETAIL_KINDS } from "../../../../src/families/relationship/detail_value.ts";
import { CARD_PRODUCT, comparedForms } from "../../../../src/families/relationship/import_port.ts";
import { FileRefusal } from "../../../../src/imports/refusal.ts";
import type { JsonObject } from "../../../../src/core/json.ts";
import { seededRandom } from "../../../support/random.ts";
import {
  card,
  convertCards,
  detailsOf,
  generatedDetail,
  sortedLines,
  storedBytes,
  writeDetails,
  writeItem,
} from "../../../families/relationship/cards.ts";

const PRIVATE = { privacy: "PRIVATE" };

/** The only item of a 3.0 card with a name. */
async function read(...lines: readonly string[]) {
  const { items: [item], refused, unmapped } = await convertCards(
    card("VERSION:3.0", "FN:Lena", ...lines),
  );
  assertEquals(refused, {});
  assert(item !== undefined);
  return { item, unmapped, details: detailsOf(item), rules: item.rules };
}

function kept(...lines: readonly string[]) {
  return { lines: { version: "3.0", lines: [...lines] } };
}

function linesOf(detail: JsonObject | undefined) {
  return (detail?.lines as JsonObject | undefined)?.lines;
}

Deno.test("Every property of a card becomes the detail of its kind, in the card's order", async () => {
  const { item, details: all, unmapped } = await read(
    "N:Ö\\,;Lena;;Dr.;",
    "NICKNAME:Le,Lene",
    "UID;X-FROM=a:urn:uuid:1",
    "FN:Another",
    'item1.TEL;TYPE="home,voice";type=pref;PID=1.1:tel:+49-30',
    "item1.X-ABLabel:_$!<Home>!$_",
    "EMAIL;type=INTERNET:mailto:Lena@Example.org",
    "ADR;TYPE=work:;;A 1\\nB\\;;Berlin;;10115;",
    "ORG:Sea;Ropes;Left",
    "TITLE:Captain",
    "URL:http\\://example.org",
    "IMPP;X-SERVICE-TYPE=Jabber:xmpp:lena",
    "BDAY:1604-02-29",
    "item2.X-ABDATE;type=pref:2010-06-15",
    "item2.X-ABLabel:_$!<Anniversary>!$_",
    "item3.X-ABDATE:20100616",
    "item3.X-ABLabel:First day",
    "item4.X-ABRELATEDNAMES:Anna",
    "item4.X-ABLabel:_$!<Sister>!$_",
    "item5.X-FOO;A=b:c",
    "item5.X-ABLabel:Foo",
    "RELATED;TYPE=friend:urn:uuid:2",
    "CATEGORIES:Choir,Sea\\, salt",
    "NOTE:Sails\\, alone",
    "REV:20200101T000000Z",
    "PRODID:-//Foo//EN",
    "X-EMPTY:",
    "PHOTO;VALUE=uri:http://example.org/a.jpg",
    "GENDER:F",
  );
  const details = all.map(({ lines: _, ...detail }) => detail);
  assertEquals(
    details.map(({ privacy, ...detail }) => (assertEquals(privacy, "PRIVATE"), detail)),
    [
      {
        kind: "NAME",
        value: { family: "Ö,", given: "Lena", prefix: "Dr.", nickname: "Le" },
      },
      { kind: "NAME", value: { nickname: "Lene" } },
      { kind: "OTHER", value: { property: "FN", value: "FN:Another" } },
      {
        kind: "PHONE",
        value: { value: "+49-30", types: ["home", "voice"] },
        label: "Home",
        preferred: true,
      },
      { kind: "EMAIL", value: { value: "Lena@Example.org" } },
      {
        kind: "ADDRESS",
        value: { street: "A 1\nB;", locality: "Berlin", postalCode: "10115", types: ["work"] },
      },
      {
        kind: "ORGANIZATION",
        value: { name: "Sea", department: "Ropes;Left", title: "Captain" },
      },
      { kind: "URL", value: { value: "http://example.org" } },
      { kind: "HANDLE", value: { value: "lena", service: "Jabber" } },
      { kind: "DATE", value: { what: "BIRTHDAY", date: "--02-29" } },
      {
        kind: "DATE",
        value: { what: "ANNIVERSARY", date: "2010-06-15" },
        label: "Anniversary",
        preferred: true,
      },
      { kind: "DATE", value: { what: "OTHER", date: "2010-06-16" }, label: "First day" },
      { kind: "OTHER", value: { property: "X-FOO", value: "item5.X-FOO;A=b:c" } },
      { kind: "OTHER", value: { property: "X-ABLABEL", value: "item5.X-ABLabel:Foo" } },
      {
        kind: "OTHER",
        value: { property: "PHOTO", value: "PHOTO;VALUE=uri:http://example.org/a.jpg" },
      },
      { kind: "OTHER", value: { property: "GENDER", value: "GENDER:F" } },
    ],
  );
  assertEquals(item, {
    ...item,
    place: 1,
    key: "urn:uuid:1",
    isIdentified: true,
    target: "person",
    title: "Lena",
    tags: ["Choir", "Sea, salt"],
    links: [
      {
        keys: [],
        name: "Anna",
        relation: "Sister",
        detail: kept("item4.X-ABRELATEDNAMES:Anna", "item4.X-ABLabel:_$!<Sister>!$_"),
      },
      {
        keys: ["urn:uuid:2", "2"],
        relation: "friend",
        name: "urn:uuid:2",
        detail: kept("RELATED;TYPE=friend:urn:uuid:2"),
        line: "RELATED;TYPE=friend:urn:uuid:2",
      },
    ],
    uids: ["urn:uuid:1"],
    isOwnCard: false,
    unmapped: ["UID;X-FROM"],
  });
  assertEquals(comparedForms(item.payload.details), ["email:lena@example.org"]);
  assertEquals(item.payload.experiences, [
    { title: "Note", narrative: "Sails, alone", timePrecision: "UNKNOWN", ...PRIVATE },
  ]);
  assertEquals([item.payload.relationshipType, item.payload.importance], ["OTHER", 3]);
  assertEquals(unmapped, { "UID;X-FROM": 1 });
  assertEquals(linesOf(all[0]), ["N:Ö\\,;Lena;;Dr.;", "NICKNAME:Le,Lene"]);
  assertEquals(linesOf(all[3]), [
    'item1.TEL;TYPE="home,voice";type=pref;PID=1.1:tel:+49-30',
    "item1.X-ABLabel:_$!<Home>!$_",
  ]);
  assertEquals(linesOf(all[6]), ["ORG:Sea;Ropes;Left", "TITLE:Captain"]);
});

Deno.test("Version 2.1 has bare types, charsets, and lines that continue after an equals sign", async () => {
  const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const file = latin([
    "BEGIN:VCARD",
    "VERSION:2.1",
    "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=96;Lena;;;",
    "FN;CHARSET=UTF-8;QUOTED-PRINTABLE:Lena =C3=",
    "=96",
    "TEL;CELL;PREF:+49 30 123456",
    "ADR;HOME;CHARSET=ISO-8859-1:;;Stra\xdfe 1;;;;",
    "NOTE;ENCODING=QUOTED-PRINTABLE:One=0D=0A=",
    "A=3Dtwo",
    "X-FOLD:a",
    " b",
    "PHOTO;ENCODING=BASE64;JPEG:",
    " /9j/",
    " 4AAQ",
    "",
    "END:VCARD",
  ].join("\r\n"));
  const { items: [item], refused } = await convertCards(file, 7);
  assertEquals(refused, {});
  assert(item !== undefined);
  assertEquals(item.title, "Lena Ö");
  assertEquals(detailsOf(item).map(({ kind, value, preferred }) => [kind, value, preferred]), [
    ["NAME", { family: "Ö", given: "Lena" }, undefined],
    ["PHONE", { value: "+49 30 123456", types: ["cell"] }, true],
    ["ADDRESS", { street: "Straße 1", types: ["home"] }, undefined],
    ["OTHER", { property: "X-FOLD", value: "X-FOLD:a b" }, undefined],
    ["OTHER", { property: "PHOTO", value: "attachment:1-photo.jpg" }, undefined],
  ]);
  assertEquals(item.payload.experiences, [
    { title: "Note", narrative: "One\nA=two", timePrecision: "UNKNOWN", ...PRIVATE },
  ]);
  const [photo] = item.files;
  assertEquals([photo?.name, photo?.filename, photo?.mediaType], [
    "1-photo.jpg",
    "photo.jpg",
    "image/jpeg",
  ]);
  assert(photo !== undefined);
  assertEquals(storedBytes(photo), Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10]));
  assertEquals(comparedForms(item.payload.details), ["tel:+4930123456"]);
  assertEquals([item.isIdentified, item.key.length], [false, "digest:".length + 64]);
});

Deno.test("A card without a name is known by its organization, else by all of its lines", async () => {
  const keyOf = async (...lines: readonly string[]) => {
    const { items: [item] } = await convertCards(card("VERSION:3.0", ...lines));
    return item?.key;
  };
  const [one, other] = ["ADR:;;Road 1;;;;", "ADR:;;Road 2;;;;"];
  const clinic = await keyOf("ORG:Clinic", one);
  assertEquals(await keyOf("N:;;;;", "ORG:Clinic", other, "REV:2020"), clinic);
  const keys = [
    clinic,
    await keyOf("ORG:Taxi", one),
    await keyOf(one),
    await keyOf(other),
    await keyOf("FN: ", other, "URL:https://taxi.example"),
  ];
  assertEquals(new Set(keys).size, keys.length);
  assertEquals(await keyOf(one, "REV:2020"), await keyOf(one));
});

Deno.test("A day is read, or its line is kept", async () => {
  const table = new URL("../../../http/contact_cases/tables/days.json", import.meta.url);
  const { days } = JSON.parse(await Deno.readTextFile(table));
  for (const { text, date } of days) {
    const { details: [detail], rules } = await read(`BDAY:${text.replaceAll(",", "\\,")}`);
    const isPart = ["1984-02", "---29", ""].includes(text);
    const value = { property: "BDAY", value: `BDAY:${text}` };
    const expected = date !== null ? { what: "BIRTHDAY", date } : text === "" ? undefined : value;
    assertEquals(detail?.value, expected, text);
    assertEquals(rules, date === null && !isPart ? ["vcard.date"] : [], text);
  }
  const forms: readonly [string, string][] = [
    ["BDAY;X-APPLE-OMIT-YEAR=1900:1900-02-29", "--02-29"],
    ["BDAY;VALUE=date-and-or-time:--0229T10", "--02-29"],
    ["X-PRS-BDAY:1984", "1984"],
    ["X-ANDROID-CUSTOM:vnd.android.cursor.item/contact_event;29.2.1984;3;;;", "1984-02-29"],
  ];
  for (const [line, date] of forms) {
    const { details: [detail], unmapped } = await read(line);
    assertEquals([detail?.value, unmapped], [{ what: "BIRTHDAY", date }, {}], line);
  }
  const wrong = [
    "BDAY;CALSCALE=hebrew:57760429",
    "BDAY:1984-02-29 or so",
    `BDAY:${"1".repeat(300)}`,
  ];
  for (const line of wrong) assertEquals((await read(line)).rules, ["vcard.date"], line);
});

Deno.test("Lines of other products become details of their kinds", async () => {
  const android = "TEL;TYPE=X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=42=2C=20=C3=84):1";
  const cases: readonly [line: string, detail: JsonObject, ...unmapped: string[]][] = [
    [android, { kind: "PHONE", value: { value: "1" }, label: "B, Ä" }],
    ["TEL;TYPE=X-CUSTOM(Boat, old),voice:1", {
      kind: "PHONE",
      value: { value: "1", types: ["voice"] },
      label: "Boat, old",
    }],
    ["TEL;TYPE=A B;TYPE=C D:1", { kind: "PHONE", value: { value: "1" }, label: "A B" }, "TEL;TYPE"],
    [`TEL;TYPE="${"é ".repeat(40)}":1`, {
      kind: "PHONE",
      value: { value: "1" },
      label: "é ".repeat(32).trim(),
    }],
    ["X-KADDRESSBOOK-X-SpouseName:Eve", {
      kind: "LINK",
      value: { name: "Eve", relation: "spouse" },
    }],
    ["N:Own;A, B;;;Jr.;Own,Sec;jr", {
      kind: "NAME",
      value: { family: "Own,Sec", given: "A,B", suffix: "Jr." },
    }],
    ["ORG:A\\nLtd;B\tC", { kind: "ORGANIZATION", value: { name: "A Ltd", department: "B C" } }],
    ["TEL:030\t1", { kind: "PHONE", value: { value: "030 1" } }],
    ["ADR:;;A\\nB\t1;Ber\\nlin", {
      kind: "ADDRESS",
      value: { street: "A\nB 1", locality: "Ber lin" },
    }],
    ["ORG:A;;B ; C", { kind: "ORGANIZATION", value: { name: "A", department: "B;C" } }],
    ["IMPP;X-SERVICE-TYPE=Google Talk:Google Talk:ben", {
      kind: "HANDLE",
      value: { value: "ben", service: "Google Talk" },
    }],
    ["IMPP:https://chat.example/a", { kind: "HANDLE", value: { value: "https://chat.example/a" } }],
    ["X-A_B:1", { kind: "OTHER", value: { property: "X-A-B", value: "X-A_B:1" } }],
    ["X-PRS-N:Third;N;;;", { kind: "OTHER", value: { property: "N", value: "N:Third;N;;;" } }],
    ["LOGO;TYPE=image/png:iVBORw0KGgo=", {
      kind: "OTHER",
      value: { property: "LOGO", value: "attachment:1-logo.png" },
    }],
    ["PHOTO;X-CROP=1:data:image/gif\\;base64\\,R0lGODlhAQ==", {
      kind: "OTHER",
      value: { property: "PHOTO", value: "attachment:1-photo.gif" },
    }, "PHOTO;X-CROP"],
  ];
  for (const [line, detail, ...unmapped] of cases) {
    const { item, details: [{ lines, privacy: _, ...own } = {}] } = await read(line);
    assertEquals([own, item.unmapped], [detail, unmapped], line);
    const isPicture = item.files.length > 0;
    const text = line.replace("X-PRS-", "");
    assertEquals(lines, isPicture ? undefined : { version: "3.0", lines: [text] }, line);
  }
  assertEquals((await read("PHOTO:nonsense", "LOGO;ENCODING=b:!")).unmapped, { PHOTO: 1 });
  const { item } = await read("UID:1", "X-PRS-UID:2", "UID:1", "X-PRS-UID:URN:PRS:3");
  assertEquals([item.uids, item.isOwnCard], [["1", "2", "URN:PRS:3"], true]);
});

Deno.test("The first label of a group belongs to the first line with a kind", async () => {
  const { details } = await read(
    "item1.X-ABADR:de",
    "item1.BDAY;VALUE=text:soon",
    "item1.TEL:1",
    "item1.EMAIL:a@b",
    "item1.X-ABLabel:Boat",
    "item1.X-ABLabel:Second",
  );
  assertEquals(
    details.map(({ kind, value, label = null }) => [kind, (value as JsonObject).value, label]),
    [
      ["OTHER", "item1.X-ABADR:de", null],
      ["OTHER", "item1.BDAY;VALUE=text:soon", null],
      ["PHONE", "1", "Boat"],
      ["EMAIL", "a@b", null],
      ["OTHER", "item1.X-ABLabel:Second", null],
    ],
  );
});

Deno.test("The first 200 details of a card come in, and its links count", async () => {
  const { item, details, rules } = await read(
    ...Array.from({ length: 198 }, (_, index) => `TEL:${index}`),
    "BDAY:1984-02-29",
    "RELATED:urn:uuid:1",
    "X-ANNIVERSARY:1984-02-29",
    "BDAY:19840229",
    "RELATED;VALUE=text:Max",
    "NOTE:Sails",
  );
  assertEquals([details.length, item.links.length, rules], [199, 1, ["detail.count"]]);
  assertEquals(item.unmapped, ["X-ANNIVERSARY", "RELATED"]);
  assertEquals((item.payload.experiences as unknown[]).length, 1);
});

Deno.test("A card without a formatted name is named by its other properties", async () => {
  const cases: readonly [string[], string][] = [
    [["N:Ö;Lena;;;", "ORG:Sea"], "Lena Ö"],
    [["NICKNAME:,Le,Lene", "ORG:Sea"], "Le"],
    [["ORG:Sea;Ropes", "TEL:1"], "Sea"],
    [["TEL:tel:1", "EMAIL:a@b"], "a@b"],
    [["TEL:tel:1"], "1"],
    [["FN:One\\nTwo"], "One Two"],
    [["BDAY:1984"], "Unnamed"],
    [[`FN:${"Ö".repeat(201)}`], "Ö".repeat(200)],
  ];
  for (const [lines, title] of cases) {
    const { items } = await convertCards(card("VERSION:4.0", ...lines));
    assertEquals(items.map((item) => item.title), [title]);
  }
  const { items: [item] } = await convertCards(card("VERSION:4.0", `FN:${"Ö".repeat(201)}`));
  assert(item !== undefined);
  assertEquals([item.rules, detailsOf(item).map(({ value }) => value)], [
    ["title.cut"],
    [{ property: "FN", value: `FN:${"Ö".repeat(201)}` }],
  ]);
});

Deno.test("A group becomes a community, with the keys of its members", async () => {
  const { items: [item], unmapped } = await convertCards(card(
    "VERSION:4.0",
    "KIND:group",
    "FN:Choir",
    "UID:g",
    "NOTE:Thursdays",
    "TEL:1",
    "MEMBER:urn:uuid:1",
    "MEMBER:2",
  ));
  assertEquals([item?.target, item?.title, item?.payload, item?.members], [
    "community",
    "Choir",
    { communityName: "Choir", communityType: "OTHER", notes: "Thursdays" },
    [["urn:uuid:1", "1"], ["2", "urn:uuid:2"]],
  ]);
  assertEquals(unmapped, { TEL: 1 });
});

Deno.test("A file that does not begin with a card is not a vCard", async () => {
  for (const text of ["", "\r\n", "Name,Phone", "<vcards/>", " BEGIN:VCARD"]) {
    const error = await assertRejects(() => convertCards(text), FileRefusal);
    assertEquals(error.rule, "import.format");
  }
  const { items } = await convertCards(`\ufeff\r\n \n${card("VERSION:4.0", "FN:A")}`);
  assertEquals(items.length, 1);
});

Deno.test("A title belongs to the organization of its group, or on our own card to the one before", async () => {
  const pairs = async (...lines: readonly string[]) =>
    (await read(...lines)).details.map(({ value }) => Object.values(value as object).join());
  const [club, firm, title] = ["ORG:Club", "ORG:Firm", "TITLE:Cook"];
  assertEquals(await pairs(`item1.${club}`, `item2.${firm}`, `item2.${title}`), [
    "Club",
    "Firm,Cook",
  ]);
  assertEquals(await pairs(club, firm, title), ["Club,Cook", "Firm"]);
  const own = `PRODID:${CARD_PRODUCT}`;
  assertEquals(await pairs(own, club, firm, title), ["Club", "Firm,Cook"]);
  assertEquals(await pairs(own, firm, title, "TITLE:Chair"), ["Firm,Cook", "Chair"]);
  // Another program has put the lines in another order.
  assertEquals(await pairs(own, firm, "TEL:1", title), ["Firm,Cook", "1"]);
});

Deno.test("Values that are too long are counted, and nothing else is lost", async () => {
  const { details, unmapped } = await read(
    `X-LONG:${"x".repeat(16 * 1024)}`,
    "X-CONTROL:a\u0007b",
    `TEL:${"1".repeat(2_001)}`,
    `IMPP:${"x".repeat(200_000)}`,
    `X-TYPES;${"A;".repeat(100_000)}:x`,
    `LOGO;ENCODING=b;TYPE=PNG:${"A".repeat(20_000)}`,
  );
  assertEquals(details.map(({ value }) => Object.values(value as object)[0]), [
    "X-CONTROL",
    "TEL",
    "LOGO",
  ]);
  assertEquals(details[0]?.value, { property: "X-CONTROL", value: "X-CONTROL:a b" });
  assertEquals(unmapped, { "IMPP": 1, "X-LONG": 1, "X-TYPES": 1 });
});

Deno.test("A person may have as many tags as any item", async () => {
  const tags = Array.from({ length: 600 }, (_, index) => `T${index}`).join();
  assertEquals((await read(`CATEGORIES:${tags}`)).item.tags?.length, 600);
});

Deno.test("Lines of real exports come in whole and leave as they came", async () => {
  const long = `X-FCENCODED-${"5".repeat(60)}`;
  const lines = [
    `${long}:Assistant`,
    "item1.X-ABDATE;TYPE=pref:2001-05-06",
    "item1.X-ABLabel:MET",
    "item2.X-ABRELATEDNAMES;TYPE=pref:Jenny",
    "item2.X-ABLabel:Chief",
  ];
  // Some transports double the carriage returns.
  const file = card("VERSION:3.0", "FN:Lena", ...lines).replaceAll("\r\n", "\r\r\n");
  const { items: [item], unmapped } = await convertCards(file);
  assert(item !== undefined);
  assertEquals(unmapped, {});
  assertEquals(detailsOf(item).map(({ value, label, preferred }) => [value, label, preferred]), [
    [{ property: long.slice(0, 64), value: `${long}:Assistant` }, undefined, undefined],
    [{ what: "MET", date: "2001-05-06" }, undefined, true],
    [{ name: "Jenny", relation: "Chief" }, undefined, true],
  ]);
  const written = sortedLines(writeItem(item, "3.0"));
  for (const line of sortedLines(card(...lines)).filter((line) => !/^(?:BEGIN|END|$)/.test(line))) {
    assert(written.includes(line), `${line}: ${written.join("\n")}`);
  }
});

Deno.test("Two thousand generated cards come in and leave as they came", async () => {
  const random = seededRandom(37);
  for (const version of ["4.0", "3.0"] as const) {
    const names = Array.from({ length: 1_000 }, () => {
      const details = Array.from(
        { length: random.integer(1, 6) },
        () => generatedDetail(random, random.pick(DETAIL_KINDS)),
      ).filter(({ value }) => (value as { what?: string }).what !== "ANNIVERSARY");
      const named = new Map(details.flatMap(({ value }) => {
        const { personId } = value as { personId?: string };
        return personId === undefined ? [] : [[personId, "Anna"] as const];
      }));
      return writeDetails(details, version, {
        personId: random.ulid(),
        personName: random.text(1, 60),
        tags: random.chance(0.2) ? [random.text(2, 20)] : [],
        names: named,
      });
    });
    const { items, refused } = await convertCards(names.join(""), 100_003);
    assertEquals([items.length, refused], [names.length, {}]);
    for (const [index, item] of items.entries()) {
      assertEquals(sortedLines(writeItem(item, version)), sortedLines(names[index] ?? ""));
      assert(item.unmapped.length === 0, item.unmapped.join());
    }
  }
});
