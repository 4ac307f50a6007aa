/** A new calendar feed: its address is shown once, on this page alone. */

import { t } from "../core/base.js";
import { choiceField, lineField } from "../fields/controls.js";
import { severalField } from "../fields/several.js";
import { credentialForm, timeAfter } from "../fields/shown_once.js";
import { label } from "../core/names.js";
import { shownAddress } from "./calendar.js";

const KINDS = [
  ...["COMMITMENT", "ACTION", "ROUTINE", "DECISION_REVIEW"],
  ...["CONTACT", "DATE", "PROPOSAL"],
];
/** The kinds that are selected at first. */
const USUAL = KINDS.filter((kind) => kind !== "PROPOSAL");
const MINUTES = ["0", "15", "60", "1440"];
const TIMES = ["07:00", "09:00", "12:00", "18:00"];

/** @type {SyncPage} */
export default function calendarForm({ session }) {
  const name = lineField({ name: "name", label: t("feedName"), required: true });
  const kinds = severalField(
    { name: "kinds", label: t("feedKinds"), required: true },
    KINDS.map((value) => ({ value, label: label(value) })),
  );
  const detail = choiceField(
    { name: "detail", label: t("feedDetail"), hint: t("feedDetailHint"), required: true },
    ["BUSY", "TITLES"].map((value) => ({ value, label: label(value) })),
  );
  const timed = severalField(
    { name: "timed", label: t("feedTimed"), hint: t("feedTimedHint") },
    MINUTES.map((value) => ({ value, label: t("minutesBefore", { count: value }) })),
  );
  const allDay = choiceField(
    { name: "allDay", label: t("feedAllDay") },
    TIMES.map((value) => ({ value, label: value })),
  );
  const timeZone = choiceField(
    { name: "timeZone", label: t("feedZone"), required: true },
    ["UTC", ...Intl.supportedValuesOf("timeZone")].map((value) => ({ value, label: value })),
  );
  const expiresAt = choiceField(
    { name: "expiresAt", label: t("feedLifetime") },
    ["30", "360"].map((value) => ({ value, label: t("days", { count: value }) })),
  );
  kinds.setText(JSON.stringify(USUAL));
  detail.setText("BUSY");
  timeZone.setText(new Intl.DateTimeFormat().resolvedOptions().timeZone);

  const bodyOf = () => {
    const days = expiresAt.text();
    return {
      name: name.text(),
      kinds: JSON.parse(kinds.text()),
      detail: detail.text(),
      alarms: {
        timed: JSON.parse(timed.text() || "[]").map(Number),
        allDay: allDay.text() || null,
      },
      timeZone: timeZone.text(),
      ...(days !== "" && { expiresAt: timeAfter(days) }),
    };
  };
  return credentialForm(session, {
    what: t("newFeed"),
    path: "/api/v2/calendar/feeds",
    fields: [name, kinds, detail, timed, allDay, timeZone, expiresAt],
    bodyOf,
    shown: shownAddress,
  });
}
