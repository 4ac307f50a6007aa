/** vCards of one person, byte for byte, and exports in parts. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ulid } from "@std/ulid";
import { sha256Hex } from "../../src/core/digest.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing } from "./kernel.ts";
import { done, post, read } from "../families/memory/api.ts";
import {
  control,
  createPerson,
  current,
  detail,
  experience,
  move,
  PEOPLE_EXPORTS as EXPORTS,
  personPath,
  withoutSecrets,
} from "../families/relationship/api.ts";

const world = sharedWorld();

async function cardOf(caller: Caller, known: Json, query = ""): Promise<string> {
  const response = await caller.call("GET", personPath(known, `/vcard${query}`));
  assertEquals(response.status, 200, response.text);
  return response.text;
}

/** Unfolded, without the lines that every card has. */
function linesOf(card: string): string[] {
  assert(card.endsWith("\r\n"));
  const lines = card.replaceAll("\r\n ", "").split("\r\n").slice(0, -1);
  assertEquals(lines.at(0), "BEGIN:VCARD");
  return lines.slice(5, -2);
}

async function proven(caller: Caller): Promise<Record<string, string>> {
  return await proofOf(world(), caller, "RELATIONSHIP_EXPORT");
}

Deno.test("A person's card shows every detail, in both versions, to the byte", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { personName: "Lena; Ö, \\ 🙂" });
  const friend = await createPerson(caller, { personName: "Anna" });
  const headers = { "Content-Type": "image/jpeg", "X-Filename": "a.jpg" };
  const photo = await caller.call("POST", "/api/v2/attachments", { headers, raw: "bytes" });
  const details: [string, JsonObject, JsonObject?][] = [
    ["NAME", { given: "Old" }],
    ["NAME", { family: "Ö,", given: "Lena", prefix: "Dr.", nickname: "Le", phonetic: "Lay" }],
    ["PHONE", { value: "+49 30 1", types: ["cell", "voice"] }, { preferred: true }],
    ["PHONE", { value: "+49 30 2" }, { label: "Lake, house" }],
    ["EMAIL", { value: "lena@example.org" }],
    ["ADDRESS", { street: "A 1\nB", locality: "Berlin", types: ["home"] }],
    ["ORGANIZATION", { name: "Sea; Sons", department: "Ropes", title: "Captain" }],
    ["URL", { value: "https://example.org/?a=1,2;3" }],
    ["HANDLE", { value: "lena@example.org", service: "xmpp" }],
    ["HANDLE", { value: "lena" }],
    ["DATE", { what: "BIRTHDAY", date: "1980-01-01" }],
    ["DATE", { what: "BIRTHDAY", date: "--02-29" }],
    ["DATE", { what: "ANNIVERSARY", date: "2009" }],
    ["DATE", { what: "DEATH", date: "2020-03-04" }, { label: "At sea" }],
    ["DATE", { what: "MET", date: "2001-05-06" }],
    ["LINK", { personId: friend.personId, relation: "Friend" }],
    ["LINK", { name: "Eva", relation: "Anna's sister" }],
    ["OTHER", { property: "X-FOO", value: "item1.X-FOO;A=b:c,d" }],
    ["OTHER", { property: "X-BAR", value: "plain, text" }],
    ["OTHER", { property: "NOTE", value: "NOTE:never" }],
    ["OTHER", { property: "tel", value: "TEL:never" }],
    ["OTHER", { property: "PHOTO", value: `attachment:${photo.body.data.attachmentId}` }],
    ["OTHER", { property: "PHOTO", value: `attachment:${ulid()}` }],
  ];
  for (const [kind, value, more] of details) {
    await detail(caller, known, { kind, value, note: "never", ...more });
  }
  await control(caller, await detail(caller, known), { kind: "RETRACTED" });
  for (const name of ["Zoo, friends", "Choir"]) {
    const { termId } = await done(caller, "/api/v2/taxonomy/tags", { name });
    const body = { termId, moduleCode: "relationship", recordId: known.personId };
    await done(caller, "/api/v2/taxonomy/assignments", body);
  }
  const response = await caller.call("GET", personPath(known, "/vcard"));
  assertEquals(response.headers.get("Content-Type"), "text/vcard; charset=utf-8");
  assertEquals(
    response.headers.get("Content-Disposition"),
    `attachment; filename="${known.personId}.vcf"`,
  );
  assertEquals(response.headers.get("Cache-Control"), "no-store");
  const card = await cardOf(caller, known);
  assertEquals(card, response.text);
  const stamp = (await current(caller, known)).updatedAt.slice(0, 19);
  const shared = (types: string) => [
    "N:Ö\\,;Lena;;Dr.;",
    "X-PHONETIC-NAME:Lay",
    "NICKNAME:Le",
    `TEL;TYPE=cell,voice${types}:+49 30 1`,
    "item2.TEL:+49 30 2",
    "item2.X-ABLabel:Lake\\, house",
    "EMAIL:lena@example.org",
    "ADR;TYPE=home:;;A 1\\nB;Berlin;;;",
    "ORG:Sea\\; Sons;Ropes",
    "TITLE:Captain",
    "URL:https://example.org/?a=1\\,2\\;3",
    "IMPP:xmpp:lena@example.org",
    "IMPP:lena",
  ];
  const others = ["CATEGORIES:Choir,Zoo\\, friends"];
  const last = ["item1.X-FOO;A=b:c,d", "X-BAR:plain\\, text"];
  assertEquals(linesOf(card), [
    ...shared(";PREF=1"),
    "BDAY:--0229",
    "ANNIVERSARY:2009",
    "item3.DEATHDATE:20200304",
    "item3.X-ABLabel:At sea",
    "item4.X-ABDATE:19800101",
    "item4.X-ABLabel:BIRTHDAY",
    "item5.X-ABDATE:20010506",
    "item5.X-ABLabel:MET",
    `RELATED;TYPE=friend:urn:prs:${friend.personId}`,
    "item6.RELATED;VALUE=text:Eva",
    "item6.X-ABLabel:Anna's sister",
    ...others,
    `PHOTO:data:image/jpeg;base64,${btoa("bytes")}`,
    ...last,
  ]);
  assertStringIncludes(
    card,
    `BEGIN:VCARD\r\nVERSION:4.0\r\nPRODID:-//Personal Records Service//vCard//EN\r\n` +
      `UID:urn:prs:${known.personId}\r\nFN:Lena\\; Ö\\, \\\\ 🙂\r\n`,
  );
  assertStringIncludes(card, `\r\nREV:${stamp.replaceAll(/[-:]/g, "")}Z\r\nEND:VCARD\r\n`);
  const third = await cardOf(caller, known, "?version=3.0");
  assertEquals(linesOf(third), [
    ...shared(",pref"),
    "BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29",
    "X-PRS-ANNIVERSARY:2009",
    "item3.X-DEATHDATE:2020-03-04",
    "item3.X-ABLabel:At sea",
    "item4.X-ABDATE:1980-01-01",
    "item4.X-ABLabel:BIRTHDAY",
    "item5.X-ABDATE:2001-05-06",
    "item5.X-ABLabel:MET",
    "item6.X-ABRELATEDNAMES:Anna",
    "item6.X-ABLabel:_$!<Friend>!$_",
    "item7.X-ABRELATEDNAMES:Eva",
    "item7.X-ABLabel:Anna's sister",
    ...others,
    `PHOTO;ENCODING=b;TYPE=JPEG:${btoa("bytes")}`,
    ...last,
  ]);
  assertStringIncludes(third, `\r\nREV:${stamp}Z\r\n`);
  for (const line of (card + third).split("\r\n")) {
    assert(new TextEncoder().encode(line).length <= 75, line);
  }
});

Deno.test("No text of a person ends a line of the vCard", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { personName: "Ana\u2028REV:1" });
  const breaks = "a\u2028b\u2029c";
  await detail(caller, known, { kind: "NAME", value: { given: breaks, nickname: breaks } });
  await detail(caller, known, { kind: "PHONE", label: breaks, value: { value: breaks } });
  await detail(caller, known, {
    kind: "ADDRESS",
    value: { street: `${breaks}\nd` },
  });
  await detail(caller, known, {
    kind: "OTHER",
    value: { property: "X-FOO", value: `X-FOO;A=${breaks}:${breaks}` },
  });
  await detail(caller, known, { kind: "OTHER", value: { property: "X-BAR", value: breaks } });
  for (const version of ["4.0", "3.0"]) {
    const card = await cardOf(caller, known, `?version=${version}`);
    assert(!/(?![\r\n])[\p{Cc}\u2028\u2029]/u.test(card), card);
    assert(card.includes("\r\nFN:Ana REV:1\r\n"), card);
    for (
      const line of [
        "N:;a b c;;;",
        "NICKNAME:a b c",
        "item1.TEL:a b c",
        "item1.X-ABLabel:a b c",
        "ADR:;;a b c\\nd;;;;",
        "X-FOO;A=a b c:a b c",
        "X-BAR:a b c",
      ]
    ) {
      assert(card.includes(`\r\n${line}\r\n`), `${line} is missing in ${card}`);
    }
  }
});

Deno.test("A person without a name detail has N in version 3.0 only", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { personName: "Lena Ö; jr." });
  assertEquals(linesOf(await cardOf(caller, known)), []);
  assertEquals(linesOf(await cardOf(caller, known, "?version=3.0")), ["N:Lena Ö\\; jr.;;;;"]);
  const path = personPath(known, "/vcard");
  assertInvalid(await caller.call("GET", `${path}?version=2.1`), ["field.option"], ["version"]);
  assertInvalid(await caller.call("GET", `${path}?includeSecret=1`), ["field.option"], [
    "includeSecret",
  ]);
  assertFailure(
    await caller.call("GET", personPath({ personId: ulid() }, "/vcard")),
    "RECORD_NOT_FOUND",
  );
});

Deno.test("SECRET details leave only on request, with the permission", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  await detail(caller, known, { privacy: "SECRET" });
  assertEquals(linesOf(await cardOf(caller, known)), []);
  assertEquals(linesOf(await cardOf(caller, known, "?includeSecret=true")).length, 1);
  const other = await withoutSecrets(world(), caller);
  const path = personPath(known, "/vcard?includeSecret=true");
  assertFailure(await other.call("GET", path), "FORBIDDEN");
  const body = { format: "VCARD", includeSecret: true };
  assertFailure(await post(other, EXPORTS, body, await proven(caller)), "FORBIDDEN");
});

Deno.test("Notes leave alone on request, in an export unless refused, and SECRET ones as all", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const unknown = { timePrecision: "UNKNOWN", occurredAt: undefined };
  for (
    const body of [
      { title: "Note", narrative: "Tea, not\ncoffee" },
      { title: "Note", narrative: "Never a cat", privacy: "SECRET" },
      { title: "Note", narrative: "Sings" },
      { title: "Notes", narrative: "never" },
      { title: "Note", narrative: undefined },
    ]
  ) {
    world().advance(1);
    await experience(caller, known, { ...unknown, ...body } as unknown as JsonObject);
  }
  const [tea, cat, song] = ["NOTE:Tea\\, not\\ncoffee", "NOTE:Never a cat", "NOTE:Sings"];
  const notes = [tea, song];
  const whole = [tea, cat, song];
  for (
    const [query, expected] of [
      ["", []],
      ["?includeNotes=false&includeSecret=true", []],
      ["?includeNotes=true", notes],
      ["?includeNotes=true&includeSecret=true", whole],
    ] as const
  ) {
    assertEquals(linesOf(await cardOf(caller, known, query)), [...expected], query);
  }
  for (
    const [body, expected] of [
      [{}, notes],
      [{ includeSecret: true }, whole],
      [{ includeNotes: false }, []],
    ] as const
  ) {
    const sent = { format: "VCARD", ...body };
    const { content } = await done(caller, EXPORTS, sent, await proven(caller));
    assertEquals(linesOf(content), [...expected]);
  }
  const path = personPath(known, "/vcard?includeNotes=");
  assertInvalid(await caller.call("GET", `${path}1`), ["field.option"], ["includeNotes"]);
  assertInvalid(await caller.call("GET", `${path}true&includeNotes=true`), ["query.repeated"], [
    "includeNotes",
  ]);
  const wrong = { format: "VCARD", includeNotes: "true" };
  assertInvalid(await post(caller, EXPORTS, wrong), ["field.type"], ["includeNotes"]);
});

Deno.test("An export has the people who are not archived, oldest first, and needs a proof", async () => {
  const caller = await world().createCaller();
  const people: Json[] = [];
  for (const personName of ["Ana", "Bo", "Cy"]) {
    world().advance(1);
    people.push(await createPerson(caller, { personName }));
  }
  const [ana, bo, cy] = people as [Json, Json, Json];
  await move(caller, bo, "archive");
  await move(caller, cy, "PAUSED");
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(caller, EXPORTS, { format: "VCARD" }), "STEP_UP_REQUIRED");
  });
  const key = ulid();
  const call = { key, body: { format: "VCARD", version: "3.0" }, headers: await proven(caller) };
  const response = await caller.call("POST", EXPORTS, call);
  assertEquals(response.status, 201, response.text);
  const made = response.body.data;
  assertEquals(response.headers.get("Location"), `${EXPORTS}/${made.executionId}`);
  const content = await cardOf(caller, ana, "?version=3.0") +
    await cardOf(caller, cy, "?version=3.0");
  const output = {
    executionId: made.executionId,
    format: "VCARD",
    version: "3.0",
    filename: "people.vcf",
    mediaType: "text/vcard; charset=utf-8",
    sha256: sha256Hex(content),
    count: 2,
  };
  assertEquals(made, { ...output, content, nextCursor: null });
  const again = await caller.call("POST", EXPORTS, call);
  assertEquals(again.body.data, { ...output, content: null, nextCursor: null });
  const { items } = await read(caller, EXPORTS);
  assertEquals(items, [{ ...output, createdAt: world().now().toISOString() }]);
  // Keeps the order of the request.
  const personIds = [bo.personId, ana.personId];
  const named = await done(caller, EXPORTS, { format: "VCARD", personIds }, await proven(caller));
  assertEquals(named.content, await cardOf(caller, bo) + await cardOf(caller, ana));
  const unknown = { format: "VCARD", personIds: [ana.personId, ulid()] };
  assertFailure(await post(caller, EXPORTS, unknown, await proven(caller)), "RECORD_NOT_FOUND");
  for (
    const [more, rule, field] of [
      [{ personIds: [] }, "field.length", "personIds"],
      [{ format: "CSV" }, "field.option", "format"],
      [{ version: "2.1" }, "field.option", "version"],
    ] as [JsonObject, string, string][]
  ) {
    assertInvalid(await post(caller, EXPORTS, { format: "VCARD", ...more }), [rule], [field]);
  }
});

Deno.test("A large export continues by its cursor, which represents the proof", async () => {
  const caller = await world().createCaller();
  const raw = new Uint8Array(1024 * 1024).fill(65);
  const headers = { "Content-Type": "image/png", "X-Filename": "a.png" };
  const { attachmentId } =
    (await caller.call("POST", "/api/v2/attachments", { headers, raw })).body.data;
  const people: Json[] = [];
  for (let index = 0; index < 7; index++) {
    world().advance(1);
    const known = await createPerson(caller);
    const value = { property: "PHOTO", value: `attachment:${attachmentId}` };
    await detail(caller, known, { kind: "OTHER", value });
    people.push(known);
  }
  for (const personIds of [undefined, people.map(({ personId }) => personId).toReversed()]) {
    const body = { format: "VCARD", ...(personIds && { personIds }) };
    const first = await done(caller, EXPORTS, body, await proven(caller));
    assert(first.count < 7 && first.nextCursor !== null);
    const last = await done(caller, EXPORTS, { ...body, cursor: first.nextCursor });
    assertEquals([first.count + last.count, last.nextCursor], [7, null]);
    const ids = Array.from(
      `${first.content}${last.content}`.matchAll(/^UID:urn:prs:(.*)\r$/gm),
      ([, id]) => id,
    );
    assertEquals(ids, personIds ?? people.map(({ personId }) => personId));
    const misuse = { ...body, version: "3.0", cursor: first.nextCursor };
    assertInvalid(await post(caller, EXPORTS, misuse), ["cursor.unknown"], ["cursor"]);
  }
});
