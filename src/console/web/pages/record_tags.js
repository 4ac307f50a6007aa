/** Tags of a record, which can be added here, and other records that carry them. */

import { actButton, repeatable, watchFields, withSession } from "../core/acts.js";
import { announce, ApiError, fill, h, send, t, thisVisit, visit } from "../core/base.js";
import { form, lineField } from "../fields/controls.js";
import { labelOfOne, recordPath } from "../core/names.js";

const API = "/api/v2/taxonomy";
const MAX_RELATED = 5;

/**
 * Filled once they are read; empty if they cannot be.
 * @param {Session} session
 * @param {string} moduleCode
 * @param {string} recordId
 * @param {string} page Shows the record.
 */
export function tagsSection(session, moduleCode, recordId, page) {
  const section = h("section");
  const show = async () => {
    const shown = await tagsPart(session, { moduleCode, recordId }, page).catch((error) => {
      if (error instanceof ApiError) return [];
      throw error;
    });
    fill(section, ...shown);
  };
  if (session.permissions.includes("taxonomy.read") && moduleCode !== "taxonomy") void show();
  return section;
}

/** @param {Session} session @param {Tagged} record @param {string} page */
async function tagsPart(session, record, page) {
  const asked = new URLSearchParams({ ...record, limit: "100" });
  const { data: { items } } = await send("GET", `${API}/assignments?${asked}`);
  const mayWrite = session.permissions.includes("taxonomy.write");
  const tag = (/** @type {any} */ { termId, name }) =>
    h(
      "li",
      h("a", { href: `/console/tags/${termId}` }, name),
      mayWrite && actButton(session, {
        path: `${API}/assignments/remove`,
        page,
        body: { termId, ...record },
        name: "×",
        label: t("removeTag", { tag: name }),
        done: t("tagRemoved"),
      }),
    );
  return [
    items.length > 0 && h("h2", t("tagsOf")),
    items.length > 0 && h("ul.tags", items.map(tag)),
    mayWrite && tagForm(session, record, page),
    ...await relatedPart(items[0], record.recordId),
  ];
}

/**
 * Accepts a name, then Enter; creates the tag if there is none of this name.
 * @param {Session} session
 * @param {Tagged} record
 * @param {string} page
 */
function tagForm(session, record, page) {
  const name = lineField({ name: "tagName", label: t("addTagTitle"), required: true, words: true });
  const [sendTag, sendAssignment] = [repeatable(), repeatable()];
  const isSent = watchFields([name]);
  const find = async (/** @type {string} */ q) => {
    const { data } = await send("POST", `${API}/search`, { body: { q, kind: "TAG", limit: 1 } });
    const [found] = data.items;
    return found?.matched.text.toLowerCase() === q.toLowerCase() ? found : null;
  };
  const element = form([name], t("addTag"), async () => {
    const here = thisVisit();
    const q = name.text().trim();
    await withSession(session.account.email, async () => {
      const term = await find(q) ??
        (await sendTag("POST", `${API}/tags`, { body: { name: q } })).data;
      const body = { termId: term.termId, ...record };
      await sendAssignment("POST", `${API}/assignments`, { body });
    });
    isSent();
    announce(t("kept"));
    await visit(page, here);
  });
  element.classList.add("one-line");
  return element;
}

/**
 * The newest records with the same tag.
 * @param {any} tag Undefined without one.
 * @param {string} own
 */
async function relatedPart(tag, own) {
  if (tag === undefined) return [];
  const asked = new URLSearchParams({ termId: tag.termId, limit: String(MAX_RELATED + 1) });
  const { data } = await send("GET", `${API}/assignments?${asked}`);
  const others = data.items.filter((/** @type {any} */ { recordId }) => recordId !== own);
  const line = async (/** @type {any} */ { moduleCode, recordId }) => {
    const { data } = await send("GET", `/api/v2/records/${moduleCode}/${recordId}`);
    const title = data.redacted ? t("hidden") : data.title;
    return h(
      "li",
      h("a.words", { href: recordPath(moduleCode, recordId) }, title),
      h("span.quiet.small", labelOfOne(moduleCode)),
    );
  };
  const lines = await Promise.all(others.slice(0, MAX_RELATED).map(line));
  return lines.length === 0
    ? []
    : [h("h2", t("relatedRecords", { tag: tag.name })), h("ul.lines", lines)];
}
