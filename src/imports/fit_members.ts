/** Members of an item that are brought into the limits of records, with a rule for each change. */

import { MEMORY } from "../catalog/modules/memory.ts";
import { withClockTolerance } from "../core/clock.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { readStatedTime } from "../validate/local_time.ts";
import { firstCodePoints, isLongerThan } from "../validate/text.ts";
import type { SourceItem } from "./converters/converter.ts";
import { withoutControls } from "./words.ts";

/** Limits of an item. */
export const MAX_TAGS = 500;
export const MAX_FILES = 10_000;
/** Code points of a title. */
export const MAX_TITLE = 200;

const PRECISIONS = MEMORY.fields.find(({ name }) => name === "timePrecision")?.options ?? [];

interface FittedMembers {
  readonly members: JsonObject;
  readonly rules: readonly string[];
  /** Names of members that were left out or shortened. */
  readonly unmapped: readonly string[];
  /** As in the source; null if it is in the future. */
  readonly modifiedAt: number | null;
}

/** Cuts titles and lists of tags that are too long, and removes times in the future. */
export function fitMembers(members: JsonObject, source: Facts, now: Date): FittedMembers {
  const rules: string[] = [];
  const unmapped: string[] = [];
  const fitted = { ...members };
  const { title, tags, payload } = members;
  const { futureRule = "import.future", modifiedAt = null } = source;
  if (typeof title === "string") {
    const fit = fitTitle(title);
    fitted.title = fit.title;
    if (fit.isCut) rules.push("title.cut");
    if (fit.isCut && !source.isTitleInText) unmapped.push("title");
  }
  if (Array.isArray(tags) && tags.length > MAX_TAGS) {
    const distinct = [...new Set(tags)];
    fitted.tags = distinct.slice(0, MAX_TAGS);
    if (distinct.length > MAX_TAGS) {
      rules.push("tag.too_many");
      unmapped.push("tag");
    }
  }
  if (isFuture(members.recordedAt, now)) {
    delete fitted.recordedAt;
    rules.push(futureRule);
  }
  const isModifiedLater = modifiedAt !== null && modifiedAt > withClockTolerance(now).getTime();
  if (isModifiedLater) rules.push(futureRule);
  if (isJsonObject(payload)) {
    const past = withoutFuture(payload, members.target === "memory", source, now);
    fitted.payload = past.payload;
    unmapped.push(...past.unmapped);
    if (past.payload !== payload) rules.push(futureRule);
  }
  return { members: fitted, rules, unmapped, modifiedAt: isModifiedLater ? null : modifiedAt };
}

/** Leaves out the contacts of a person that are in the future. */
export function fitPerson(members: JsonObject, now: Date): FittedMembers {
  const payload = isJsonObject(members.payload) ? members.payload : {};
  const contacts = Array.isArray(payload.contacts) ? payload.contacts : [];
  const past = contacts.filter((each) => !isJsonObject(each) || !isFuture(each.contactedAt, now));
  const isFitting = past.length === contacts.length;
  return {
    members: isFitting ? members : { ...members, payload: { ...payload, contacts: past } },
    rules: isFitting ? [] : ["import.future"],
    unmapped: isFitting ? [] : ["contact"],
    modifiedAt: null,
  };
}

type Facts = Pick<
  SourceItem,
  "isTitleInText" | "runTimeField" | "optionalTimes" | "modifiedAt" | "futureRule"
>;

/** The payload itself, or a copy without its times in the future. */
function withoutFuture(
  payload: JsonObject,
  isMemory: boolean,
  { runTimeField, optionalTimes = [] }: Facts,
  now: Date,
): { readonly payload: JsonObject; readonly unmapped: readonly string[] } {
  if (isMemory && isFuture(payload.occurredAt, now) && hasKnownPrecision(payload)) {
    const unmapped = payload.timeText === undefined ? [] : ["timeText"];
    return { payload: withTimeText(payload), unmapped };
  }
  const times = [...optionalTimes, ...(runTimeField === undefined ? [] : [runTimeField])];
  const left = times.filter((name) => isFuture(payload[name], now));
  if (left.length === 0) return { payload, unmapped: [] };
  const past = Object.entries(payload).filter(([name]) => !left.includes(name));
  const unmapped = left.filter((name) => name !== runTimeField);
  return { payload: Object.fromEntries(past), unmapped };
}

/** A title of at most 200 code points, with blanks for control characters. */
export function fitTitle(text: string): { readonly title: string; readonly isCut: boolean } {
  const title = withoutControls(text);
  if (!isLongerThan(title, MAX_TITLE)) return { title, isCut: false };
  return { title: firstCodePoints(title, MAX_TITLE).trim(), isCut: true };
}

function isFuture(time: unknown, now: Date): boolean {
  if (typeof time !== "string") return false;
  const stated = readStatedTime(time);
  return typeof stated !== "string" && stated.time > withClockTolerance(now).getTime();
}

/** False for a word that the memory's own rules refuse. */
function hasKnownPrecision({ timePrecision = "EXACT" }: JsonObject): boolean {
  return PRECISIONS.some((precision) => precision === timePrecision);
}

/** A memory whose time of occurrence is a text, as its clock shows it. */
function withTimeText({ occurredAt, ...payload }: JsonObject): JsonObject {
  const digits = String(occurredAt);
  const isExact = (payload.timePrecision ?? "EXACT") === "EXACT";
  const timeText = isExact ? digits.slice(0, 16).replace("T", " ") : digits.slice(0, 10);
  return { ...payload, timePrecision: "UNKNOWN", timeText };
}
