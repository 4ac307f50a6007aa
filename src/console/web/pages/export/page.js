/** Exports and backups. */

import { withProof, withSession } from "../../core/acts/password.js";
import { repeatable } from "../../core/acts/texts.js";
import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { may, session } from "../../core/base/session.js";
import { label } from "../../core/names.js";
import { chosenField } from "../../fields/controls/choices.js";
import { form } from "../../fields/controls/forms.js";
import { pickedFile } from "../../fields/files/picked.js";
import { upload } from "../../fields/files/upload.js";
import { canCheck, checkedFile, readFile, uncheckedFile } from "../../fields/saved_file.js";
import { agoText, counted, sizeText } from "../../fields/shown/figures.js";
import { timeText } from "../../fields/shown/times.js";
import { settingFold, settingGroup } from "../../fields/controls/settings.js";
import { memoryExport, peopleExport, profileExport, resourceExport, tagExport } from "./parts.js";

const COMMANDS =
  "deno task backup --recipient age1pq1…\ndeno task backup:verify FILE\ndeno task restore FILE";

async function backupState() {
  const { readsBackups } = await get("/api/v2/account/storage");
  if (!readsBackups) return [h("p", t("backupsOfOperator"))];
  /** @type {BackupStatus} */
  const { schedule, lastRun, newest } = await get("/api/v2/operations/backup");
  const isLate = schedule !== null &&
    (newest === null || newest.ageSeconds > 2 * schedule.everyHours * 3600);
  return [
    h("p", schedule === null ? t("noSchedule") : scheduleText(schedule)),
    isLate && h("p.summary", t("backupLate")),
    newest !== null && h(
      "p",
      t("newestBackup", { age: agoText(newest.ageSeconds), time: timeText(newest.at) }),
      " ",
      h("span.exact.small", newest.name),
      ` (${sizeText(newest.size)})`,
    ),
    lastRun !== null && h("p", runText(lastRun)),
    h("p", t("backupCommands")),
    h("pre.exact", COMMANDS),
  ];
}

/** @param {NonNullable<BackupStatus["lastRun"]>} run */
function runText({ state, startedAt, endedAt }) {
  return t("lastRun", { state: label(state), time: timeText(endedAt ?? startedAt) });
}

/** @param {NonNullable<BackupStatus["schedule"]>} schedule */
function scheduleText({ everyHours, keep, encrypted }) {
  return [
    counted(everyHours, "backupEvery"),
    keep === null ? t("keepAll") : t("keepNewest", { count: keep }),
    t(encrypted ? "encrypted" : "notEncrypted"),
  ].join(" ");
}

const API = "/api/v2/account/exports";

function accountExport() {
  const texts = { JSON_LINES: t("jsonLines"), MARKDOWN: t("markdownArchive") };
  const format = chosenField("format", t("accountAs"), texts);
  const secret = h("input", { type: "checkbox" });
  const secretRow = h("label.choice", { hidden: true }, secret, t("includeSecret"));
  const state = h("div", { role: "status" });
  const what = t("exportAccount");
  let sendExport = repeatable();
  const submit = async () => {
    const isArchive = format.text() === "MARKDOWN";
    const body = { format: format.text(), ...(isArchive && { includeSecret: secret.checked }) };
    const act = (/** @type {string} */ proof) => {
      fill(state, h("p", t("exportRunning")));
      return sendExport("POST", API, { body, proof });
    };
    const thing = session().account.email;
    const made = await withProof({ purpose: "ACCOUNT_EXPORT", what, thing }, act);
    if (made === null) return;
    sendExport = repeatable();
    await offer(made.data, state);
    // The button that saves the file is the filled one.
    element.querySelector("button.main")?.classList.remove("main");
  };
  const element = form([format], what, () => orEmpty(state, submit), { before: [secretRow] });
  element.addEventListener("change", () => secretRow.hidden = format.text() !== "MARKDOWN");
  return [h("p", t("exportText")), element, state];
}

/**
 * Empties a place if the work fails.
 * @param {HTMLElement} place
 * @param {() => Promise<void>} work
 */
function orEmpty(place, work) {
  return work().catch((error) => {
    fill(place);
    throw error;
  });
}

/** @param {any} made @param {HTMLElement} place */
async function offer(made, place) {
  const path = `${API}/${made.exportId}/content`;
  if (!canCheck(made.size)) return fill(place, uncheckedFile(path, made));
  const progress = h("progress", { max: 1, value: 0, "aria-label": t("download") });
  fill(place, progress);
  const blob = await readFile(path, made, (part) => progress.value = part);
  fill(place, await checkedFile(blob, made));
}

function accountImport() {
  const { file, input, progress } = pickedFile(t("importFile"), t("sending"), ".jsonl");
  const state = h("p", { role: "status" });
  const submit = async () => {
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const headers = { "Content-Type": "application/jsonl" };
    const showProgress = (/** @type {number} */ part) => {
      progress.value = part;
      if (part === 1) fill(state, t("importRunning"));
    };
    const send = () => upload("/api/v2/account/imports", chosen, headers, showProgress);
    progress.hidden = false;
    fill(state);
    const { counts, sha256 } = await withSession(send).finally(() => progress.hidden = true);
    const count = Object.values(counts).reduce((sum, one) => sum + Number(one), 0);
    fill(state, t("imported", { count }), " ", h("span.exact.small", sha256));
    input.value = "";
  };
  const element = form([file], t("importNow"), () => orEmpty(state, submit), { isQuiet: true });
  return [h("p", t("importText")), element, state];
}

const PARTS = /** @type {const} */ ([
  ["memory.read", "memories", memoryExport, "memories"],
  ["relationship.ledger.read", "people", peopleExport, "people"],
  ["resource.read", "resources", resourceExport, "records"],
  ["identity.read", "onlyProfile", profileExport, "account"],
  ["taxonomy.read", "tagsTitle", tagExport, "tags"],
]);

/** @type {Page} */
export async function exportPage() {
  const isManager = may("account.manage");
  const parts = PARTS.filter(([permission]) => may(permission));
  const body = [
    ...isManager ? [h("h2", t("wholeAccount")), ...accountExport()] : [],
    parts.length > 0 &&
    settingGroup(
      parts.map(([, name, make, symbol]) => settingFold({ symbol, name: t(name) }, [make()])),
      t("partialExports"),
    ),
    ...isManager
      ? [
        h("h2", t("importAccount")),
        ...accountImport(),
        h("h2", t("backups")),
        ...await backupState(),
        settingGroup([
          settingFold({ symbol: "archive", name: t("erasing") }, [
            h("p", t("erasingText")),
            h("p", t("erasingAsk")),
            h("p", t("erasingRemains")),
          ]),
        ]),
      ]
      : [],
  ];
  return { title: t("exportsAndBackups"), body };
}
