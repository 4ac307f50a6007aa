/** The form of an object. */

import { withSession } from "../../core/acts/password.js";
import { watchForm } from "../../core/acts/unsaved.js";
import { ApiError, hasCode } from "../../core/base/api.js";
import { onChange } from "../../core/base/changes.js";
import { announce, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { thisVisit, visit } from "../../core/base/visits.js";
import { delayed, isOfDraft } from "../../core/browser_outbox/drafts.js";
import { generalPath, labelOfOne, notFound, readModule } from "../../core/names.js";
import { form } from "../../fields/controls/forms.js";
import { firstTexts, needed, optional } from "../../fields/shown/texts.js";
import { thisMinute, timeText } from "../../fields/shown/times.js";
import { viewOf } from "../parts/views.js";
import { files } from "./catalog_fields.js";
import { DraftEditor, outboxStatus, parts } from "./editor.js";

/** Their forms wait for "Add files" below their text. */
const SHOWS_FILES = ["knowledge", "timeline"];

/** A module's own title is the record's until it is changed. @param {readonly Field[]} fields */
function followTitle(fields) {
  const title = fields.find(({ name }) => name === "title");
  const own = fields.find(({ name, required }) => required && /.(Title|Name)$/.test(name));
  let last = title?.text();
  title?.element.addEventListener("input", () => {
    if (own?.text() === last) own?.setText(title.text());
    last = title.text();
  });
}

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

/** The draft of an entered line has an address of its own. @param {string} page */
function withLine(page) {
  const line = new URLSearchParams(location.search).get("line");
  return line === null || page.includes("?") ? page : `${page}?line=${encodeURIComponent(line)}`;
}

/**
 * A form whose every keystroke is stored as a draft until the service has it.
 * @param {Editable} editable
 * @param {FormPlaces} places
 */
export async function draftForm(editable, places) {
  const { kept, left, name, about, underWay, code } = places;
  const page = withLine(places.page);
  const editor = new DraftEditor(editable, page);
  await editor.open();
  const note = outboxStatus((data) => finish(data && editable.idOf(data), thisVisit()));
  await note.find(editor.draft.sent);
  const draft = delayed(() => editor.keep());
  watchForm({
    isUnsaved: () => draft.isDue() || !editor.isKept,
    save: draft.now,
    cancel: draft.cancel,
  });

  const mergeRemote = async () => {
    const [{ conflictNotice }, found] = await Promise.all([parts(), editor.mergeRemote()]);
    element.querySelector("section")?.remove();
    const differs = found.taken.length + found.contested.length > 0;
    return { differs, notice: conflictNotice({ fields: editor.fields, ...found }) };
  };
  let isSending = false;
  /** @type {Promise<boolean> | null} A running merge; resolves to whether there are differences. */
  let merging = null;
  const submit = async () => {
    isSending = true;
    await sendIt().finally(() => isSending = false);
  };
  const sendIt = async () => {
    const here = thisVisit();
    draft.now();
    // Show another tab's change before sending.
    if (await merging) return element.querySelector("section")?.focus();
    if (underWay !== undefined) announce(underWay);
    try {
      const id = await withSession(() => editor.send());
      if (id !== null) return await finish(id, here);
      if (here.aborted) announce(t("notSentYet"));
      else note.show(editor.draft.sent ?? "");
    } catch (error) {
      if (!hasCode(error, "REVISION_CONFLICT")) throw error;
      if (here.aborted) return announce(t("changedElsewhere"));
      const { notice } = await mergeRemote();
      element.prepend(notice);
      notice.focus();
    }
  };
  const finish = async (/** @type {string | null} */ id, /** @type {AbortSignal} */ here) => {
    editor.end();
    announce(t("kept"));
    await visit(id === null ? left : kept(id), here);
  };
  const discard = async () => {
    draft.now();
    const count = Object.keys(editor.draft.texts).length;
    const { askDiscard } = await parts();
    if (await askDiscard(count, () => editor.discard())) await visit(left);
  };
  const beside = [h("button.plain", { onclick: discard }, t("discard"))];
  const { fields, shown: count } = editor;
  if (editor.isNew) followTitle(fields);
  const element = form(fields, t("keep"), submit, { beside, shown: count });
  element.addEventListener("input", () => {
    note.dequeue();
    draft.soon();
  });

  // Without a connection a form accepts no files.
  const accepting = code !== undefined && may("attachment.write") &&
    files().then(({ takeFiles }) => takeFiles(element, fields, code)).catch(() => {});
  if (SHOWS_FILES.includes(code ?? "")) await accepting;

  // Other tabs follow the one that is typed in.
  addEventListener("storage", (event) => {
    if (draft.isDue() || !isOfDraft(event, page)) return;
    editor.reload();
    void note.find(editor.draft.sent);
  }, { signal: thisVisit() });

  // If another tab's change cannot be read now, the conflict shows it.
  const onRemoteChange = () => {
    if (isSending || merging !== null || element.querySelector("section") !== null) return;
    merging = showRemoteChange().finally(() => merging = null);
  };
  const showRemoteChange = async () => {
    draft.now();
    try {
      const { notice, differs } = await mergeRemote();
      if (differs) element.prepend(notice);
      return differs;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return false;
    }
  };
  if (editable.one !== null) onChange(editable.one, onRemoteChange, thisVisit());
  setTimeout(() => void Promise.all([parts(), import("../drafts/captures.js")]).catch(() => {}));

  const { at } = editor.draft;
  return {
    title: t(editor.isNew ? "newOf" : "editOf", { name: name(editor.stored) }),
    body: [
      about !== undefined && h("p", about),
      at > 0 && h("p.note", t("draftFound", { time: timeText(at) })),
      note.element,
      element,
    ],
  };
}

/** @type {(module: CatalogModule, recordId: string | undefined, first: Texts) => Editable} */
function editableRecord({ code, fields }, recordId, first) {
  const list = `/api/v2/records/${code}`;
  return {
    fields: [
      needed("title", "text", { maximumLength: 200 }),
      optional("summary", "textarea", { maximumLength: 1_000 }),
      ...fields,
    ],
    list,
    one: recordId === undefined ? null : `${list}/${recordId}`,
    first,
    matters: viewOf(code).facts,
    valuesOf: ({ title, summary, payload }) => ({ ...payload, title, summary }),
    idOf: ({ recordId }) => recordId,
    creation: ({ set: { title, summary, ...payload } }) => ({ title, summary, payload }),
    patch({ set: { title, summary, ...payload }, remove }) {
      const removed = remove.filter((name) => name !== "summary");
      return {
        title,
        summary: remove.includes("summary") ? "" : summary,
        ...(Object.keys(payload).length > 0 && { payload }),
        ...(removed.length > 0 && { payloadRemove: removed }),
      };
    },
  };
}

/** @type {Page} */
export async function recordForm({ params, query }) {
  const module = await readModule(params.module);
  if (module?.entry !== "GENERIC") return notFound();
  const { code, fields } = module;
  const name = (/** @type {any} */ stored) => stored?.title ?? labelOfOne(code);
  const places = placesOf(generalPath(code), params.id, name);
  const first = params.id === undefined ? firstTexts(fields, thisMinute()) : {};
  const editable = editableRecord(module, params.id, first);
  const capture = query.get("capture");
  if (params.id === undefined && capture !== null) {
    const { routing, textsFromCapture } = await import("../drafts/captures.js");
    Object.assign(first, await textsFromCapture(code, capture));
    editable.next = routing(capture, code);
    // A draft of its own, which finds its capture again.
    places.page += `?capture=${encodeURIComponent(capture)}`;
  }
  return await draftForm(editable, { ...places, code });
}
