/** Adds, corrects and retracts details of a person. */

import { askButton, button } from "../../core/acts/buttons.js";
import { quietForm } from "../../core/acts/line_forms.js";
import { withSession } from "../../core/acts/password.js";
import { repeatable, showTexts, textsOf } from "../../core/acts/texts.js";
import { watchFields } from "../../core/acts/unsaved.js";
import { icon } from "../../core/base/icons.js";
import { hasCode } from "../../core/base/api.js";
import { announceChange } from "../../core/base/changes.js";
import { h } from "../../core/base/elements.js";
import { newKey } from "../../core/base/keys.js";
import { t } from "../../core/base/language.js";
import { sendOrQueue } from "../../core/browser_outbox/sending.js";
import { ask } from "../../fields/controls/forms.js";
import { lineField } from "../../fields/controls/lines.js";
import { menuButton } from "../parts/menu.js";
import { guessDetail } from "../people_entries/details.js";
import { privacyButton, retractButton } from "../people_entries/entries.js";
import { detailBody, detailFields, textsOfDetail } from "./fields.js";

const PRIVATE = { privacy: "PRIVATE" };

/** Accepts a phone number, an email or an address, then Enter. @param {Paths} paths */
export function reachBox({ api }) {
  const field = lineField({
    name: "value",
    label: t("addReach"),
    required: true,
    sensitive: true,
    words: true,
  });
  const sendDetail = repeatable();
  const path = `${api}/details`;
  return quietForm(field, t("add"), async () => {
    await sendDetail("POST", path, { body: { ...guessDetail(field.text()), ...PRIVATE } });
    announceChange(path);
  });
}

/** The kinds of detail that the buttons add. */
const ADDED = /** @type {const} */ ([
  { title: "addAddress", kind: "ADDRESS" },
  { title: "addDate", kind: "DATE" },
  { title: "addRelation", kind: "LINK" },
  { title: "addName", kind: "NAME" },
  { title: "addWork", kind: "ORGANIZATION" },
]);

/** @param {Paths} paths @param {string} personId */
export function addMenu({ api }, personId) {
  const items = ADDED.map(({ title, kind }) =>
    askButton(
      { path: `${api}/details`, name: t(title), title: t(title), done: t("kept") },
      () => detailFields(kind, personId),
      (texts) => ({ kind, ...detailBody(kind, texts), ...PRIVATE }),
    )
  );
  return menuButton(icon("add"), t("addTo", { name: t("details") }), items);
}

/**
 * Records the corrected detail, which replaces the present one.
 * @param {any} detail
 * @param {DetailPlace} place
 */
export function editButton(detail, place) {
  const { api, name } = place;
  const { kind, value } = detail;
  const sendDetail = repeatable();
  /** Those to end: also one of a former try with another text. */
  const former = new Set([detail.detailId]);
  const title = t("editDetail", { value: name });
  const act = { path: api, name: "", label: title, done: t("kept") };
  const edit = button(act, async () => {
    const fields = await detailFields(kind, detail.personId, value);
    showTexts(fields, textsOfDetail(detail));
    const shown = JSON.stringify(textsOf(fields));
    const isSent = watchFields(fields);
    return await ask({ title, action: t("keep"), fields }, async () => {
      const texts = textsOf(fields);
      if (JSON.stringify(texts) === shown) return;
      const body = { ...membersOf(detail), ...detailBody(kind, texts, value) };
      const { data } = await withSession(() => sendDetail("POST", api, { body }));
      former.add(data.detailId);
      for (const id of former) if (id !== data.detailId) await replace(id, data.detailId, place);
      announceChange(api);
    }).finally(isSent);
  });
  edit.className = "act";
  edit.title = title;
  edit.append(icon("edit"));
  return edit;
}

/** The members that a correction keeps. @param {any} detail */
function membersOf({ kind, label, preferred, note, effectivePrivacy: privacy }) {
  return {
    kind,
    ...(label !== null && kind !== "DATE" && { label }),
    ...(note !== null && { note }),
    preferred,
    privacy,
  };
}

/**
 * Once the new detail is stored, this waits in the outbox rather than fail.
 * @param {string} detailId
 * @param {string} supersededBy
 * @param {{ api: string, page: string }} place
 */
async function replace(detailId, supersededBy, { api, page }) {
  const body = { kind: "SUPERSEDED", supersededBy };
  const path = `${api}/${detailId}/control`;
  try {
    await sendOrQueue({ method: "POST", path, body, key: newKey(), page, brief: false });
  } catch (error) {
    // It has already ended elsewhere.
    if (!hasCode(error, "RELATIONSHIP_ENTRY_CONFLICT")) throw error;
  }
}

/**
 * Menu with further links of a detail and its controls; empty if there are none.
 * @param {any} detail @param {DetailPlace & { isOpen: boolean }} place
 * @param {readonly WayLink[]} links
 */
export function detailMenu(detail, { api, name, when, isOpen }, links) {
  const place = { api, id: detail.detailId, when };
  const ways = links.map(({ href, word, name }) => h("a", { href, "aria-label": name }, word));
  const ends = isOpen ? [retractButton(place), privacyButton(detail, place)] : [];
  const items = [...ways, ...ends].filter((item) => item !== null);
  return items.length === 0 ? [] : menuButton(icon("actions"), t("moreOf", { value: name }), items);
}
