import { ApiError, h, send, t, timeText } from "../core/base.js";
import { agoText, sizeText } from "../fields/shown.js";

const RUNS = /** @type {const} */ ({
  RUNNING: "backupRunning",
  SUCCEEDED: "backupSucceeded",
  FAILED: "backupFailed",
  INTERRUPTED: "backupInterrupted",
});

const COMMANDS = [
  "deno task backup --recipient age1…",
  "deno task backup:verify FILE",
  "deno task restore FILE",
];

export async function backupState() {
  const status = await send("GET", "/api/v2/operations/backup").catch(nullForOthers);
  if (status === null) return h("p", t("backupsOfOperator"));
  const { schedule, lastRun, newest } = status.data;
  const isLate = schedule !== null &&
    (newest === null || newest.ageSeconds > 2 * schedule.everyHours * 3600);
  return h(
    "div",
    h("p", schedule === null ? t("noSchedule") : scheduleText(schedule)),
    isLate && h("p.summary", t("backupLate")),
    newest !== null && h(
      "p",
      t("newestBackup", { age: agoText(newest.ageSeconds), time: timeText(newest.at) }),
      " ",
      h("span.exact.small", newest.name),
      ` (${sizeText(newest.size)})`,
    ),
    lastRun !== null && h(
      "p",
      t(RUNS[/** @type {keyof typeof RUNS} */ (lastRun.state)], {
        time: timeText(lastRun.endedAt ?? lastRun.startedAt),
      }),
    ),
    h("p", t("backupCommands")),
    h("pre.exact", COMMANDS.join("\n")),
  );
}

/** Other accounts than the oldest may not read the state. @param {unknown} error */
function nullForOthers(error) {
  if (error instanceof ApiError && error.code === "FORBIDDEN") return null;
  throw error;
}

/** @param {{ everyHours: number, keep: number | null, encrypted: boolean }} schedule */
function scheduleText({ everyHours, keep, encrypted }) {
  return [
    t("backupEvery", { hours: everyHours }),
    keep === null ? t("keepAll") : t("keepNewest", { count: keep }),
    t(encrypted ? "encrypted" : "notEncrypted"),
  ].join(" ");
}
