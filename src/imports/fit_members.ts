/** Members of an item that are brought into the limits of records, with a rule for each change. */

import { withClockTolerance } from "../core/clock.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { readStatedTime } from "../validate/local_time.ts";
import { firstCodePoints, isLongerThan } from "../validate/text.ts";
import { parseTimestamp } from "../validate/timestamp.ts";
import type { SourceItem } from "./converters/converter.ts";
import { withoutControls } from "./words.ts";

export const MAX_TAGS = 500;
/** Code points of a title. */
export const MAX_TITLE = 200;

interface FittedMembers {
  readonly members: JsonObject;
  readonly rules: readonly string[];
  /** Names of members that were left out or shortened. */
  readonly unmapped: readonly string[];
}

/** Cuts titles and lists of tags that are too long, and removes times in the future. */
export function fitMembers(
  members: JsonObject,
  { isTitleInText = false }: Pick<SourceItem, "isTitleInText">,
  now: Date,
): FittedMembers {
  const fitted = { ...members };
  const rules: string[] = [];
  const unmapped: string[] = [];
  if (typeof members.title === "string") {
    const title = withoutControls(members.title);
    fitted.title = title;
    if (isLongerThan(title, MAX_TITLE)) {
      fitted.title = firstCodePoints(title, MAX_TITLE).trim();
      rules.push("title.cut");
      if (!isTitleInText) unmapped.push("title");
    }
  }
  if (Array.isArray(members.tags) && members.tags.length > MAX_TAGS) {
    fitted.tags = members.tags.slice(0, MAX_TAGS);
    rules.push("tag.too_many");
    unmapped.push("tag");
  }
  if (isFuture(members.recordedAt, now)) {
    delete fitted.recordedAt;
    rules.push("import.future");
  }
  const { payload } = members;
  if (members.target === "memory" && isJsonObject(payload) && isFuture(payload.occurredAt, now)) {
    fitted.payload = withTimeText(payload);
    rules.push("import.future");
    if ("timeText" in payload) unmapped.push("timeText");
  }
  return { members: fitted, rules, unmapped };
}

function isFuture(time: unknown, now: Date): boolean {
  if (typeof time !== "string") return false;
  const stated = readStatedTime(time);
  const instant = typeof stated === "string" ? parseTimestamp(time) : stated.time;
  return instant !== null && instant > withClockTolerance(now).getTime();
}

/** A memory whose time of occurrence is a text, as its clock shows it. */
function withTimeText({ occurredAt, ...payload }: JsonObject): JsonObject {
  const digits = String(occurredAt);
  const isExact = (payload.timePrecision ?? "EXACT") === "EXACT";
  const timeText = isExact ? digits.slice(0, 16).replace("T", " ") : digits.slice(0, 10);
  return { ...payload, timePrecision: "UNKNOWN", timeText };
}
