/** Tasks and reminders of notes. */

import type { JsonObject } from "../../../core/json.ts";
import type { SourceItem } from "../converter.ts";
import { inUtc } from "../dates.ts";
import { cleanLine } from "./clean_text.ts";

/** Times are as a clock states them; null without one. */
export interface TaskState {
  readonly dueAt: string | null;
  readonly isCompleted: boolean;
  readonly completedAt: string | null;
}

export interface AppTask extends TaskState {
  readonly key: string;
  /** The path in the archive, as reports show it; null for a bare file. */
  readonly entry: string | null;
  readonly title: string;
  readonly createdAt: string | null;
  readonly rules?: readonly string[];
  readonly unmapped?: readonly string[];
}

/** A commitment with the title as its content. */
export function taskItem(task: AppTask): SourceItem {
  const { key, entry, createdAt, rules = [], unmapped = [] } = task;
  const title = cleanLine(task.title);
  return {
    entry,
    members: {
      key,
      target: "commitment",
      title,
      payload: taskPayload(title, task),
      ...(createdAt !== null && { recordedAt: inUtc(createdAt) }),
    },
    rules,
    unmapped,
    futureRule: "import.date",
    isTitleInText: true,
    optionalTimes: ["completedAt"],
  };
}

export function taskPayload(
  content: string,
  { dueAt, isCompleted, completedAt }: TaskState,
): JsonObject {
  return {
    commitmentType: "OPEN_LOOP",
    content,
    completionStatus: isCompleted ? "COMPLETED" : "OPEN",
    ...(dueAt !== null && { dueAt }),
    ...(isCompleted && completedAt !== null && { completedAt }),
  };
}
