import { ApiError, fill, h, notLoaded, numberText, t, thisVisit, timeText } from "../core/base.js";
import { happenings, happeningTexts, keepSeal, keptSeals } from "../core/background.js";
import { agoText, counted, pair, sizeText } from "../fields/shown.js";
import { readOrNull } from "./drafts.js";
import { label } from "../core/names.js";
import { deviceSettings, passwordForm, secondFactor } from "./account_parts.js";

const MAX_SESSIONS = 100;
/** The share of a limit from which the page warns. */
const NEARLY_FULL = 0.9;

/** @type {Page} */
export default async function account({ session }) {
  const { account: { displayName, email, role }, permissions } = session;
  const may = (/** @type {string} */ name) => permissions.includes(name);
  const links = [
    may("account.manage") && link("/console/sessions", t("sessions")),
    may("account.manage") && link("/console/passkeys", t("passkeys")),
    may("token.manage") && link("/console/tokens", t("tokens")),
    may("token.manage") && link("/console/calendar", t("calendar")),
    may("token.manage") && link("/console/assistants", t("assistants")),
    may("audit.read") && link("/console/audit", t("audit")),
    may("audit.read") && link("/console/witness", t("witness")),
    may("changes.read") && link("/console/changes", t("changesTitle")),
    may("import.write") && link("/console/imports", t("imports")),
    link("/console/export", t("exportsAndBackups")),
    link("/console/about", t("about")),
  ];
  const [own, trail, factor] = await Promise.all([
    may("account.manage") ? ownRows(session) : [],
    may("audit.read") ? trailRows(session) : [],
    may("account.manage") && secondFactor(session),
  ]);
  return {
    title: t("account"),
    body: [
      h("nav.bar", { "aria-label": t("ofAccount") }, links),
      h(
        "dl.values",
        ...pair(t("displayName"), h("span.words", displayName)),
        ...pair(t("email"), email),
        ...pair(t("accountRole"), label(role)),
        ...own,
        ...trail,
      ),
      may("account.manage") && h("h2", t("password")),
      may("account.manage") && passwordForm(session),
      may("account.manage") && h("h2", { id: "second-factor" }, t("twoFactors")),
      factor,
      h("h2", t("thisDevice")),
      ...deviceSettings(),
    ],
  };
}

/** @param {Session} session */
async function ownRows({ secondFactor: isOn }) {
  const [storage, backup, sessions] = await Promise.all([
    readOrNull("/api/v2/account/storage"),
    readOrNull("/api/v2/operations/backup"),
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
          ? counted(count, "oneSession", "manySessions")
          : t("moreSessions", { count }),
      ),
    ),
  ];
}

/** @param {Session} session */
async function trailRows(session) {
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
    ...pair(t("lastSeal"), sealState(session, summary?.until ?? new Date().toISOString())),
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

/** @param {any} status Null for accounts that may not read it. */
function backupTexts(status) {
  if (status === null) return [t("backupsOfOperator")];
  const { schedule, newest } = status;
  if (newest === null) return [t(schedule === null ? "noSchedule" : "noBackup")];
  const isLate = schedule !== null && newest.ageSeconds > 2 * schedule.everyHours * 3600;
  const when = { age: agoText(newest.ageSeconds), time: timeText(newest.at) };
  return [t("backedUp", when), ...isLate ? [t("backupLate")] : []];
}

/**
 * The newest seal that this browser saw, and whether both trails still fit it.
 * @param {Session} session
 * @param {string} at By the service's clock.
 */
function sealState({ account: { accountId } }, at) {
  const kept = keptSeals(accountId);
  const seen = kept.audit ?? kept.access;
  const said = h("div", { role: "status" });
  const signal = thisVisit();
  const check = async (/** @type {"audit" | "access"} */ kind) => {
    const { checkTrail } = await import("../core/check_trail.js").catch(notLoaded);
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

/** @param {string} href @param {string} text */
function link(href, text) {
  return h("a", { href }, text);
}
