/** Converts the reminders of Monica: dates of the person, commitments and routines. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { MAX_LABEL } from "../../families/relationship/import_port.ts";
import { firstCodePoints, isLongerThan } from "../../validate/text.ts";
import { MAX_TITLE } from "../fit_members.ts";
import type { Rhythm } from "../rhythm.ts";
import {
  dateOf,
  dayOf,
  entriesOf,
  type Entry,
  hasContent,
  lineOf,
  textOf,
  timeOf,
} from "./monica_file.ts";
import { contentOf, type MonicaRecord, toRecord } from "./monica_records.ts";

const UNIT_DAYS: Readonly<Record<Rhythm["unit"], number>> = { week: 7, month: 30, year: 365 };
/** Limit of a routine. */
const MAX_INTERVAL_DAYS = 3650;

/** The reminders of a contact, by their results. */
export interface Reminders {
  /** Number of reminders of a date that the contact has. */
  readonly ofDate: number;
  /** True if one of them is of the day on which one met. */
  readonly isMetYearly: boolean;
  /** Reminders that become dates of the person. */
  readonly yearly: readonly Entry[];
  /** Reminders that become records. */
  readonly others: readonly Entry[];
}

export function remindersOf(
  contact: Entry,
  lists: ReadonlyMap<string, readonly JsonValue[]>,
): Reminders {
  const { birthdate, deceased_date, first_met_date, deceased_reminder, first_met_reminder } =
    contact;
  const [died, met] = [deceased_reminder, first_met_reminder].map(uuidOf);
  const days = [birthdate, deceased_date].map(dayOfYear);
  const metDay = dayOfYear(first_met_date);
  const named = entriesOf([deceased_reminder ?? null, first_met_reminder ?? null])
    .filter(({ uuid }) => hasContent(uuid));
  const all = new Map(
    [...entriesOf(lists.get("reminder")), ...named].map((each) => [each.uuid ?? each, each]),
  );
  let [ofDate, isMetYearly] = [0, false];
  const [yearly, others]: [Entry[], Entry[]] = [[], []];
  for (const [uuid, reminder] of all) {
    const date = yearlyDate(reminder);
    const day = date?.slice(5);
    const isMet = uuid === met || day !== undefined && day === metDay;
    if (isMet || uuid === died || day !== undefined && days.includes(day)) {
      ofDate++;
      isMetYearly ||= isMet;
    } else if (date !== undefined && reminder.inactive !== true) yearly.push(reminder);
    else others.push(reminder);
  }
  return { ofDate, isMetYearly, yearly, others };
}

function uuidOf(reminder: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(reminder) ? reminder.uuid : reminder ?? undefined;
}

/** Month and day of a special date; undefined without them. */
function dayOfYear(special: JsonValue | undefined): string | undefined {
  const date = dateOf(special) ?? "";
  return date.length > 4 ? date.slice(-5) : undefined;
}

/** The first date of a reminder that returns every year; undefined for any other. */
function yearlyDate(reminder: Entry): string | undefined {
  return reminder.frequency_type === "year" && frequencyOf(reminder) === 1
    ? dayOf(reminder.initial_date)?.slice(0, 10)
    : undefined;
}

/** 1 unless it is a whole number above. */
function frequencyOf({ frequency_number }: Entry): number {
  const number = Number(frequency_number ?? 1);
  return Number.isSafeInteger(number) && number > 1 ? number : 1;
}

/** The detail of a yearly reminder. Its label and its note may be empty. */
export function dateDetail(
  reminder: Entry,
): { readonly value: JsonObject; readonly label: string; readonly note: string } {
  const title = lineOf(reminder.title);
  const label = firstCodePoints(title, MAX_LABEL).trim();
  const lines = [isLongerThan(title, MAX_LABEL) ? title : "", textOf(reminder.description)];
  const date = yearlyDate(reminder) ?? "";
  return {
    // A date returns every year by its label or by this member.
    value: { what: "OTHER", date, ...label === "" && { yearly: true } },
    label,
    note: lines.filter(hasContent).join("\n"),
  };
}

/** The routine of a reminder with a rhythm, the commitment of any other. */
export function readReminder(reminder: Entry, person: string): MonicaRecord {
  const { title, description, initial_date, inactive, frequency_type: unit } = reminder;
  const commitment = readCommitment(reminder, person);
  if (!isUnit(unit)) return commitment;
  const every = frequencyOf(reminder);
  const days = UNIT_DAYS[unit] * every;
  const first = dayOf(initial_date)?.slice(0, 10);
  return {
    ...commitment,
    target: "routine",
    payload: {
      routineName: commitment.title,
      area: "People",
      active: inactive !== true,
      intervalDays: Math.min(days, MAX_INTERVAL_DAYS),
      reminderPolicy: [
        isLongerThan(lineOf(title), MAX_TITLE) ? textOf(title) : "",
        textOf(description),
        `With: ${person}`,
      ].filter(hasContent).join("\n"),
    },
    ...first !== undefined && { rhythm: { first, unit, every } },
    rules: [
      ...commitment.rules ?? [],
      ...unit === "week" && days <= MAX_INTERVAL_DAYS ? [] : ["reminder.interval"],
    ],
    earlier: commitment,
  };
}

function isUnit(word: JsonValue | undefined): word is Rhythm["unit"] {
  return typeof word === "string" && Object.hasOwn(UNIT_DAYS, word);
}

/** The only form in earlier releases. */
function readCommitment(reminder: Entry, counterparty: string): MonicaRecord {
  const { title, description, initial_date, inactive, frequency_type, ...more } = reminder;
  const { frequency_number: _, ...rest } = more;
  const isRead = frequency_type === "one_time" || isUnit(frequency_type);
  const dueAt = timeOf(initial_date);
  return toRecord(
    "reminder",
    isRead ? rest : { ...more, frequency_type: frequency_type ?? null },
    "commitment",
    lineOf(title) || "Reminder",
    {
      commitmentType: "OPEN_LOOP",
      counterparty,
      content: contentOf(title, description) || "Reminder",
      completionStatus: inactive === true ? "CANCELLED" : "OPEN",
      ...dueAt !== null && { dueAt },
    },
  );
}
