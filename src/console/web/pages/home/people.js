/** People to call. */

import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { storage } from "../../core/base/session.js";
import { parseStored } from "../../core/browser_outbox/drafts.js";
import { recordPath } from "../../core/names.js";
import { line } from "../../fields/controls/forms.js";
import { daysText } from "../../fields/shown/times.js";
import { deviceTime, deviceZone } from "../../logic/local_time.js";
import { spokeButton } from "../parts/due.js";
import { linesSection } from "./sections.js";

const SHOWN = 3;
/** As due items. */
const DAYS_BEFORE = 7;
const STORED = "notNow";

export async function peopleToCall() {
  const asked = new URLSearchParams({ zone: deviceZone() ?? "UTC", limit: "100" });
  const { items } = await get(`/api/v2/insight/contacts?${asked}`);
  const hidden = hiddenToday();
  const people = items.filter(({ personId, daysOver }) =>
    daysOver >= -DAYS_BEFORE && !hidden.includes(personId)
  );
  const next = () => people.splice(0, 1).map((person) => personLine(person, next));
  return linesSection(t("peopleToCall"), Array.from({ length: SHOWN }, next).flat());
}

/** @param {any} person @param {() => Element[]} next The line that replaces it. */
function personLine({ personId, personName, lastContactAt, daysSince, daysOver }, next) {
  const hide = () => {
    hideToday(personId);
    const other = next()[0] ?? shown.nextElementSibling ?? shown.previousElementSibling;
    const section = shown.closest("section");
    if (other === null) return section?.remove();
    if (!other.isConnected) shown.parentElement?.append(other);
    shown.remove();
    other.querySelector("a")?.focus();
  };
  const label = `${t("notNow")}: ${personName}`;
  const shown = line(
    link(recordPath("relationship", personId), personName, "words"),
    [
      lastContactAt === null ? t("neverSpoke") : t("lastSpoke", { when: daysText(-daysSince) }),
      daysOver < 0 && t("nextCall", { when: daysText(-daysOver) }),
    ],
    spokeButton({ moduleCode: "relationship", recordId: personId, title: personName }),
    h("button", { "aria-label": label, onclick: hide }, t("notNow")),
  );
  shown.classList.add("calls");
  return shown;
}

const today = () => deviceTime(Date.now()).slice(0, 10);

/** The people that are hidden on this device today. @returns {string[]} */
function hiddenToday() {
  const { day, people = [] } = parseStored(storage(), STORED) ?? {};
  return day === today() ? people : [];
}

/** @param {string} personId */
function hideToday(personId) {
  storage().setItem(STORED, JSON.stringify({ day: today(), people: [...hiddenToday(), personId] }));
}
