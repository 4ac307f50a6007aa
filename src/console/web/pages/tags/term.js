/** A tag or category. */

import { actButton, askButton } from "../../core/acts/buttons.js";
import { withSession } from "../../core/acts/password.js";
import { repeatable } from "../../core/acts/texts.js";
import { announce, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get, readOrNull } from "../../core/base/reads.js";
import { thisVisit, visit } from "../../core/base/visits.js";
import { label, labelOfOne, readCatalog, recordPath } from "../../core/names.js";
import { chosenField } from "../../fields/controls/choices.js";
import { form, row } from "../../fields/controls/forms.js";
import { lineField } from "../../fields/controls/lines.js";
import { valuesList } from "../../fields/shown/values.js";
import { loadPicker } from "../draft_form/catalog_fields.js";
import { thingHistory } from "../history/revisions.js";
import { objectActs, rootFacts } from "../parts/objects.js";
import {
  ASSIGNMENTS_API,
  CATEGORIES_API,
  categoryChoices,
  fieldsNamed,
  PATCHED,
  pathsOf,
  readTerm,
  TAGS,
  termLink,
  termSymbol,
} from "./list.js";

const MAX_SHOWN = "20";

/** @param {any} term @param {string | null} cursor */
async function assignmentsPart({ termId, active }, cursor) {
  const asked = new URLSearchParams({ termId, limit: MAX_SHOWN, ...(cursor && { cursor }) });
  const { items, nextCursor } = await get(`${ASSIGNMENTS_API}?${asked}`);
  const lines = await Promise.all(items.map(lineOfAssignments));
  const older = new URLSearchParams({ cursor: nextCursor });
  return [
    h("h2", t("records")),
    lines.length === 0 ? h("p.quiet", t("noneYet")) : h("ul.lines", lines),
    nextCursor !== null && h("p", link(`${TAGS}/${termId}?${older}`, t("older"))),
    active && await assignForm(termId),
  ];
}

/** @param {any} assignment */
async function lineOfAssignments({ termId, moduleCode, recordId }) {
  const record = await readOrNull(`/api/v2/records/${moduleCode}/${recordId}`);
  const title = record === null || record.redacted ? t("hidden") : record.title;
  const remove = actButton({
    path: `${ASSIGNMENTS_API}/remove`,
    body: { termId, moduleCode, recordId },
    name: "",
    symbol: "close",
    label: t("removePasskey", { name: title }),
    done: label("REMOVED"),
  });
  return row({
    name: link(recordPath(moduleCode, recordId), title, "words"),
    facts: [labelOfOne(moduleCode)],
    acts: [remove],
  });
}

/** @param {string} termId */
async function assignForm(termId) {
  const codes = (await readCatalog()).map(({ code }) => code).filter((code) => code !== "taxonomy");
  const row = { name: "recordId", label: t("record"), required: true };
  const { pickerField, recordsSource } = await loadPicker();
  const record = pickerField(row, recordsSource({ modules: codes }));
  const sendAssignment = repeatable();
  const submit = async () => {
    const [here, page] = [thisVisit(), location.pathname];
    const [chosen] = record.chosen();
    const body = { termId, moduleCode: chosen?.moduleCode, recordId: chosen?.value };
    await withSession(() => sendAssignment("POST", ASSIGNMENTS_API, { body }));
    announce(t("assigned"));
    await visit(page, here);
  };
  return form([record], t("assign"), submit);
}

const TOP = "top";

/** @param {any} term */
function termActs(term) {
  const { active, kind, mergedInto } = term;
  if (mergedInto !== null) return [];
  const isCategory = kind === "CATEGORY";
  return [
    active && rename(term),
    active && isCategory && move(term),
    !isCategory && merge(term),
    activity(term),
  ];
}

/**
 * @param {any} term
 * @param {"rename" | "move" | "merge" | "deactivate" | "reactivate"} act
 * @param {Sentence} done
 */
function actOn(term, act, done) {
  const name = t(act);
  return { path: `${pathsOf(term).api}/${act}`, name, title: name, done: t(done) };
}

/** @param {any} term */
function rename(term) {
  const { name: initial, revision: expectedRevision } = term;
  return askButton(
    actOn(term, "rename", "renamed"),
    () => [
      lineField({
        name: "name",
        label: t("newName"),
        required: true,
        words: true,
        initial,
        limits: { maximumLength: 64 },
      }),
      chosenField("keepAlias", t("keepAlias"), { true: t("yes"), false: t("no") }),
    ],
    ({ name, keepAlias }) => ({ name, keepAlias: keepAlias === "true", expectedRevision }),
  );
}

/** @param {any} term */
function move(term) {
  const initial = term.parentId ?? TOP;
  return askButton(
    actOn(term, "move", "moved"),
    async () => {
      const choices = [{ value: TOP, label: t("top") }, ...await categoryChoices(term.termId)];
      const row = { name: "parentId", label: t("parentCategory"), required: true, initial };
      const { pickerField, choicesSource } = await loadPicker();
      return [pickerField(row, choicesSource(choices))];
    },
    ({ parentId: chosen }) => {
      const parentId = chosen === TOP ? null : chosen;
      return { parentId, expectedRevision: term.revision };
    },
  );
}

/** @param {any} term */
function merge(term) {
  return askButton(
    { ...actOn(term, "merge", "merged"), text: t("mergeText"), isGrave: true },
    async () => {
      const { pickerField, tagsSource } = await loadPicker();
      const row = { name: "intoId", label: t("mergeInto"), required: true };
      return [pickerField(row, tagsSource(term.termId))];
    },
    ({ intoId }) => ({ intoId, expectedRevision: term.revision }),
  );
}

/** @param {any} term */
function activity(term) {
  const act = term.active
    ? actOn(term, "deactivate", "deactivated")
    : actOn(term, "reactivate", "reactivated");
  return actButton({ ...act, body: { expectedRevision: term.revision } });
}

/** @type {Page} */
export async function termPage({ params, query }) {
  const term = await readTerm(params.id);
  const { page } = pathsOf(term);
  const isCategory = term.kind === "CATEGORY";
  const [fields, choices, assignments] = await Promise.all([
    fieldsNamed(PATCHED),
    isCategory ? categoryChoices() : [],
    assignmentsPart(term, query.get("cursor")),
  ]);
  const parent = choices.find(({ value }) => value === term.parentId);
  const values = { ...term, aliases: term.aliases.length > 0 ? term.aliases : null };
  const isActive = term.active;
  return {
    title: term.name,
    body: [
      term.mergedInto !== null
        ? h("p.note", link(`${TAGS}/${term.mergedInto}`, t("mergedHere")))
        : !isActive && h("p.note", t("inactiveText")),
      h(
        "div.two",
        h(
          "div.aside",
          objectActs({
            title: term.name,
            edit: isActive && `${page}/edit`,
            more: [
              link(`${page}/history`, t("history")),
              isActive && isCategory &&
              link(`${TAGS}/categories/new?parent=${term.termId}`, t("newSubcategory")),
              ...termActs(term),
            ],
            of: [termSymbol(term.kind), h("strong", label(isCategory ? "category" : "tag"))],
          }),
          valuesList(fields, values),
          h(
            "p.quiet.small",
            link(TAGS, t("tagsTitle")),
            parent && [" › ", termLink({ termId: parent.value, name: parent.label })],
          ),
        ),
        h("div", assignments),
        h("div.aside", rootFacts(term)),
      ),
    ],
  };
}

/** @type {ChangeNames} */
const CHANGES = {
  RENAMED: "renamed",
  MOVED: "moved",
  DEACTIVATED: "deactivated",
  REACTIVATED: "reactivated",
  MERGED: "merged",
};

/** Name, place and use, and the fields of a patch. */
const COMPARED = ["name", "parentId", "active", ...PATCHED];

/** @type {Page} */
export async function termHistory(visit) {
  const term = await readTerm(visit.params.id);
  const { page, api } = pathsOf(term);
  const { items } = await get(`${CATEGORIES_API}?inactive=include&limit=100`);
  const names = new Map(items.map(({ termId, name }) => [termId, name]));
  const parent = {
    label: t("parentCategory"),
    text: (/** @type {any} */ { parentId }) => names.get(parentId) ?? parentId ?? "",
  };
  const fields = await fieldsNamed(COMPARED);
  return thingHistory(visit, {
    page,
    api,
    fields: fields.map((field) => field.name === "parentId" ? { ...field, ...parent } : field),
    isFixed: !term.active,
    fixed: COMPARED.filter((name) => !PATCHED.includes(name)),
    nameOf: ({ name }) => name,
    changes: CHANGES,
    earlier: (revision) => `${api}/revisions/${revision}`,
  });
}
