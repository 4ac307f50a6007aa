/** One import: content, mapping, acts, report. */

import { actButton, proofButton, withSession } from "../core/acts.js";
import {
  fill,
  get,
  h,
  readAll,
  send,
  t,
  textOf,
  thisVisit,
  timeText,
  visit,
} from "../core/base.js";
import { label, labelled, readCatalog } from "../core/names.js";
import { choiceField, choicesOf, form, lineField } from "../fields/controls.js";
import { checkedFile } from "../fields/saved_file.js";
import { counted } from "../fields/shown.js";
import { stateText } from "./imports.js";

/** @param {any} data @param {{ api: string, page: string, isPlanned: boolean }} place */
export function buttons(
  { state, plan, counts, importId, name },
  { api, page, isPlanned },
) {
  const sum = (/** @type {readonly string[]} */ outcomes) =>
    Object.values(counts).flatMap((of) => outcomes.map((outcome) => of[outcome] ?? 0))
      .reduce((total, count) => total + count, 0);
  const isDone = state === "DONE" || state === "STOPPED";
  const what = t("takeBack");
  return [
    isPlanned && plan !== null && actButton({
      path: `${api}/run`,
      body: { plan },
      name: t("bringIn", {
        come: sum(["new", "changed"]),
        stay: sum(["unchanged", "refused", "possibleDuplicate"]),
      }),
      done: t("import.RUNNING"),
      page,
    }),
    state === "RUNNING" && actButton({
      path: `${api}/stop`,
      body: {},
      name: t("stopImport"),
      done: t("import.STOPPED"),
      page,
    }),
    isDone && proofButton({
      path: `${api}/withdraw`,
      body: {},
      name: what,
      done: t("import.WITHDRAWING"),
      page,
      isGrave: true,
    }, {
      purpose: "IMPORT_WITHDRAW",
      what,
      targetId: importId,
      ...(name !== null && { thing: name }),
    }),
  ];
}

/** @param {any} data @param {string} api */
function report({ importId, ...about }, api) {
  const place = h("div", { role: "status" });
  const make = async () => {
    const items = await readAll(`${api}/items?limit=100`);
    const lines = [{ importId, ...about }, ...items].map((line) => `${JSON.stringify(line)}\n`);
    const blob = new Blob(lines, { type: "application/jsonl" });
    fill(place, await checkedFile(blob, { filename: `import-${importId}.jsonl` }));
  };
  const onclick = () => make().catch(() => fill(place, h("p", { role: "alert" }, t("failed"))));
  return h("div", h("button", { onclick }, t("makeReport")), place);
}

/** Answered at once. */
const MAX_ITEMS = 50;

/**
 * @param {any} data
 * @param {string} page
 * @param {readonly { place: number, title: string }[]} sample
 */
async function duplicatesForm(data, page, sample) {
  const api = `/api/v2/imports/${data.importId}/items?limit=100&outcome=POSSIBLE_DUPLICATE`;
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
    const field = choiceField({ name: key, label }, [
      ...(joins.length === 0 ? [earlier] : joins),
      { value: "new", label: t("asNewPerson") },
      { value: "leave", label: t("leaveOut") },
    ]);
    return { key, field };
  });
  const submit = sending(data, page, () => ({
    ...data.mapping,
    duplicates: {
      ...data.mapping?.duplicates,
      ...Object.fromEntries(
        fields.map(({ key, field }) => [key, field.text()]).filter(([, answer]) => answer !== ""),
      ),
    },
  }));
  return [
    h("h2", t("outcomePossible")),
    h("p", t("possibleText")),
    form(fields.map(({ field }) => field), t("planAgain"), submit),
  ];
}

/** @param {readonly string[]} ids */
async function namesOf(ids) {
  const read = [...new Set(ids)].map(async (id) => {
    const data = await get(`/api/v2/relationship/people/${id}`);
    return /** @type {[string, string]} */ ([id, data.personName]);
  });
  return new Map(await Promise.all(read));
}

/** @param {any} data */
export function outcomes({ counts, attachments }) {
  const all =
    /** @type {const} */ (["new", "changed", "unchanged", "possibleDuplicate", "refused"]);
  const names = all.filter((name) => Object.values(counts).some((of) => of[name] !== undefined));
  const heads = /** @type {const} */ ({
    new: "newRecord",
    changed: "modified",
    unchanged: "outcomeUnchanged",
    possibleDuplicate: "outcomePossible",
    refused: "outcomeRefused",
  });
  const rows = Object.entries(counts).map(([target, of]) =>
    h(
      "tr",
      h("th", { scope: "row" }, targetText(target)),
      ...names.map((name) => h("td", String(of[name] ?? 0))),
    )
  );
  return [
    h("h2", t("whatWasFound")),
    h(
      "div.scrolls",
      { tabindex: 0, role: "region", "aria-label": t("whatWasFound") },
      h(
        "table",
        h(
          "thead",
          h("tr", h("td"), names.map((name) => h("th", { scope: "col" }, t(heads[name])))),
        ),
        h("tbody", rows),
      ),
    ),
    h("p", t("filesFound", attachments)),
  ];
}

/** @param {any} data */
function withdrawal({ withdrawn }) {
  if (withdrawn === null) return false;
  return [
    h("p", t("takenBack", { count: withdrawn.archived })),
    listed(t("leftAsIs"), withdrawn.left.map(ruleText)),
  ];
}

/** @param {string} heading @param {readonly string[]} lines */
export function listed(heading, lines) {
  if (lines.length === 0) return [];
  return [h("h2", heading), h("ul", lines.map((text) => h("li", text)))];
}

/** @param {readonly { target: string, title: string }[]} items */
export function titles(items) {
  return [
    h("h2", t("firstTitles")),
    h(
      "ul",
      items.map(({ target, title }) =>
        h(
          "li",
          h("span.words", title),
          h("span.quiet.small", ` ${targetText(target)}`),
        )
      ),
    ),
  ];
}

const AT_WORK = ["RECEIVED", "READING", "RUNNING", "WITHDRAWING"];

const POLL_MS = 700;

/** @type {Page} */
export async function importPage({ params }) {
  const api = `/api/v2/imports/${params.id}`;
  const page = `/console/imports/${params.id}`;
  const data = await get(api);
  const sample = await get(`${api}/sample`);
  const isPlanned = data.state === "PLANNED" || data.state === "STOPPED";
  /** @type {readonly (Child | readonly any[])[]} */
  const body = [
    h("p", `${textOf(data.format)} · `, h("time", timeText(data.createdAt))),
    h("p", { role: "status" }, stateText(data.state)),
    AT_WORK.includes(data.state) && progress(data, api, page),
    data.refusal !== null && refusal(data.refusal),
    data.plan !== null && outcomes(data),
    withdrawal(data),
    listed(t("leftOut"), data.unmapped.map(named)),
    listed(t("remarks"), data.rules.map(ruleText)),
    sample.items.length > 0 && titles(sample.items),
    data.state === "PLANNED" ? await mappingForm(data, page, sample.items) : [],
    h("div.bar", ...buttons(data, { api, page, isPlanned })),
    data.total > 0 && report(data, api),
  ];
  return {
    title: data.name ?? t("importTitle"),
    body: body.flat(2).filter((part) => part !== false),
  };
}

/** @param {{ name: string, count: number }} left */
function named({ name, count }) {
  return `${name}: ${count}`;
}

/** @param {{ rule: string, place: number }} refused */
function refusal({ rule, place }) {
  return h("p.refusal", t("refusedAt", { rule, place }));
}

/** @param {any} data @param {string} api @param {string} page */
export function progress(data, api, page) {
  const isRun = data.state === "RUNNING";
  const bar = h("progress", { max: Math.max(1, data.total), "aria-label": t("importProgress") });
  const text = h("p.quiet");
  const show = (/** @type {any} */ { done, total }) => {
    if (!isRun) return;
    bar.value = done;
    fill(text, t("doneOf", { done, total }));
  };
  show(data);
  const here = thisVisit();
  const poll = async () => {
    if (here.aborted) return;
    const now = await send("GET", api).then((answer) => answer.data).catch(() => data);
    if (here.aborted) return;
    if (now.state !== data.state) return await visit(page, here);
    show(now);
    setTimeout(poll, POLL_MS);
  };
  setTimeout(poll, POLL_MS);
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

/** @param {any} data @param {string} page @param {() => any} mapping */
export function sending({ importId }, page, mapping) {
  return async () => {
    const here = thisVisit();
    const path = `/api/v2/imports/${importId}/mapping`;
    await withSession(() => send("PUT", path, { body: mapping() }));
    await visit(page, here);
  };
}

/** @param {any} data */
function zoneField({ mapping }) {
  const zone = lineField({ name: "timeZone", label: t("importZone"), hint: t("importZoneHint") });
  zone.setText(mapping?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  return zone;
}

/** @param {any} data @param {string} page */
async function csvForm(data, page) {
  const modules = (await readCatalog()).filter(({ code }) => code !== "taxonomy");
  const before = data.mapping ?? { columns: {}, constants: {} };
  const targets = modules.map(({ code }) => ({ value: code, label: label(code) }));
  const target = choiceField({ name: "target", label: t("rowsBecome"), required: true }, targets);
  target.setText(before.target ?? "commitment");
  const columns = (data.columns ?? []).map((/** @type {string} */ column) => ({
    column,
    field: columnField(column),
  }));
  /** Offers the fields of the chosen target. */
  const offer = () => {
    const module = modules.find(({ code }) => code === target.text());
    const fields = (module?.fields ?? []).map(({ name }) => name);
    for (const { column, field } of columns) field.offer(fields, before.columns[column] ?? "");
  };
  target.element.addEventListener("change", offer);
  offer();
  const constants = lineField({
    name: "constants",
    label: t("fixedValues"),
    hint: t("fixedValuesHint"),
  });
  constants.setText(before.constants === undefined ? "" : JSON.stringify(before.constants));
  const dates = choiceField(
    { name: "dates", label: t("datesAre"), required: true },
    choicesOf({ ISO: "2021-12-31", DMY: "31.12.2021", MDY: "12/31/2021" }),
  );
  dates.setText(before.dates ?? "ISO");
  const zone = zoneField(data);
  const submit = sending(data, page, () => ({
    target: target.text(),
    columns: Object.fromEntries(
      columns.map((/** @type {any} */ { column, field }) => [column, field.text()])
        .filter((/** @type {string[]} */ [, chosen]) => chosen !== ""),
    ),
    ...(constants.text().trim() !== "" && { constants: parsed(constants.text()) }),
    dates: dates.text(),
    ...(zone.text().trim() !== "" && { timeZone: zone.text().trim() }),
  }));
  return form(
    [target, ...columns.map((/** @type {any} */ { field }) => field.row), constants, dates, zone],
    t("planAgain"),
    submit,
  );
}

/** A text that is not JSON is sent as it is: the service names the field. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const MEMBERS = /** @type {const} */ ({
  "@title": "title",
  "@summary": "summary",
  "@key": "asKey",
  "@recordedAt": "asRecordedAt",
  "@tags": "tags",
});

/** @param {string} column */
function columnField(column) {
  // A list needs five choices: the members are more.
  const members = Object.entries(MEMBERS).map(([value, name]) => ({ value, label: t(name) }));
  const row = choiceField({ name: column, label: column }, members);
  const select = /** @type {HTMLSelectElement} */ (row.element.querySelector("select"));
  return {
    row,
    text: () => select.value,
    /** @param {readonly string[]} fields @param {string} chosen */
    offer(fields, chosen) {
      const kept = select.value === "" ? chosen : select.value;
      const options = [
        h("option", { value: "" }, t("leaveOut")),
        ...members.map(({ value, label }) => h("option", { value }, label)),
        ...fields.map((name) => h("option", { value: name }, label(name))),
      ];
      select.replaceChildren(...options);
      select.value = kept;
      if (select.value !== kept) select.value = "";
    },
  };
}

/** One category at a time; one without values is removed. @param {any} data @param {string} page */
async function categoriesForm(data, page) {
  const people = (await readCatalog()).find(({ code }) => code === "relationship");
  const { options = [] } = people?.fields.find(({ name }) => name === "relationshipType") ?? {};
  const known = data.mapping?.categories ?? {};
  const category = lineField({
    name: "categoryInFile",
    label: t("categoryInFile"),
    required: true,
  });
  const kind = choiceField(
    { name: "relationshipType", label: label("relationshipType") },
    labelled(options ?? []),
  );
  const importance = choiceField(
    { name: "importance", label: label("importance") },
    ["1", "2", "3", "4", "5"].map((value) => ({ value, label: value })),
  );
  const submit = sending(data, page, () => {
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

/** Mapping of columns or folders; its preview is the service's plan. */

/**
 * @param {any} data
 * @param {string} page
 * @param {readonly { place: number, title: string }[]} sample
 */
async function mappingForm(data, page, sample) {
  if (data.format === "csv") {
    return [h("h2", t("mapColumns")), await csvForm(data, page)];
  }
  if (data.format === "vcard" || data.format === "monica-4") {
    return [...await duplicatesForm(data, page, sample), ...await categoriesForm(data, page)];
  }
  if (data.format !== "markdown") return [];
  return [h("h2", t("mapFolders")), await folderForm(data, page)];
}

/** @param {any} data @param {string} page */
async function folderForm(data, page) {
  const items = await readAll(`/api/v2/imports/${data.importId}/items?limit=100`);
  const named = Object.keys(data.mapping?.folders ?? {});
  const found = items.map(({ key }) => key.includes("/") ? key.split("/")[0] : "");
  const folders = [...new Set([...named, ...found])].sort().slice(0, 50);
  const fields = folders.map((folder) => {
    const row = { name: folder, label: folder === "" ? t("topFolder") : folder };
    const field = choiceField(
      row,
      choicesOf({
        knowledge: label("knowledge"),
        memory: label("memory"),
        capture: label("capture"),
        leave: t("leaveOut"),
      }),
    );
    field.setText(data.mapping?.folders?.[folder] ?? "");
    return { folder, field };
  });
  const zone = zoneField(data);
  const submit = sending(data, page, () => ({
    folders: Object.fromEntries(
      fields.map(({ folder, field }) => [folder, field.text()]).filter(([, word]) => word !== ""),
    ),
    ...(zone.text().trim() !== "" && { timeZone: zone.text().trim() }),
  }));
  return form([...fields.map(({ field }) => field), zone], t("planAgain"), submit);
}
