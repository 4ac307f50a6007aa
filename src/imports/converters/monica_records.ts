/** Converts tasks, debts, life events and journal entries of Monica. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { firstCodePoints, isLongerThan } from "../../validate/text.ts";
import { MAX_TITLE } from "../fit_members.ts";
import type { Rhythm } from "../rhythm.ts";
import type { PeopleFacts, SourceLink } from "./converter.ts";
import { dayOf, type Entry, hasContent, lineOf, momentOf, textOf, timeOf } from "./monica_file.ts";

export interface MonicaRecord {
  readonly key: string;
  readonly target: "person" | "commitment" | "routine" | "timeline" | "memory";
  readonly title: string;
  readonly payload: JsonObject;
  readonly recordedAt: string | null;
  /** Distinct names of content that the item does not show. */
  readonly unmapped: readonly string[];
  readonly tags?: readonly string[];
  /** Identifiers of photos and documents. */
  readonly files?: readonly string[];
  readonly links?: readonly SourceLink[];
  readonly rules?: readonly string[];
  readonly archived?: boolean;
  readonly rhythm?: Rhythm;
  /** The target and payload of an earlier release. */
  readonly earlier?: Pick<MonicaRecord, "target" | "payload">;
  readonly isKnownOnly?: boolean;
  readonly formerRecords?: PeopleFacts["formerRecords"];
}

/** Members of every entry, or read elsewhere. */
const READ = new Set(["uuid", "created_at", "updated_at", "data"]);

export function readTask(
  { title, description, completed, completed_at, ...rest }: Entry,
  counterparty: string,
): MonicaRecord {
  const completedAt = timeOf(completed_at);
  const isDone = completed === true;
  return toRecord("task", rest, "commitment", lineOf(title), {
    commitmentType: "OPEN_LOOP",
    counterparty,
    content: contentOf(title, description),
    completionStatus: isDone ? "COMPLETED" : "OPEN",
    ...isDone && completedAt !== null && { completedAt },
  });
}

/** Monica's pages write the first word, and its API accepts the second. */
const PAID = ["complete", "completed"];

export function readDebt(
  { in_debt, amount, currency, status, reason, ...rest }: Entry,
  counterparty: string,
): MonicaRecord {
  const number = lineOf(amount);
  const sum = number === "" ? "Debt" : [number, currencyOf(currency)].filter(hasContent).join(" ");
  const title = `${sum} ${in_debt === true ? "to" : "from"} ${counterparty}`;
  return toRecord("debt", rest, "commitment", title, {
    commitmentType: in_debt === true ? "BORROWED" : "LENT",
    counterparty,
    content: contentOf(title, reason),
    completionStatus: PAID.some((word) => word === status) ? "COMPLETED" : "OPEN",
  });
}

function currencyOf(currency: JsonValue | undefined): string {
  return lineOf(isJsonObject(currency) ? currency.iso : currency);
}

/** By the keys of Monica's types. */
const EVENT_TYPES: Readonly<Record<string, string>> = {
  new_job: "WORK",
  retirement: "WORK",
  new_school: "EDUCATION",
  study_abroad: "EDUCATION",
  new_relationship: "RELATIONSHIP",
  engagement: "RELATIONSHIP",
  marriage: "RELATIONSHIP",
  anniversary: "RELATIONSHIP",
  end_of_relationship: "RELATIONSHIP",
  new_child: "FAMILY",
  expecting_a_baby: "FAMILY",
  new_family_member: "FAMILY",
  loss_of_a_loved_one: "LOSS",
};

/** @param type Undefined if the file does not contain it. */
export function readLifeEvent(
  { name, note, happened_at, type: _, ...rest }: Entry,
  type: Entry | undefined,
  person: string,
): MonicaRecord {
  const key = String(type?.translation_key ?? "");
  const typeName = lineOf(type?.name) || key.replaceAll("_", " ");
  const eventType = EVENT_TYPES[key] ?? "OTHER";
  const title = lineOf(name) || typeName || "Life event";
  const startAt = dayOf(happened_at);
  const description = [
    eventType === "OTHER" ? typeName : "",
    textOf(note),
    `With: ${person}`,
  ].filter(hasContent).join("\n");
  const record = toRecord("life_event", rest, "timeline", title, {
    eventType,
    eventTitle: title,
    eventDescription: description,
    ...startAt === null ? { timePrecision: "UNKNOWN" } : { startAt, timePrecision: "DAY" },
  });
  return withDateRule(record, happened_at, startAt);
}

export function readJournalEntry({ title, post, date, type: _, ...rest }: Entry): MonicaRecord {
  const occurredAt = dayOf(date);
  const day = occurredAt?.slice(0, 10) ?? "";
  const record = toRecord("journal_entry", rest, "memory", lineOf(title) || day || "Journal", {
    memoryType: "EVENT",
    originalContent: contentOf(title, post) || day,
    ...occurredAt === null ? { timePrecision: "UNKNOWN" } : { occurredAt, timePrecision: "DAY" },
  });
  return withDateRule(record, date, occurredAt);
}

/** @param read Null for a date that cannot be read, and without one. */
function withDateRule(
  record: MonicaRecord,
  stated: JsonValue | undefined,
  read: string | null,
): MonicaRecord {
  if (read !== null || !hasContent(stated)) return record;
  return { ...record, rules: [...record.rules ?? [], "import.date"] };
}

/** @param rest The members of an entry that its record does not show. */
export function toRecord(
  name: string,
  rest: Entry,
  target: MonicaRecord["target"],
  title: string,
  payload: JsonObject,
): MonicaRecord {
  const unread = Object.keys(rest).filter((member) =>
    !READ.has(member) && hasContent(rest[member])
  );
  return {
    key: String(rest.uuid),
    target,
    payload,
    recordedAt: momentOf(rest.created_at),
    title: firstCodePoints(title, MAX_TITLE),
    unmapped: unread.map((member) => `${name}.${member}`),
    rules: isLongerThan(title, MAX_TITLE) ? ["title.cut"] : [],
  };
}

/** The description, after a title that is too long for the item; without one, the title. */
export function contentOf(
  title: JsonValue | undefined,
  description: JsonValue | undefined,
): string {
  const [head, body] = [textOf(title), textOf(description)];
  return [body === "" || isLongerThan(head, MAX_TITLE) ? head : "", body].filter(hasContent)
    .join("\n");
}
