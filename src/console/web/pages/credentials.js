/** Sessions, tokens, assistants, and addresses of the calendar. */

import { actButton, credentialForm, showOnce, timeAfter, withProof } from "../core/acts.js";
import {
  announce,
  ApiError,
  failureText,
  h,
  hasCode,
  may,
  notLoaded,
  send,
  session,
  t,
  timeText,
  visit,
} from "../core/base.js";
import {
  choiceField,
  choicesOf,
  line,
  lineField,
  loaded,
  severalField,
} from "../fields/controls.js";
import { clientText } from "../fields/shown.js";
import { label, labelled, readCatalog } from "../core/names.js";
import { listPage } from "./parts.js";

const SESSIONS_API = "/api/v2/auth/sessions";
const SESSIONS_PATH = "/console/sessions";

/** @type {Page} */
export function sessions({ query }) {
  const then = { done: t("ended"), page: SESSIONS_PATH };
  /** @type {string | null} */
  let ownAddress = null;
  const above = (/** @type {readonly any[]} */ items) => {
    ownAddress = items.find(({ current }) => current)?.addressDigest ?? null;
    return h("p", t("sessionsText"));
  };
  const sessionLine = (/** @type {any} */ item) => {
    const name = clientText(item.client);
    const since = timeText(item.createdAt);
    const label = t("endSession", { name, since });
    const path = `${SESSIONS_API}/${item.sessionId}/revoke`;
    return line(
      [h("strong", name), item.current && ` · ${t("thisSession")}`],
      [
        t("signedInAt", { time: since }),
        t("lastSeen", { time: timeText(item.lastSeenAt) }),
        t("endsAt", { time: timeText(item.expiresAt) }),
        !item.current && addressText(item.addressDigest, ownAddress),
      ],
      !item.current && actButton({ ...then, path, name: t("end"), label }),
    );
  };
  const endOthers = actButton({
    ...then,
    path: `${SESSIONS_API}/revoke-others`,
    name: t("endOthers"),
  });
  return listPage(query, {
    title: t("sessions"),
    page: SESSIONS_PATH,
    api: SESSIONS_API,
    beside: [endOthers],
    above,
    line: sessionLine,
  });
}

/** @param {string | null} digest @param {string | null} own */
function addressText(digest, own) {
  return digest !== null && own !== null && t(digest === own ? "sameAddress" : "otherAddress");
}

/** Permissions of a new token: a preset or a custom choice. */

/** Required for every call. */
const BASE = "platform.operate";

/** For programs that add to the inbox and read nothing. */
const CAPTURE = ["attachment.write", "record.write"];

/**
 * Never more than its creator has.
 * @param {TokenPreset} preset
 * @param {readonly string[]} held
 * @param {readonly string[]} [chosen]
 */
export function permissionsOf(preset, held, chosen = []) {
  const isWanted = {
    // The audit trail describes the account, not its records.
    read: (/** @type {string} */ name) => name.endsWith(".read") && name !== "audit.read",
    capture: (/** @type {string} */ name) => CAPTURE.includes(name),
    own: (/** @type {string} */ name) => chosen.includes(name),
  }[preset];
  return held.filter((name) => name === BASE || isWanted(name));
}

/** By first word: `memory` has `read`, `write` and `secret`. @param {readonly string[]} held */
export function choices(held) {
  const parts = held.filter((name) => name !== BASE && !isForSessions(name)).map((name) => {
    const [area = "", ...rest] = name.split(".");
    return { area, name, act: rest.join("_") };
  });
  return Map.groupBy(parts, ({ area }) => area);
}

/** Only sessions manage accounts and tokens. */
function isForSessions(/** @type {string} */ name) {
  return name === "account.manage" || name === "token.manage";
}

const TOKENS_API = "/api/v2/auth/tokens";
const TOKENS_PATH = "/console/tokens";

/** @type {Page} */
export function tokens({ query }) {
  const tokenLine = (/** @type {any} */ { tokenId, name, permissions, ...times }) => {
    const { createdAt, lastUsedAt, expiresAt } = times;
    return line(
      h("strong.words", name),
      [
        t("createdAt", { time: timeText(createdAt) }),
        lastUsedAt === null ? t("neverUsed") : t("lastUsed", { time: timeText(lastUsedAt) }),
        t("endsAt", { time: timeText(expiresAt) }),
        h("span.exact", permissions.join(", ")),
      ],
      actButton({
        path: `${TOKENS_API}/${tokenId}/revoke`,
        done: t("ended"),
        page: TOKENS_PATH,
        name: t("end"),
        label: t("endToken", { name }),
      }),
    );
  };
  return listPage(query, {
    title: t("tokens"),
    page: TOKENS_PATH,
    api: TOKENS_API,
    line: tokenLine,
    beside: [h("a.main", { href: `${TOKENS_PATH}/new` }, t("newToken"))],
    above: () => h("p", t("tokensText")),
  });
}

/** Within the service's limit of a year by its own clock. */
const DAYS = ["30", "90", "360"];

/** @type {SyncPage} */
export function tokenForm() {
  const name = lineField({
    name: "name",
    label: t("nameOf"),
    hint: t("tokenNameHint"),
    required: true,
  });
  const preset = choiceField(
    { name: "preset", label: t("tokenPermissions"), required: true },
    choicesOf({ read: t("presetRead"), capture: t("presetCapture"), own: t("presetOwn") }),
  );
  const days = choiceField(
    { name: "expiresAt", label: t("tokenLifetime"), required: true },
    DAYS.map((value) => ({ value, label: t("days", { count: value }) })),
  );
  preset.setText("read");
  days.setText("90");
  const own = ownChoice(session().permissions);
  const show = () => own.element.hidden = preset.text() !== "own";
  preset.element.addEventListener("change", show);
  show();

  const bodyOf = () => {
    const kind = /** @type {TokenPreset} */ (preset.text());
    const chosen = own.chosen();
    if (kind === "own" && chosen.length === 0) {
      preset.refuse(t("chooseOne"));
      return null;
    }
    return {
      name: name.text(),
      permissions: permissionsOf(kind, session().permissions, chosen),
      expiresAt: timeAfter(days.text()),
    };
  };
  return credentialForm({
    what: t("newToken"),
    path: "/api/v2/auth/tokens",
    fields: [name, days, preset],
    before: [own.element],
    bodyOf,
    shown: ({ name, token }) => ({
      text: t("tokenOnce", { name }),
      secrets: [token],
      stored: t("secretStored"),
      done: () => visit("/console/tokens"),
    }),
  });
}

/** @param {readonly string[]} held */
function ownChoice(held) {
  const boxes = /** @type {Map<string, HTMLInputElement>} */ (new Map());
  const groups = [...choices(held)].map(([area, members]) =>
    h(
      "fieldset.field",
      h("legend", label(area)),
      members.map(({ name, act }) => {
        const box = h("input", { type: "checkbox", value: name });
        boxes.set(name, box);
        return h("label.choice", box, label(act));
      }),
    )
  );
  return {
    element: h("div.groups", groups),
    chosen: () => [...boxes].filter(([, box]) => box.checked).map(([name]) => name),
  };
}

const API = "/api/v2/auth/assistants";
const PATH = "/console/assistants";

/** @type {Page} */
export async function assistants({ query }) {
  const assistantLine = (/** @type {any} */ { assistantId, name, modules, ...rest }) => {
    const { mayPropose, sensitive, until, lastUsedAt } = rest;
    return line(
      h("strong.words", name),
      [
        t("assistantRuns", { time: timeText(until) }),
        lastUsedAt === null ? t("neverUsed") : t("lastUsed", { time: timeText(lastUsedAt) }),
        t(mayPropose ? "assistantProposes" : "assistantReads"),
        sensitive === "SHOWN" && `${t("sensitiveFields")}: ${t("sensitiveShown")}`,
        modules.map(label).join(", "),
      ],
      actButton({
        path: `${API}/${assistantId}/revoke`,
        done: t("ended"),
        page: PATH,
        name: t("end"),
        label: t("endToken", { name }),
      }),
    );
  };
  try {
    return await listPage(query, {
      title: t("assistants"),
      page: PATH,
      api: API,
      line: assistantLine,
      beside: links(),
      above: () => h("p", t("assistantsText")),
    });
  } catch (error) {
    if (hasCode(error, "HTTP_404")) return assistantsOff();
    throw error;
  }
}

function links() {
  return [
    h("a.main", { href: `${PATH}/new` }, t("newAssistant")),
    h("a", { href: "/console/proposals" }, t("proposals")),
  ];
}

/** The page of a service without assistants; each of the links says the same. */
export function assistantsOff() {
  const bar = h("div.bar", links());
  return { title: t("assistants"), body: [bar, h("p", t("assistantsOff"))] };
}

/** Below the 90 days that the service allows by its own clock. */
const ASSISTANT_FORM_DAYS = ["7", "30", "89"];

/** @type {Page} */
export async function assistantForm() {
  try {
    await send("GET", "/api/v2/auth/assistants?limit=1");
  } catch (error) {
    if (hasCode(error, "HTTP_404")) return assistantsOff();
    throw error;
  }
  const name = lineField({
    name: "name",
    label: t("nameOf"),
    hint: t("assistantNameHint"),
    required: true,
  });
  const modules = severalField(
    { name: "modules", label: t("lentModules"), required: true },
    (await readCatalog()).map(({ code }) => ({ value: code, label: label(code) })),
  );
  const proposes = choiceField(
    { name: "mayPropose", label: t("proposals"), required: true },
    choicesOf({ false: t("assistantReads"), true: t("assistantProposes") }),
  );
  const sensitive = choiceField(
    { name: "sensitiveFields", label: t("sensitiveFields"), required: true },
    choicesOf({ HIDDEN: t("sensitiveHidden"), SHOWN: t("sensitiveShown") }),
  );
  const days = choiceField(
    { name: "until", label: t("assistantLifetime"), required: true },
    ASSISTANT_FORM_DAYS.map((value) => ({ value, label: t("assistantDays", { count: value }) })),
  );
  proposes.setText("false");
  sensitive.setText("HIDDEN");
  days.setText("30");

  const bodyOf = () => {
    if (modules.text() === "") {
      modules.refuse(t("chooseModule"));
      return null;
    }
    return {
      name: name.text(),
      modules: JSON.parse(modules.text()),
      mayPropose: proposes.text() === "true",
      sensitive: sensitive.text(),
      until: timeAfter(days.text()),
    };
  };
  return credentialForm({
    what: t("newAssistant"),
    path: "/api/v2/auth/assistants",
    fields: [name, modules, proposes, sensitive, days],
    bodyOf,
    shown: ({ name, token }) => ({
      text: t("assistantOnce", { name, address: `${location.origin}/mcp` }),
      secrets: [token],
      stored: t("assistantStored"),
      done: () => visit("/console/assistants"),
    }),
  });
}

const CALENDAR_API = "/api/v2/calendar/feeds";
const CALENDAR_PATH = "/console/calendar";
const DAYS_AHEAD = 60;

/** @type {Page} */
export async function calendar({ query }) {
  const place = h("div");
  const title = t("calendar");
  const feeds = async () =>
    (await listPage(query, {
      title,
      page: CALENDAR_PATH,
      api: CALENDAR_API,
      beside: [h("a.main", { href: `${CALENDAR_PATH}/new` }, t("newFeed"))],
      above: () => h("div", h("p", t("calendarText")), place),
      line: (feed) => feedLine(feed, place),
    })).body;
  const coming = may("record.read") &&
    h(
      "section",
      h("h2", t("comingUp", { days: DAYS_AHEAD })),
      loaded(async () => {
        const { dueDays } = await import("./home.js").catch(notLoaded);
        return await dueDays(DAYS_AHEAD);
      }),
    );
  const addresses = may("token.manage")
    ? [h("h2", t("calendarFeeds")), ...await feeds(), ...howToAdd()]
    : [];
  return { title, body: [coming, ...addresses] };
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
      lastUsedAt === null ? t("neverUsed") : t("lastUsed", { time: timeText(lastUsedAt) }),
      lastUsedAt !== null && clientText(lastUsedBy),
      expiresAt !== null && t("endsAt", { time: timeText(expiresAt) }),
    ],
    rotateButton(feed, place),
    actButton({
      path: `${CALENDAR_API}/${feedId}/revoke`,
      done: t("ended"),
      page: CALENDAR_PATH,
      name: t("end"),
      label: t("endFeed", { name }),
    }),
  );
}

/**
 * A button that asks for the password, and shows the new address once.
 * @param {CalendarFeed} feed
 * @param {HTMLElement} place
 */
function rotateButton({ feedId, name }, place) {
  const act = /** @type {const} */ ({ purpose: "TOKEN_CREATE", what: t("newAddress") });
  const rotate = async () => {
    try {
      const made = await withProof(
        { ...act, thing: name },
        (proof) => send("POST", `${CALENDAR_API}/${feedId}/rotate`, { proof }),
      );
      if (made !== null) showOnce(place, shownAddress(made.data));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      announce(failureText(error.code));
    }
  };
  const attributes = { type: "button", "aria-label": t("newAddressOf", { name }) };
  return h("button", { ...attributes, onclick: rotate }, t("newAddress"));
}

/** @param {{ name: string, address: string }} made */
function shownAddress({ name, address }) {
  return {
    text: t("addressOnce", { name }),
    secrets: [address],
    stored: t("addressAdded"),
    done: () => visit(CALENDAR_PATH),
  };
}

function howToAdd() {
  const programs = /** @type {const} */ ([
    ["Apple", "addApple"],
    ["Google", "addGoogle"],
    ["Thunderbird", "addThunderbird"],
    ["DAVx5, ICSx5", "addAndroid"],
  ]);
  return [
    h("h2", t("howToAdd")),
    h(
      "dl.values",
      programs.flatMap(([name, text]) => [h("dt", { translate: "no" }, name), h("dd", t(text))]),
    ),
  ];
}

const KINDS = [
  ...["COMMITMENT", "ACTION", "ROUTINE", "DECISION_REVIEW"],
  ...["CONTACT", "DATE", "PROPOSAL"],
];
const USUAL = KINDS.filter((kind) => kind !== "PROPOSAL");
const MINUTES = ["0", "15", "60", "1440"];
const TIMES = ["07:00", "09:00", "12:00", "18:00"];

/** @type {SyncPage} */
export function calendarForm() {
  const name = lineField({ name: "name", label: t("nameOf"), required: true });
  const kinds = severalField(
    { name: "kinds", label: t("feedKinds"), required: true },
    labelled(KINDS),
  );
  const detail = choiceField(
    { name: "detail", label: t("feedDetail"), hint: t("feedDetailHint"), required: true },
    labelled(["BUSY", "TITLES"]),
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
    { name: "timeZone", label: t("importZone"), required: true },
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
  return credentialForm({
    what: t("newFeed"),
    path: "/api/v2/calendar/feeds",
    fields: [name, kinds, detail, timed, allDay, timeZone, expiresAt],
    bodyOf,
    shown: shownAddress,
  });
}
