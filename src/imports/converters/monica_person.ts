/** Converts a contact of Monica to a person. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import {
  type DetailKind,
  MAX_LIVE_DETAILS,
  valueViolations,
} from "../../families/relationship/import_port.ts";
import { firstCodePoints, isLongerThan } from "../../validate/text.ts";
import { MAX_TITLE } from "../fit_members.ts";
import type { SourceLink } from "./converter.ts";
import {
  dateOf,
  dayOf,
  entriesOf,
  type Entry,
  hasContent,
  lineOf,
  momentOf,
  nameOf,
  textOf,
  timeOf,
  titleOf,
} from "./monica_file.ts";
import { MAX_NAMED, type MonicaIndex } from "./monica_index.ts";
import type { MonicaRecord } from "./monica_records.ts";
import { dateDetail, type Reminders } from "./monica_reminders.ts";
import { DEFAULT_FIELDS, MAX_TEXT_LENGTH } from "./people.ts";

/** The index of an export, with the activities and reminders of one contact. */
interface ContactFacts extends MonicaIndex {
  /** Parsed activities by identifier. */
  readonly ownActivities: ReadonlyMap<string, Entry>;
  readonly reminders: Reminders;
}

const PRIVATE = { privacy: "PRIVATE" };
/** Code points of a detail's note. */
const MAX_NOTE = 2_000;

/** Members that the person shows, or that are read elsewhere. */
const READ = new Set((
  "uuid created_at updated_at data first_name middle_name last_name nickname description " +
  "is_partial is_dead job company food_preferences stay_in_touch_frequency tags gender " +
  "birthdate deceased_date first_met_date deceased_reminder first_met_reminder is_active avatar " +
  "first_met_where first_met_additional_info first_met_through last_talked_to"
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
  reader.readPictures(lists.get("photo"));
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
  readonly #formerRecords: { readonly key: string; readonly detail: number }[] = [];
  readonly #rules = new Set<string>();
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
    const { first_met_where, first_met_additional_info } = this.#contact;
    const meeting = [first_met_where, first_met_additional_info].map(lineOf).filter(hasContent);
    this.#addExperience("How we met", meeting.join("\n"), null, "first_met_additional_info");
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
    const { isMetYearly, yearly } = this.#index.reminders;
    this.#addDate("BIRTHDAY", birthdate, "birthdate");
    const hasDate = this.#addDate("DEATH", deceased_date, "deceased_date");
    this.#addDate("MET", first_met_date, "first_met_date", isMetYearly);
    for (const reminder of yearly) this.#addReminder(reminder);
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
      const day = dayOf(date)?.slice(0, 10) ?? date;
      const more = Object.entries({ amount, date: day, url, comment })
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
      if (this.#addOther(property, `attachment:${id}`, property)) this.#files.add(id);
    }
  }

  /** Only photos of the file come in. Another portrait is counted, unless it is the default one. */
  readPictures(photos: readonly JsonValue[] = []): void {
    const { avatar } = this.#contact;
    const facts: JsonObject = isJsonObject(avatar) ? avatar : { avatar_external_url: avatar ?? "" };
    const { avatar_photo: portrait = null, avatar_source: source = null, avatar_external_url } =
      facts;
    const isShown = source === null || source === "default" ||
      source === "photo" && hasContent(portrait);
    if (!isShown || hasContent(avatar_external_url)) this.#unmapped.add("avatar");
    this.readFiles("PHOTO", [portrait]);
    this.readFiles("X-MONICA-PHOTO", photos.filter((id) => id !== portrait));
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
    this.#readLastTalk();
  }

  /** A contact of that day, unless there is one as late. */
  #readLastTalk(): void {
    const { last_talked_to } = this.#contact;
    const day = dayOf(last_talked_to);
    const isTold = this.#contacts.some(({ contactedAt }) =>
      day !== null && String(contactedAt).slice(0, 10) >= day.slice(0, 10)
    );
    if (!hasContent(last_talked_to) || isTold) return;
    this.#addContact(last_talked_to, "OTHER", "MUTUAL", "", "last_talked_to");
  }

  end(lists: ReadonlyMap<string, readonly JsonValue[]>): MonicaRecord {
    const { stay_in_touch_frequency: days, tags, ...contact } = this.#contact;
    const isInterval = Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 3650;
    if (hasContent(days) && !isInterval) this.#unmapped.add("stay_in_touch_frequency");
    this.#countUnread(null, contact);
    for (const type of lists.keys()) if (!READ_PARTS.has(type)) this.#unmapped.add(type);
    const own = [...new Set((Array.isArray(tags) ? tags : []).map(lineOf))].filter(hasContent);
    const key = String(contact.uuid);
    const name = nameOf(contact);
    if (name === "") this.#rules.add("monica.name");
    if (isLongerThan(name, MAX_TITLE)) this.#rules.add("title.cut");
    return {
      key,
      target: "person",
      title: titleOf(contact),
      links: this.#linksOf(key),
      recordedAt: momentOf(contact.created_at),
      payload: {
        ...DEFAULT_FIELDS,
        ...isInterval && { desiredContactIntervalDays: Number(days) },
        details: this.#details,
        experiences: this.#experiences,
        contacts: this.#contacts,
      },
      tags: own,
      files: [...this.#files],
      archived: contact.is_active === false,
      formerRecords: this.#formerRecords,
      rules: [...this.#rules],
      unmapped: [...this.#unmapped],
    };
  }

  /** As many as the person may have besides the details. */
  #linksOf(key: string): SourceLink[] {
    const { links, names } = this.#index;
    const { first_met_through: through } = this.#contact;
    const name = names.get(String(through));
    if (hasContent(through) && name === undefined) this.#unmapped.add("first_met_through");
    const all = [...links.get(key) ?? []].map((link) => ({ link, from: "relationship" }));
    if (name !== undefined) {
      const link = { keys: [String(through)], relation: "introduced by", name, detail: {} };
      all.push({ link, from: "first_met_through" });
    }
    const room = MAX_LIVE_DETAILS - this.#details.length;
    for (const { from } of all.slice(room)) this.#leaveOut(from);
    return all.slice(0, room).map(({ link }) => link);
  }

  #leaveOut(name: string): void {
    this.#unmapped.add(name);
    this.#rules.add("detail.count");
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
  #addDate(what: string, special: JsonValue | undefined, name: string, isYearly = false): boolean {
    const date = dateOf(special);
    if (date === null) return false;
    const yearly = isYearly && date.length > 4 ? { yearly: true } : {};
    return this.#add("DATE", { what, date, ...yearly }, name);
  }

  #addReminder(reminder: Entry): void {
    const { value, label, note } = dateDetail(reminder);
    if (isLongerThan(note, MAX_NOTE)) this.#unmapped.add("reminder.description");
    const more = {
      ...label !== "" && { label },
      ...note !== "" && { note: firstCodePoints(note, MAX_NOTE) },
    };
    const former = { key: String(reminder.uuid), detail: this.#details.length };
    if (this.#add("DATE", value, "reminder", more)) this.#formerRecords.push(former);
  }

  #addOther(property: string, value: string, name: string): boolean {
    return value !== "" && this.#add("OTHER", { property, value }, name);
  }

  /** Counts a detail by name instead of adding it if it is invalid or one too many. */
  #add(kind: DetailKind, value: JsonObject, name: string, more: JsonObject = {}): boolean {
    if (Object.keys(value).length === 0) return false;
    const isValid = valueViolations(kind, value).isEmpty;
    const isAdded = isValid && this.#details.length < MAX_LIVE_DETAILS;
    if (isAdded) this.#details.push({ kind, value, ...more, ...PRIVATE });
    else if (isValid) this.#leaveOut(name);
    else this.#unmapped.add(name);
    return isAdded;
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
