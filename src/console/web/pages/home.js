/** Today: five requests, with that of the session. */

import { h, link } from "../core/base/elements.js";
import { locale, t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { may } from "../core/base/session.js";
import { ago } from "../fields/shown/files.js";
import {
  clockText,
  dateText,
  dayHeading,
  daysText,
  dayText,
  formatTime,
  startOfDay,
  timeText,
} from "../fields/shown/times.js";
import { byDay, daysUntil, doneButton, dueList, spokeButton } from "./parts/due.js";
import { line, loaded } from "../fields/controls/forms.js";
import { label, labelOfOne, recordPath } from "../core/names.js";
import { deviceTime, statedDay, withoutZone } from "../logic/local_time.js";
import { captureLine, CAPTURES, captureSection, isOfVisit } from "./drafts/captures.js";

const MAX_LINES = 5;
const DAYS = 7;
/** Enough entries for some records, as one record often has several. */
const ENTRIES = 40;

/** @type {SyncPage} */
export function homePage() {
  return {
    title: t("home"),
    body: [
      h("p.quiet", dateText(new Date())),
      may("record.write") && captureSection(),
      may("record.write") && section(t("lastCaptures"), lastCaptures),
      may("record.read") &&
      h("section", h("h2", t("due")), loaded(() => dueDays(DAYS))),
      may("memory.read") && section(t("onThisDay"), memoriesOfDay),
      may("audit.read") && section(t("changedLately"), changedLately),
    ],
  };
}

/** @param {string} name @param {() => Promise<Element[]>} makeLines */
function section(name, makeLines) {
  const make = async () => {
    const lines = await makeLines();
    return lines.length === 0 ? [] : [h("ul.lines", lines)];
  };
  return h("section", h("h2", name), loaded(make));
}

async function lastCaptures() {
  const { items } = await get(`${CAPTURES}?limit=${MAX_LINES}`);
  return items.filter(({ recordId }) => !isOfVisit(recordId)).map(captureLine);
}

async function memoriesOfDay() {
  const start = startOfDay(new Date(), 0);
  const day = withoutZone(deviceTime(start.getTime()));
  const asked = new URLSearchParams({ onDay: day, to: day, limit: String(MAX_LINES) });
  const { items } = await get(`/api/v2/memory/texts?${asked}`);
  const relative = new Intl.RelativeTimeFormat(locale());
  const open = items.filter(({ redacted, privacyLevel }) => !redacted && privacyLevel !== "SECRET");
  return open.map((memory) => {
    const { memoryId, title, occurredAt } = memory;
    const then = statedDay(memory) ?? start;
    const years = start.getFullYear() - then.getUTCFullYear();
    const date = formatTime(then, { dateStyle: "medium", timeZone: "UTC" });
    return line(link(recordPath("memory", memoryId), title, "words"), [
      ago(occurredAt, () => relative.format(-years, "year"), () => date),
    ]);
  });
}

async function changedLately() {
  const { items } = await get(`/api/v2/audit?titles=true&limit=${ENTRIES}`);
  const records = items.filter(({ title, moduleCode, revision }) =>
    // Captures have their own list.
    typeof title === "string" && revision !== null && moduleCode !== "capture"
  );
  const newest = [...Map.groupBy(records, ({ subjectId }) => subjectId).values()];
  return newest.slice(0, MAX_LINES).map(([entry]) => {
    const { moduleCode, subjectId, revision, title, createdAt } = entry;
    return line(link(recordPath(moduleCode, subjectId), title, "words"), [
      labelOfOne(moduleCode),
      t(revision === 1 ? "created" : "modified"),
      ago(createdAt),
    ]);
  });
}

/** Due items under the headings of their days. @param {number} days The days after today. */
export async function dueDays(days) {
  const now = new Date();
  const { items, nextCursor } = await get(dueList(now, days));
  if (items.length === 0) return [h("p.quiet", t("nothingDue"))];
  return [
    ...byDay(items, now).flatMap(({ days, items }) => [
      h("h3", days === null ? t("overdue") : dayHeading(startOfDay(now, days), days)),
      h("ul.lines", items.map((item) => dueLine(item, now))),
    ]),
    nextCursor !== null && h("p.quiet", t("moreDue", { count: items.length })),
  ];
}

/** The label or kind of an item, with the years of a date. @param {Due} item */
function dueName({ kind, what, label: own, years }) {
  const name = own ?? label(what === null || what === "OTHER" ? kind : what);
  return years === null || years === 0 ? name : `${name} (${years})`;
}

/** @param {Due} item @param {Date} now */
function dueLine(item, now) {
  const { moduleCode, recordId, kind, title, at, date, overdue } = item;
  const when = overdue ? daysText(daysUntil(item, now)) : at !== null && clockText(at);
  return line(
    link(recordPath(moduleCode, recordId), title, "words"),
    [
      dueName(item),
      when && ago(at ?? `${date}T00:00`, () => when, at === null ? dayText : timeText),
    ],
    kind === "CONTACT" ? spokeButton(item) : doneButton(item),
  );
}
