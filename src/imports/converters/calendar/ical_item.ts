/** Components of calendars as items. */

import type { JsonObject } from "../../../core/json.ts";
import { isLongerThan } from "../../../validate/text.ts";
import { fitTitle } from "../../fit_members.ts";
import { cleanLine, withLongTitle } from "../apps/clean_text.ts";
import { withDetails } from "../apps/item_details.ts";
import type { SourceItem } from "../converter.ts";
import { inUtc } from "../dates.ts";
import { titleOf } from "../note_title.ts";
import type { CalendarComponent } from "./ical_components.ts";
import { ComponentDraft } from "./ical_draft.ts";
import { eventTimes, type ItemTimes, taskTimes } from "./ical_item_times.ts";
import type { CalendarZones } from "./ical_zones.ts";

/** Code points of a location. */
const MAX_LOCATION = 500;

/** Statuses of tasks by their words; others are open. */
const STATUSES: ReadonlyMap<string, string> = new Map([
  ["IN-PROCESS", "IN_PROGRESS"],
  ["COMPLETED", "COMPLETED"],
  ["CANCELLED", "CANCELLED"],
]);

interface ItemContext {
  readonly key: string;
  /** The path in the archive; null for a bare file. */
  readonly entry: string | null;
  readonly zones: CalendarZones;
  /** The target of events. */
  readonly events: "timeline" | "memory";
}

export function itemOf(component: CalendarComponent, context: ItemContext): SourceItem {
  const draft = new ComponentDraft(component, context.zones);
  const { key, entry, events } = context;
  const target = component.name === "VTODO"
    ? "commitment"
    : component.name === "VEVENT"
    ? events
    : "memory";
  const status = statusOf(draft);
  const times = target === "commitment"
    ? taskTimes(draft, status === "COMPLETED")
    : eventTimes(draft, target);
  const place = cleanLine(draft.text("LOCATION").replaceAll("\n", ", "));
  const isField = target === "timeline" && !isLongerThan(place, MAX_LOCATION);
  if (!isField) draft.details.push(["Place", place]);
  const { title, text } = wordsOf(draft, [place, times.day, component.name]);
  const payload = target === "commitment"
    ? taskPayload(text, status, times)
    : target === "timeline"
    ? eventPayload(title, text, isField ? place : "", times)
    : memoryPayload(text, times);
  const createdAt = draft.time("CREATED");
  return {
    entry,
    ...draft.files.members,
    members: {
      key,
      target,
      title,
      payload,
      tags: draft.tags(),
      attachments: draft.files.members.attachments ?? [],
      ...(createdAt !== null && { recordedAt: inUtc(createdAt.text) }),
      ...(status === "CANCELLED" && { archived: true }),
    },
    rules: [...draft.rules],
    unmapped: draft.unmapped,
    // A memory of a future event keeps its time as a text.
    ...(target !== "memory" && { futureRule: "import.date" }),
    isTitleInText: true,
    optionalTimes: ["completedAt"],
  };
}

/** A task without a status may state when it was completed. */
function statusOf(draft: ComponentDraft): string {
  const isCompleted = draft.has("COMPLETED");
  return draft.line("STATUS").toUpperCase() || (isCompleted ? "COMPLETED" : "");
}

/**
 * The title, and the text with its address, files and details; the title for an empty one.
 *
 * @param titles The first that is not empty is the title of a component without words.
 */
function wordsOf(draft: ComponentDraft, titles: readonly string[]) {
  const stated = draft.line("SUMMARY");
  const description = draft.texts("DESCRIPTION").filter((text) => text !== "").join("\n\n");
  const title = [stated, titleOf(description), ...titles].find(Boolean) ?? "";
  const url = draft.line("URL");
  const isShown = description.split(/\s/).includes(url);
  const address = isShown ? [] : [url];
  draft.takeFiles();
  const words = withLongTitle([description, ...address].filter(Boolean).join("\n"), title);
  for (const rule of draft.repeats()) draft.details.push(["Repeats", rule]);
  const text = withDetails(draft.files.withLines(words), draft.details);
  return { title, text: text || title };
}

function eventPayload(
  title: string,
  eventDescription: string,
  location: string,
  { startAt, endAt, timePrecision }: ItemTimes,
): JsonObject {
  return {
    eventType: "OTHER",
    eventTitle: fitTitle(title).title,
    eventDescription,
    timePrecision,
    ...(location !== "" && { location }),
    ...(startAt !== null && { startAt }),
    ...(endAt !== null && { endAt }),
  };
}

function memoryPayload(originalContent: string, { startAt, timePrecision }: ItemTimes): JsonObject {
  return {
    memoryType: "EVENT",
    originalContent,
    timePrecision,
    ...(startAt !== null && { occurredAt: startAt }),
  };
}

function taskPayload(content: string, status: string, { startAt, endAt }: ItemTimes): JsonObject {
  const completionStatus = STATUSES.get(status) ?? "OPEN";
  return {
    commitmentType: "OPEN_LOOP",
    content,
    completionStatus,
    ...(startAt !== null && { dueAt: startAt }),
    ...(endAt !== null && { completedAt: endAt }),
  };
}
