/** Tasks and reminders of notes in `.enex`. */

import { parseTimestamp } from "../../../validate/timestamp.ts";
import { zonedTime } from "../dates.ts";
import { cleanLine } from "./clean_text.ts";
import type { EnexNote, EnexPart } from "./enex_reader.ts";
import { itemTime } from "./item_time.ts";
import type { AppTask } from "./task_item.ts";

const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/**
 * A time of the form `20250310T101500Z`, or of RFC 3339, as the clock of a zone shows it.
 *
 * @param zones The first known one counts.
 */
export function enexTime(text: string, ...zones: readonly (string | null)[]): string | null {
  const time = parseTimestamp(text.replace(TIME, "$1-$2-$3T$4:$5:$6Z"));
  if (time === null) return null;
  const known = zones.find((zone) => zone !== null && zonedTime(zone, time) !== null);
  return itemTime(time, known ?? null);
}

/** The lines of each group of tasks, by the identifier of its block in the text. */
export function taskLines(tasks: readonly EnexPart[]): ReadonlyMap<string, readonly string[]> {
  const weightOf = ({ fields }: EnexPart) => fields.get("sortWeight") ?? "";
  const sorted = tasks.toSorted((one, other) => compareTexts(weightOf(one), weightOf(other)));
  const groups = Map.groupBy(sorted, ({ fields }) => fields.get("taskGroupNoteLevelID") ?? "");
  return new Map([...groups].map(([id, group]) => [id, group.map(lineOf)]));
}

/** Weights are fractions in letters, so their code units decide. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function lineOf({ fields }: EnexPart): string {
  return `- [${isCompleted(fields) ? "x" : " "}] ${cleanLine(fields.get("title") ?? "")}`;
}

function isCompleted(fields: EnexPart["fields"]): boolean {
  return fields.get("taskStatus") === "completed";
}

/** Facts of a note that its tasks share. */
interface TaskContext extends Pick<AppTask, "key" | "entry" | "title" | "createdAt"> {
  /** The zone of the mapping; null without one. */
  readonly zone: string | null;
}

/** The tasks of a note and its reminder. */
export function* noteTasks(note: EnexNote, context: TaskContext): Generator<AppTask> {
  for (const [index, task] of note.tasks.entries()) yield taskOf(task, index + 1, context);
  const due = note.fields.get("reminder-time") ?? "";
  if (due === "") return;
  const { key, entry, title, createdAt, zone } = context;
  const done = note.fields.get("reminder-done-time") ?? "";
  const [dueAt, completedAt] = [enexTime(due, zone), enexTime(done, zone)];
  yield {
    key: `${key}#reminder`,
    entry,
    title,
    createdAt,
    dueAt,
    completedAt,
    isCompleted: done !== "",
    rules: dueAt === null || done !== "" && completedAt === null ? ["import.date"] : [],
  };
}

function taskOf({ fields, unmapped }: EnexPart, number: number, context: TaskContext): AppTask {
  const { key, entry, title, zone } = context;
  const written = ["created", "dueDate", "statusUpdated"].map((name) => fields.get(name) ?? "");
  const times = written.map((text) => enexTime(text, fields.get("timeZone") ?? null, zone));
  const [createdAt = null, dueAt = null, completedAt = null] = times;
  return {
    key: `${key}#task:${fields.get("noteLevelID") || number}`,
    entry,
    title: fields.get("title") || title,
    createdAt,
    dueAt,
    completedAt,
    isCompleted: isCompleted(fields),
    rules: written.some((text, index) => text !== "" && times[index] === null)
      ? ["import.date"]
      : [],
    unmapped: [...unmapped],
  };
}
