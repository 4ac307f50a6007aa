/** Turns records of Monica's API into entries of Monica's JSON export (app/ExportResources). */

import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../core/json.ts";
import type { ApiRecord } from "./answers.ts";
import { compareRecords } from "./lists.ts";
import { middleName } from "./middle_name.ts";

type Properties = Readonly<Record<string, JsonValue | undefined>>;

/** How records become entries of a list of the export. */
interface EntryForm {
  readonly list: string;
  readonly properties: (record: ApiRecord) => Properties;
}

/** Makes an entry without the properties that are null. */
export function toEntry(record: ApiRecord, properties: Properties): JsonObject {
  return { ...pick(record, "uuid", "created_at", "updated_at"), properties: filled(properties) };
}

function filled(properties: Properties): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, value]]
    ),
  );
}

/** The members that have the same names in the API and in the export. */
function pick(record: ApiRecord, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

/** Lists of the API whose records belong to one contact each. */
export const PARTS: Readonly<Record<string, EntryForm>> = {
  notes: {
    list: "note",
    properties: (note) => ({
      ...pick(note, "body", "favorited_at"),
      is_favorite: note.is_favorited,
    }),
  },
  calls: {
    list: "call",
    properties: (call) => ({
      ...pick(call, "called_at", "content"),
      contact_called: isTrue(call.contact_called),
      emotions: membersOf(call.emotions, "name"),
    }),
  },
  conversations: {
    list: "conversation",
    properties: ({ happened_at, contact_field_type, messages }) => ({
      happened_at,
      contact_field_type: uuidOf(contact_field_type),
      // Monica's order. Their times are usually equal.
      messages: objectsOf(messages).map((message) =>
        toEntry(message, pick(message, "content", "written_at", "written_by_me"))
      ),
    }),
  },
  reminders: {
    list: "reminder",
    properties: (reminder) => ({
      ...pick(reminder, "initial_date", "title", "description"),
      ...pick(reminder, "frequency_type", "frequency_number", "delible"),
    }),
  },
  tasks: {
    list: "task",
    properties: (task) => pick(task, "title", "description", "completed", "completed_at"),
  },
  gifts: {
    list: "gift",
    properties: (gift) => ({
      ...pick(gift, "name", "comment", "url", "status", "date"),
      amount: gift.amount_with_currency || null,
      recipient: uuidOf(gift.recipient),
      photos: membersOf(gift.photos, "uuid"),
    }),
  },
  debts: {
    list: "debt",
    properties: (debt) => ({
      ...pick(debt, "status", "reason"),
      amount: debt.amount_with_currency || null,
      in_debt: isTrue(debt.in_debt),
    }),
  },
  pets: {
    list: "pet",
    properties: ({ name, pet_category }) => ({ name, category: objectOf(pet_category).name }),
  },
  lifeevents: {
    list: "life_event",
    properties: (event) => ({
      ...pick(event, "name", "note", "happened_at"),
      type: uuidOf(event.life_event_type),
    }),
  },
};

/** The types that entries refer to, by their names in the API. */
export const TYPES: Readonly<Record<string, EntryForm>> = {
  activityType: {
    list: "activity_types",
    properties: (type) => ({
      ...pick(type, "name", "location_type"),
      category: uuidOf(type.activity_type_category),
    }),
  },
  contactfieldtype: {
    list: "contact_field_types",
    properties: (type) => pick(type, "name", "fontawesome_icon", "protocol", "delible", "type"),
  },
  lifeeventtype: {
    list: "life_event_types",
    properties: (type) => ({
      ...pick(type, "name", "core_monica_data"),
      translation_key: type.default_life_event_type_key,
      category: uuidOf(type.life_event_category),
    }),
  },
};

export function toActivity(activity: ApiRecord): JsonObject {
  return toEntry(activity, {
    ...pick(activity, "summary", "description", "happened_at"),
    type: uuidOf(activity.activity_type),
    emotions: membersOf(activity.emotions, "name"),
  });
}

/** A photo or a document, without its bytes. */
export function toFile(file: ApiRecord): JsonObject {
  const names = ["original_filename", "filesize", "type", "mime_type", "number_of_downloads"];
  return toEntry(file, pick(file, ...names));
}

export function toRelationship(relationship: ApiRecord): JsonObject {
  const { relationship_type, contact_is, of_contact } = relationship;
  return toEntry(relationship, {
    type: objectOf(relationship_type).name,
    contact_is: uuidOf(contact_is),
    of_contact: uuidOf(of_contact),
  });
}

export function toJournalEntry(entry: ApiRecord): JsonObject {
  return toEntry(entry, { type: "entry", ...pick(entry, "title", "post", "date") });
}

/**
 * @param contact Whole, or in the short form that other records have.
 * @param portrait The identifier of its photo; null without one.
 */
export function toContact(contact: ApiRecord, portrait: JsonValue): JsonObject {
  const information = objectOf(contact.information);
  const avatar = objectOf(information.avatar);
  const { first_met_date, first_met_through_contact } = objectOf(information.how_you_met);
  // The short form has the dates one level higher.
  const { birthdate, deceased_date } = objectOf(information.dates ?? information);
  return toEntry(contact, {
    ...pick(contact, "first_name", "last_name", "nickname", "description"),
    ...pick(contact, "is_starred", "is_partial", "is_active", "is_dead"),
    ...pick(contact, "stay_in_touch_frequency", "stay_in_touch_trigger_date"),
    ...pick(objectOf(information.career), "job", "company"),
    middle_name: middleNameOf(contact),
    food_preferences: information.food_preferences,
    last_talked_to: contact.last_called,
    avatar: filled({
      avatar_source: avatar.source,
      default_avatar_color: avatar.default_avatar_color,
      avatar_photo: portrait,
    }),
    tags: membersOf(contact.tags, "name"),
    // The API states a gender by its name alone.
    gender: contact.gender,
    birthdate: specialDate(birthdate),
    deceased_date: specialDate(deceased_date),
    first_met_date: specialDate(first_met_date),
    first_met_through: uuidOf(first_met_through_contact),
  });
}

/** The lists that the API has in a contact itself. */
export function ownLists({ contactFields, addresses }: ApiRecord): JsonObject[] {
  const fields = objectsOf(contactFields).toSorted(compareRecords).map((field) =>
    toEntry(field, { data: field.content, type: uuidOf(field.contact_field_type) })
  );
  const places = objectsOf(addresses).toSorted(compareRecords).map((address) =>
    toEntry(address, {
      ...pick(address, "name", "street", "city", "province", "postal_code"),
      ...pick(address, "latitude", "longitude"),
      country: objectOf(address.country).name,
    })
  );
  return [...toList("contact_field", fields), ...toList("address", places)];
}

/** The note of a text that fits nowhere else in the export. Null without the text. */
export function meetingNote({ information }: ApiRecord): JsonObject | null {
  const { general_information: text } = objectOf(objectOf(information).how_you_met);
  if (typeof text !== "string" || text.trim() === "") return null;
  return { properties: { body: `How we met\n${text}` } };
}

/** A list of the export; none without values. */
export function toList(type: string, values: readonly JsonValue[]): JsonObject[] {
  return values.length === 0 ? [] : [{ count: values.length, type, values: [...values] }];
}

function middleNameOf(contact: ApiRecord): string | null {
  const text = (name: string) => typeof contact[name] === "string" ? contact[name].trim() : "";
  const [first, last, nickname] = [text("first_name"), text("last_name"), text("nickname")];
  return middleName({ complete: text("complete_name"), first, last, nickname }) || null;
}

function specialDate(value: JsonValue | undefined): JsonObject | null {
  const special = objectOf(value);
  const isStated = typeof special.date === "string";
  return isStated ? pick(special, "is_age_based", "is_year_unknown", "date") : null;
}

function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === 1 || value === "1" || value === "yes";
}

function objectsOf(values: JsonValue | undefined): JsonObject[] {
  return Array.isArray(values) ? values.filter(isJsonObject) : [];
}

/** A member of each object; null for an empty list, which the export leaves out. */
function membersOf(values: JsonValue | undefined, member: string): JsonValue[] | null {
  const members = objectsOf(values).map((value) => value[member] ?? null);
  return members.length === 0 ? null : members;
}

function uuidOf(value: JsonValue | undefined): JsonValue | undefined {
  return objectOf(value).uuid;
}
