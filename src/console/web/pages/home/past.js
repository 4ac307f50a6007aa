/** Captures, memories of this day, and recent changes. */

import { link } from "../../core/base/elements.js";
import { locale, t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { labelOfOne, recordPath } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { dateBlock, kindSymbol } from "../../fields/shown/anchors.js";
import { ago } from "../../fields/shown/files.js";
import { smallPicture } from "../../fields/shown/pictures.js";
import { formatTime, startOfDay } from "../../fields/shown/times.js";
import { deviceTime, statedDay, withoutZone } from "../../logic/local_time.js";
import { captureLine, isOfVisit } from "../captures/lines.js";
import { linesSection } from "./sections.js";

const MAX_LINES = 5;
/** Enough for five that became nothing. */
const CAPTURES_READ = 30;
/** Enough entries for some records, as one record often has several. */
const ENTRIES = 40;

/** Those of this visit stand below the box, and those that became something are left out. */
export async function lastCaptures() {
  const { items } = await get(`/api/v2/records/capture?limit=${CAPTURES_READ}`);
  const open = items.filter(({ recordId, payload }) =>
    payload?.routeStatus !== "ROUTED" && !isOfVisit(recordId)
  );
  return linesSection(t("lastCaptures"), open.slice(0, MAX_LINES).map(captureLine));
}

export async function memoriesOfDay() {
  const start = startOfDay(new Date(), 0);
  const day = withoutZone(deviceTime(start.getTime()));
  const asked = new URLSearchParams({ onDay: day, to: day, limit: String(MAX_LINES) });
  const { items } = await get(`/api/v2/memory/texts?${asked}`);
  const relative = new Intl.RelativeTimeFormat(locale());
  const open = items.filter(({ redacted, privacyLevel }) => !redacted && privacyLevel !== "SECRET");
  const lines = open.map((memory) => {
    const { memoryId, title, occurredAt, attachmentIds } = memory;
    const then = statedDay(memory) ?? start;
    const years = start.getFullYear() - then.getUTCFullYear();
    const date = formatTime(then, { dateStyle: "medium", timeZone: "UTC" });
    const when = ago(occurredAt, () => relative.format(-years, "year"), () => date);
    return row({
      anchor: smallPicture(attachmentIds, title, dateBlock(then, "year")),
      name: link(recordPath("memory", memoryId), title, "words"),
      facts: [when],
    });
  });
  return linesSection(t("onThisDay"), lines);
}

export async function changedLately() {
  const { items } = await get(`/api/v2/audit?titles=true&limit=${ENTRIES}`);
  const records = items.filter(({ title, moduleCode, revision }) =>
    // Captures have their own list.
    typeof title === "string" && revision !== null && moduleCode !== "capture"
  );
  const newest = [...Map.groupBy(records, ({ subjectId }) => subjectId).values()];
  const lines = newest.slice(0, MAX_LINES).map(([entry]) => {
    const { moduleCode, subjectId, revision, title, createdAt } = entry;
    return row({
      anchor: kindSymbol(moduleCode),
      name: link(recordPath(moduleCode, subjectId), title, "words"),
      facts: [
        labelOfOne(moduleCode),
        t(revision === 1 ? "created" : "modified"),
        ago(createdAt),
      ],
    });
  });
  return linesSection(t("changedLately"), lines);
}
