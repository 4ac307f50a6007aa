/** The full form, filled with the values read from a line. */

import { withSession } from "../../core/acts/password.js";
import { announceFailure } from "../../core/base/api.js";
import { newKey } from "../../core/base/keys.js";
import { send } from "../../core/base/sender.js";
import { visit } from "../../core/base/visits.js";
import { keepDraft } from "../../core/browser_outbox/drafts.js";
import { modulePath, readFields } from "../../core/names.js";
import { toText } from "../shown/texts.js";
import { newUlid } from "../shown/times.js";

/** The fields that hold a text which was not understood; default the title. @type {Texts} */
const NAMES = {
  relationship: "personName",
  taxonomy: "name",
  decision: "question",
  memory: "originalContent",
};

/**
 * Opens the form of a new record. The address of its draft is its own, so it replaces no other.
 * @param {string} list @param {string} text
 * @param {Pick<Understood, "records" | "form">} understood
 */
export async function openFullForm(list, text, { records, form }) {
  const [record, ...others] = records;
  const isWhole = others.length + (record?.details?.length ?? 0) === 0;
  // A form holds one record without details. All other words are kept in the name.
  const body = (isWhole ? record?.body : null) ?? form ?? { [NAMES[list] ?? "title"]: text };
  const page = `${modulePath(list)}/new`;
  if (list !== "memory") return await visit(await draftOf(list, body, page));
  const draftId = newUlid(Date.now());
  try {
    await withSession(() => keepMemory(draftId, body));
    await visit(`${page}?draft=${draftId}`);
  } catch (error) {
    announceFailure(error);
  }
}

/** @param {string} draftId @param {any} content */
function keepMemory(draftId, content) {
  return send("PUT", `/api/v2/memory/drafts/${draftId}`, { body: { draftVersion: 1, content } });
}

/** @param {string} list @param {any} body @param {string} page */
async function draftOf(list, body, page) {
  const fields = await readFields(list);
  const { payload, options, ...others } = body;
  // The form has options as a list of words.
  const values = { ...others, ...payload, ...(options && { options: options.items ?? options }) };
  const texts = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const edit = name === "options"
        ? "tags"
        : fields.find((field) => field.name === name)?.edit ?? "text";
      return [name, toText({ name, edit }, value)];
    }),
  );
  const sensitive = new Set(
    fields.filter((field) => field.sensitive).map(({ name }) => name),
  );
  const path = `${page}?line=${newUlid(Date.now())}`;
  keepDraft(path, { base: null, seed: newKey(), sent: null, at: Date.now(), texts }, sensitive);
  return path;
}
