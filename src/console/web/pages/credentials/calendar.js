/** Calendar feeds. */

import { credentialForm, showOnce, timeAfter } from "../../core/acts/line_forms.js";
import { withProof } from "../../core/acts/password.js";
import { announceFailure } from "../../core/base/api.js";
import { h, link } from "../../core/base/elements.js";
import { formatNumber, t } from "../../core/base/language.js";
import { send } from "../../core/base/sender.js";
import { may } from "../../core/base/session.js";
import { notLoaded } from "../../core/base/visits.js";
import { label, labelled } from "../../core/names.js";
import { choiceField } from "../../fields/controls/choices.js";
import { line, loaded, severalField } from "../../fields/controls/forms.js";
import { clientText, timeText } from "../../fields/shown/times.js";
import { deviceZone } from "../../logic/local_time.js";
import { listPage } from "../parts/lists.js";
import { endButton, FEEDS, usedText } from "./sessions.js";
import { nameField } from "./tokens.js";

const DAYS_AHEAD = 60;

/** @type {Page} */
export async function calendar({ query }) {
  const place = h("div");
  const title = t("calendar");
  const feeds = async () =>
    (await listPage(query, {
      ...FEEDS,
      title,
      beside: [link(`${FEEDS.page}/new`, t("newFeed"))],
      none: t("calendarText"),
      above: ({ length }) => h("div", length > 0 && h("p", t("calendarText")), place),
      line: (feed) => feedLine(feed, place),
    })).body;
  const coming = async () => {
    const { dueDays } = await import("../due_lines.js").catch(notLoaded);
    return dueDays(DAYS_AHEAD);
  };
  const addresses = may("token.manage")
    ? [h("h2", t("calendarFeeds")), ...await feeds(), howToAdd()]
    : [];
  const heading = h("h2", t("comingUp", { days: DAYS_AHEAD }));
  const section = may("record.read") && h("section", heading, loaded(coming));
  return { title, body: [section, ...addresses] };
}

/** @param {CalendarFeed} feed @param {HTMLElement} place */
function feedLine(feed, place) {
  const { feedId, name, kinds, detail, createdAt, expiresAt, lastUsedAt, lastUsedBy } = feed;
  return line(
    h("strong.words", name),
    [
      label(detail),
      kinds.map(label).join(", "),
      t("createdAt", { time: timeText(createdAt) }),
      usedText(lastUsedAt),
      lastUsedAt !== null && clientText(lastUsedBy),
      expiresAt !== null && t("endsAt", { time: timeText(expiresAt) }),
    ],
    rotateButton(feed, place),
    endButton(FEEDS, `${feedId}/revoke`, `${t("end")}: ${name}`),
  );
}

/** Shows the new address once. @param {CalendarFeed} feed @param {HTMLElement} place */
function rotateButton({ feedId, name }, place) {
  const what = t("newAddress");
  const onclick = async () => {
    try {
      const made = await withProof(
        { purpose: "TOKEN_CREATE", what, thing: name },
        (proof) => send("POST", `${FEEDS.api}/${feedId}/rotate`, { proof }),
      );
      if (made !== null) showOnce(place, shownAddress(made.data));
    } catch (error) {
      announceFailure(error);
    }
  };
  return h("button", { "aria-label": `${what}: ${name}`, onclick }, what);
}

/** @param {{ name: string, address: string }} made */
function shownAddress({ name, address }) {
  return {
    text: t("addressOnce", { name }),
    secrets: [address],
    stored: t("addressAdded"),
    page: FEEDS.page,
  };
}

function howToAdd() {
  const programs = Object.entries({
    Apple: t("addApple"),
    Google: t("addGoogle"),
    Thunderbird: t("addThunderbird"),
    "DAVx5, ICSx5": t("addAndroid"),
  });
  return h(
    "details",
    h("summary", t("howToAdd")),
    h(
      "dl.values",
      programs.flatMap(([name, text]) => [h("dt", { translate: "no" }, name), h("dd", text)]),
    ),
  );
}

const KINDS = ["COMMITMENT", "ACTION", "ROUTINE", "DECISION_REVIEW", "CONTACT", "DATE", "PROPOSAL"];

const MINUTES = ["0", "15", "60", "1440"];

/** With their minutes. */
const UNITS = /** @type {const} */ ([["day", 1_440], ["hour", 60]]);

const TIMES = ["07:00", "09:00", "12:00", "18:00"];

/** As "1 day before". @param {string} minutes */
function beforeText(minutes) {
  const count = Number(minutes);
  const [unit, length] = UNITS.find(([, length]) => count % length === 0) ?? ["minute", 1];
  const time = formatNumber(count / length, { style: "unit", unit, unitDisplay: "long" });
  return count === 0 ? t("atTheTime") : t("timeBefore", { time });
}

/** @type {SyncPage} */
export function calendarForm() {
  const fields = feedFields();
  return credentialForm({
    what: t("newFeed"),
    path: FEEDS.api,
    fields: Object.values(fields),
    bodyOf: () => feedOf(fields),
    shown: shownAddress,
  });
}

function feedFields() {
  const usual = JSON.stringify(KINDS.filter((kind) => kind !== "PROPOSAL"));
  return {
    name: nameField(),
    kinds: severalField(
      { name: "kinds", label: t("feedKinds"), required: true, initial: usual },
      labelled(KINDS),
    ),
    detail: choiceField(
      {
        name: "detail",
        label: t("feedDetail"),
        hint: t("feedDetailHint"),
        required: true,
        initial: "BUSY",
      },
      labelled(["BUSY", "TITLES"]),
    ),
    timed: severalField(
      { name: "timed", label: t("feedTimed"), hint: t("feedTimedHint") },
      labelled(MINUTES, beforeText),
    ),
    allDay: choiceField({ name: "allDay", label: t("feedAllDay") }, labelled(TIMES, String)),
    timeZone: choiceField(
      { name: "timeZone", label: t("importZone"), required: true, initial: deviceZone() ?? "UTC" },
      labelled(["UTC", ...Intl.supportedValuesOf("timeZone")], String),
    ),
    expiresAt: choiceField(
      { name: "expiresAt", label: t("feedLifetime") },
      labelled(["30", "360"], (count) => t("days", { count })),
    ),
  };
}

/** @param {ReturnType<typeof feedFields>} fields */
function feedOf({ name, kinds, detail, timed, allDay, timeZone, expiresAt }) {
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
}
