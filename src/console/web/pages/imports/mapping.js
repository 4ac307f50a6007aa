/** Mapping of columns or folders; its preview is the service's plan. */

import { h, t } from "../../core/base.js";
import { readAll } from "../drafts.js";
import { choiceField, form } from "../../fields/controls.js";
import { label } from "../../core/names.js";
import { categoriesForm } from "./categories.js";
import { csvForm } from "./csv_mapping.js";
import { duplicatesForm } from "./duplicates.js";
import { sending, zoneField } from "./sending.js";

/**
 * @param {Session} session
 * @param {any} data
 * @param {string} page
 * @param {readonly { place: number, title: string }[]} sample
 */
export async function mappingForm(session, data, page, sample) {
  if (data.format === "csv") {
    return [h("h2", t("mapColumns")), await csvForm(session, data, page)];
  }
  if (data.format === "vcard" || data.format === "monica-4") {
    return [
      ...await duplicatesForm(session, data, page, sample),
      ...await categoriesForm(session, data, page),
    ];
  }
  if (data.format !== "markdown") return [];
  return [h("h2", t("mapFolders")), await folderForm(session, data, page)];
}

/** @param {Session} session @param {any} data @param {string} page */
async function folderForm(session, data, page) {
  const items = await readAll(`/api/v2/imports/${data.importId}/items?limit=100`);
  const named = Object.keys(data.mapping?.folders ?? {});
  const found = items.map(({ key }) => key.includes("/") ? key.split("/")[0] : "");
  const folders = [...new Set([...named, ...found])].sort().slice(0, 50);
  const fields = folders.map((folder) => {
    const row = { name: folder, label: folder === "" ? t("topFolder") : folder };
    const field = choiceField(row, [
      { value: "knowledge", label: label("knowledge") },
      { value: "memory", label: label("memory") },
      { value: "capture", label: label("capture") },
      { value: "leave", label: t("leaveOut") },
    ]);
    field.setText(data.mapping?.folders?.[folder] ?? "");
    return { folder, field };
  });
  const zone = zoneField(data);
  const submit = sending(session, data, page, () => ({
    folders: Object.fromEntries(
      fields.map(({ folder, field }) => [folder, field.text()]).filter(([, word]) => word !== ""),
    ),
    ...(zone.text().trim() !== "" && { timeZone: zone.text().trim() }),
  }));
  return form([...fields.map(({ field }) => field), zone], t("planAgain"), submit);
}
