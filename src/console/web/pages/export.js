/** Exports and imports of an account, backups, and this page's permissions. */

import { repeatable, withProof, withSession } from "../core/acts.js";
import { keyList } from "../core/background.js";
import { fill, get, h, may, newKey, readOrNull, send, session, t } from "../core/base.js";
import { label, readCatalog } from "../core/names.js";
import { chosenField, form } from "../fields/controls.js";
import { pickedFile, upload } from "../fields/file.js";
import { canCheck, checkedFile, readFile, uncheckedFile } from "../fields/saved_file.js";
import { agoText, counted, pair, sizeText, timeText } from "../fields/shown.js";

const EDITS = /** @type {const} */ ({
  text: "editLine",
  textarea: "editText",
  select: "editOne",
  number: "editNumber",
  datetime: "editTime",
  boolean: "editYesNo",
  tags: "editWords",
  file: "editFile",
  json: "editJson",
});

/** @type {Page} */
export async function about() {
  const [modules, release] = await Promise.all([readCatalog(), readOrNull("/api/v2/version")]);
  return {
    title: t("about"),
    body: [
      h("p", `Personal Records Service ${release?.version ?? ""}`),
      h("p", h("a", { href: "/api/v2/openapi.json", download: true }, t("apiDescription"))),
      h("h2", t("mayLoad")),
      h("p", t("mayLoadText")),
      h("p", t("mayLoadWhy")),
      h("h2", t("mayKeep")),
      h("ul", h("li", t("keepsSession")), h("li", t("keepsDrafts")), h("li", t("keepsSettings"))),
      h("p", t("keepsNothingElse")),
      h("h2", t("keysHelp")),
      keyList(),
      h("h2", t("fieldRules")),
      h("p", t("fieldRulesText")),
      ...modules.map(moduleRules),
    ],
  };
}

/** @param {CatalogModule} module */
function moduleRules({ code, fields, rules }) {
  return h(
    "details",
    h("summary", label(code)),
    h("dl.values", fields.flatMap((field) => pair(label(field.name), fieldText(field)))),
    rules.length > 0 &&
      h("ul.small", { lang: "en" }, rules.map(({ statement }) => h("li", statement))),
  );
}

/** @param {CatalogField} field */
function fieldText({ edit, required, sensitive, options = [], minimum, maximum, maximumLength }) {
  return [
    t(EDITS[edit]),
    options.length > 0 && `${options.map(label).join(", ")}.`,
    required && t("isRequired"),
    sensitive && t("isSensitive"),
    minimum !== undefined && t("atLeast", { minimum }),
    maximum !== undefined && t("atMost", { maximum }),
    maximumLength !== undefined && t("longest", { count: maximumLength }),
  ].filter(Boolean).join(" ");
}

/**
 * Each part is checked and offered before the next is requested.
 * @param {string} action
 * @param {readonly Field[]} fields
 * @param {() => ReadPart} begin Reads the options.
 * @param {readonly Element[]} [before]
 */
function partExport(action, fields, begin, before = []) {
  const parts = h("ol.lines", { hidden: true });
  const state = h("div");
  /** @type {(read: ReadPart, cursor: string | null) => Promise<void>} */
  const take = async (read, cursor) => {
    const part = await read(cursor);
    if (part === null) return;
    const { count, nextCursor } = part;
    const number = parts.children.length + 1;
    if (count === 0 && nextCursor === null) {
      return fill(state, h("p", t(number === 1 ? "noneYet" : "lastPart")));
    }
    const line = await partLine(part, number);
    parts.hidden = false;
    parts.append(line);
    const more = () => form([], t("nextPart"), () => take(read, nextCursor));
    fill(state, nextCursor === null ? h("p", t("lastPart")) : more());
    line.querySelector("a")?.focus();
  };
  const submit = async () => {
    fill(parts);
    fill(state);
    parts.hidden = true;
    await take(begin(), null);
  };
  return h("div", form(fields, action, submit, { before }), parts, state);
}

/** @param {ExportPart} part @param {number} number */
async function partLine({ filename, mediaType, content, sha256, count, note }, number) {
  const name = number === 1 ? filename : filename.replace(/\.\w+$/, `-${number}$&`);
  const blob = new Blob([content], { type: mediaType });
  const entries = count === undefined ? "" : counted(count, "entries");
  const text = entries === "" ? note : t("part", { number, entries });
  const file = await checkedFile(blob, { filename: name, sha256 });
  return h("li", text !== undefined && h("p", text), file);
}

function memoryExport() {
  const what = t("exportMemories");
  const format = chosenField("format", t("memoriesAs"), { MARKDOWN: "Markdown", JSON: "JSON" });
  const secret = secretBox("memory.secret", t("secretMemories"));
  const begin = () => {
    const chosen = { format: format.text(), ...secret.chosen() };
    const thing = t("secretMemories");
    return parts(
      "/api/v2/memory/exports",
      chosen,
      chosen.includeSecret ? { purpose: "MEMORY_SECRET_EXPORT", what, thing } : null,
    );
  };
  return partExport(what, [format], begin, secret.elements);
}

function peopleExport() {
  const what = t("exportPeople");
  const version = chosenField("version", t("peopleAs"), { "3.0": "3.0", "4.0": "4.0" });
  const notes = h("input", { type: "checkbox", checked: true });
  const secret = secretBox("relationship.ledger.secret", t("secretDetails"));
  const begin = () => {
    const included = { includeNotes: notes.checked, ...secret.chosen() };
    const chosen = { format: "VCARD", version: version.text(), ...included };
    return parts("/api/v2/relationship/exports", chosen, {
      purpose: "RELATIONSHIP_EXPORT",
      what,
      thing: t("allPeople"),
    });
  };
  const boxes = [h("label.choice", notes, t("withNotes")), ...secret.elements];
  return partExport(what, [version], begin, boxes);
}

function resourceExport() {
  const dataset = chosenField("dataset", t("whichResources"), {
    RESOURCES: t("resourcesNow"),
    SNAPSHOTS: t("allMeasurements"),
  });
  const format = chosenField("format", t("resourcesAs"), { CSV: "CSV", JSON: "JSON" });
  return partExport(t("exportResources"), [dataset, format], () => {
    const chosen = { dataset: dataset.text(), format: format.text() };
    return parts("/api/v2/resource/exports", chosen, null);
  });
}

function profileExport() {
  const format = chosenField("format", t("profileAs"), { JSON: "JSON", CSV: "CSV" });
  return partExport(t("exportProfile"), [format], () => async () => {
    const path = `/api/v2/identity/exports?format=${format.text().toLowerCase()}`;
    const { data } = await withSession(() => send("GET", path));
    const { snapshotsLeftOut: count } = data;
    const left = count > 0 && { note: t("snapshotsLeftOut", { count }) };
    return { ...data, ...left, nextCursor: null };
  });
}

function tagExport() {
  return partExport(t("exportTags"), [], () => async () => {
    const { data } = await withSession(() => send("GET", "/api/v2/taxonomy/exports"));
    return {
      filename: "tags.json",
      mediaType: "application/json",
      content: JSON.stringify(data),
      count: data.count,
      nextCursor: null,
    };
  });
}

/**
 * Requests part by part. The first part's proof covers the others.
 * @type {(path: string, chosen: object, proven: ProvenAct | null) => ReadPart}
 */
function parts(path, chosen, proven) {
  return async (cursor) => {
    const body = { ...chosen, ...(cursor !== null && { cursor }) };
    const ask = (/** @type {{ proof?: string }} */ proof) =>
      // A repetition with the same key would have no content.
      send("POST", path, { body, key: newKey(), ...proof });
    const made = proven !== null && cursor === null
      ? await withProof(proven, (proof) => ask({ proof }))
      : await withSession(() => ask({}));
    return made && made.data;
  };
}

/** Nothing without the permission. @param {string} permission @param {string} text */
function secretBox(permission, text) {
  const box = h("input", { type: "checkbox" });
  const isOffered = may(permission);
  return {
    elements: isOffered ? [h("label.choice", box, text)] : [],
    chosen: () => isOffered ? { includeSecret: box.checked } : {},
  };
}

const COMMANDS =
  "deno task backup --recipient age1…\ndeno task backup:verify FILE\ndeno task restore FILE";

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
  const element = form([file], t("importNow"), () => orEmpty(state, submit));
  return [h("p", t("importText")), element, state];
}

const PARTS = /** @type {const} */ ([
  ["memory.read", "memories", memoryExport],
  ["relationship.ledger.read", "people", peopleExport],
  ["resource.read", "resources", resourceExport],
  ["identity.read", "onlyProfile", profileExport],
  ["taxonomy.read", "tagsTitle", tagExport],
]);

/** @type {Page} */
export async function exportPage() {
  const isManager = may("account.manage");
  const parts = PARTS.filter(([permission]) => may(permission));
  const body = [
    ...isManager ? [h("h2", t("wholeAccount")), ...accountExport()] : [],
    parts.length > 0 && h("h2", t("partialExports")),
    ...parts.map(([, name, make]) => h("details", h("summary", t(name)), make())),
    ...isManager
      ? [
        h("h2", t("importAccount")),
        ...accountImport(),
        h("h2", t("backups")),
        ...await backupState(),
        h("h2", t("erasing")),
        h("p", t("erasingText")),
        h("p", t("erasingAsk")),
        h("p", t("erasingRemains")),
      ]
      : [],
  ];
  return { title: t("exportsAndBackups"), body };
}
