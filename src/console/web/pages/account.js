/** The account page and its forms. */

import { showOnce, withProof, withSession } from "../core/acts.js";
import { checkedText, happenedList, keepSeal, keptSeals } from "../core/background.js";
import {
  announce,
  ApiError,
  fill,
  get,
  h,
  hasCode,
  isShared,
  LANGUAGES,
  link,
  loadLanguage,
  may,
  needsCode,
  notLoaded,
  readOrNull,
  secondFactorOf,
  send,
  session,
  t,
  thisVisit,
  visit,
} from "../core/base.js";
import {
  choiceField,
  choicesOf,
  codeField,
  form,
  lineField,
  passwordField,
} from "../fields/controls.js";
import { agoText, counted, pair, sizeText, timeText } from "../fields/shown.js";
import { label, loadLabels, pageLink } from "../core/names.js";

const API = "/api/v2/auth/totp";

async function secondFactor() {
  const { secondFactor: isOn } = session();
  const isLocked = isOn && (await get(API)).locked;
  const place = h("div");
  /** @param {string} path @param {string} name @param {(data: any) => unknown} done */
  const button = (path, name, done) => {
    const onclick = async () => {
      const made = await withProof(
        { purpose: "SECOND_FACTOR_CHANGE", what: name },
        (proof) => send("POST", `${API}${path}`, { proof }),
      );
      if (made !== null) await done(made.data);
    };
    return h("button", { onclick }, name);
  };
  const begin = (/** @type {string} */ name) => button("", name, (data) => showSecret(place, data));
  const off = () => {
    announce(t("secondFactorTurnedOff"));
    return visit("/console/account");
  };
  const buttons = isOn
    ? [
      button("/recovery-codes", t("newRecoveryCodes"), (data) => showCodes(place, data)),
      begin(t("otherAuthenticator")),
      button("/disable", t("turnOff"), off),
    ]
    : [begin(t("turnOn"))];
  fill(
    place,
    h("p", t(isOn ? "secondFactorOnText" : "secondFactorOffText")),
    isLocked && h("p.summary", t("secondFactorLocked")),
    h("div.bar", buttons),
  );
  return place;
}

/** @param {HTMLElement} place @param {{ secret: string, uri: string }} data */
async function showSecret(place, { secret, uri }) {
  const { qrPicture } = await import("../logic/qr_code.js");
  const picture = qrPicture(uri, t("secretAsPicture"));
  const code = lineField({
    name: "code",
    label: t("authenticatorCode"),
    required: true,
    inputmode: "numeric",
    autocomplete: "one-time-code",
  });
  const confirm = async () => {
    const body = { code: code.text().replaceAll(/\s/g, "") };
    const { data } = await withSession(() => send("POST", `${API}/confirm`, { body }));
    announce(t("secondFactorTurnedOn"));
    showCodes(place, data);
  };
  const secrets = h(
    "dl.values",
    { translate: "no" },
    picture !== null && pair(t("secretAsPicture"), picture),
    h("dt", t("secretByHand")),
    h("dd.exact", secret.replaceAll(/.{4}(?=.)/g, "$& ")),
    h("dt", t("secretAsAddress")),
    h("dd.exact", uri),
  );
  fill(place, h("p", t("secretText")), secrets, form([code], t("turnOn"), confirm));
  code.focus();
}

/** @param {HTMLElement} place @param {{ recoveryCodes: readonly string[] }} data */
function showCodes(place, { recoveryCodes }) {
  showOnce(place, {
    text: t("recoveryText"),
    secrets: recoveryCodes,
    stored: t("recoveryCodesStored"),
    page: "/console/account",
  });
}

function passwordForm() {
  const present = passwordField("currentPassword", t("presentPassword"));
  const next = passwordField("newPassword", t("newPassword"), true);
  const code = codeField();
  // Filled once the service requires a code.
  const codePlace = h("div");
  const keepTokens = h("input", { type: "checkbox" });
  const submit = async () => {
    const body = {
      currentPassword: present.text(),
      ...secondFactorOf(code.text()),
      newPassword: next.text(),
      revokeTokens: !keepTokens.checked,
    };
    try {
      const { data } = await withSession(() => send("POST", "/api/v2/auth/password", { body }));
      const { revokedSessions: sessions, revokedTokens: tokens } = data;
      announce(t("passwordChanged", { sessions, tokens }));
    } catch (error) {
      if (needsCode(error)) fill(codePlace, code.element);
      if (!hasCode(error, "STEP_UP_REQUIRED")) throw error;
      present.refuse(t(code.text() === "" ? "passwordWrong" : "proofRefused"));
      return present.focus();
    }
    for (const field of [present, next, code]) field.setText("");
    fill(codePlace);
  };
  const before = [
    codePlace,
    h("input", { type: "hidden", autocomplete: "username", value: session().account.email }),
    h("label.choice", keepTokens, t("keepTokens")),
    h("p.hint", t("passwordChangeHint")),
  ];
  return form([present, next], t("changePassword"), submit, { before });
}

function deviceSettings() {
  const system = { "": t("themeOfSystem") };
  const [on, off] = [t("factorOn"), t("factorOff")];
  return [
    setting("theme", t("theme"), { ...system, light: t("light"), dark: t("dark") }, showTheme),
    setting("language", t("language"), { ...system, ...LANGUAGES }, changeLanguage),
    setting("keys", t("keysHelp"), { "": on, off }),
    setting("veil", t("veil"), { "": off, on }),
    h("p.quiet", isShared() ? `${t("sharedComputer")}. ${t("sharedHint")}` : t("isNotShared")),
  ];
}

/**
 * @param {string} name Also the storage key.
 * @param {string} label
 * @param {Texts} labels By value; the empty one is not stored.
 * @param {(value: string) => unknown} [changed]
 */
function setting(name, label, labels, changed) {
  const initial = localStorage.getItem(name) ?? "";
  const choice = choiceField({ name, label, required: true, initial }, choicesOf(labels));
  choice.element.addEventListener("change", () => {
    const value = choice.text();
    if (value === "") localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    void changed?.(value);
  });
  return choice.element;
}

/** @param {string} theme */
function showTheme(theme) {
  if (theme === "") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

async function changeLanguage() {
  await loadLanguage();
  await loadLabels();
  await visit("/console/account");
}

const MAX_SESSIONS = 100;
const NEARLY_FULL = 0.9;

/** @type {Page} */
export async function account() {
  const { account: { displayName, email, role } } = session();
  const [isManager, isAuditor] = [may("account.manage"), may("audit.read")];
  const makesTokens = may("token.manage");
  const [own, trail, factor] = await Promise.all([
    isManager ? ownRows() : [],
    isAuditor ? trailRows() : [],
    isManager && secondFactor(),
  ]);
  return {
    title: t("account"),
    body: [
      h(
        "nav.groups",
        { "aria-label": t("ofAccount") },
        group(t("accountSecurity"), [
          isManager && pageLink("sessions"),
          isManager && pageLink("passkeys"),
          makesTokens && pageLink("tokens"),
          makesTokens && pageLink("assistants"),
        ]),
        group(t("accountTrail"), [
          isAuditor && pageLink("audit"),
          isAuditor && pageLink("changesTitle"),
          isAuditor && pageLink("witness"),
        ]),
        group(t("accountData"), [
          may("import.write") && pageLink("imports"),
          pageLink("exportsAndBackups"),
          makesTokens && link("/console/calendar", t("calendar")),
          pageLink("about"),
        ]),
      ),
      h(
        "dl.values",
        ...pair(t("displayName"), h("span.words", displayName)),
        ...pair(t("email"), email),
        ...pair(t("oneRole"), label(role)),
        ...own,
        ...trail,
      ),
      isManager && h("h2", t("password")),
      isManager && passwordForm(),
      isManager && h("h2", { id: "second-factor" }, t("twoFactors")),
      factor,
      h("h2", t("thisDevice")),
      ...deviceSettings(),
    ],
  };
}

async function ownRows() {
  const [{ storage, backup }, sessions] = await Promise.all([
    readBackups(),
    readOrNull(`/api/v2/auth/sessions?limit=${MAX_SESSIONS}`),
  ]);
  return [
    ...pair(t("storageUsed"), storage === null ? t("notReadNow") : storageParts(storage)),
    ...pair(
      t("lastBackup"),
      backupTexts(backup).map((text) => h("div", text)),
      pageLink("exportsAndBackups"),
    ),
    ...pair(
      t("twoFactors"),
      t(session().secondFactor ? "factorOn" : "factorOff"),
      " ",
      link("#second-factor", t("changeFactor")),
    ),
    ...pair(t("sessions"), link("/console/sessions", sessionsText(sessions))),
  ];
}

/** @param {Data | null} sessions */
function sessionsText(sessions) {
  if (sessions === null) return t("notReadNow");
  const count = sessions.items.length;
  const isWhole = sessions.nextCursor === null;
  return isWhole ? counted(count, "manySessions") : t("moreSessions", { count });
}

async function trailRows() {
  const summary = await readOrNull("/api/v2/audit/summary");
  const since = summary?.since ?? null;
  return [
    ...pair(
      t("lastSignIn"),
      since !== null && h("div", t("whatHappened", { time: timeText(since) })),
      summary === null ? h("p", t("notReadNow")) : await happenedList(summary),
      link("/console/audit?kind=access", t("seeEvents")),
    ),
    ...pair(t("lastSeal"), sealState(summary?.until ?? new Date().toISOString())),
  ];
}

/** @param {AccountStorage} storage */
function storageParts({ content, files }) {
  const all = /** @type {const} */ ([["storedContent", content], ["storedFiles", files]]);
  return all.flatMap(([name, { bytes, limit }]) => {
    const used = sizeText(bytes);
    const size = limit === null ? used : t("sizeOf", { size: used, limit: sizeText(limit) });
    const isNearlyFull = limit !== null && bytes > NEARLY_FULL * limit;
    return [h("div", t(name, { size })), isNearlyFull && h("p.summary", t("nearlyFull"))];
  });
}

async function readBackups() {
  const storage = await readOrNull("/api/v2/account/storage");
  return {
    storage,
    backup: storage?.readsBackups && await readOrNull("/api/v2/operations/backup"),
  };
}

/** @param {any} status Empty for accounts that may not read it. */
function backupTexts(status) {
  if (!status) return [t("backupsOfOperator")];
  const { schedule, newest } = status;
  if (newest === null) return [t(schedule === null ? "noSchedule" : "noBackup")];
  const isLate = schedule !== null && newest.ageSeconds > 2 * schedule.everyHours * 3600;
  const when = { age: agoText(newest.ageSeconds), time: timeText(newest.at) };
  return [t("backedUp", when), ...isLate ? [t("backupLate")] : []];
}

/**
 * The newest seal that this browser saw, and whether both trails still fit it.
 * @param {string} at
 */
function sealState(at) {
  const { account: { accountId } } = session();
  const kept = keptSeals(accountId);
  const seen = kept.audit ?? kept.access;
  const status = h("div", { role: "status" }, t("loading"));
  const signal = thisVisit();
  const check = async (/** @type {TrailKind} */ kind) => {
    const { checkTrail } = await import("../core/trail_check.js").catch(notLoaded);
    const how = { at, isWhole: false, signal, progress: () => {} };
    const checked = await checkTrail(accountId, kind, kept[kind], how);
    // The page of the trail remembers newer seals, because it shows the events since the last one.
    if (kept[kind] === null && checked.head !== null) keepSeal(accountId, kind, checked.head);
    return checked;
  };
  const checkBoth = async () => {
    if (crypto.subtle === undefined) return t("notSecure");
    const both = await Promise.all([check("audit"), check("access")]);
    const isBroken = both.some(({ fault }) => fault !== null);
    status.classList.toggle("summary", isBroken);
    if (isBroken) return t("trailChanged");
    if (both.every(({ head }) => head === null)) return t("notSealed");
    return checkedText(seen, both.reduce((sum, { unchecked }) => sum + unchecked, 0));
  };
  void checkBoth().catch((error) => {
    if (!signal.aborted && !(error instanceof ApiError)) throw error;
    return t("notChecked");
  }).then((text) => fill(status, text));
  return h(
    "div",
    seen !== null && h("div", t("sealSeen", { number: seen.number, time: timeText(seen.at) })),
    status,
    pageLink("witness"),
  );
}

/** @param {string} name @param {readonly (Element | false)[]} links */
function group(name, links) {
  const items = links.map((link) => link && h("li", link));
  return items.some(Boolean) && h("div", h("h2", name), h("ul", items));
}
