/** An object's tags. */

import { actButton } from "../../core/acts/buttons.js";
import { quietForm } from "../../core/acts/line_forms.js";
import { repeatable } from "../../core/acts/texts.js";
import { ApiError } from "../../core/base/api.js";
import { fill, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { send } from "../../core/base/sender.js";
import { may } from "../../core/base/session.js";
import { labelOfOne, recordPath } from "../../core/names.js";
import { lineField } from "../../fields/controls/lines.js";

const API = "/api/v2/taxonomy";

const MAX_RELATED = 5;

/**
 * Filled once they are read; empty if they cannot be.
 * @param {string} moduleCode
 * @param {string} recordId
 */
export function tagsSection(moduleCode, recordId) {
  const section = h("section");
  const show = async () => {
    const shown = await tagsPart({ moduleCode, recordId }).catch((error) => {
      if (error instanceof ApiError) return [];
      throw error;
    });
    fill(section, ...shown);
  };
  if (may("taxonomy.read") && moduleCode !== "taxonomy") void show();
  return section;
}

/** @param {Tagged} record */
async function tagsPart(record) {
  const asked = new URLSearchParams({ ...record, limit: "100" });
  const { items } = await get(`${API}/assignments?${asked}`);
  const mayWrite = may("taxonomy.write");
  const lines = items.map(({ termId, name }) =>
    h(
      "li",
      link(`/console/tags/${termId}`, name),
      mayWrite && actButton({
        path: `${API}/assignments/remove`,
        body: { termId, ...record },
        name: "×",
        label: t("removeTag", { tag: name }),
        done: t("tagRemoved"),
      }),
    )
  );
  return [
    ...lines.length > 0 ? [h("h2", t("tags")), h("ul.tags", lines)] : [],
    mayWrite && tagForm(record),
    ...await relatedPart(items[0], record.recordId),
  ];
}

/** Accepts a name, then Enter; creates the tag if its name is new. @param {Tagged} record */
function tagForm(record) {
  const name = lineField({ name: "tagName", label: t("addTagTitle"), required: true, words: true });
  const [sendTag, sendAssignment] = [repeatable(), repeatable()];
  return quietForm(name, t("add"), async () => {
    const q = name.text().trim();
    const { data } = await send("POST", `${API}/search`, { body: { q, kind: "TAG", limit: 1 } });
    const [found] = data.items;
    const isThere = found?.matched.text.toLowerCase() === q.toLowerCase();
    const { termId } = isThere
      ? found
      : (await sendTag("POST", `${API}/tags`, { body: { name: q } })).data;
    await sendAssignment("POST", `${API}/assignments`, { body: { termId, ...record } });
  });
}

/** @param {any} tag @param {string} own */
async function relatedPart(tag, own) {
  if (tag === undefined) return [];
  const asked = `termId=${tag.termId}&limit=${MAX_RELATED + 1}`;
  const { items } = await get(`${API}/assignments?${asked}`);
  const others = items.filter(({ recordId }) => recordId !== own).slice(0, MAX_RELATED);
  const lines = await Promise.all(others.map(async ({ moduleCode, recordId }) => {
    const { redacted, title } = await get(`/api/v2/records/${moduleCode}/${recordId}`);
    return h(
      "li",
      link(recordPath(moduleCode, recordId), redacted ? t("hidden") : title, "words"),
      h("span.quiet.small", labelOfOne(moduleCode)),
    );
  }));
  return lines.length === 0
    ? []
    : [h("h2", t("relatedRecords", { tag: tag.name })), h("ul.lines", lines)];
}
