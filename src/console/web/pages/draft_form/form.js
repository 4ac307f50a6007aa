/** The form of an object, whose every keystroke is stored as a draft until the service has it. */

import { withSession } from "../../core/acts/password.js";
import { delayed } from "../../core/acts/typing.js";
import { watchForm } from "../../core/acts/unsaved.js";
import { ApiError, hasCode } from "../../core/base/api.js";
import { onChange } from "../../core/base/changes.js";
import { announce, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { thisVisit, visit } from "../../core/base/visits.js";
import { isOfDraft } from "../../core/browser_outbox/drafts.js";
import { form } from "../../fields/controls/forms.js";
import { timeText } from "../../fields/shown/times.js";
import { files } from "./catalog_fields.js";
import { DraftEditor, outboxStatus, parts } from "./editor.js";
import { followTitle } from "./titles.js";

/**
 * The places of the form of an object in a list.
 * @param {string} list
 * @param {string | undefined} id Undefined for a new object.
 * @param {(stored: any) => string} name
 * @returns {FormPlaces}
 */
export function placesOf(list, id, name) {
  const isNew = id === undefined;
  const left = isNew ? list : `${list}/${id}`;
  return { page: `${left}/${isNew ? "new" : "edit"}`, kept: (id) => `${list}/${id}`, left, name };
}

/**
 * The form that a line of a list opens has a draft of its own.
 * @param {string} page
 */
function withLine(page) {
  const line = new URLSearchParams(location.search).get("line");
  return line === null || page.includes("?") ? page : `${page}?line=${encodeURIComponent(line)}`;
}

/** @param {Editable} editable @param {FormPlaces} places @returns {Promise<Content>} */
export async function draftForm(editable, places) {
  const { name, about, code } = places;
  const page = withLine(places.page);
  const editor = new DraftEditor(editable, page);
  // Without a connection a form accepts no files.
  const accepts = code !== undefined && may("attachment.write");
  const loading = accepts ? files().catch(() => null) : null;
  await editor.open();
  followTitle(editor.fields, editor.isNew);
  await editable.arrange?.(editor.fields);
  const shown = new DraftForm(editor, { ...places, page });
  await shown.note.find(editor.draft.sent);
  if (accepts) (await loading)?.takeFiles(shown.element, editor.fields, code);
  shown.watch();
  setTimeout(() => void Promise.all([parts(), import("../drafts/captures.js")]).catch(() => {}));
  const { at } = editor.draft;
  return {
    title: t(editor.isNew ? "newOf" : "editOf", { name: name(editor.stored) }),
    body: [
      about !== undefined && h("p", about),
      at > 0 && h("p.note", t("draftFound", { time: timeText(at) })),
      shown.note.element,
      shown.element,
    ],
  };
}

class DraftForm {
  #isSending = false;
  /** @type {Promise<boolean> | null} A running merge; resolves to whether there are differences. */
  #merging = null;

  /** @param {DraftEditor} editor @param {FormPlaces} places */
  constructor(editor, places) {
    this.editor = editor;
    this.places = places;
    this.note = outboxStatus((data) =>
      this.#finish(data && editor.editable.idOf(data), thisVisit())
    );
    this.draft = delayed(() => editor.keep());
    const discard = h("button.plain", { onclick: () => this.#discard() }, t("discard"));
    const { fields, shown, editable } = editor;
    const isFolded = editable.question !== undefined;
    const parts = { beside: [discard], shown, isFolded };
    this.element = form(fields, t("keep"), () => this.#submit(), parts);
  }

  /** Stores the texts while they are typed, and follows other tabs. */
  watch() {
    const { editor, draft, note, element } = this;
    watchForm({
      isUnsaved: () => draft.isDue() || !editor.isKept,
      save: draft.now,
      cancel: draft.cancel,
    });
    element.addEventListener("input", () => {
      note.dequeue();
      draft.soon();
    });
    // Other tabs follow the one that is typed in.
    addEventListener("storage", (event) => {
      if (draft.isDue() || !isOfDraft(event, this.places.page)) return;
      editor.reload();
      void note.find(editor.draft.sent);
    }, { signal: thisVisit() });
    const { one } = editor.editable;
    if (one !== null) onChange(one, () => this.#onRemoteChange(), thisVisit());
  }

  async #submit() {
    this.#isSending = true;
    await this.#send().finally(() => this.#isSending = false);
  }

  async #send() {
    const { editor, draft, note, element, places: { underWay } } = this;
    const here = thisVisit();
    draft.now();
    // Show another tab's change before sending.
    if (await this.#merging) return element.querySelector("section")?.focus();
    if (underWay !== undefined) announce(underWay);
    try {
      const id = await withSession(() => editor.send());
      if (id !== null) return await this.#finish(id, here);
      if (here.aborted) announce(t("notSentYet"));
      else note.show(editor.draft.sent ?? "");
    } catch (error) {
      if (!hasCode(error, "REVISION_CONFLICT")) throw error;
      if (here.aborted) return announce(t("changedElsewhere"));
      const { notice } = await this.#mergeRemote();
      element.prepend(notice);
      notice.focus();
    }
  }

  /** @param {string | null} id @param {AbortSignal} here */
  async #finish(id, here) {
    const { kept, left } = this.places;
    this.editor.end();
    announce(t("kept"));
    await visit(id === null ? left : kept(id), here);
  }

  async #discard() {
    const { draft, editor } = this;
    draft.now();
    const count = Object.keys(editor.draft.texts).length;
    const { askDiscard } = await parts();
    if (await askDiscard(count, () => editor.discard())) await visit(this.places.left);
  }

  async #mergeRemote() {
    const { editor, element } = this;
    const [{ conflictNotice }, found] = await Promise.all([parts(), editor.mergeRemote()]);
    element.querySelector("section")?.remove();
    const differs = found.taken.length + found.contested.length > 0;
    return { differs, notice: conflictNotice({ fields: editor.fields, ...found }) };
  }

  /** If another tab's change cannot be read now, the conflict shows it. */
  #onRemoteChange() {
    if (this.#isSending || this.#merging !== null) return;
    if (this.element.querySelector("section") !== null) return;
    this.#merging = this.#showRemoteChange().finally(() => this.#merging = null);
  }

  async #showRemoteChange() {
    this.draft.now();
    try {
      const { notice, differs } = await this.#mergeRemote();
      if (differs) this.element.prepend(notice);
      return differs;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return false;
    }
  }
}
