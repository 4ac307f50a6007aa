/** A small account in the form of Monica 4.1.2's API (app/Http/Resources). */

import { type JsonObject, type JsonValue, objectOf } from "../../src/core/json.ts";

/** The records of each list, whole contacts outside the list, and relationships of contacts. */
export interface ApiAccount {
  readonly lists: Readonly<Record<string, readonly JsonObject[]>>;
  /** By `id`; also those that the list lacks. */
  readonly contacts: ReadonlyMap<number, JsonObject>;
  readonly relationships: ReadonlyMap<number, readonly JsonObject[]>;
  /** Bytes of documents by path. */
  readonly files: Readonly<Record<string, string>>;
}

const MADE = "2021-03-04T05:06:07Z";
const PIXEL = "data:image/png;base64,iVBORw0KGgo=";

/** An identifier that depends on a kind and a number. */
export function uuid(kind: string, id: number): string {
  return `00000000-0000-4000-8000-${kind.padEnd(8, "0").slice(0, 8)}${String(id).padStart(4, "0")}`;
}

function record(object: string, id: number, members: JsonObject): JsonObject {
  const times = { created_at: MADE, updated_at: MADE };
  return { id, uuid: uuid(object, id), object, ...times, account: { id: 7 }, ...members };
}

function date(day: string | null, isYearUnknown = false): JsonObject {
  const [is_age_based, is_year_unknown] = day === null ? [null, null] : [false, isYearUnknown];
  return { is_age_based, is_year_unknown, date: day && `${day}T00:00:00Z` };
}

function contact(id: number, names: JsonObject, more: JsonObject = {}): JsonObject {
  const { information, ...members } = more;
  const whole = {
    information: {
      dates: { birthdate: date(null), deceased_date: date(null) },
      career: { job: null, company: null },
      avatar: { url: "https://m.example/avatars/x.png", source: "default" },
      food_preferences: null,
      how_you_met: { general_information: null, first_met_date: date(null) },
      ...objectOf(information),
    },
    addresses: [],
    tags: [],
    contactFields: [],
  };
  return record("contact", id, {
    first_name: null,
    last_name: null,
    nickname: null,
    description: null,
    gender: null,
    is_starred: false,
    is_partial: false,
    is_active: true,
    is_dead: false,
    last_called: null,
    stay_in_touch_frequency: null,
    stay_in_touch_trigger_date: null,
    ...names,
    ...whole,
    ...members,
  });
}

/** The form in which other records name a contact. */
function short({ id = 0, uuid = "", object = "", ...all }: JsonObject): JsonObject {
  const { first_name = null, last_name = null, nickname = null, complete_name = null } = all;
  const { is_partial = false, is_active = true, is_dead = false } = all;
  const { dates = null } = objectOf(all.information);
  const names = { first_name, last_name, nickname, complete_name };
  const states = { is_partial, is_active, is_dead };
  return { id, uuid, object, ...names, ...states, information: dates };
}

function relationship(id: number, type: string, of: JsonObject, is: JsonObject): JsonObject {
  return record("relationship", id, {
    contact_is: short(is),
    relationship_type: { id: 1, object: "relationshiptype", name: type },
    of_contact: short(of),
  });
}

const PHONE = record("contactfieldtype", 1, { name: "Phone", protocol: "tel:", type: "phone" });
const CHAT = record("contactfieldtype", 2, { name: "Telegram", protocol: null, type: null });
const MOVED = record("lifeeventtype", 1, {
  name: "Marriage",
  core_monica_data: true,
  default_life_event_type_key: "marriage",
  life_event_category: record("lifeeventcategory", 1, { name: "Family" }),
});
const MEAL = record("activityType", 1, { name: "Ate together", location_type: "outside" });

const CLEO = contact(3, { first_name: "Cleo", complete_name: "Cleo" }, { is_active: false });
const EVE = contact(5, { first_name: "Eve", complete_name: "Eve" }, { is_partial: true });
const DORA = contact(4, { first_name: "Dora", complete_name: "Dora" }, { is_partial: true });
/** Named by an activity, but deleted since. */
const GONE = contact(6, { first_name: "Finn", last_name: "Fox", complete_name: "Finn Fox" });
const BEN = contact(
  2,
  { first_name: "Ben", last_name: "Cole", complete_name: "Ben Cole ⚰" },
  { is_dead: true },
);

function anna(portrait: string): JsonObject {
  const names = { first_name: "Anna", last_name: "Berg", nickname: "Ani" };
  return contact(1, { ...names, complete_name: "Anna Maria Berg (Ani)" }, {
    description: "Kind.",
    gender: "Woman",
    last_called: "2022-06-07T00:00:00.000000Z",
    stay_in_touch_frequency: 30,
    information: {
      dates: { birthdate: date("1984-02-29", true), deceased_date: date(null) },
      career: { job: "Captain", company: "Sea" },
      avatar: { url: portrait, source: "photo" },
      food_preferences: "No fish",
      how_you_met: {
        general_information: "At the harbour.\nIt rained.",
        first_met_date: date("1999-01-01"),
        first_met_through_contact: short(CLEO),
      },
    },
    contactFields: [
      record("contactfield", 1, { content: "+49 30 5550301", contact_field_type: PHONE }),
      record("contactfield", 2, { content: "ani_b", contact_field_type: CHAT }),
    ],
    addresses: [record("address", 1, {
      name: "Home",
      street: "Quay 1",
      city: "Bergen",
      province: null,
      postal_code: "5003",
      latitude: null,
      longitude: null,
      country: { id: "NO", object: "country", name: "Norway", iso: "NO" },
    })],
    tags: [{ id: 1, object: "tag", name: "sailing", name_slug: "sailing" }],
  });
}

/** Notes, one a minute. Those from the 90th to the 120th were made at the same time. */
function notes(people: readonly JsonObject[], count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const minute = index >= 90 && index <= 120 ? 90 : index;
    const made = new Date(Date.UTC(2021, 3, 5) + minute * 60_000).toISOString();
    return record("note", index + 1, {
      body: `Note ${index + 1}`,
      is_favorited: false,
      favorited_at: null,
      contact: short(people[index % people.length] ?? {}),
      created_at: made.replace(".000", ""),
    });
  });
}

/** @param origin The address of the server, in the links of files. */
export function apiAccount(origin: string, noteCount = 105): ApiAccount {
  const ANNA = anna(`${origin}/store/photos/1.png`);
  const [ofAnna, ofBen] = [{ contact: short(ANNA) }, { contact: short(BEN) }];
  const message = (id: number, content: string, written_by_me: boolean) =>
    record("message", id, { content, written_at: MADE, written_by_me });
  const document = (id: number, link: string, filesize: number) =>
    record("document", id, {
      original_filename: `cv ${id}.txt`,
      filesize,
      type: "txt",
      mime_type: "text/plain",
      number_of_downloads: 0,
      link,
      ...ofAnna,
    });
  const photo = (id: number, contact: JsonValue) =>
    record("photo", id, {
      original_filename: `${id}.png`,
      filesize: 8,
      mime_type: "image/png",
      dataUrl: PIXEL,
      link: `${origin}/store/photos/${id}.png`,
      contact,
    });
  const money = { amount: "12.00", value: "12.00", amount_with_currency: "€12.00" };
  return {
    lists: {
      contacts: [ANNA, BEN],
      notes: notes([ANNA, BEN, CLEO], noteCount),
      calls: [record("call", 1, {
        called_at: "2022-01-02T03:04:05Z",
        content: "Long",
        contact_called: 1,
        emotions: [{ id: 1, object: "emotion", name: "joy" }],
        ...ofAnna,
      })],
      conversations: [record("conversation", 1, {
        happened_at: "2022-02-03T00:00:00Z",
        messages: [message(9, "Hi", true), message(2, "Hello", false)],
        contact_field_type: CHAT,
        ...ofAnna,
      })],
      activities: [record("activity", 1, {
        summary: "Dinner",
        description: null,
        happened_at: "2022-03-04",
        activity_type: MEAL,
        attendees: { total: 3, contacts: [ANNA, BEN, GONE].map(short) },
        emotions: [],
      })],
      reminders: [record("reminder", 1, {
        title: "Dentist",
        description: null,
        frequency_type: "one_time",
        frequency_number: 1,
        initial_date: "2030-01-02T00:00:00Z",
        delible: true,
        ...ofAnna,
      })],
      tasks: [
        record("task", 1, { title: "Call back", description: null, completed: false, ...ofBen }),
        record("task", 2, { title: "Nobody's", description: null, completed: true, contact: null }),
      ],
      gifts: [record("gift", 1, {
        name: "Book",
        comment: null,
        url: null,
        ...money,
        status: "offered",
        date: "2022-05-06",
        recipient: null,
        photos: [photo(2, short(ANNA))],
        ...ofAnna,
      })],
      debts: [record("debt", 1, {
        in_debt: "yes",
        status: "inprogress",
        ...money,
        reason: "Tickets",
        ...ofBen,
      })],
      pets: [record("pet", 1, {
        name: "Rex",
        pet_category: { id: 1, object: "pet_category", name: "dog" },
        ...ofAnna,
      })],
      lifeevents: [record("lifeevent", 1, {
        name: "Wedding",
        note: null,
        happened_at: "2012-06-09T00:00:00Z",
        life_event_type: MOVED,
        ...ofAnna,
      })],
      documents: [
        document(1, `${origin}/store/cv.txt`, 6),
        document(2, `${origin}/store/login`, 6),
        document(3, `${origin}/store/cv.txt`, 7),
        document(4, "https://other.example/cv.txt", 6),
      ],
      photos: Array.from({ length: 12 }, (_, index) => photo(index + 1, short(ANNA))),
      journal: [record("entry", 1, {
        title: null,
        post: "Dear diary",
        date: "2022-06-06T00:00:00.000000Z",
      })],
    },
    contacts: new Map([ANNA, BEN, CLEO, DORA, EVE].map((each) => [Number(each.id), each])),
    relationships: new Map([
      [1, [relationship(1, "parent", DORA, ANNA)]],
      [4, [relationship(2, "sibling", EVE, DORA)]],
    ]),
    files: { "/store/cv.txt": "a cv.\n" },
  };
}
