/** The account. */

import { happenedList } from "../../core/background/happenings.js";
import { checkedText, keepSeal, keptSeals } from "../../core/background/seals.js";
import { ApiError } from "../../core/base/api.js";
import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { readOrNull } from "../../core/base/reads.js";
import { isShared, may, session } from "../../core/base/session.js";
import { notLoaded, thisVisit } from "../../core/base/visits.js";
import { label } from "../../core/names.js";
import { linkedPages } from "../../core/names.js";
import { agoText, counted, sizeText } from "../../fields/shown/figures.js";
import { timeText } from "../../fields/shown/times.js";
import { settingFold, settingGroup, settingRow } from "../../fields/controls/settings.js";
import { secondFactor } from "./second_factor.js";
import { deviceSettings, passwordForm } from "./settings.js";

const MAX_SESSIONS = 100;

const NEARLY_FULL = 0.9;

/** @type {Readonly<Record<string, Setting["symbol"]>>} */
const SYMBOLS = {
  sessions: "device",
  passkeys: "key",
  tokens: "program",
  assistants: "spoke",
  captureOnPhone: "phone",
  imports: "upload",
  exportsAndBackups: "download",
  calendar: "calendar",
  about: "about",
  audit: "history",
  changesTitle: "edit",
  witness: "check",
};

/** @type {Page} */
export async function account() {
  const { account: { displayName, email, role } } = session();
  const [isManager, isAuditor] = [may("account.manage"), may("audit.read")];
  const [own, trail, factor] = await Promise.all([
    isManager && ownFacts(),
    isAuditor && trailFacts(),
    isManager && secondFactor(),
  ]);
  /** @type {Readonly<Record<string, Partial<Setting>>>} */
  const more = { ...own && own.byPage, ...trail && trail.byPage };
  const rowsOf = (/** @type {string} */ group) =>
    linkedPages().filter((page) => page.group === group)
      .filter(({ permission }) => permission === undefined || may(permission))
      .map(({ name, path: href }) =>
        settingRow({ symbol: SYMBOLS[name] ?? "records", name: t(name), href, ...more[name] })
      );
  const who = `${email} · ${label(role)}`;
  return {
    title: t("account"),
    body: [
      settingGroup([
        settingRow({ symbol: "account", name: h("span.words", displayName), facts: [who] }),
      ]),
      settingGroup([
        isManager && settingFold({ symbol: "lock", name: t("password") }, [passwordForm()]),
        factor && factorRow(factor),
        ...rowsOf("accountSecurity"),
      ], t("accountSecurity")),
      settingGroup([own && own.storage, ...rowsOf("accountData")], t("accountData")),
      isAuditor &&
      settingGroup([trail && trail.signIn, ...rowsOf("accountTrail")], t("accountTrail")),
      settingGroup(deviceSettings().map((each) => h("li", each)), t("thisDevice")),
      h("p.hint", isShared() ? `${t("sharedComputer")}. ${t("sharedHint")}` : t("isNotShared")),
    ],
  };
}

/**
 * Open if only recovery codes are accepted.
 * @param {Awaited<ReturnType<typeof secondFactor>>} factor
 */
function factorRow({ element, isLocked }) {
  const value = t(session().secondFactor ? "factorOn" : "factorOff");
  return settingFold({ symbol: "shield", name: t("twoFactors"), value }, [element], isLocked);
}

async function ownFacts() {
  const [{ storage, backup }, sessions] = await Promise.all([
    readBackups(),
    readOrNull(`/api/v2/auth/sessions?limit=${MAX_SESSIONS}`),
  ]);
  const facts = [h("div", storage === null ? t("notReadNow") : storageParts(storage))];
  const backups = backupTexts(backup).map((text) => h("div", text));
  return {
    storage: settingRow({ symbol: "records", name: t("storageUsed"), facts }),
    byPage: {
      sessions: { value: sessionsText(sessions) },
      exportsAndBackups: { facts: [h("div", backups)] },
    },
  };
}

/** @param {Data | null} sessions */
function sessionsText(sessions) {
  if (sessions === null) return t("notReadNow");
  const count = sessions.items.length;
  const isWhole = sessions.nextCursor === null;
  return isWhole ? counted(count, "manySessions") : t("moreSessions", { count });
}

async function trailFacts() {
  const summary = await readOrNull("/api/v2/audit/summary");
  const since = summary?.since ?? null;
  const happened = h(
    "div",
    since !== null && h("div", t("whatHappened", { time: timeText(since) })),
    summary === null ? t("notReadNow") : await happenedList(summary),
  );
  const href = "/console/audit?kind=access";
  const seal = sealState(summary?.until ?? new Date().toISOString());
  return {
    signIn: settingRow({ symbol: "leave", name: t("lastSignIn"), href, facts: [happened] }),
    byPage: { witness: { facts: [seal] } },
  };
}

/** @param {AccountStorage} storage */
function storageParts({ content, thumbnails, files }) {
  const all = /** @type {const} */ ([
    ["storedContent", content],
    ["storedThumbnails", thumbnails],
    ["storedFiles", files],
  ]);
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

/**
 * Null for accounts that may not read it.
 * @param {BackupStatus | false | null | undefined} status
 */
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
    const { checkTrail } = await import("../../core/trail_check.js").catch(notLoaded);
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
  );
}
