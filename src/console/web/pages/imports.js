/** The list of imports with the choice of a file, and imports of this service's own files. */

import { withSession } from "../core/acts/password.js";
import { repeatable } from "../core/acts/texts.js";
import { ApiError } from "../core/base/api.js";
import { announce, fill, h, link } from "../core/base/elements.js";
import { drawing, icon } from "../core/base/icons.js";
import { t } from "../core/base/language.js";
import { thisVisit, visit } from "../core/base/visits.js";
import { labelled, notFound } from "../core/names.js";
import { pageLink } from "../core/names.js";
import { choiceField, chosenField } from "../fields/controls/choices.js";
import { form, row } from "../fields/controls/forms.js";
import { lineField } from "../fields/controls/lines.js";
import { pickedFile } from "../fields/files/picked.js";
import { upload } from "../fields/files/upload.js";
import { sizeText } from "../fields/shown/figures.js";
import { timeTag } from "../fields/shown/times.js";
import { IMPORT_FORMATS } from "../logic/import_formats.js";
import {
  API,
  formatTitle,
  keepFile,
  PAGE,
  parsed,
  stateSymbol,
  stateWord,
} from "./import_parts.js";
import { listPage } from "./parts/lists.js";
import { settingGroup, settingRow } from "../fields/controls/settings.js";

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

/** @type {Page} */
export async function importsPage({ query }) {
  const { title, body } = await listPage(query, {
    title: t("imports"),
    api: API,
    none: t("noImports"),
    above: (items) => chooser(query, items),
    line: ({ importId, name, format, createdAt, size, state }) =>
      row({
        anchor: h("span.anchor.symbol", icon(stateSymbol(state))),
        name: link(`${PAGE}/${importId}`, name ?? formatTitle(format), "words"),
        facts: [stateWord(state), formatTitle(format), sizeText(size), timeTag(createdAt)],
      }),
  });
  const own = settingGroup([
    settingRow({ symbol: "account", name: t("importProfile"), href: `${PAGE}/own/profile` }),
    settingRow({ symbol: "tags", name: t("importTags"), href: `${PAGE}/own/tags` }),
    settingRow({ symbol: "download", name: t("exportsAndBackups"), href: "/console/export" }),
  ], t("ownFiles"));
  return { title, body: [...body, own] };
}

/** The service recognizes the format, unless one is chosen. */
const AUTO = "auto";

/** @param {URLSearchParams} query @param {readonly Import[]} earlier */
function chooser(query, earlier) {
  const symbol = drawing("bring");
  const { file, input, progress } = pickedFile(t("importFile"), t("sending"), undefined, symbol);
  const initial = query.get("format") ?? "";
  const format = choiceField(
    { name: "format", label: t("importedFrom"), none: t("recognize"), initial },
    labelled(Object.keys(IMPORT_FORMATS), formatTitle)
      .toSorted((one, other) => one.label.localeCompare(other.label)),
  );
  const name = lineField({ name: "name", label: t("sourceName"), hint: t("sourceNameHint") });
  const keep = h("input", { type: "checkbox", checked: true });
  const keepRow = h("label.choice", keep, t("keepOriginal"));
  const submit = async () => {
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const here = thisVisit();
    const former = formerImport(chosen, earlier);
    const parameters = new URLSearchParams({
      format: format.text() || AUTO,
      name: name.text().trim() || former?.name || nameOf(chosen),
      filename: [...chosen.name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")].slice(0, 200).join(""),
      keepOriginal: String(keep.checked),
    });
    const importId = await uploadImport(chosen, parameters, progress);
    keepFile(importId, chosen);
    await visit(`${PAGE}/${importId}`, here);
  };
  const element = form([file, format, name], t("lookAtFile"), submit, { shown: 1 });
  element.querySelector("details")?.append(keepRow);
  return h(
    "div",
    h("p", t("importsText")),
    element,
    h("p.quiet.small", t("importsOf"), " ", link(`${PAGE}/from`, t("comingFrom"))),
    h("h2", t("earlierImports")),
  );
}

/** @param {File} file @param {URLSearchParams} parameters @param {HTMLProgressElement} progress */
async function uploadImport(file, parameters, progress) {
  progress.hidden = false;
  const headers = { "Content-Type": "application/octet-stream" };
  const send = () => upload(`${API}?${parameters}`, file, headers, (part) => progress.value = part);
  try {
    return (await withSession(send).catch(withFormats)).importId;
  } finally {
    progress.hidden = true;
  }
}

/**
 * An earlier import of the file by a release whose sources had the whole name: with the same source
 * nothing comes in twice.
 * @param {File} file @param {readonly Import[]} earlier
 */
function formerImport({ name }, earlier) {
  return earlier.find((each) => each.source === `${each.format}:${name.slice(0, 100)}`);
}

/** The file's name without its ending. @param {File} file */
function nameOf({ name }) {
  const whole = name.slice(0, 100);
  return whole.replace(/(?:\.(?:csv|tsv|json|tar))?\.[^.]{1,12}$/, "") || whole;
}

/** Names the formats that a refused file looks like. @param {any} error @returns {never} */
function withFormats(error) {
  const { code, details } = error;
  const formats = details?.looksLike?.map(formatTitle).join("; ");
  if (!formats) throw error;
  const parts = h("p", t("looksLike", { formats }));
  throw new ApiError(code, { ...error, details: { ...details, parts } });
}
