/** The page of one import. */

import { actButton, proofButton } from "../core/acts/buttons.js";
import { announce, fill, h, link } from "../core/base/elements.js";
import { numberText, t } from "../core/base/language.js";
import { get, readAll } from "../core/base/reads.js";
import { wait } from "../core/base/timing.js";
import { notLoaded, thisVisit, visit } from "../core/base/visits.js";
import { row } from "../fields/controls/forms.js";
import { kindSymbol } from "../fields/shown/anchors.js";
import { checkedFile } from "../fields/saved_file.js";
import { timeText } from "../fields/shown/times.js";
import { IMPORT_FORMATS } from "../logic/import_formats.js";
import { cameIn, countOf, moduleOf, refusedItems } from "./import_items.js";
import {
  API,
  formatTitle,
  leftOut,
  ownName,
  PAGE,
  remark,
  ruleSentence,
  stateText,
  targetText,
} from "./import_parts.js";

const AT_WORK = ["RECEIVED", "READING", "RUNNING", "WITHDRAWING"];

const POLL_MS = 700;

/** More are folded. */
const MAX_LINES = 5;

/** @type {Page} */
export async function importPage({ params }) {
  const api = `${API}/${params.id}`;
  /** @type {Import} */
  const data = await get(api);
  /** @type {ImportSample} */
  const sample = await get(`${api}/sample`);
  const { state, columns } = data;
  const acts = h("div.bar", buttons(data, api));
  return {
    title: data.name ?? t("importTitle"),
    body: [
      h("p.quiet.small", `${formatTitle(data.format)} · `, h("time", timeText(data.createdAt))),
      h("p", { role: "status" }, stateText(state)),
      AT_WORK.includes(state) && progress(data, api),
      ...refusalOf(data),
      ...otherFormats(data),
      ...data.plan === null ? [] : outcomes(data),
      ...cameIn(data),
      ...withdrawal(data.withdrawn),
      // Items can be brought in by one press, above the explanations and forms.
      acts,
      state === "DONE" && h("p.hint", t("takeBackHint")),
      ...listed(t("leftOut"), data.unmapped.map((each) => leftOut(each, columns ?? []))),
      ...listed(t("remarks"), remarks(data)),
      ...refusedItems(data, sample.items),
      ...titles(sample),
      ...state === "PLANNED" ? await quietForms(data, sample) : [],
      data.total > 0 && report(data, api),
    ],
  };
}

/** Only one button of the page is filled: "Bring in", if it does. @type {MappingForm} */
async function quietForms(data, sample) {
  const made = await forms(data, sample);
  if (countOf(data, ["new", "changed"]) === 0) return made;
  const place = h("div", made);
  for (const button of place.querySelectorAll("button.main")) button.classList.remove("main");
  return [place];
}

/** The forms of a format's mapping; their preview is the service's plan. @type {MappingForm} */
async function forms(data, sample) {
  switch (IMPORT_FORMATS[data.format]?.mapping) {
    case "COLUMNS": {
      const { tableForms } = await import("./import_table/forms.js").catch(notLoaded);
      return await tableForms(data, sample);
    }
    case "FORM": {
      const { optionsForm } = await import("./import_options.js").catch(notLoaded);
      return await optionsForm(data, sample);
    }
    case "PEOPLE": {
      const { peopleForms } = await import("./import_people.js").catch(notLoaded);
      return await peopleForms(data, sample);
    }
    case "FOLDERS": {
      const { folderForm } = await import("./import_forms.js").catch(notLoaded);
      return await folderForm(data, sample);
    }
    default:
      return [];
  }
}

/** @param {Import} data @returns {readonly Child[]} */
function refusalOf({ refusal }) {
  if (refusal === null) return [];
  const { rule, place, entry } = refusal;
  const where = entry !== null ? ownName(entry) : place > 0 && t("refusedAt", { place });
  return [h("p.refusal", ruleSentence(rule), " ", where)];
}

/** The formats that the file looks like, in addition to the chosen one. @param {Import} data */
function otherFormats({ looksLike }) {
  if (looksLike.length === 0) return [];
  const formats = looksLike.map(formatTitle).join("; ");
  const links = looksLike.map((/** @type {string} */ format) =>
    link(`${PAGE}?format=${format}`, t("importAs", { format: formatTitle(format) }))
  );
  return [h("p", t("looksLike", { formats })), h("p.bar", links)];
}

/** The formats that a file looks like are named at the top. @param {Import} data */
function remarks({ rules, looksLike }) {
  return rules.filter(({ rule }) => rule !== "import.looks_like" || looksLike.length === 0)
    .map(remark);
}

/** @param {Import} data @param {string} api */
function buttons(data, api) {
  const { state, plan, importId, name } = data;
  const come = countOf(data, ["new", "changed"]);
  const stay = countOf(data, ["unchanged", "refused", "possibleDuplicate"]);
  const isStopped = state === "STOPPED";
  /** @type {(act: string, name: string, done: Sentence, body?: object) => Act} */
  const actOf = (act, name, done, body = {}) => {
    return { path: `${api}/${act}`, name, done: t(done), body };
  };
  const what = t("takeBack");
  return [
    (state === "PLANNED" || isStopped) && plan !== null && data.total > 0 && actButton({
      ...actOf("run", t("bringIn", { come, stay }), "import.RUNNING", { plan }),
      isMain: come > 0,
    }),
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

/** Columns of outcomes, shown if an item has them. @type {Record<string, Sentence>} */
const OUTCOMES = {
  new: "newRecord",
  changed: "modified",
  unchanged: "outcomeUnchanged",
  possibleDuplicate: "outcomePossible",
  refused: "outcomeRefused",
};

/** @param {any} data */
function outcomes(data) {
  const { state, counts, attachments, total } = data;
  if (total === 0) return [];
  const shown = Object.entries(OUTCOMES).filter(([name]) => countOf(data, [name]) > 0);
  const heads = shown.map(([, head]) => h("th", { scope: "col" }, t(head)));
  const rows = Object.entries(counts).map(([target, of]) =>
    h(
      "tr",
      h("th", { scope: "row" }, targetText(target)),
      shown.map(([name]) => h("td", String(of[name] ?? 0))),
    )
  );
  const [kind = "", ...others] = Object.keys(counts).map(targetText);
  const before = others.length === 0 ? `${kind} · ` : "";
  const figures = shown.map(([name, head]) =>
    h("span.value", h("b", numberText(countOf(data, [name]))), " ", before, t(head))
  );
  return [
    h("h2", t("whatWasFound")),
    h("p.bar", figures),
    // The figures of one kind are its row.
    rows.length > 1 && h(
      "div.scrolls",
      { tabindex: 0, role: "region", "aria-label": t("whatWasFound") },
      h("table", h("thead", h("tr", h("td"), heads)), h("tbody", rows)),
    ),
    Object.values(attachments).some((count) => count > 0) && h("p", t("filesFound", attachments)),
    state === "PLANNED" && repeated(data),
  ];
}

/** About records that are here already. @param {any} data */
function repeated(data) {
  if (countOf(data, ["changed"]) > 0) return h("p", t("completesEarlier"));
  const isKnown = countOf(data, ["unchanged"]) > 0 && countOf(data, ["new"]) === 0;
  return isKnown && h("p", t("nothingNew"));
}

/** @param {any} withdrawn Null before a withdrawal. */
function withdrawal(withdrawn) {
  return withdrawn === null ? [] : [
    h("p", t("takenBack", { count: withdrawn.archived })),
    ...listed(t("leftAsIs"), withdrawn.left.map(remark)),
  ];
}

/** Nothing without lines. @param {string} heading @param {Children} lines */
function listed(heading, lines) {
  if (lines.length === 0) return [];
  const list = (/** @type {Children} */ some) => h("ul", some.map((line) => h("li", line)));
  const rest = lines.slice(MAX_LINES);
  return [
    h("h2", heading),
    list(lines.slice(0, MAX_LINES)),
    rest.length > 0 && h("details", h("summary", t("more")), list(rest)),
  ];
}

/** @param {ImportSample} sample */
function titles({ items }) {
  const lines = items.map(({ target, title }) =>
    row({
      anchor: kindSymbol(moduleOf(target)),
      name: h("span.words", title),
      facts: [targetText(target)],
    })
  );
  return lines.length === 0 ? [] : [h("h2", t("firstTitles")), h("ul.lines", lines)];
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
      if (now.state !== data.state) {
        // The message of the act is over; a plan is announced by its page.
        if (data.state === "RUNNING") announce(stateText(now.state));
        return visit(page, here);
      }
      show(now);
    }
  };
  void poll();
  return h("div", bar, text);
}
