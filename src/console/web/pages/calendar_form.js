/** A new calendar feed: its address is shown once, on this page alone. */

import { send } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { withProof } from "../core/step_up.js";
import { t } from "../core/text.js";
import { choiceField } from "../fields/choice.js";
import { form } from "../fields/form.js";
import { severalField } from "../fields/several.js";
import { lineField } from "../fields/text.js";
import { label } from "../logic/labels.js";
import { showAddress } from "./calendar.js";

const DAY_MS = 86_400_000;
const KINDS = [
  ...["COMMITMENT", "ACTION", "ROUTINE", "DECISION_REVIEW"],
  ...["CONTACT", "DATE", "PROPOSAL"],
];
/** The kinds that are selected at first. */
const USUAL = KINDS.filter((kind) => kind !== "PROPOSAL");
const MINUTES = ["0", "15", "60", "1440"];
const TIMES = ["07:00", "09:00", "12:00", "18:00"];

/** @type {import("../pages.js").Page} */
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

  const place = h("div", {});
  const submit = async () => {
    const days = expiresAt.text();
    const body = {
      name: name.text(),
      kinds: JSON.parse(kinds.text()),
      detail: detail.text(),
      alarms: {
        timed: JSON.parse(timed.text() || "[]").map(Number),
        allDay: allDay.text() || null,
      },
      timeZone: timeZone.text(),
      ...(days !== "" && {
        expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
      }),
    };
    const act = /** @type {const} */ ({ purpose: "TOKEN_CREATE", what: t("newFeed") });
    const made = await withProof(
      session,
      { ...act, thing: body.name },
      (proof) => send("POST", "/api/v2/calendar/feeds", { body, proof }),
    );
    if (made !== null) showAddress(place, made.data);
  };
  const fields = [name, kinds, detail, timed, allDay, timeZone, expiresAt];
  fill(place, form(fields, t("newFeed"), submit));
  return { title: t("newFeed"), body: [place] };
}
