/** Converts a contact of Monica to a person. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import {
  type DetailKind,
  MAX_LIVE_DETAILS,
  valueViolations,
} from "../../families/relationship/import_port.ts";
import { isBlank, isLongerThan } from "../../validate/text.ts";
import {
  dayOf,
  entriesOf,
  type Entry,
  hasContent,
  lineOf,
  momentOf,
  nameOf,
  textOf,
  timeOf,
} from "./monica_file.ts";
import { MAX_NAMED, type MonicaIndex } from "./monica_index.ts";
import type { MonicaRecord } from "./monica_records.ts";
import { DEFAULT_FIELDS, MAX_TAGS, MAX_TEXT_LENGTH } from "./people.ts";

/** The index of an export, with the activities of one contact. */
interface ContactFacts extends MonicaIndex {
  /** Parsed activities by identifier. */
  readonly ownActivities: ReadonlyMap<string, Entry>;
}

const PRIVATE = { privacy: "PRIVATE" };

/** Members that the person shows, or that are read elsewhere. */
const READ = new Set((
  "uuid created_at updated_at data first_name middle_name last_name nickname description " +
  "is_partial is_dead job company food_preferences stay_in_touch_frequency tags gender " +
  "birthdate deceased_date first_met_date deceased_reminder first_met_reminder"
).split(" "));

/** Lists that become parts of the person, or separate items. */
const READ_PARTS = new Set((
  "call contact_field debt gift note reminder task address pet conversation life_event " +
  "activity photo document"
).split(" "));

export function readContact(
  contact: Entry,
  lists: ReadonlyMap<string, readonly JsonValue[]>,
  index: ContactFacts,
): MonicaRecord {
  const reader = new ContactReader(contact, index);
  reader.readNames();
  reader.readFields(entriesOf(lists.get("contact_field")));
  reader.readAddresses(entriesOf(lists.get("address")));
  reader.readDates();
  reader.readExtras(lists);
  reader.readFiles("X-MONICA-PHOTO", lists.get("photo"));
  reader.readFiles("X-MONICA-DOCUMENT", lists.get("document"));
  reader.readHistory(lists);
  return reader.end(lists);
}

class ContactReader {
  readonly #contact: Entry;
  readonly #index: ContactFacts;
  readonly #details: JsonObject[] = [];
  readonly #experiences: JsonObject[] = [];
  readonly #contacts: JsonObject[] = [];
  readonly #files = new Set<string>();
  readonly #unmapped = new Set<string>();

  constructor(contact: Entry, index: ContactFacts) {
    this.#contact = contact;
    this.#index = index;
  }

  readNames(): void {
    const { first_name, middle_name, last_name, nickname, company, job, description } =
      this.#contact;
    const name = { given: first_name, additional: middle_name, family: last_name, nickname };
    this.#add("NAME", filledLines(name), "first_name");
    this.#add("ORGANIZATION", filledLines({ name: company, title: job }), "company");
    this.#addExperience("Description", textOf(description), null, "description");
  }

  readFields(fields: readonly Entry[]): void {
    for (const { data, type } of fields) {
      const { type: kind, name } = this.#index.fieldTypes.get(String(type)) ?? {};
      const value = filledLines({ value: data });
      if (kind === "phone" || kind === "email") {
        this.#add(kind === "phone" ? "PHONE" : "EMAIL", value, "contact_field");
      } else this.#add("HANDLE", { ...value, ...filledLines({ service: name }) }, "contact_field");
    }
  }

  readAddresses(addresses: readonly Entry[]): void {
    for (const { name, street, city, province, postal_code, country, ...rest } of addresses) {
      const parts = { locality: city, region: province, postalCode: postal_code, country };
      const lines = textOf(street).replaceAll(/[^\P{Cc}\n]/gu, " ");
      const value = { ...lines !== "" && { street: lines }, ...filledLines(parts) };
      const label = lineOf(name);
      const isLabel = label !== "" && !isLongerThan(label, 64);
      if (label !== "" && !isLabel) this.#unmapped.add("address.name");
      this.#add("ADDRESS", value, "address", isLabel ? { label } : {});
      this.#countUnread("address", rest);
    }
  }

  readDates(): void {
    const { birthdate, deceased_date, first_met_date, is_dead } = this.#contact;
    this.#addDate("BIRTHDAY", birthdate, "birthdate");
    const hasDate = this.#addDate("DEATH", deceased_date, "deceased_date");
    this.#addDate("MET", first_met_date, "first_met_date");
    if (is_dead === true && !hasDate) this.#addOther("X-MONICA-DEAD", "true", "is_dead");
  }

  /** Adds properties that no kind of detail fits. */
  readExtras(lists: ReadonlyMap<string, readonly JsonValue[]>): void {
    const { gender, food_preferences } = this.#contact;
    const sex = this.#index.genders.get(String(gender));
    this.#addOther("X-MONICA-GENDER", lineOf(sex?.name ?? sex?.type ?? gender), "gender");
    this.#addOther("X-MONICA-FOOD-PREFERENCES", lineOf(food_preferences), "food_preferences");
    for (
      const { name, status, amount, date, url, comment, ...rest } of entriesOf(lists.get("gift"))
    ) {
      const title = [lineOf(name), hasContent(status) ? `(${lineOf(status)})` : ""].join(" ")
        .trim();
      const more = Object.entries({ amount, date, url, comment })
        .filter(([, value]) => lineOf(value) !== "")
        .map(([word, value]) => `${word}: ${lineOf(value)}`);
      this.#addOther("X-MONICA-GIFT", [title, ...more].join("; "), "gift");
      this.#countUnread("gift", rest);
    }
    for (const { name, category, ...rest } of entriesOf(lists.get("pet"))) {
      const kind = lineOf(category);
      const pet = [lineOf(name), kind === "" ? "" : `(${kind})`].join(" ").trim();
      this.#addOther("X-MONICA-PET", pet, "pet");
      this.#countUnread("pet", rest);
    }
  }

  readFiles(property: string, ids: readonly JsonValue[] = []): void {
    for (const id of ids.filter((each) => typeof each === "string")) {
      this.#files.add(id);
      this.#addOther(property, `attachment:${id}`, property);
    }
  }

  /** Turns calls, conversations and activities into contacts, and notes into experiences. */
  readHistory(lists: ReadonlyMap<string, readonly JsonValue[]>): void {
    for (const { called_at, content, contact_called, ...rest } of entriesOf(lists.get("call"))) {
      const direction = contact_called === true ? "INCOMING" : "OUTGOING";
      this.#addContact(called_at, "CALL", direction, textOf(content), "call");
      this.#countUnread("call", rest);
    }
    for (const { happened_at, messages, ...rest } of entriesOf(lists.get("conversation"))) {
      const lines = entriesOf(messages).map(({ written_by_me, content }) =>
        `${written_by_me === true ? "me" : "them"}: ${textOf(content)}`
      );
      this.#addContact(happened_at, "MESSAGE", "MUTUAL", lines.join("\n"), "conversation");
      this.#countUnread("conversation", rest);
    }
    for (const id of lists.get("activity") ?? []) {
      const activity = this.#index.ownActivities.get(String(id));
      if (activity === undefined) this.#unmapped.add("activity");
      else this.#readActivity(String(id), activity);
    }
    for (const { body, ...rest } of entriesOf(lists.get("note"))) {
      this.#addExperience("Note", textOf(body), dayOf(rest.created_at), "note");
      this.#countUnread("note", rest);
    }
  }

  end(lists: ReadonlyMap<string, readonly JsonValue[]>): MonicaRecord {
    const { stay_in_touch_frequency: days, tags, ...contact } = this.#contact;
    const isInterval = Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 3650;
    if (hasContent(days) && !isInterval) this.#unmapped.add("stay_in_touch_frequency");
    this.#countUnread(null, contact);
    for (const type of lists.keys()) if (!READ_PARTS.has(type)) this.#unmapped.add(type);
    const own = [...new Set((Array.isArray(tags) ? tags : []).map(lineOf))].filter(hasContent);
    if (own.length > MAX_TAGS) this.#unmapped.add("tags");
    const key = String(contact.uuid);
    const links = this.#index.links.get(key) ?? [];
    const title = nameOf(contact);
    const rule = isBlank(title)
      ? "field.required"
      : isLongerThan(title, 200)
      ? "field.length"
      : this.#details.length + links.length > MAX_LIVE_DETAILS
      ? "detail.count"
      : null;
    return {
      key,
      target: "person",
      title,
      links,
      recordedAt: momentOf(contact.created_at),
      payload: {
        ...DEFAULT_FIELDS,
        ...isInterval && { desiredContactIntervalDays: Number(days) },
        details: this.#details,
        experiences: this.#experiences,
        contacts: this.#contacts,
      },
      tags: own.slice(0, MAX_TAGS),
      files: [...this.#files],
      unmapped: [...this.#unmapped],
      ...rule !== null && { refused: rule },
    };
  }

  #readActivity(id: string, { happened_at, summary, description, ...rest }: Entry): void {
    const { first = [], count = 0 } = this.#index.participants.get(id) ?? {};
    const others = first.filter((uuid) => uuid !== this.#contact.uuid).slice(0, MAX_NAMED)
      .map((uuid) => this.#index.names.get(uuid) ?? "");
    if (count > first.length) this.#unmapped.add("activity.participants");
    const note = [
      ...[summary, description].map(textOf),
      others.length === 0 ? "" : `With: ${others.join(", ")}`,
    ].filter((line) => line !== "").join("\n");
    this.#addContact(happened_at, "IN_PERSON", "MUTUAL", note, "activity");
    this.#countUnread("activity", rest);
  }

  #addContact(
    at: JsonValue | undefined,
    channel: string,
    direction: string,
    note: string,
    name: string,
  ): void {
    const contactedAt = timeOf(at);
    if (contactedAt === null || isLongerThan(note, MAX_TEXT_LENGTH)) {
      this.#unmapped.add(name);
      return;
    }
    const words = note === "" ? {} : { note };
    this.#contacts.push({ contactedAt, channel, direction, ...words, ...PRIVATE });
  }

  #addExperience(title: string, narrative: string, at: string | null, name: string): void {
    if (narrative === "") return;
    if (isLongerThan(narrative, MAX_TEXT_LENGTH)) {
      this.#unmapped.add(name);
      return;
    }
    const time = at === null
      ? { timePrecision: "UNKNOWN" }
      : { occurredAt: at, timePrecision: "DAY" };
    this.#experiences.push({ title, narrative, ...time, ...PRIVATE });
  }

  /** @returns True if the date became a detail. */
  #addDate(what: string, date: JsonValue | undefined, name: string): boolean {
    if (!isJsonObject(date) || !hasContent(date)) return false;
    const day = String(date.date ?? "").slice(0, 10);
    const stated = date.is_year_unknown === true
      ? `-${day.slice(4)}`
      : date.is_age_based === true
      ? day.slice(0, 4)
      : day;
    return this.#add("DATE", { what, date: stated }, name);
  }

  #addOther(property: string, value: string, name: string): void {
    if (value !== "") this.#add("OTHER", { property, value }, name);
  }

  /** Counts an invalid detail by name instead of adding it. */
  #add(kind: DetailKind, value: JsonObject, name: string, more: JsonObject = {}): boolean {
    if (Object.keys(value).length === 0) return false;
    const isValid = valueViolations(kind, value).isEmpty;
    if (isValid) this.#details.push({ kind, value, ...more, ...PRIVATE });
    else this.#unmapped.add(name);
    return isValid;
  }

  /** Counts members with content that were not read. */
  #countUnread(entry: string | null, rest: Entry): void {
    for (const [name, value] of Object.entries(rest)) {
      if (READ.has(name) || !hasContent(value)) continue;
      this.#unmapped.add(entry === null ? name : `${entry}.${name}`);
    }
  }
}

/** Non-empty members, one line each. */
function filledLines(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, lineOf(value)])
      .filter(([, value]) => value !== ""),
  );
}
