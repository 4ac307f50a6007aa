/** Experiences shared with a person (REL-003). */

import type { Caller } from "../../access/identity.ts";
import { forbiddenWhen, notInTheFuture, requiredWhen, rule } from "../../catalog/rules.ts";
import { TIME_PRECISIONS } from "../../catalog/time_precisions.ts";
import { sha256Hex } from "../../core/digest.ts";
import { idAfter, newId } from "../../core/ids.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import { fieldsOf, keptFields } from "../../kit/declaration.ts";
import { choice, clocks, id, line, longText, shortText, stamp, time } from "../../kit/kinds.ts";
import { PRIVACY_LEVELS } from "../../kit/stored_ledger.ts";
import { component, type JsonSchema, SHA256 } from "../../validate/json_schema.ts";
import { hides } from "./privacy.ts";

const STATED = {
  title: line(200),
  narrative: orNull(longText),
  occurred_at: orNull(time),
  clocks,
  time_precision: choice(TIME_PRECISIONS),
  time_text: orNull(shortText()),
  privacy: choice(PRIVACY_LEVELS),
};
export type ExperienceColumns = RowOf<typeof STATED>;

export const EXPERIENCE = {
  experience_id: id,
  person_id: id,
  ...STATED,
  /** SHA-256 of the narrative in hex; null without one. */
  content_hash: orNull(shortText(SHA256)),
  recorded_at: stamp,
};

export type ExperienceRow = RowOf<typeof EXPERIENCE>;

export interface Experience extends ShownOf<typeof EXPERIENCE> {
  /** Present if the reader may not see the texts: the title is then empty, the others null. */
  readonly redacted?: true;
}

export const EXPERIENCE_SCHEMA: JsonSchema = component<Experience>("PersonExperience", {
  ...membersOf(EXPERIENCE),
  redacted: { const: true },
}, ["redacted"]);

export const EXPERIENCE_FIELDS = keptFields(
  STATED,
  fieldsOf(STATED, [
    rule(
      "experience.precise_time_requires_occurred_at",
      "timePrecision EXACT or DAY requires occurredAt",
      requiredWhen("occurredAt", { field: "timePrecision", options: ["EXACT", "DAY"] }),
    ),
    rule(
      "experience.unknown_time_forbids_occurred_at",
      "timePrecision UNKNOWN forbids occurredAt",
      forbiddenWhen("occurredAt", "time", { field: "timePrecision", options: ["UNKNOWN"] }),
    ),
    rule(
      "experience.life_period_requires_time_text",
      "timePrecision LIFE_PERIOD requires timeText",
      requiredWhen("timeText", { field: "timePrecision", options: ["LIFE_PERIOD"] }),
    ),
    rule(
      "experience.occurred_at_not_in_the_future",
      "occurredAt is not in the future",
      notInTheFuture("occurredAt"),
    ),
  ]),
);

export function newExperience(
  person_id: string,
  columns: ExperienceColumns,
  now: Date,
): ExperienceRow {
  return {
    experience_id: newId(now),
    person_id,
    ...columns,
    content_hash: columns.narrative === null ? null : sha256Hex(columns.narrative),
    recorded_at: now,
  };
}

/** Experiences whose identifiers rise in their order, after `last`. */
export function newExperiences(
  person_id: string,
  experiences: readonly ExperienceColumns[],
  now: Date,
  last: string | null = null,
): ExperienceRow[] {
  return experiences.map((columns) => {
    last = idAfter(last, now);
    return { ...newExperience(person_id, columns, now), experience_id: last };
  });
}

const HIDDEN = {
  title: "",
  narrative: null,
  localTimes: {},
  timeText: null,
  contentHash: null,
  redacted: true,
} as const;

/** Without the texts and the clock if the reader may not see them. */
export function showExperience(row: ExperienceRow, reader: Caller): Experience {
  return {
    ...showColumns(EXPERIENCE, row),
    ...(hides(row.privacy === "SECRET", reader, row.person_id) && HIDDEN),
  };
}
