/** Exports of parts of the account. */

import { h, newKey, send, t } from "../core/base.js";
import { withProof, withSession } from "../core/acts.js";
import { choiceField } from "../fields/controls.js";
import { partExport } from "./part_export.js";

/** @param {Session} session */
export function memoryExport(session) {
  const format = chosenField("format", t("memoriesAs"), { MARKDOWN: "Markdown", JSON: "JSON" });
  const secret = secretBox(session, "memory.secret", t("secretMemories"));
  const begin = () => {
    const includeSecret = secret.isChosen();
    const chosen = { format: format.text(), ...(secret.isOffered && { includeSecret }) };
    return parts(
      session,
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

/** @param {Session} session */
export function peopleExport(session) {
  const version = chosenField("version", t("peopleAs"), { "3.0": "3.0", "4.0": "4.0" });
  const secret = secretBox(session, "relationship.ledger.secret", t("secretDetails"));
  const begin = () => {
    const chosen = {
      format: "VCARD",
      version: version.text(),
      ...(secret.isChosen() && { includeSecret: true }),
    };
    return parts(session, "/api/v2/relationship/exports", chosen, {
      purpose: "RELATIONSHIP_EXPORT",
      what: t("exportPeople"),
      thing: t("allPeople"),
    });
  };
  return partExport(t("exportPeople"), [version], begin, secret.elements);
}

/** @param {Session} session */
export function resourceExport(session) {
  const dataset = chosenField("dataset", t("whichResources"), {
    RESOURCES: t("resourcesNow"),
    SNAPSHOTS: t("allMeasurements"),
  });
  const format = chosenField("format", t("resourcesAs"), { CSV: "CSV", JSON: "JSON" });
  return partExport(t("exportResources"), [dataset, format], () => {
    const chosen = { dataset: dataset.text(), format: format.text() };
    return parts(session, "/api/v2/resource/exports", chosen, false);
  });
}

/** @param {Session} session */
export function profileExport({ account: { email } }) {
  const format = chosenField("format", t("profileAs"), { JSON: "JSON", CSV: "CSV" });
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
 * Requests part by part. The first part's proof covers the others.
 * @param {Session} session
 * @param {string} path
 * @param {object} chosen
 * @param {ProvenAct | false} proven
 */
function parts(session, path, chosen, proven) {
  return async (/** @type {string | null} */ cursor) => {
    const body = { ...chosen, ...(cursor !== null && { cursor }) };
    // A repetition with the same key would have no content.
    const ask = (/** @type {string} */ proof) =>
      send("POST", path, { body, key: newKey(), ...(proof !== "" && { proof }) });
    const made = proven && cursor === null
      ? await withProof(session, proven, ask)
      : await withSession(session.account.email, () => ask(""));
    return made && made.data;
  };
}

/** @param {Session} session @param {string} permission @param {string} text */
function secretBox({ permissions }, permission, text) {
  const box = h("input", { type: "checkbox" });
  const isOffered = permissions.includes(permission);
  return {
    isOffered,
    elements: isOffered ? [h("label.choice", box, text)] : [],
    isChosen: () => box.checked,
  };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {Readonly<Record<string, string>>} labels By value; the first is preselected.
 */
function chosenField(name, label, labels) {
  const choices = Object.entries(labels).map(([value, label]) => ({ value, label }));
  const field = choiceField({ name, label, required: true }, choices);
  field.setText(choices[0]?.value ?? "");
  return field;
}
