/** What was lived through with a person, as it is stored, and as a client sees it (REL-003). */

import type { Caller } from "../../access/identity.ts";
import { datetime, select, text, textarea } from "../../catalog/fields.ts";
import type { FieldSet } from "../../catalog/module.ts";
import type { PayloadView } from "../../catalog/payload_view.ts";
import { forbiddenWhen, notInTheFuture, requiredWhen, rule } from "../../catalog/rules.ts";
import { TIME_PRECISIONS } from "../../catalog/time_precisions.ts";
import { sha256Hex } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import { present } from "../kit/fields.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  SHA256,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { hides, PRIVACY_LEVELS, type PrivacyLevel } from "./privacy.ts";

/** What a client states of an experience, as columns. */
export interface ExperienceColumns {
  readonly title: string;
  readonly narrative: string | null;
  readonly occurred_at: Date | null;
  readonly time_precision: string;
  readonly time_text: string | null;
  readonly privacy: PrivacyLevel;
}

/** An experience as read from the database. */
export interface ExperienceRow extends ExperienceColumns {
  readonly experience_id: string;
  readonly person_id: string;
  /** SHA-256 of the narrative in hexadecimal digits; null without one. */
  readonly content_hash: string | null;
  readonly recorded_at: Date;
}

/** An experience as a client sees it. */
export interface Experience {
  readonly experienceId: string;
  readonly personId: string;
  readonly title: string;
  readonly narrative: string | null;
  readonly occurredAt: string | null;
  readonly timePrecision: string;
  readonly timeText: string | null;
  readonly privacy: PrivacyLevel;
  readonly contentHash: string | null;
  readonly recordedAt: string;
  /** Where the reader may not see the words: the title is empty then, the other texts and the hash null. */
  readonly redacted?: true;
}

export const EXPERIENCE_SCHEMA: JsonSchema = component<Experience>("PersonExperience", {
  experienceId: ULID,
  personId: ULID,
  title: TEXT,
  narrative: nullable(TEXT),
  occurredAt: nullable(TIME),
  timePrecision: enumOf(TIME_PRECISIONS),
  timeText: nullable(TEXT),
  privacy: enumOf(PRIVACY_LEVELS),
  contentHash: nullable(SHA256),
  recordedAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

const FIELDS: FieldSet = {
  fields: [
    text("title", { required: true, maximumLength: 200 }),
    textarea("narrative"),
    datetime("occurredAt"),
    select("timePrecision", TIME_PRECISIONS, { required: true }),
    text("timeText"),
    select("privacy", PRIVACY_LEVELS, { required: true }),
  ],
  rules: [
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
  ],
};

/** What a client states of an experience, and how it is kept. */
export const EXPERIENCE_FIELDS = {
  fields: FIELDS,
  columns: (fields: PayloadView): ExperienceColumns => ({
    title: present(fields.text("title")),
    narrative: fields.text("narrative") ?? null,
    occurred_at: fields.date("occurredAt") ?? null,
    time_precision: present(fields.text("timePrecision")),
    time_text: fields.text("timeText") ?? null,
    privacy: present(fields.text("privacy")) as PrivacyLevel,
  }),
} as const;

/** A new experience with a person. */
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

const HIDDEN = {
  title: "",
  narrative: null,
  timeText: null,
  contentHash: null,
  redacted: true,
} as const;

/** An experience as far as its reader may see it. */
export function showExperience(row: ExperienceRow, reader: Caller): Experience {
  return {
    experienceId: row.experience_id,
    personId: row.person_id,
    title: row.title,
    narrative: row.narrative,
    occurredAt: row.occurred_at?.toISOString() ?? null,
    timePrecision: row.time_precision,
    timeText: row.time_text,
    privacy: row.privacy,
    contentHash: row.content_hash,
    recordedAt: row.recorded_at.toISOString(),
    ...(hides(row.privacy === "SECRET", reader, row.person_id) && HIDDEN),
  };
}
