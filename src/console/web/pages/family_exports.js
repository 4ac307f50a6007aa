import { newKey, send } from "../core/api.js";
import { withSession } from "../core/sign_in_again.js";
import { t } from "../core/text.js";
import { choiceField } from "../fields/choice.js";
import { partExport } from "./part_export.js";

/** @typedef {import("../core/session.js").Session} Session */

/** @param {Session} session */
export function resourceExport({ account: { email } }) {
  const dataset = choiceField({ name: "dataset", label: t("whichResources"), required: true }, [
    { value: "RESOURCES", label: t("resourcesNow") },
    { value: "SNAPSHOTS", label: t("allMeasurements") },
  ]);
  const format = formatField(t("resourcesAs"), ["CSV", "JSON"]);
  dataset.setText("RESOURCES");
  return partExport(t("exportResources"), [dataset, format], () => {
    const chosen = { dataset: dataset.text(), format: format.text() };
    return async (cursor) => {
      const body = { ...chosen, ...(cursor !== null && { cursor }) };
      const ask = () => send("POST", "/api/v2/resource/exports", { body, key: newKey() });
      return (await withSession(email, ask)).data;
    };
  });
}

/** @param {Session} session */
export function profileExport({ account: { email } }) {
  const format = formatField(t("profileAs"), ["JSON", "CSV"]);
  return partExport(t("exportProfile"), [format], () => async () => {
    const path = `/api/v2/identity/exports?format=${format.text().toLowerCase()}`;
    const { data } = await withSession(email, () => send("GET", path));
    const { snapshotsLeftOut: count } = data;
    const left = count > 0 && { note: t("snapshotsLeftOut", { count }) };
    return { ...data, ...left, nextCursor: null };
  });
}

/** @param {Session} session */
export function tagExport({ account: { email } }) {
  return partExport(t("exportTags"), [], () => async () => {
    const { data } = await withSession(email, () => send("GET", "/api/v2/taxonomy/exports"));
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
 * @param {string} label
 * @param {readonly string[]} formats The first is preselected.
 */
function formatField(label, formats) {
  const choices = formats.map((value) => ({ value, label: value }));
  const field = choiceField({ name: "format", label, required: true }, choices);
  field.setText(formats[0] ?? "");
  return field;
}
