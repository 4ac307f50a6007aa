/** The account. */

import { happenedList } from "../../core/background/happenings.js";
import { checkedText, keepSeal, keptSeals } from "../../core/background/seals.js";
import { ApiError } from "../../core/base/api.js";
import { fill, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { readOrNull } from "../../core/base/reads.js";
import { may, session } from "../../core/base/session.js";
import { notLoaded, thisVisit } from "../../core/base/visits.js";
import { label } from "../../core/names.js";
import { linkedPages, pageLink } from "../../core/names.js";
import { agoText, counted, sizeText } from "../../fields/shown/figures.js";
import { timeText } from "../../fields/shown/times.js";
import { pair } from "../../fields/shown/values.js";
import { secondFactor } from "./second_factor.js";
import { deviceSettings, passwordForm } from "./settings.js";

const MAX_SESSIONS = 100;

const NEARLY_FULL = 0.9;

/** @type {Page} */
export async function account() {
  const { account: { displayName, email, role } } = session();
  const [isManager, isAuditor] = [may("account.manage"), may("audit.read")];
  const [own, trail, factor] = await Promise.all([
    isManager ? ownRows() : [],
    isAuditor ? trailRows() : [],
    isManager && secondFactor(),
  ]);
  return {
    title: t("account"),
    body: [
      h(
        "section.groups",
        { "aria-label": t("ofAccount") },
        linkGroups(),
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
    pageLink("witness"),
  );
}

/** The links that this person may follow, by group. */
function linkGroups() {
  const links = linkedPages()
    .filter(({ permission }) => permission === undefined || may(permission));
  return [...Map.groupBy(links, ({ group }) => group)].map(([group, links]) =>
    h("div", h("h2", t(group)), h("ul", links.map(({ name }) => h("li", pageLink(name)))))
  );
}
