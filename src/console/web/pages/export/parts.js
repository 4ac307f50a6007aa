/** Exports in parts. */

import { withProof, withSession } from "../../core/acts/password.js";
import { fill, h } from "../../core/base/elements.js";
import { newKey } from "../../core/base/keys.js";
import { t } from "../../core/base/language.js";
import { send } from "../../core/base/sender.js";
import { may } from "../../core/base/session.js";
import { chosenField } from "../../fields/controls/choices.js";
import { form } from "../../fields/controls/forms.js";
import { checkedFile } from "../../fields/saved_file.js";
import { counted } from "../../fields/shown/figures.js";

/**
 * Each part is checked and offered before the next is requested.
 * @param {string} action
 * @param {readonly Field[]} fields
 * @param {() => ReadPart} begin Reads the options.
 * @param {readonly Element[]} [before]
 */
function partExport(action, fields, begin, before = []) {
  const parts = h("ol.lines", { hidden: true });
  const state = h("div");
  /** @type {(read: ReadPart, cursor: string | null) => Promise<void>} */
  const take = async (read, cursor) => {
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
    const more = () => form([], t("nextPart"), () => take(read, nextCursor));
    fill(state, nextCursor === null ? h("p", t("lastPart")) : more());
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
  const entries = count === undefined ? "" : counted(count, "entries");
  const text = entries === "" ? note : t("part", { number, entries });
  const file = await checkedFile(blob, { filename: name, sha256 });
  return h("li", text !== undefined && h("p", text), file);
}

export function memoryExport() {
  const what = t("exportMemories");
  const format = chosenField("format", t("memoriesAs"), { MARKDOWN: "Markdown", JSON: "JSON" });
  const secret = secretBox("memory.secret", t("secretMemories"));
  const begin = () => {
    const chosen = { format: format.text(), ...secret.chosen() };
    const thing = t("secretMemories");
    return parts(
      "/api/v2/memory/exports",
      chosen,
      chosen.includeSecret ? { purpose: "MEMORY_SECRET_EXPORT", what, thing } : null,
    );
  };
  return partExport(what, [format], begin, secret.elements);
}

export function peopleExport() {
  const what = t("exportPeople");
  const version = chosenField("version", t("peopleAs"), { "3.0": "3.0", "4.0": "4.0" });
  const notes = h("input", { type: "checkbox", checked: true });
  const secret = secretBox("relationship.ledger.secret", t("secretDetails"));
  const begin = () => {
    const included = { includeNotes: notes.checked, ...secret.chosen() };
    const chosen = { format: "VCARD", version: version.text(), ...included };
    return parts("/api/v2/relationship/exports", chosen, {
      purpose: "RELATIONSHIP_EXPORT",
      what,
      thing: t("allPeople"),
    });
  };
  const boxes = [h("label.choice", notes, t("withNotes")), ...secret.elements];
  return partExport(what, [version], begin, boxes);
}

export function resourceExport() {
  const dataset = chosenField("dataset", t("whichResources"), {
    RESOURCES: t("resourcesNow"),
    SNAPSHOTS: t("allMeasurements"),
  });
  const format = chosenField("format", t("resourcesAs"), { CSV: "CSV", JSON: "JSON" });
  return partExport(t("exportResources"), [dataset, format], () => {
    const chosen = { dataset: dataset.text(), format: format.text() };
    return parts("/api/v2/resource/exports", chosen, null);
  });
}

export function profileExport() {
  const format = chosenField("format", t("profileAs"), { JSON: "JSON", CSV: "CSV" });
  return partExport(t("exportProfile"), [format], () => async () => {
    const path = `/api/v2/identity/exports?format=${format.text().toLowerCase()}`;
    const { data } = await withSession(() => send("GET", path));
    const { snapshotsLeftOut: count } = data;
    const left = count > 0 && { note: t("snapshotsLeftOut", { count }) };
    return { ...data, ...left, nextCursor: null };
  });
}

export function tagExport() {
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
 * @type {(path: string, chosen: object, proven: ProvenAct | null) => ReadPart}
 */
export function parts(path, chosen, proven) {
  return async (cursor) => {
    const body = { ...chosen, ...(cursor !== null && { cursor }) };
    const ask = (/** @type {{ proof?: string }} */ proof) =>
      // A repetition with the same key would have no content.
      send("POST", path, { body, key: newKey(), ...proof });
    const made = proven !== null && cursor === null
      ? await withProof(proven, (proof) => ask({ proof }))
      : await withSession(() => ask({}));
    return made && made.data;
  };
}

/** Nothing without the permission. @param {string} permission @param {string} text */
function secretBox(permission, text) {
  const box = h("input", { type: "checkbox" });
  const isOffered = may(permission);
  return {
    elements: isOffered ? [h("label.choice", box, text)] : [],
    chosen: () => isOffered ? { includeSecret: box.checked } : {},
  };
}
