/** The account page and its forms. */

import { showOnce, withProof, withSession } from "../core/acts.js";
import { happenings, happeningTexts, keepSeal, keptSeals } from "../core/background.js";
import {
  announce,
  ApiError,
  fill,
  get,
  h,
  hasCode,
  isShared,
  LANGUAGES,
  loadLanguage,
  may,
  needsCode,
  notLoaded,
  numberText,
  readOrNull,
  secondFactorOf,
  send,
  session,
  t,
  thisVisit,
  timeText,
  visit,
} from "../core/base.js";
import { choiceField, choicesOf, form, lineField } from "../fields/controls.js";
import { agoText, counted, pair, sizeText } from "../fields/shown.js";
import { label, loadLabels } from "../core/names.js";

/** The second factor: an authenticator's code in addition to the password. */

const API = "/api/v2/auth/totp";

export async function secondFactor() {
  const isLocked = session().secondFactor && (await get(API)).locked;
  const place = h("div");
  /** @param {string} path @param {string} what @param {(data: any) => unknown} done */
  const button = (path, what, done) => {
    const press = async () => {
      const change = /** @type {const} */ ({ purpose: "SECOND_FACTOR_CHANGE", what });
      const made = await withProof(
        change,
        (proof) => send("POST", `${API}${path}`, { proof }),
      );
      if (made !== null) await done(made.data);
    };
    return h("button", { onclick: press }, what);
  };
  const begun = async (/** @type {any} */ data) => {
    const { qrPicture } = await import("../logic/qr_code.js");
    showSecret(place, data, qrPicture(data.uri, t("secretAsPicture")));
  };
  const off = () => {
    announce(t("secondFactorTurnedOff"));
    return visit("/console/account");
  };
  const buttons = session().secondFactor
    ? [
      button("/recovery-codes", t("newRecoveryCodes"), (data) => showCodes(place, data)),
      button("", t("otherAuthenticator"), begun),
      button("/disable", t("turnOff"), off),
    ]
    : [button("", t("turnOn"), begun)];
  fill(
    place,
    h("p", t(session().secondFactor ? "secondFactorOnText" : "secondFactorOffText")),
    isLocked && h("p.summary", t("secondFactorLocked")),
    h("div.bar", buttons),
  );
  return place;
}

/**
 * @param {HTMLElement} place
 * @param {{ secret: string, uri: string }} data
 * @param {Element | null} picture
 */
function showSecret(place, { secret, uri }, picture) {
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
    picture !== null && [h("dt", t("secretAsPicture")), h("dd", picture)],
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
    done: () => visit("/console/account"),
  });
}

/** Ends other sessions. Requires a code if there is a second factor. */

function passwordForm() {
  const present = lineField({
    name: "currentPassword",
    label: t("presentPassword"),
    required: true,
    type: "password",
    autocomplete: "current-password",
  });
  const next = lineField({
    name: "newPassword",
    label: t("newPassword"),
    hint: t("passwordHint"),
    required: true,
    type: "password",
    autocomplete: "new-password",
  });
  // Shown once the service requires it.
  const code = lineField({
    name: "code",
    label: t("secondFactor"),
    hint: t("secondFactorHint"),
    required: true,
    autocomplete: "one-time-code",
  });
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
      announce(
        t("passwordChanged", { sessions: data.revokedSessions, tokens: data.revokedTokens }),
      );
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
  const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
  return [
    setting(
      "theme",
      t("theme"),
      choicesOf({ "": t("themeOfSystem"), light: t("light"), dark: t("dark") }),
      showTheme,
    ),
    setting("language", t("language"), [
      { value: "", label: t("themeOfSystem") },
      ...languages,
    ], changeLanguage),
    setting("keys", t("keysHelp"), choicesOf({ "": t("factorOn"), off: t("factorOff") }), () => {}),
    setting("veil", t("veil"), choicesOf({ "": t("factorOff"), on: t("factorOn") }), () => {}),
    h("p.quiet", t(isShared() ? "isShared" : "isNotShared")),
  ];
}

/**
 * @param {"theme" | "language" | "keys" | "veil"} name Also the storage key.
 * @param {string} label
 * @param {Choices} choices The empty one is not stored.
 * @param {(value: string) => unknown} changed
 */
function setting(name, label, choices, changed) {
  const choice = choiceField({ name, label, required: true }, choices);
  choice.setText(localStorage.getItem(name) ?? "");
  choice.element.addEventListener("change", () => {
    const value = choice.text();
    if (value === "") localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    void changed(value);
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
  const links = h(
    "nav.groups",
    { "aria-label": t("ofAccount") },
    group(t("accountSecurity"), [
      may("account.manage") && link("/console/sessions", t("sessions")),
      may("account.manage") && link("/console/passkeys", t("passkeys")),
      may("token.manage") && link("/console/tokens", t("tokens")),
      may("token.manage") && link("/console/assistants", t("assistants")),
    ]),
    group(t("accountTrail"), [
      may("audit.read") && link("/console/audit", t("audit")),
      may("audit.read") && link("/console/changes", t("changesTitle")),
      may("audit.read") && link("/console/witness", t("witness")),
    ]),
    group(t("accountData"), [
      may("import.write") && link("/console/imports", t("imports")),
      link("/console/export", t("exportsAndBackups")),
      may("token.manage") && link("/console/calendar", t("calendar")),
      link("/console/about", t("about")),
    ]),
  );
  const [own, trail, factor] = await Promise.all([
    may("account.manage") ? ownRows() : [],
    may("audit.read") ? trailRows() : [],
    may("account.manage") && secondFactor(),
  ]);
  return {
    title: t("account"),
    body: [
      links,
      h(
        "dl.values",
        ...pair(t("displayName"), h("span.words", displayName)),
        ...pair(t("email"), email),
        ...pair(t("oneRole"), label(role)),
        ...own,
        ...trail,
      ),
      may("account.manage") && h("h2", t("password")),
      may("account.manage") && passwordForm(),
      may("account.manage") && h("h2", { id: "second-factor" }, t("twoFactors")),
      factor,
      h("h2", t("thisDevice")),
      ...deviceSettings(),
    ],
  };
}

async function ownRows() {
  const { secondFactor: isOn } = session();
  const [{ storage, backup }, sessions] = await Promise.all([
    readBackups(),
    readOrNull(`/api/v2/auth/sessions?limit=${MAX_SESSIONS}`),
  ]);
  const count = sessions?.items.length ?? 0;
  return [
    ...pair(t("storageUsed"), ...storage === null ? [t("notReadNow")] : storageParts(storage)),
    ...pair(
      t("lastBackup"),
      ...backupTexts(backup).map((text) => h("div", text)),
      link("/console/export", t("exportsAndBackups")),
    ),
    ...pair(
      t("twoFactors"),
      t(isOn ? "factorOn" : "factorOff"),
      " ",
      link("#second-factor", t("changeFactor")),
    ),
    ...pair(
      t("sessions"),
      link(
        "/console/sessions",
        sessions === null
          ? t("notReadNow")
          : sessions.nextCursor === null
          ? counted(count, "manySessions")
          : t("moreSessions", { count }),
      ),
    ),
  ];
}

async function trailRows() {
  const summary = await readOrNull("/api/v2/audit/summary");
  const texts = summary === null ? [t("notReadNow")] : await happeningTexts(happenings(summary));
  const since = summary?.since ?? null;
  return [
    ...pair(
      t("lastSignIn"),
      since !== null && h("div", t("whatHappened", { time: timeText(since) })),
      texts.length === 0
        ? h("div", t("nothingHappened"))
        : h("ul", texts.map((text) => h("li", text))),
      link("/console/audit?kind=access", t("seeEvents")),
    ),
    ...pair(t("lastSeal"), sealState(summary?.until ?? new Date().toISOString())),
  ];
}

/** @param {AccountStorage} storage */
function storageParts({ content, files }) {
  const all = /** @type {const} */ ([["storedContent", content], ["storedFiles", files]]);
  return all.flatMap(([name, { bytes, limit }]) => [
    h(
      "div",
      limit === null
        ? t(name, { size: sizeText(bytes) })
        : t(name, { size: t("sizeOf", { size: sizeText(bytes), limit: sizeText(limit) }) }),
    ),
    limit !== null && bytes > NEARLY_FULL * limit &&
    h("p.summary", t("nearlyFull")),
  ]);
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
  const said = h("div", { role: "status" }, t("loading"));
  const signal = thisVisit();
  const check = async (/** @type {"audit" | "access"} */ kind) => {
    const { checkTrail } = await import("../core/trail_check.js").catch(notLoaded);
    const how = { at, isWhole: false, signal, progress: () => {} };
    const checked = await checkTrail(accountId, kind, kept[kind], how);
    // The page of the trail remembers newer seals, since it shows what happened since the last one.
    if (kept[kind] === null && checked.head !== null) keepSeal(accountId, kind, checked.head);
    return checked;
  };
  const checkBoth = async () => {
    if (crypto.subtle === undefined) return t("notSecure");
    const both = await Promise.all([check("audit"), check("access")]);
    const isBroken = both.some(({ fault }) => fault !== null);
    said.classList.toggle("summary", isBroken);
    if (isBroken) return t("trailChanged");
    if (both.every(({ head }) => head === null)) return t("nothingSealed");
    if (seen === null) return t("firstCheck");
    const time = timeText(seen.at);
    const count = both.reduce((sum, { unchecked }) => sum + unchecked, 0);
    return count === 0
      ? t("nothingRewritten", { time })
      : t("partlyChecked", { time, count: numberText(count) });
  };
  void checkBoth().catch((error) => {
    if (!signal.aborted && !(error instanceof ApiError)) throw error;
    return t("notChecked");
  }).then((text) => fill(said, text));
  return h(
    "div",
    seen !== null && h("div", t("sealSeen", { number: seen.number, time: timeText(seen.at) })),
    said,
    link("/console/witness", t("witness")),
  );
}

/** @param {string} name @param {readonly (Element | false)[]} links */
function group(name, links) {
  const items = links.filter((link) => link !== false).map((link) => h("li", link));
  return items.length > 0 && h("div", h("h2", name), h("ul", items));
}

/** @param {string} href @param {string} text */
function link(href, text) {
  return h("a", { href }, text);
}
