/** Exports, imports of an account, backups, and what this page may do. */

import { repeatable, withProof, withSession } from "../core/acts.js";
import { keyList } from "../core/background.js";
import { fill, get, h, may, newKey, send, session, t, timeText } from "../core/base.js";
import { label, readCatalog } from "../core/names.js";
import { choiceField, choicesOf, form } from "../fields/controls.js";
import { pickedFile, upload } from "../fields/file.js";
import { canCheck, checkedFile, readFile, uncheckedFile } from "../fields/saved_file.js";
import { agoText, counted, sizeText } from "../fields/shown.js";

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
  const [modules, version] = await Promise.all([readCatalog(), readVersion()]);
  return {
    title: t("about"),
    body: [
      h("p", `Personal Records Service ${version}`),
      h("p", h("a", { href: "/api/v2/openapi.json", download: true }, t("apiDescription"))),
      h("h2", t("mayLoad")),
      h("p", t("mayLoadText")),
      h("p", t("mayLoadWhy")),
      h("h2", t("mayKeep")),
      h(
        "ul",
        [t("keepsSession"), t("keepsDrafts"), t("keepsSettings")].map((text) => h("li", text)),
      ),
      h("p", t("keepsNothingElse")),
      h("h2", t("keysHelp")),
      keyList(),
      h("h2", t("fieldRules")),
      h("p", t("fieldRulesText")),
      modules.map(moduleRules),
    ].flat(),
  };
}

/** At the start of the API's description; only that part is read. */
async function readVersion() {
  const response = await fetch("/api/v2/openapi.json").catch(() => null);
  const reader = response?.body?.getReader();
  const { value } = await reader?.read() ?? {};
  void reader?.cancel();
  return /"version":"([^"]+)"/.exec(new TextDecoder().decode(value))?.[1] ?? "";
}

/** @param {CatalogModule} module */
function moduleRules({ code, fields, rules }) {
  return h(
    "details",
    h("summary", label(code)),
    h(
      "dl.values",
      fields.map((field) => [h("dt", label(field.name)), h("dd", fieldText(field))]).flat(),
    ),
    rules.length > 0 && h(
      "ul.small",
      { lang: "en" },
      rules.map(({ statement }) => h("li", statement)),
    ),
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

/** Each part is checked and offered before the next is requested. */

/**
 * @param {string} action
 * @param {readonly Field[]} fields
 * @param {() => (cursor: string | null) => Promise<ExportPart | null>} begin Reads the options; returns a function
 *   that requests each part, null if the person cancels.
 * @param {readonly Element[]} [before]
 */
function partExport(action, fields, begin, before = []) {
  const parts = h("ol.lines", { hidden: true });
  const state = h("div");
  const take = async (
    /** @type {ReturnType<typeof begin>} */ read,
    /** @type {string | null} */ cursor,
  ) => {
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
    fill(
      state,
      nextCursor === null
        ? h("p", t("lastPart"))
        : form([], t("nextPart"), () => take(read, nextCursor)),
    );
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
  const text = count === undefined
    ? note
    : t("part", { number, entries: counted(count, "entries") });
  return h(
    "li",
    text !== undefined && h("p", text),
    await checkedFile(blob, { filename: name, sha256 }),
  );
}

function memoryExport() {
  const format = chosenField("format", t("memoriesAs"), { MARKDOWN: "Markdown", JSON: "JSON" });
  const secret = secretBox("memory.secret", t("secretMemories"));
  const begin = () => {
    const includeSecret = secret.isChosen();
    const chosen = { format: format.text(), ...(secret.isOffered && { includeSecret }) };
    return parts(
      "/api/v2/memory/exports",
      chosen,
      includeSecret && {
        purpose: "MEMORY_SECRET_EXPORT",
        what: t("exportMemories"),
        thing: t("secretMemories"),
      },
    );
  };
  return partExport(t("exportMemories"), [format], begin, secret.elements);
}

function peopleExport() {
  const version = chosenField("version", t("peopleAs"), { "3.0": "3.0", "4.0": "4.0" });
  const secret = secretBox("relationship.ledger.secret", t("secretDetails"));
  const begin = () => {
    const chosen = {
      format: "VCARD",
      version: version.text(),
      ...(secret.isChosen() && { includeSecret: true }),
    };
    return parts("/api/v2/relationship/exports", chosen, {
      purpose: "RELATIONSHIP_EXPORT",
      what: t("exportPeople"),
      thing: t("allPeople"),
    });
  };
  return partExport(t("exportPeople"), [version], begin, secret.elements);
}

function resourceExport() {
  const dataset = chosenField("dataset", t("whichResources"), {
    RESOURCES: t("resourcesNow"),
    SNAPSHOTS: t("allMeasurements"),
  });
  const format = chosenField("format", t("resourcesAs"), { CSV: "CSV", JSON: "JSON" });
  return partExport(t("exportResources"), [dataset, format], () => {
    const chosen = { dataset: dataset.text(), format: format.text() };
    return parts("/api/v2/resource/exports", chosen, false);
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
 * @param {string} path
 * @param {object} chosen
 * @param {ProvenAct | false} proven
 */
function parts(path, chosen, proven) {
  return async (/** @type {string | null} */ cursor) => {
    const body = { ...chosen, ...(cursor !== null && { cursor }) };
    // A repetition with the same key would have no content.
    const ask = (/** @type {string} */ proof) =>
      send("POST", path, { body, key: newKey(), ...(proof !== "" && { proof }) });
    const made = proven && cursor === null
      ? await withProof(proven, ask)
      : await withSession(() => ask(""));
    return made && made.data;
  };
}

/** @param {string} permission @param {string} text */
function secretBox(permission, text) {
  const box = h("input", { type: "checkbox" });
  const isOffered = may(permission);
  return {
    isOffered,
    elements: isOffered ? [h("label.choice", box, text)] : [],
    isChosen: () => box.checked,
  };
}

/** @param {string} name @param {string} label @param {Readonly<Record<string, string>>} labels */
function chosenField(name, label, labels) {
  const choices = Object.entries(labels).map(([value, label]) => ({ value, label }));
  const field = choiceField({ name, label, required: true }, choices);
  field.setText(choices[0]?.value ?? "");
  return field;
}

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

async function backupState() {
  const { readsBackups } = await get("/api/v2/account/storage");
  if (!readsBackups) return h("p", t("backupsOfOperator"));
  const { schedule, lastRun, newest } = await get("/api/v2/operations/backup");
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

/** @param {{ everyHours: number, keep: number | null, encrypted: boolean }} schedule */
function scheduleText({ everyHours, keep, encrypted }) {
  return [
    counted(everyHours, "backupEvery"),
    keep === null ? t("keepAll") : t("keepNewest", { count: keep }),
    t(encrypted ? "encrypted" : "notEncrypted"),
  ].join(" ");
}

/** Exports the whole account as one file, after asking for the password. */

const API = "/api/v2/account/exports";

function accountExport() {
  const format = choiceField(
    { name: "format", label: t("accountAs"), required: true },
    choicesOf({ JSON_LINES: t("jsonLines"), MARKDOWN: t("markdownArchive") }),
  );
  format.setText("JSON_LINES");
  const secret = h("input", { type: "checkbox" });
  const secretRow = h("label.choice", { hidden: true }, secret, t("includeSecret"));
  const state = h("div", { role: "status" });
  let sendExport = repeatable();
  const submit = async () => {
    const isArchive = format.text() === "MARKDOWN";
    const body = { format: format.text(), ...(isArchive && { includeSecret: secret.checked }) };
    const made = await withProof(
      { purpose: "ACCOUNT_EXPORT", what: t("exportAccount"), thing: session().account.email },
      (proof) => {
        fill(state, h("p", t("exportRunning")));
        return sendExport("POST", API, { body, proof });
      },
    ).catch((error) => {
      fill(state);
      throw error;
    });
    if (made === null) return;
    sendExport = repeatable();
    await offer(made.data, state);
  };
  const element = form([format], t("exportAccount"), submit, { before: [secretRow] });
  element.addEventListener("change", () => {
    secretRow.hidden = format.text() !== "MARKDOWN";
  });
  return h("div", h("p", t("exportText")), element, state);
}

/** @param {any} made @param {HTMLElement} place */
async function offer(made, place) {
  const path = `${API}/${made.exportId}/content`;
  if (!canCheck(made.size)) return fill(place, uncheckedFile(path, made));
  const progress = h("progress", { max: 1, value: 0, "aria-label": t("download") });
  fill(place, progress);
  try {
    const blob = await readFile(path, made, (part) => progress.value = part);
    fill(place, await checkedFile(blob, made));
  } catch (error) {
    fill(place);
    throw error;
  }
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
    progress.hidden = false;
    fill(state);
    try {
      const { counts, sha256 } = await withSession(() =>
        upload("/api/v2/account/imports", chosen, headers, showProgress)
      );
      const count = Object.values(counts).reduce((sum, one) => sum + Number(one), 0);
      fill(state, t("imported", { count }), " ", h("span.exact.small", sha256));
      input.value = "";
    } catch (error) {
      fill(state);
      throw error;
    } finally {
      progress.hidden = true;
    }
  };
  return h("div", h("p", t("importText")), form([file], t("importNow"), submit), state);
}

const PARTS = /** @type {const} */ ([
  { name: "memories", permission: "memory.read", make: memoryExport },
  { name: "people", permission: "relationship.ledger.read", make: peopleExport },
  { name: "resources", permission: "resource.read", make: resourceExport },
  { name: "onlyProfile", permission: "identity.read", make: profileExport },
  { name: "tagsTitle", permission: "taxonomy.read", make: tagExport },
]);

function erasing() {
  return h("div", h("p", t("erasingText")), h("p", t("erasingAsk")), h("p", t("erasingRemains")));
}

/** @type {Page} */
export async function exportPage() {
  const isManager = may("account.manage");
  const parts = PARTS.filter(({ permission }) => may(permission));
  const body = [
    isManager && [h("h2", t("wholeAccount")), accountExport()],
    parts.length > 0 && [
      h("h2", t("partialExports")),
      parts.map(({ name, make }) => h("details", h("summary", t(name)), make())),
    ],
    isManager && [h("h2", t("importAccount")), accountImport()],
    isManager && [h("h2", t("backups")), await backupState()],
    isManager && [h("h2", t("erasing")), erasing()],
  ];
  return { title: t("exportsAndBackups"), body: body.filter((part) => part !== false).flat(2) };
}
