/** Conversions of the JSON export of Monica 4.1.2. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { JsonObject, JsonValue } from "../../../../src/core/json.ts";
import { nextDate } from "../../../../src/imports/rhythm.ts";
import { FileRefusal } from "../../../../src/imports/refusal.ts";
import { comparedForms } from "../../../../src/families/relationship/import_port.ts";
import { MONICA } from "../../../../src/imports/converters/monica.ts";
import { readDebt } from "../../../../src/imports/converters/monica_records.ts";
import { inputOf, parted } from "../../../families/relationship/cards.ts";

const MADE = "2021-05-04T10:00:00.000000Z";
const PRIVATE = { privacy: "PRIVATE" };

function entry(uuid: string, properties: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return { uuid, created_at: MADE, updated_at: MADE, ...more, properties };
}

function list(type: string, ...values: JsonValue[]): JsonObject {
  return { count: values.length, type, values };
}

function special(date: string, more: JsonObject = {}): JsonObject {
  return { uuid: `d-${date}`, is_age_based: false, is_year_unknown: false, date, ...more };
}

const ANNA = entry(
  "anna",
  { first_name: "Anna", is_dead: true, is_partial: true, is_active: true },
  {
    data: [list("activity", "a1")],
  },
);

const LENA = entry("lena", {
  first_name: "Lena",
  middle_name: "M.",
  last_name: "Ö",
  nickname: "Le",
  description: "Kind.",
  is_starred: true,
  is_partial: false,
  is_active: true,
  is_dead: false,
  job: "Captain",
  company: "Sea",
  food_preferences: "No fish\nno salt",
  number_of_views: 3,
  stay_in_touch_frequency: 30,
  tags: ["friends", "friends"],
  gender: "g1",
  birthdate: special("1984-02-29T00:00:00.000000Z", { is_year_unknown: true }),
  deceased_date: special("2020-01-02"),
  first_met_date: special("1999-01-01", { is_age_based: true }),
  first_met_through: "anna",
  deceased_reminder: entry("r2", { title: "Light a candle", initial_date: "2021-01-02" }),
  avatar: { avatar_source: "default", has_avatar: false },
}, {
  data: [
    list(
      "contact_field",
      entry("f1", { data: "+49 30 123456", type: "phone" }),
      entry("f2", { data: "lena@example.org", type: "email" }),
      entry("f3", { data: "lena", type: "chat" }),
    ),
    list(
      "address",
      entry("ad", { name: "Home", street: "A 1\r\nB", city: "Berlin", country: "DE" }),
    ),
    list("gift", entry("gi", { name: "Book", status: "offered", amount: 12, comment: "Blue" })),
    list("pet", entry("pe", { name: "Rex", category: "dog" })),
    list(
      "call",
      entry("c1", {
        called_at: "2021-05-04T18:30:00.123456Z",
        content: "Long",
        contact_called: true,
      }),
      entry("c2", { called_at: "2021-05-05", contact_called: false, emotions: ["joy"] }),
    ),
    list(
      "conversation",
      entry("co", {
        happened_at: "2021-05-06 00:00:00",
        messages: [
          entry("m1", { content: "Hi", written_by_me: true }),
          entry("m2", { content: "Ho", written_by_me: false }),
        ],
      }),
    ),
    list("activity", "a1"),
    list("note", entry("no", { body: "Sails." })),
    list(
      "task",
      entry("t1", { title: "Call", completed: true, completed_at: "2021-06-01T00:00:00.000000Z" }),
      entry("t2", { title: "Write", description: "A letter", completed: false }),
    ),
    list(
      "reminder",
      entry("r1", { title: "Birthday", initial_date: "2021-02-28", inactive: true }),
    ),
    list(
      "debt",
      entry("de", { amount: 120, currency: { iso: "EUR" }, status: "complete", in_debt: true }),
    ),
    list(
      "life_event",
      entry("l1", { name: "Sea", note: "At last", happened_at: "2019-01-01", type: "job" }),
      entry("l2", { happened_at: "2019-01-02", type: "met" }),
    ),
    list("photo", "p1"),
    list("document", "o1"),
  ],
});

function exported(contacts: JsonObject[], version = "1.0-preview.1"): Uint8Array {
  const account = entry("account", {
    journal_entries: [
      entry("j1", { type: "entry", title: "Day", post: "Rain.", date: "2021-05-07" }),
      entry("j2", { type: "day", rate: 3 }),
    ],
    modules: [{ key: "notes" }],
    audit_logs: [{}, {}],
    reminder_rules: [],
  }, {
    data: [
      list("user", entry("u1")),
      list("contact", ...contacts),
      list("relationship", entry("re", { type: "sister", contact_is: "anna", of_contact: "lena" })),
      list(
        "photo",
        entry("p1", { original_filename: "a.jpg", dataUrl: "data:image/jpeg;base64,/9j/" }),
      ),
      list("document", entry("o1", { original_filename: "b.pdf", mime_type: "application/pdf" })),
      list(
        "activity",
        entry("a1", {
          summary: "Swim",
          description: "Cold.",
          happened_at: "2021-05-08",
          type: "x",
        }),
      ),
    ],
    instance: {
      contact_field_types: [
        entry("phone", { name: "Phone", type: "phone", protocol: "tel:" }),
        entry("email", { name: "Email", type: "email" }),
        entry("chat", { name: "Matrix", type: null }),
      ],
      genders: [entry("g1", { name: "Woman", type: "F" })],
      life_event_types: [
        entry("job", { name: "New job", translation_key: "new_job" }),
        entry("met", { name: "First met", translation_key: "first_met" }),
      ],
    },
  });
  return new TextEncoder().encode(JSON.stringify({ version, account }));
}

async function convert(bytes: Uint8Array) {
  return parted(await Array.fromAsync(MONICA.convert(inputOf(bytes, 100))));
}

async function readItems(contacts: JsonObject[]) {
  const converted = await Array.fromAsync(MONICA.convert(inputOf(exported(contacts), 100)));
  return converted.flatMap((each) => each.kind === "item" ? [each.item] : []);
}

Deno.test("Every field of a contact is found again", async () => {
  const { items, refused, unmapped } = await convert(exported([LENA, ANNA]));
  assertEquals(refused, {});
  const [lena] = items;
  assert(lena !== undefined);
  const { details, experiences, contacts, ...fields } = lena.payload;
  assertEquals([lena.key, lena.target, lena.title, lena.recordedAt, lena.tags], [
    "lena",
    "person",
    "Lena M. Ö",
    "2021-05-04T10:00:00.000Z",
    ["friends"],
  ]);
  assertEquals(fields, {
    relationshipType: "OTHER",
    importance: 3,
    desiredContactIntervalDays: 30,
  });
  const other = (property: string, value: string) => ({
    kind: "OTHER",
    value: { property, value },
    ...PRIVATE,
  });
  assertEquals(details, [
    {
      kind: "NAME",
      value: { given: "Lena", additional: "M.", family: "Ö", nickname: "Le" },
      ...PRIVATE,
    },
    { kind: "ORGANIZATION", value: { name: "Sea", title: "Captain" }, ...PRIVATE },
    { kind: "PHONE", value: { value: "+49 30 123456" }, ...PRIVATE },
    { kind: "EMAIL", value: { value: "lena@example.org" }, ...PRIVATE },
    { kind: "HANDLE", value: { value: "lena", service: "Matrix" }, ...PRIVATE },
    {
      kind: "ADDRESS",
      value: { street: "A 1\nB", locality: "Berlin", country: "DE" },
      label: "Home",
      ...PRIVATE,
    },
    { kind: "DATE", value: { what: "BIRTHDAY", date: "--02-29" }, ...PRIVATE },
    { kind: "DATE", value: { what: "DEATH", date: "2020-01-02" }, ...PRIVATE },
    { kind: "DATE", value: { what: "MET", date: "1999" }, ...PRIVATE },
    other("X-MONICA-GENDER", "Woman"),
    other("X-MONICA-FOOD-PREFERENCES", "No fish no salt"),
    other("X-MONICA-GIFT", "Book (offered); amount: 12; comment: Blue"),
    other("X-MONICA-PET", "Rex (dog)"),
    other("X-MONICA-PHOTO", "attachment:p1"),
    other("X-MONICA-DOCUMENT", "attachment:o1"),
  ]);
  assertEquals(experiences, [
    { title: "Description", narrative: "Kind.", timePrecision: "UNKNOWN", ...PRIVATE },
    {
      title: "Note",
      narrative: "Sails.",
      occurredAt: "2021-05-04T00:00:00.000Z",
      timePrecision: "DAY",
      ...PRIVATE,
    },
  ]);
  const talk = (contactedAt: string, channel: string, direction: string, note?: string) => ({
    contactedAt,
    channel,
    direction,
    ...note !== undefined && { note },
    ...PRIVATE,
  });
  assertEquals(contacts, [
    talk("2021-05-04T18:30:00.123Z", "CALL", "INCOMING", "Long"),
    talk("2021-05-05T00:00:00.000+00:00", "CALL", "OUTGOING"),
    talk("2021-05-06T00:00:00.000+00:00", "MESSAGE", "MUTUAL", "me: Hi\nthem: Ho"),
    talk("2021-05-08T00:00:00.000+00:00", "IN_PERSON", "MUTUAL", "Swim\nCold.\nWith: Anna"),
  ]);
  assertEquals(lena.links, [
    { keys: ["anna"], relation: "sister", name: "Anna", detail: {} },
    { keys: ["anna"], relation: "introduced by", name: "Anna", detail: {} },
  ]);
  assertEquals([comparedForms(lena.payload.details), lena.attachments], [
    ["tel:+4930123456", "email:lena@example.org"],
    ["p1", "o1"],
  ]);
  assertEquals(lena.files.map(({ name, filename, mediaType }) => [name, filename, mediaType]), [
    ["p1", "a.jpg", "image/jpeg"],
  ]);
  const anna = items.find(({ key }) => key === "anna");
  assertEquals((anna?.payload.details as JsonObject[])[1], other("X-MONICA-DEAD", "true"));
  assertEquals(unmapped, {
    "activity.type": 2,
    "audit_logs": 2,
    "call.emotions": 1,
    "day": 1,
    "is_starred": 1,
    "modules": 1,
    "number_of_views": 1,
    "reminder.of_date": 1,
    "users": 1,
  });
});

Deno.test("Tasks, reminders, debts, life events and the journal become records", async () => {
  const { items } = await convert(exported([LENA]));
  const records = items.slice(1).map(({ key, target, title, payload }) => [
    key,
    target,
    title,
    payload,
  ]);
  const loop = { commitmentType: "OPEN_LOOP", counterparty: "Lena M. Ö" };
  assertEquals(records, [
    ["t1", "commitment", "Call", {
      ...loop,
      content: "Call",
      completionStatus: "COMPLETED",
      completedAt: "2021-06-01T00:00:00.000Z",
    }],
    ["t2", "commitment", "Write", { ...loop, content: "A letter", completionStatus: "OPEN" }],
    ["r1", "commitment", "Birthday", {
      ...loop,
      content: "Birthday",
      completionStatus: "CANCELLED",
      dueAt: "2021-02-28T00:00:00.000+00:00",
    }],
    ["de", "commitment", "120 EUR to Lena M. Ö", {
      commitmentType: "BORROWED",
      counterparty: "Lena M. Ö",
      content: "120 EUR to Lena M. Ö",
      completionStatus: "COMPLETED",
    }],
    ["l1", "timeline", "Sea", {
      eventType: "WORK",
      eventTitle: "Sea",
      eventDescription: "At last\nWith: Lena M. Ö",
      startAt: "2019-01-01T00:00:00.000+00:00",
      timePrecision: "DAY",
    }],
    ["l2", "timeline", "First met", {
      eventType: "OTHER",
      eventTitle: "First met",
      eventDescription: "First met\nWith: Lena M. Ö",
      startAt: "2019-01-02T00:00:00.000+00:00",
      timePrecision: "DAY",
    }],
    ["j1", "memory", "Day", {
      memoryType: "EVENT",
      originalContent: "Rain.",
      occurredAt: "2021-05-07T00:00:00.000+00:00",
      timePrecision: "DAY",
    }],
  ]);
  assertEquals(items.map(({ place }) => place), [1, 2, 3, 4, 5, 6, 7, 8]);
});

Deno.test("What no contact of the file has is counted, and a long title leaves with its text", async () => {
  const long = "x".repeat(201);
  const weekly = { title: long, frequency_type: "week", frequency_number: 1 };
  const ben = entry("ben", { first_name: "Ben" }, { data: [list("reminder", entry("w", weekly))] });
  const text = new TextDecoder().decode(exported([ben]))
    .replace('"Day"', JSON.stringify(long)).replace("2021-05-07", "soon");
  const { items, unmapped } = await convert(new TextEncoder().encode(text));
  const { activities, relationships, photos, documents } = unmapped;
  assertEquals([activities, relationships, photos, documents], [1, 1, 1, 1]);
  const journal = items.find(({ key }) => key === "j1");
  assertEquals([journal?.title, journal?.payload.originalContent, journal?.rules], [
    long.slice(1),
    `${long}\nRain.`,
    ["title.cut", "import.date"],
  ]);
  assertEquals(items.find(({ key }) => key === "w")?.rules, ["title.cut"]);
});

Deno.test("A contact without a name, with a long one, or with many details comes in", async () => {
  const many = Array.from(
    { length: 199 },
    (_, index) => entry(`f${index}`, { data: "1", type: "phone" }),
  );
  const items = await readItems([
    entry("a", { first_name: " ", nickname: "Ace" }),
    entry("b", { first_name: " ", is_active: false }),
    entry("c", { last_name: "x".repeat(201) }),
    entry("lena", { first_name: "D", first_met_through: "a" }, {
      data: [
        list("contact_field", ...many, many[0] ?? null),
        list("pet", entry("p", { name: "R" })),
      ],
    }),
    entry("e", { first_name: "E", first_met_through: "lena" }, {
      data: [list("contact_field", ...many.slice(1))],
    }),
  ]);
  const contacts = items.filter(({ members }) => members.target === "person");
  assertEquals(contacts.map(({ members, rules, unmapped }) => [members.title, rules, unmapped]), [
    ["Ace", [], []],
    ["Unnamed", ["monica.name"], []],
    ["x".repeat(200), ["title.cut"], []],
    ["D", ["detail.count"], ["contact_field", "pet", "relationship", "first_met_through"]],
    ["E", [], []],
  ]);
  assertEquals(contacts.map(({ members }) => members.archived === true), [
    false,
    true,
    false,
    false,
    false,
  ]);
  assertEquals(contacts.map(({ people }) => people?.links?.map(({ relation }) => relation)), [
    [],
    [],
    [],
    [],
    ["introduced by"],
  ]);
});

Deno.test("Ways of meeting, last talks, gifts and portraits are found again", async () => {
  const call = list("call", entry("c", { called_at: "2024-05-02T09:00:00.000000Z" }));
  const photos = list("photo", "p1", "p2");
  const [first, second, third] = (await readItems([
    entry("a", {
      first_name: "A",
      first_met_where: "Pier",
      first_met_additional_info: "It\nrained",
      first_met_through: "nobody",
      last_talked_to: "2024-05-03T00:00:00.000000Z",
      avatar: { avatar_source: "photo", avatar_photo: "p1" },
    }, {
      data: [
        call,
        photos,
        list("gift", entry("g", { name: "Kite", date: "2024-12-24T00:00:00.000000Z" })),
      ],
    }),
    entry("b", {
      first_name: "B",
      last_talked_to: "2024-05-02T00:00:00.000000Z",
      avatar: { avatar_source: "gravatar", avatar_gravatar_url: "https://example.org/b" },
    }, { data: [call, photos] }),
    entry("c", { first_name: "C", avatar: { avatar_source: "default", avatar_default_url: "x" } }),
  ])).map(({ members, unmapped }) => {
    const { details, experiences, contacts } = members.payload as Record<string, JsonObject[]>;
    return {
      others: details?.filter(({ kind }) => kind === "OTHER").map(({ value }) => value),
      experiences: experiences?.map(({ title, narrative }) => [title, narrative]),
      contacts: contacts?.map(({ channel, contactedAt }) => [channel, contactedAt]),
      unmapped,
    };
  });
  const called = ["CALL", "2024-05-02T09:00:00.000Z"];
  assertEquals(first, {
    others: [
      { property: "X-MONICA-GIFT", value: "Kite; date: 2024-12-24" },
      { property: "PHOTO", value: "attachment:p1" },
      { property: "X-MONICA-PHOTO", value: "attachment:p2" },
    ],
    experiences: [["How we met", "Pier\nIt rained"]],
    contacts: [called, ["OTHER", "2024-05-03T00:00:00.000Z"]],
    unmapped: ["first_met_through"],
  });
  assertEquals([second?.contacts, second?.unmapped], [[called], ["avatar"]]);
  assertEquals(third?.unmapped, []);
});

Deno.test("Reminders become dates, commitments and routines, or belong to a date", async () => {
  const yearly = { frequency_type: "year", frequency_number: 1, inactive: false };
  const reminder = (uuid: string, initial_date: string, more: JsonObject = {}) =>
    entry(uuid, { title: uuid, initial_date, ...yearly, ...more });
  const named = reminder("named", "2020-10-10", { frequency_type: "month" });
  const converted = await Array.fromAsync(MONICA.convert(inputOf(
    exported([entry("a", {
      first_name: "A",
      birthdate: special("1990-07-08", { is_year_unknown: true }),
      deceased_date: special("2000-01-01", { is_age_based: true }),
      first_met_date: special("2011-02-03"),
      first_met_reminder: named,
    }, {
      data: [list(
        "reminder",
        named,
        reminder("birthday", "2015-07-08"),
        reminder("inactive birthday", "2015-07-08", { inactive: true }),
        reminder("new year", "2015-01-01", { description: "Dance" }),
        reminder("t".repeat(65), "2016-01-01", { description: "Dance" }),
        reminder("", "2017-01-01"),
        reminder("biennial", "2015-07-08", { frequency_number: 2 }),
        reminder("monthly", "2015-07-08", { frequency_type: "month", description: "By post" }),
        reminder("weekly", "2015-07-08", { frequency_type: "week", frequency_number: "3" }),
        reminder("ages", "2015-07-08", { frequency_type: "week", frequency_number: 600 }),
        reminder("once", "2015-07-08", { frequency_type: "one_time", frequency_number: null }),
        reminder("daily", "2015-07-08", { frequency_type: "day" }),
        reminder("undated", ""),
      )],
    })]),
    100,
  )));
  const all = converted.flatMap((each) => each.kind === "item" ? [each.item] : []);
  const [person, ...records] = all.filter(({ isKnownOnly }) => !isKnownOnly);
  const { details } = person?.members.payload as Record<string, JsonObject[]>;
  assertEquals(
    details?.filter(({ kind }) => kind === "DATE").map(({ kind: _, privacy: __, ...rest }) => rest),
    [
      { value: { what: "BIRTHDAY", date: "--07-08" } },
      { value: { what: "DEATH", date: "2000" } },
      { value: { what: "MET", date: "2011-02-03", yearly: true } },
      { value: { what: "OTHER", date: "2015-01-01" }, label: "new year", note: "Dance" },
      {
        value: { what: "OTHER", date: "2016-01-01" },
        label: "t".repeat(64),
        note: `${"t".repeat(65)}\nDance`,
      },
      { value: { what: "OTHER", date: "2017-01-01", yearly: true } },
    ],
  );
  assertEquals(person?.people?.formerRecords?.map(({ detail }) => details?.[detail]?.label), [
    "new year",
    "t".repeat(64),
    undefined,
  ]);
  const of = (key: string, target: string, more: JsonObject = {}) => [key, target, more];
  assertEquals(
    records.slice(0, -1).map(({ members: { key, target, payload }, rhythm, rules = [] }) => {
      const { intervalDays, active, reminderPolicy, dueAt } = payload as JsonObject;
      const about = {
        intervalDays,
        active,
        reminderPolicy,
        dueAt,
        every: rhythm?.every,
        rule: rules[0],
      };
      return [key, target, JSON.parse(JSON.stringify(about))];
    }),
    [
      of("biennial", "routine", {
        intervalDays: 730,
        active: true,
        reminderPolicy: "With: A",
        every: 2,
        rule: "reminder.interval",
      }),
      of("monthly", "routine", {
        intervalDays: 30,
        active: true,
        reminderPolicy: "By post\nWith: A",
        every: 1,
        rule: "reminder.interval",
      }),
      of("weekly", "routine", {
        intervalDays: 21,
        active: true,
        reminderPolicy: "With: A",
        every: 3,
      }),
      of("ages", "routine", {
        intervalDays: 3650,
        active: true,
        reminderPolicy: "With: A",
        every: 600,
        rule: "reminder.interval",
      }),
      of("once", "commitment", { dueAt: "2015-07-08T00:00:00.000+00:00" }),
      of("daily", "commitment", { dueAt: "2015-07-08T00:00:00.000+00:00" }),
      of("undated", "routine", {
        intervalDays: 365,
        active: true,
        reminderPolicy: "With: A",
        rule: "reminder.interval",
      }),
    ],
  );
  const counted = converted.find((each) =>
    each.kind === "unmapped" && each.name === "reminder.of_date"
  );
  assertEquals(counted, { kind: "unmapped", name: "reminder.of_date", count: 3 });
});

Deno.test("A routine of a reminder is next due as the table of cases says", async () => {
  const { today, rhythms } = JSON.parse(
    await Deno.readTextFile("tests/http/contact_cases/tables/reminders.json"),
  );
  for (const { first, unit, every, next, intervalDays, rule } of rhythms) {
    const [, routine] = await readItems([entry("a", { first_name: "A" }, {
      data: [list(
        "reminder",
        entry("r", {
          title: "R",
          initial_date: `${first}T00:00:00.000000Z`,
          frequency_type: unit,
          frequency_number: every,
          inactive: true,
        }),
      )],
    })]);
    const { rhythm, rules, members } = routine ?? {};
    assert(rhythm !== undefined);
    const date = nextDate(rhythm, new Date(`${today}T23:59:59.999Z`));
    assertEquals(new Date(date ?? NaN).toISOString(), `${next}T00:00:00.000Z`);
    assertEquals((members?.payload as JsonObject).intervalDays, intervalDays);
    assertEquals(rules, rule === null ? [] : [rule]);
  }
  const last = { first: "9999-12-01", unit: "month", every: 1 } as const;
  assertEquals(nextDate(last, new Date("9999-12-02T00:00:00.000Z")), null);
});

Deno.test("Another version, and files that are not an export, are refused whole", async () => {
  const text = (content: string) => new TextEncoder().encode(content);
  for (
    const [bytes, rule] of [
      [exported([], "1.0"), "import.version"],
      [text('{"account":{}}'), "import.version"],
      [text('{"version":"1.0-preview.1"}'), "import.format"],
      [text("[]"), "import.format"],
      [text("{"), "import.format"],
      [Uint8Array.of(0x7b, 0xff, 0x7d), "import.format"],
    ] as const
  ) {
    const error = await assertRejects(() => convert(bytes), FileRefusal);
    assertEquals(error.rule, rule);
  }
});

Deno.test("A debt is paid by both words of Monica", () => {
  const states = ["complete", "completed", "inprogress"].map((status) =>
    readDebt({ uuid: "d1", amount: 12, status, in_debt: true }, "Lena").payload.completionStatus
  );
  assertEquals(states, ["COMPLETED", "COMPLETED", "OPEN"]);
});
