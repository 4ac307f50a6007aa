/** The form of folders of notes, and the parts that every form of a mapping shares. */

import { withSession } from "../core/acts/password.js";
import { h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { readAll } from "../core/base/reads.js";
import { send } from "../core/base/sender.js";
import { thisVisit, visit } from "../core/base/visits.js";
import { labelled } from "../core/names.js";
import { choiceField, choicesOf } from "../fields/controls/choices.js";
import { form } from "../fields/controls/forms.js";
import { lineField } from "../fields/controls/lines.js";
import { deviceZone, offsetText } from "../logic/local_time.js";
import { API } from "./import_parts.js";

/**
 * The texts that are not empty, by field.
 * @param {readonly Pick<Field, "name" | "text">[]} fields
 */
export function answered(fields) {
  const texts = fields.map(({ name, text }) => [name, text()]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

/** @param {any} data @param {() => unknown} mapping */
export function sending({ importId }, mapping) {
  return async () => {
    const [here, page] = [thisVisit(), location.pathname];
    const path = `${API}/${importId}/mapping`;
    await withSession(() => send("PUT", path, { body: mapping() }));
    await visit(page, here);
  };
}

/** @param {any} data */
export function zoneField({ mapping }) {
  const offset = offsetText(-new Date().getTimezoneOffset());
  const initial = mapping?.timeZone ?? deviceZone() ?? offset;
  const row = { name: "timeZone", label: t("importZone"), hint: t("importZoneHint"), initial };
  return lineField(row);
}

/** The zone, if there is one. @param {Field} zone */
export function zoneOf({ text }) {
  const timeZone = text().trim();
  return timeZone === "" ? {} : { timeZone };
}

/** For texts that are not UTF-8. @param {any} mapping */
export function encodingField(mapping) {
  const row = { name: "encoding", label: t("encoding"), hint: t("encodingHint") };
  return choiceField(
    { ...row, initial: mapping?.encoding ?? "" },
    choicesOf({ "windows-1252": t("encodingWindows"), cp437: t("encodingDos") }),
  );
}

const MAX_FOLDERS = 50;

/** Folded, unless the file needs it or it was used. @type {MappingForm} */
export async function folderForm(data) {
  const items = await readAll(`${API}/${data.importId}/items?limit=100`);
  const { mapping } = data;
  const known = mapping?.folders ?? {};
  const paths = items.flatMap(({ entry, outcome }) =>
    entry === null || outcome === "REFUSED" ? [] : [entry]
  );
  const folders = foldersOf(Object.keys(known), paths).sort().slice(0, MAX_FOLDERS);
  const choices = [
    ...labelled(["knowledge", "memory", "capture"]),
    { value: "leave", label: t("leaveOut") },
  ];
  const fields = folders.map((name) => {
    const label = name === "" ? t("topFolder") : name;
    return choiceField({ name, label, initial: known[name] ?? "" }, choices);
  });
  const dates = choiceField(
    { name: "dates", label: t("datesAlso"), initial: mapping?.dates ?? "" },
    choicesOf({ DMY: "31/12/2021", MDY: "12/31/2021" }),
  );
  const [zone, encoding] = [zoneField(data), encodingField(mapping)];
  const inlineTags = h("input", { type: "checkbox", checked: mapping?.inlineTags === true });
  const submit = sending(data, () => ({
    folders: answered(fields),
    ...answered([dates, encoding]),
    ...zoneOf(zone),
    ...(inlineTags.checked && { inlineTags: true }),
  }));
  const tagsRow = h("label.choice", inlineTags, t("inlineTags"));
  const needsEncoding = data.rules.some((/** @type {any} */ { rule }) => rule === "text.utf8");
  return [
    h(
      "details.more",
      { open: mapping !== null || needsEncoding },
      h("summary", t("mapFolders")),
      form([...fields, dates, zone, encoding], t("planAgain"), submit, { before: [tagsRow] }),
    ),
  ];
}

/**
 * The known folders and the first folder of each path; below a sole folder at the top, the second.
 * @param {readonly string[]} known @param {readonly string[]} paths
 */
function foldersOf(known, paths) {
  const tops = new Set([...known, ...paths].map((path) => path.split("/", 1)[0]));
  const depth = tops.size === 1 ? 2 : 1;
  const found = paths.map((path) => path.split("/").slice(0, -1).slice(0, depth).join("/"));
  return [...new Set([...known, ...found])];
}
