/** People to call. */

import { link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { storage } from "../../core/base/session.js";
import { parseStored } from "../../core/browser_outbox/drafts.js";
import { recordPath } from "../../core/names.js";
import { iconButton } from "../../core/acts/buttons.js";
import { row } from "../../fields/controls/forms.js";
import { disc } from "../../fields/shown/anchors.js";
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
function personLine(person, next) {
  const { personId, personName, lastContactAt, daysSince, daysOver } = person;
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
  const shown = row({
    anchor: disc({ ...person, attachmentIds: [] }),
    name: link(recordPath("relationship", personId), personName, "words"),
    facts: [
      lastContactAt === null ? t("neverSpoke") : t("lastSpoke", { when: daysText(-daysSince) }),
      daysOver < 0 && t("nextCall", { when: daysText(-daysOver) }),
    ],
    acts: [
      spokeButton({ moduleCode: "relationship", recordId: personId, title: personName }),
      iconButton("close", label, hide),
    ],
  });
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
