/** Sessions, tokens, assistants, and addresses of the calendar. */

import { actButton, credentialForm, showOnce, timeAfter, withProof } from "../core/acts.js";
import {
  announceFailure,
  get,
  h,
  hasCode,
  link,
  may,
  notLoaded,
  send,
  session,
  t,
} from "../core/base.js";
import {
  choiceField,
  chosenField,
  line,
  lineField,
  loaded,
  severalField,
} from "../fields/controls.js";
import { clientText, timeText } from "../fields/shown.js";
import { label, labelled, readCatalog } from "../core/names.js";
import { deviceZone } from "../logic/local_time.js";
import { listPage } from "./parts.js";

/** The page of each kind of credential, and its address in the API. */
const SESSIONS = { page: "/console/sessions", api: "/api/v2/auth/sessions" };
const TOKENS = { page: "/console/tokens", api: "/api/v2/auth/tokens" };
const ASSISTANTS = { page: "/console/assistants", api: "/api/v2/auth/assistants" };
const FEEDS = { page: "/console/calendar", api: "/api/v2/calendar/feeds" };

/**
 * @param {Paths} place
 * @param {string} act
 * @param {string} [label] The name, if there are several.
 */
function endButton({ api }, act, label) {
  const name = t(label === undefined ? "endOthers" : "end");
  return actButton({ path: `${api}/${act}`, name, label, done: t("ended") });
}

/** @param {string | null} time */
function usedText(time) {
  return time === null ? t("neverUsed") : t("lastUsed", { time: timeText(time) });
}

/** @type {Page} */
export function sessions({ query }) {
  /** @type {string | undefined} */
  let ownAddress;
  return listPage(query, {
    ...SESSIONS,
    title: t("sessions"),
    beside: [endButton(SESSIONS, "revoke-others")],
    above(items) {
      ownAddress = items.find(({ current }) => current)?.addressDigest ?? undefined;
      return h("p", t("sessionsText"));
    },
    line({ sessionId, current, client, addressDigest, createdAt, lastSeenAt, expiresAt }) {
      const name = clientText(client);
      const since = timeText(createdAt);
      const address = addressDigest === ownAddress ? "sameAddress" : "otherAddress";
      return line(
        [h("strong", name), current && ` · ${t("thisSession")}`],
        [
          t("signedInAt", { time: since }),
          t("lastSeen", { time: timeText(lastSeenAt) }),
          t("endsAt", { time: timeText(expiresAt) }),
          !current && addressDigest !== null && ownAddress !== undefined && t(address),
        ],
        !current && endButton(SESSIONS, `${sessionId}/revoke`, t("endSession", { name, since })),
      );
    },
  });
}

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

/** Only sessions manage accounts and tokens. @param {string} name */
function isForSessions(name) {
  return name === "account.manage" || name === "token.manage";
}

/** @type {Page} */
export function tokens({ query }) {
  return listPage(query, {
    ...TOKENS,
    title: t("tokens"),
    beside: [link(`${TOKENS.page}/new`, t("newToken"), "main")],
    above: () => h("p", t("tokensText")),
    line: ({ tokenId, name, permissions, createdAt, lastUsedAt, expiresAt }) =>
      line(
        h("strong.words", name),
        [
          t("createdAt", { time: timeText(createdAt) }),
          usedText(lastUsedAt),
          t("endsAt", { time: timeText(expiresAt) }),
          h("span.exact", permissions.join(", ")),
        ],
        endButton(TOKENS, `${tokenId}/revoke`, t("endToken", { name })),
      ),
  });
}

/** Within the service's limit of a year. */
const DAYS = ["30", "90", "360"];

/** @type {SyncPage} */
export function tokenForm() {
  const name = nameField(t("tokenNameHint"));
  const presets = { read: t("presetRead"), capture: t("presetCapture"), own: t("presetOwn") };
  const preset = chosenField("preset", t("tokenPermissions"), presets);
  const days = choiceField(
    { name: "expiresAt", label: t("tokenLifetime"), required: true, initial: "90" },
    labelled(DAYS, (count) => t("days", { count })),
  );
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
    path: TOKENS.api,
    fields: [name, days, preset],
    before: [own.element],
    bodyOf,
    shown: ({ name, token }) => ({
      text: t("tokenOnce", { name }),
      secrets: [token],
      stored: t("secretStored"),
      page: TOKENS.page,
    }),
  });
}

/** @param {string} [hint] */
function nameField(hint) {
  return lineField({ name: "name", label: t("nameOf"), hint, required: true });
}

/** @param {readonly string[]} held */
function ownChoice(held) {
  /** @type {HTMLInputElement[]} */
  const boxes = [];
  const groups = [...choices(held)].map(([area, members]) => {
    const labels = members.map(({ name: value, act }) => {
      const box = h("input", { type: "checkbox", value });
      boxes.push(box);
      return h("label.choice", box, label(act));
    });
    return h("fieldset.field", h("legend", label(area)), labels);
  });
  return {
    element: h("div.groups", groups),
    chosen: () => boxes.filter(({ checked }) => checked).map(({ value }) => value),
  };
}

/** @type {Page} */
export function assistants({ query }) {
  return unlessOff(() =>
    listPage(query, {
      ...ASSISTANTS,
      title: t("assistants"),
      beside: links(),
      above: () => h("p", t("assistantsText")),
      line: ({ assistantId, name, modules, mayPropose, sensitive, until, lastUsedAt }) =>
        line(
          h("strong.words", name),
          [
            t("assistantRuns", { time: timeText(until) }),
            usedText(lastUsedAt),
            t(mayPropose ? "assistantProposes" : "assistantReads"),
            sensitive === "SHOWN" && `${t("sensitiveFields")}: ${t("sensitiveShown")}`,
            modules.map(label).join(", "),
          ],
          endButton(ASSISTANTS, `${assistantId}/revoke`, t("endToken", { name })),
        ),
    })
  );
}

function links() {
  return [
    link(`${ASSISTANTS.page}/new`, t("newAssistant"), "main"),
    link("/console/proposals", t("proposals")),
  ];
}

/**
 * Replaces all pages of assistants by a notice if assistants are off.
 * @param {() => Promise<Content>} page
 */
export async function unlessOff(page) {
  try {
    return await page();
  } catch (error) {
    if (!hasCode(error, "HTTP_404")) throw error;
    const bar = h("div.bar", links());
    return { title: t("assistants"), body: [bar, h("p", t("assistantsOff"))] };
  }
}

/** Below the service's limit of 90 days by its own clock. */
const ASSISTANT_DAYS = ["7", "30", "89"];

/** @type {Page} */
export function assistantForm() {
  return unlessOff(async () => {
    await get(`${ASSISTANTS.api}?limit=1`);
    return newAssistant(await readCatalog());
  });
}

/** @param {readonly CatalogModule[]} catalog */
function newAssistant(catalog) {
  const name = nameField(t("assistantNameHint"));
  const modules = severalField(
    { name: "modules", label: t("lentModules"), required: true },
    labelled(catalog.map(({ code }) => code)),
  );
  const proposes = chosenField("mayPropose", t("proposals"), {
    false: t("assistantReads"),
    true: t("assistantProposes"),
  });
  const sensitive = chosenField("sensitiveFields", t("sensitiveFields"), {
    HIDDEN: t("sensitiveHidden"),
    SHOWN: t("sensitiveShown"),
  });
  const days = choiceField(
    { name: "until", label: t("assistantLifetime"), required: true, initial: "30" },
    labelled(ASSISTANT_DAYS, (count) => t("days", { count })),
  );

  return credentialForm({
    what: t("newAssistant"),
    path: ASSISTANTS.api,
    fields: [name, modules, proposes, sensitive, days],
    bodyOf: () => ({
      name: name.text(),
      modules: JSON.parse(modules.text()),
      mayPropose: proposes.text() === "true",
      sensitive: sensitive.text(),
      until: timeAfter(days.text()),
    }),
    shown: ({ name, token }) => ({
      text: t("assistantOnce", { name, address: `${location.origin}/mcp` }),
      secrets: [token],
      stored: t("assistantStored"),
      page: ASSISTANTS.page,
    }),
  });
}

const DAYS_AHEAD = 60;

/** @type {Page} */
export async function calendar({ query }) {
  const place = h("div");
  const title = t("calendar");
  const feeds = async () =>
    (await listPage(query, {
      ...FEEDS,
      title,
      beside: [link(`${FEEDS.page}/new`, t("newFeed"), "main")],
      above: () => h("div", h("p", t("calendarText")), place),
      line: (feed) => feedLine(feed, place),
    })).body;
  const coming = async () => {
    const { dueDays } = await import("./home.js").catch(notLoaded);
    return dueDays(DAYS_AHEAD);
  };
  const addresses = may("token.manage")
    ? [h("h2", t("calendarFeeds")), ...await feeds(), ...howToAdd()]
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
  return [
    h("h2", t("howToAdd")),
    h(
      "dl.values",
      programs.flatMap(([name, text]) => [h("dt", { translate: "no" }, name), h("dd", text)]),
    ),
  ];
}

const KINDS = "COMMITMENT ACTION ROUTINE DECISION_REVIEW CONTACT DATE PROPOSAL".split(" ");
const MINUTES = ["0", "15", "60", "1440"];
const TIMES = ["07:00", "09:00", "12:00", "18:00"];

/** @type {SyncPage} */
export function calendarForm() {
  const name = nameField();
  const usual = KINDS.filter((kind) => kind !== "PROPOSAL");
  const kinds = severalField(
    { name: "kinds", label: t("feedKinds"), required: true, initial: JSON.stringify(usual) },
    labelled(KINDS),
  );
  const detail = choiceField(
    {
      name: "detail",
      label: t("feedDetail"),
      hint: t("feedDetailHint"),
      required: true,
      initial: "BUSY",
    },
    labelled(["BUSY", "TITLES"]),
  );
  const timed = severalField(
    { name: "timed", label: t("feedTimed"), hint: t("feedTimedHint") },
    labelled(MINUTES, (count) => t("minutesBefore", { count })),
  );
  const allDay = choiceField({ name: "allDay", label: t("feedAllDay") }, labelled(TIMES, String));
  const timeZone = choiceField(
    { name: "timeZone", label: t("importZone"), required: true, initial: deviceZone() ?? "UTC" },
    labelled(["UTC", ...Intl.supportedValuesOf("timeZone")], String),
  );
  const expiresAt = choiceField(
    { name: "expiresAt", label: t("feedLifetime") },
    labelled(["30", "360"], (count) => t("days", { count })),
  );

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
    path: FEEDS.api,
    fields: [name, kinds, detail, timed, allDay, timeZone, expiresAt],
    bodyOf,
    shown: shownAddress,
  });
}
