/** Imports from other products and of this service's own files, and the page of one import. */

import { actButton, proofButton, repeatable, withSession } from "../core/acts.js";
import {
  announce,
  ApiError,
  fill,
  get,
  h,
  link,
  readAll,
  send,
  t,
  textOf,
  thisVisit,
  visit,
  wait,
} from "../core/base.js";
import { label, labelled, notFound, pageLink, readCatalog, readFields } from "../core/names.js";
import { choiceField, choicesOf, chosenField, form, line, lineField } from "../fields/controls.js";
import { pickedFile, upload } from "../fields/file.js";
import { checkedFile } from "../fields/saved_file.js";
import { counted, sizeText, timeTag, timeText } from "../fields/shown.js";
import { IMPORT_FORMATS } from "../logic/import_formats.js";
import { deviceZone, offsetText } from "../logic/local_time.js";
import { listPage } from "./parts.js";

/**
 * The files that exports of the profile, or of tags, have written.
 * @type {() => Record<string, OwnFile>}
 */
const kinds = () => ({
  tags: {
    title: t("importTags"),
    api: "/api/v2/taxonomy/imports",
    members: ["format", "version", "terms"],
    modes: { SKIP: t("skipPresent"), REJECT: t("rejectPresent") },
    page: "/console/tags",
    resultText: ({ created, skipped }) => t("importedTags", { created, skipped }),
  },
  profile: {
    title: t("importProfile"),
    api: "/api/v2/identity/imports",
    members: ["version", "profile", "stages", "roles", "snapshots"],
    modes: { CREATE_SNAPSHOT: t("snapshotPresent"), REJECT: t("rejectPresent") },
    page: "/console/profile",
    resultText: ({ created, skipped }) =>
      t("importedProfile", { ...created, skipped: skipped.stages + skipped.roles }),
  },
});

/** @type {SyncPage} */
export function ownFile({ params }) {
  const kind = kinds()[params.kind ?? ""];
  if (kind === undefined) return notFound();
  const { file, input } = pickedFile(t("importFile"), t("sending"), ".json");
  const mode = chosenField("conflictMode", t("ifPresent"), kind.modes);
  const done = h("div");
  const send = repeatable();
  const submit = async () => {
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const read = parsed(await chosen.text());
    const members = kind.members.filter((name) => Object.hasOwn(Object(read), name));
    if (members.length === 0) {
      throw new ApiError("PAYLOAD_INVALID", { details: { fields: ["file"] } });
    }
    const body = {
      ...Object.fromEntries(members.map((name) => [name, read[name]])),
      conflictMode: mode.text(),
    };
    const { data } = await withSession(() => send("POST", kind.api, { body }));
    const text = kind.resultText(data);
    announce(text);
    fill(done, h("p.note", text, " ", link(kind.page, t("show"))));
  };
  return {
    title: kind.title,
    body: [
      h("p", t("importOwnText")),
      form([file, mode], t("importNow"), submit),
      done,
      h("p", pageLink("imports")),
    ],
  };
}

/** @param {string} state */
function stateText(state) {
  return textOf(`import.${state}`, state);
}

const API = "/api/v2/imports";
const PAGE = "/console/imports";

/** The title of a format in the console's language. @param {string} format */
function formatTitle(format) {
  return IMPORT_FORMATS[format]?.title[document.documentElement.lang] ?? format;
}

/** @type {Page} */
export function importsPage({ query }) {
  return listPage(query, {
    title: t("imports"),
    api: API,
    none: t("noImports"),
    isLong: true,
    above: chooser,
    line: ({ importId, name, format, createdAt, size, state }) =>
      line(
        link(`${PAGE}/${importId}`, name ?? formatTitle(format)),
        [timeTag(createdAt), formatTitle(format), sizeText(size), stateText(state)],
      ),
  });
}

function chooser() {
  const format = choiceField(
    { name: "format", label: t("importedFrom"), required: true },
    labelled(Object.keys(IMPORT_FORMATS), formatTitle)
      .toSorted((one, other) => one.label.localeCompare(other.label)),
  );
  const name = lineField({ name: "name", label: t("sourceName"), hint: t("sourceNameHint") });
  const { file, input, progress } = pickedFile(t("importFile"), t("sending"));
  const keep = h("input", { type: "checkbox", checked: true });
  const keepRow = h("label.choice", keep, t("keepOriginal"));
  const submit = async () => {
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const here = thisVisit();
    const parameters = new URLSearchParams({
      format: format.text(),
      name: name.text().trim() || chosen.name.slice(0, 100),
      filename: [...chosen.name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")].slice(0, 200).join(""),
      keepOriginal: String(keep.checked),
    });
    progress.hidden = false;
    const headers = { "Content-Type": "application/octet-stream" };
    const send = () =>
      upload(`${API}?${parameters}`, chosen, headers, (part) => progress.value = part);
    const { importId } = await withSession(send).finally(() => progress.hidden = true);
    await visit(`${PAGE}/${importId}`, here);
  };
  return h(
    "div",
    h("p", t("importsText")),
    form([format, file, name], t("lookAtFile"), submit, { before: [keepRow] }),
    h("h2", t("ownFiles")),
    h(
      "p.bar",
      link(`${PAGE}/own/profile`, t("importProfile")),
      link(`${PAGE}/own/tags`, t("importTags")),
      pageLink("exportsAndBackups"),
    ),
    h("h2", t("earlierImports")),
  );
}

/** @param {any} data @param {string} api */
function buttons({ state, plan, counts, importId, name }, api) {
  const sum = (/** @type {readonly string[]} */ outcomes) =>
    Object.values(counts).flatMap((of) => outcomes.map((outcome) => of[outcome] ?? 0))
      .reduce((total, count) => total + count, 0);
  const come = sum(["new", "changed"]);
  const stay = sum(["unchanged", "refused", "possibleDuplicate"]);
  const isStopped = state === "STOPPED";
  /** @type {(act: string, name: string, done: Sentence, body?: object) => Act} */
  const actOf = (act, name, done, body = {}) => {
    return { path: `${api}/${act}`, name, done: t(done), body };
  };
  const what = t("takeBack");
  return [
    (state === "PLANNED" || isStopped) && plan !== null &&
    actButton(actOf("run", t("bringIn", { come, stay }), "import.RUNNING", { plan })),
    state === "PLANNED" && actButton(actOf("discard", t("discardImport"), "import.DISCARDED")),
    (state === "RECEIVED" || state === "READING") &&
    actButton(actOf("stop", t("stopImport"), "import.DISCARDED")),
    state === "RUNNING" && actButton(actOf("stop", t("stopImport"), "import.STOPPED")),
    (state === "DONE" || isStopped) && proofButton(
      { ...actOf("withdraw", what, "import.WITHDRAWING"), isGrave: true },
      { purpose: "IMPORT_WITHDRAW", what, targetId: importId, thing: name ?? undefined },
    ),
  ];
}

/** @param {any} data @param {string} api */
function report(data, api) {
  const place = h("div", { role: "status" });
  const make = async () => {
    const items = await readAll(`${api}/items?limit=100`);
    const lines = [data, ...items].map((line) => `${JSON.stringify(line)}\n`);
    const blob = new Blob(lines, { type: "application/jsonl" });
    fill(place, await checkedFile(blob, { filename: `import-${data.importId}.jsonl` }));
  };
  const onclick = () => make().catch(() => fill(place, h("p", { role: "alert" }, t("failed"))));
  return h("div", h("button", { onclick }, t("makeReport")), place);
}

/** Answered at once. */
const MAX_ITEMS = 50;

/** @type {MappingForm} */
async function duplicatesForm(data, sample) {
  const api = `${API}/${data.importId}/items?limit=100&outcome=POSSIBLE_DUPLICATE`;
  const items = (await readAll(api)).slice(0, MAX_ITEMS);
  if (items.length === 0) return [];
  const names = await namesOf(items.flatMap(({ matches }) => matches));
  const titles = new Map(sample.map(({ place, title }) => [place, title]));
  const fields = items.map(({ place, key, matches }) => {
    const label = titles.get(place) ?? t("itemAt", { place });
    const joins = matches.map((/** @type {string} */ id) => {
      return { value: `join:${id}`, label: t("joinWith", { name: names.get(id) ?? id }) };
    });
    // Without a person it shares with an earlier card of the file.
    const earlier = { value: "join", label: t("joinEarlier") };
    return choiceField({ name: key, label }, [
      ...(joins.length === 0 ? [earlier] : joins),
      { value: "new", label: t("asNewPerson") },
      { value: "leave", label: t("leaveOut") },
    ]);
  });
  const submit = sending(data, () => ({
    ...data.mapping,
    duplicates: { ...data.mapping?.duplicates, ...answered(fields) },
  }));
  return [
    h("h2", t("outcomePossible")),
    h("p", t("possibleText")),
    form(fields, t("planAgain"), submit),
  ];
}

/**
 * The texts that are not empty, by field.
 * @param {readonly Pick<Field, "name" | "text">[]} fields
 */
function answered(fields) {
  const texts = fields.map(({ name, text }) => [name, text()]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

/** @param {readonly string[]} ids */
async function namesOf(ids) {
  const read = [...new Set(ids)].map((id) => get(`/api/v2/relationship/people/${id}`));
  const people = await Promise.all(read);
  return new Map(people.map(({ personId, personName }) => [personId, personName]));
}

/** The columns of a table by outcome. @type {Record<string, Sentence>} */
const OUTCOMES = {
  new: "newRecord",
  changed: "modified",
  unchanged: "outcomeUnchanged",
  possibleDuplicate: "outcomePossible",
  refused: "outcomeRefused",
};

/** @param {any} data */
function outcomes({ counts, attachments }) {
  const shown = Object.entries(OUTCOMES).filter(([name]) =>
    Object.values(counts).some((of) => of[name] !== undefined)
  );
  const heads = shown.map(([, head]) => h("th", { scope: "col" }, t(head)));
  const rows = Object.entries(counts).map(([target, of]) =>
    h(
      "tr",
      h("th", { scope: "row" }, targetText(target)),
      shown.map(([name]) => h("td", String(of[name] ?? 0))),
    )
  );
  return [
    h("h2", t("whatWasFound")),
    h(
      "div.scrolls",
      { tabindex: 0, role: "region", "aria-label": t("whatWasFound") },
      h("table", h("thead", h("tr", h("td"), heads)), h("tbody", rows)),
    ),
    h("p", t("filesFound", attachments)),
  ];
}

/** @param {any} withdrawn Null before a withdrawal. */
function withdrawal(withdrawn) {
  return withdrawn === null ? [] : [
    h("p", t("takenBack", { count: withdrawn.archived })),
    ...listed(t("leftAsIs"), withdrawn.left.map(ruleText)),
  ];
}

/** Nothing without lines. @param {string} heading @param {Children} lines */
function listed(heading, lines) {
  return lines.length === 0 ? [] : [h("h2", heading), h("ul", lines.map((line) => h("li", line)))];
}

/** @param {{ target: string, title: string }} item */
function titleOf({ target, title }) {
  return [h("span.words", title), h("span.quiet.small", ` ${targetText(target)}`)];
}

const AT_WORK = ["RECEIVED", "READING", "RUNNING", "WITHDRAWING"];

const POLL_MS = 700;

/** @type {Page} */
export async function importPage({ params }) {
  const api = `${API}/${params.id}`;
  /** @type {Import} */
  const data = await get(api);
  const { items: sample } = await get(`${api}/sample`);
  const { state, refusal } = data;
  return {
    title: data.name ?? t("importTitle"),
    body: [
      h("p", `${formatTitle(data.format)} · `, h("time", timeText(data.createdAt))),
      h("p", { role: "status" }, stateText(state)),
      AT_WORK.includes(state) && progress(data, api),
      refusal !== null &&
      h("p.refusal", `${textOf(refusal.rule, "")} ${t("refusedAt", { place: refusal.place })}`),
      ...data.plan === null ? [] : outcomes(data),
      ...withdrawal(data.withdrawn),
      ...listed(t("leftOut"), data.unmapped.map(({ name, count }) => `${name}: ${count}`)),
      ...listed(t("remarks"), data.rules.map(ruleText)),
      ...listed(t("firstTitles"), sample.map(titleOf)),
      ...state === "PLANNED" ? await mappingForm(data, sample) : [],
      h("div.bar", buttons(data, api)),
      data.total > 0 && report(data, api),
    ],
  };
}

/** @param {any} data @param {string} api */
function progress(data, api) {
  const bar = h("progress", { max: Math.max(1, data.total), "aria-label": t("importProgress") });
  const text = h("p.quiet");
  const show = (/** @type {any} */ { state, done, total }) => {
    if (state !== "RUNNING") return;
    bar.value = done;
    fill(text, t("doneOf", { done, total }));
  };
  show(data);
  const [here, page] = [thisVisit(), location.pathname];
  const poll = async () => {
    while (true) {
      await wait(POLL_MS);
      if (here.aborted) return;
      const now = await get(api).catch(() => data);
      if (here.aborted) return;
      if (now.state !== data.state) return visit(page, here);
      show(now);
    }
  };
  void poll();
  return h("div", bar, text);
}

/** @param {{ rule: string, count: number }} counts */
function ruleText({ rule, count }) {
  return `${counted(count, "items")}: ${textOf(rule)}`;
}

/** @param {string} target */
function targetText(target) {
  return target === "unknown" ? t("unknownClient") : label(target === "tag" ? "TAG" : target);
}

/** @param {any} data @param {() => unknown} mapping */
function sending({ importId }, mapping) {
  return async () => {
    const [here, page] = [thisVisit(), location.pathname];
    const path = `${API}/${importId}/mapping`;
    await withSession(() => send("PUT", path, { body: mapping() }));
    await visit(page, here);
  };
}

/** @param {any} data */
function zoneField({ mapping }) {
  const offset = offsetText(-new Date().getTimezoneOffset());
  const initial = mapping?.timeZone ?? deviceZone() ?? offset;
  const row = { name: "timeZone", label: t("importZone"), hint: t("importZoneHint"), initial };
  return lineField(row);
}

/** The zone, if there is one. @param {Field} zone */
function zoneOf({ text }) {
  const timeZone = text().trim();
  return timeZone === "" ? {} : { timeZone };
}

/** @type {MappingForm} */
async function csvForm(data) {
  const modules = (await readCatalog()).filter(({ code }) => code !== "taxonomy");
  const before = data.mapping ?? { columns: {}, constants: {} };
  const initial = before.target ?? "commitment";
  const target = choiceField(
    { name: "target", label: t("rowsBecome"), required: true, initial },
    labelled(modules.map(({ code }) => code)),
  );
  /** @type {readonly ColumnField[]} */
  const columns = (data.columns ?? []).map(columnField);
  /** Offers the fields of the chosen target. */
  const offer = () => {
    const module = modules.find(({ code }) => code === target.text());
    const fields = (module?.fields ?? []).map(({ name }) => name);
    for (const column of columns) column.offer(fields, before.columns[column.name] ?? "");
  };
  target.element.addEventListener("change", offer);
  offer();
  const constants = lineField({
    name: "constants",
    label: t("fixedValues"),
    hint: t("fixedValuesHint"),
    initial: before.constants === undefined ? "" : JSON.stringify(before.constants),
  });
  const dates = choiceField(
    { name: "dates", label: t("datesAre"), required: true, initial: before.dates ?? "ISO" },
    choicesOf({ ISO: "2021-12-31", DMY: "31.12.2021", MDY: "12/31/2021" }),
  );
  const zone = zoneField(data);
  const submit = sending(data, () => ({
    target: target.text(),
    columns: answered(columns),
    ...(constants.text().trim() !== "" && { constants: parsed(constants.text()) }),
    dates: dates.text(),
    ...zoneOf(zone),
  }));
  const fields = [target, ...columns.map(({ row }) => row), constants, dates, zone];
  return [h("h2", t("mapColumns")), form(fields, t("planAgain"), submit)];
}

/** JSON, or else the text: the service names the field. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @type {(name: string) => ColumnField} */
function columnField(name) {
  const members = choicesOf({
    "@title": t("title"),
    "@summary": t("summary"),
    "@key": t("asKey"),
    "@recordedAt": t("asRecordedAt"),
    "@tags": t("tags"),
  });
  // Five choices are a list.
  const row = choiceField({ name, label: name }, members);
  const select = /** @type {HTMLSelectElement} */ (row.element.querySelector("select"));
  return {
    name,
    row,
    text: () => select.value,
    offer(fields, chosen) {
      const kept = select.value === "" ? chosen : select.value;
      const choices = [{ value: "", label: t("leaveOut") }, ...members, ...labelled(fields)];
      fill(select, choices.map(({ value, label }) => h("option", { value }, label)));
      select.value = kept;
      if (select.value !== kept) select.value = "";
    },
  };
}

/** One category at a time; one without values is removed. @type {MappingForm} */
async function categoriesForm(data) {
  const type = (await readFields("relationship")).find(({ name }) => name === "relationshipType");
  const known = data.mapping?.categories ?? {};
  const row = { name: "categoryInFile", label: t("categoryInFile"), required: true };
  const category = lineField(row);
  const kind = choiceField(
    { name: "relationshipType", label: label("relationshipType") },
    labelled(type?.options ?? []),
  );
  const importance = choiceField(
    { name: "importance", label: label("importance") },
    labelled(["1", "2", "3", "4", "5"], String),
  );
  const submit = sending(data, () => {
    const chosen = {
      ...(kind.text() !== "" && { relationshipType: kind.text() }),
      ...(importance.text() !== "" && { importance: Number(importance.text()) }),
    };
    const { [category.text().trim()]: _, ...others } = known;
    const own = Object.keys(chosen).length === 0 ? {} : { [category.text().trim()]: chosen };
    return { ...data.mapping, categories: { ...others, ...own } };
  });
  const lines = Object.entries(known).map(([name, { relationshipType, importance }]) => {
    const values = [
      ...(relationshipType === undefined ? [] : [label(relationshipType)]),
      ...(importance === undefined ? [] : [t("importanceOf", { importance })]),
    ];
    return h("li", h("span.words", name), `: ${values.join(", ")}`);
  });
  return [
    h("h2", t("categoriesTitle")),
    h("p", t("categoriesText")),
    lines.length > 0 && h("ul", lines),
    form([category, kind, importance], t("setCategory"), submit),
  ];
}

/** Mapping of columns or folders; its preview is the service's plan. @type {MappingForm} */
async function mappingForm(data, sample) {
  switch (IMPORT_FORMATS[data.format]?.mapping) {
    case "COLUMNS":
      return csvForm(data, sample);
    case "PEOPLE":
      return [...await duplicatesForm(data, sample), ...await categoriesForm(data, sample)];
    case "FOLDERS":
      return folderForm(data, sample);
    default:
      return [];
  }
}

/** @type {MappingForm} */
async function folderForm(data) {
  const items = await readAll(`${API}/${data.importId}/items?limit=100`);
  const known = data.mapping?.folders ?? {};
  const found = items.map(({ key }) => key.includes("/") ? key.split("/")[0] : "");
  const folders = [...new Set([...Object.keys(known), ...found])].sort().slice(0, MAX_ITEMS);
  const choices = [
    ...labelled(["knowledge", "memory", "capture"]),
    { value: "leave", label: t("leaveOut") },
  ];
  const fields = folders.map((name) => {
    const label = name === "" ? t("topFolder") : name;
    return choiceField({ name, label, initial: known[name] ?? "" }, choices);
  });
  const zone = zoneField(data);
  const submit = sending(data, () => ({ folders: answered(fields), ...zoneOf(zone) }));
  return [h("h2", t("mapFolders")), form([...fields, zone], t("planAgain"), submit)];
}
