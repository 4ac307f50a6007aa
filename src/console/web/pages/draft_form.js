/** Forms whose text is kept as a draft. */

import { showTexts, textsOf, watchForm, withSession } from "../core/acts.js";
import {
  announce,
  ApiError,
  failureText,
  fill,
  get,
  h,
  hasCode,
  newKey,
  notLoaded,
  numberText,
  onChange,
  requestKey,
  t,
  thisVisit,
  visit,
} from "../core/base.js";
import {
  delayed,
  dropDraft,
  dropQueued,
  isOfDraft,
  keepDraft,
  listQueued,
  onResult,
  readDraft,
  sendOrQueue,
} from "../core/browser_outbox.js";
import {
  choiceField,
  choicesOf,
  form,
  lineField,
  linesField,
  tagsField,
  timeField,
} from "../fields/controls.js";
import {
  changesOf,
  firstTexts,
  inOrder,
  needed,
  optional,
  thisMinute,
  timeText,
  toText,
} from "../fields/shown.js";
import { generalPath, label, labelled, labelOfOne, notFound, readModule } from "../core/names.js";
import * as localTimes from "../logic/local_time.js";
import { viewOf } from "./parts.js";

/** The form field for a catalog field's edit type. @param {CatalogField} described */
async function catalogField({ name, edit, required, sensitive, options = [], ...rest }) {
  const row = {
    name,
    required,
    sensitive,
    label: rest.label ?? label(name),
    hint: rest.hint ?? hintOf(rest),
  };
  if (rest.make !== undefined) return rest.make(row);
  switch (edit) {
    case "text":
      return lineField({ ...row, words: true });
    case "textarea":
      return linesField(row);
    case "number":
      return lineField({ ...row, inputmode: "decimal" });
    case "select":
      return choiceField(row, rest.choices ?? labelled(options));
    case "boolean":
      return choiceField(row, choicesOf({ true: t("yes"), false: t("no") }));
    case "datetime":
      return timeField(row, localTimes);
    case "tags":
      return tagsField(row);
    case "file":
      return (await import("../fields/file.js")).fileField(row);
    case "json":
      return linesField({ ...row, exact: true });
  }
}

/** @param {{ minimum?: number, maximum?: number }} bounds */
function hintOf({ minimum, maximum }) {
  // Larger bounds only protect the service.
  const [least, most] = [minimum, maximum].map((bound) =>
    bound === undefined || Math.abs(bound) >= 1e9 ? "" : numberText(bound)
  );
  if (least && most) return t("between", { minimum: least, maximum: most });
  if (least) return t("atLeast", { minimum: least });
  return most ? t("atMost", { maximum: most }) : undefined;
}

/** @param {readonly CatalogField[]} fields */
function namesOf(fields) {
  return new Set(fields.map(({ name }) => name));
}

/** A form of a new or changed object: fields, draft, and the request that saves it. */
class DraftEditor {
  /** @type {any} The service's version; null for a new object. */
  stored = null;
  /** @type {Draft} */
  draft = { base: null, seed: newKey(), sent: null, at: 0, texts: {} };
  /** @type {readonly Field[]} */
  fields = [];
  /** The number of fields before "More". */
  shown = 0;
  /** True if the browser has the latest text. */
  isKept = true;
  /** @type {number | null} The changed revision; the draft's own until a conflict is settled. */
  #base = null;
  /** @type {string | null} The key of the last request. */
  #sent = null;
  #hasEnded = false;
  /** @type {ReadonlySet<string>} The fields of a new form that hold the present time. */
  #opened;

  /** @param {Editable} editable @param {string} path */
  constructor(editable, path) {
    this.editable = editable;
    this.path = path;
    this.isNew = editable.one === null;
    const { fields, first = {} } = editable;
    this.#opened = namesOf(fields.filter(({ name, edit }) => edit === "datetime" && first[name]));
    this.sensitive = namesOf(fields.filter(({ sensitive }) => sensitive));
  }

  async open() {
    const { one, fields } = this.editable;
    if (one !== null) this.stored = this.editable.stored ?? await get(one);
    this.draft = { ...this.draft, base: this.stored?.revision ?? null };
    const ordered = inOrder(fields, this.editable.matters);
    this.shown = ordered.shown;
    this.fields = await Promise.all(ordered.fields.map(catalogField));
    this.reload();
  }

  reload() {
    this.draft = readDraft(this.path) ?? this.draft;
    this.#base = this.draft.base;
    showTexts(this.fields, { ...this.#formerTexts(), ...this.draft.texts });
  }

  keep() {
    if (this.#hasEnded) return;
    const former = this.#formerTexts();
    const held = Object.entries(textsOf(this.fields));
    const changed = held.filter(([name, text]) => text !== former[name]);
    // The time at which the form was opened is part of the request: equal in repetitions.
    const begun = changed.length === 0 ? [] : held.filter(([name]) => this.#opened.has(name));
    const texts = Object.fromEntries([...begun, ...changed]);
    const isSent = JSON.stringify(texts) === JSON.stringify(this.draft.texts);
    this.#keep({ at: Date.now(), texts, ...(!isSent && { sent: null }) });
  }

  /** @param {Partial<Draft>} changed */
  #keep(changed) {
    const { sent } = this.draft;
    this.draft = { ...this.draft, ...changed };
    // The queued or refused write has another text than the draft.
    if (sent !== null && sent !== this.draft.sent) void dropQueued(sent);
    this.isKept = keepDraft(this.path, this.draft, this.sensitive);
  }

  /** Removes the saved draft, unless another tab has changed it since. */
  end() {
    this.#hasEnded = this.isKept = true;
    if (readDraft(this.path)?.sent === this.#sent) dropDraft(this.path);
  }

  /** Removes the draft and its queued write. */
  async discard() {
    this.#hasEnded = this.isKept = true;
    dropDraft(this.path);
    if (this.draft.sent !== null) await dropQueued(this.draft.sent);
  }

  /**
   * Saves once, also if called repeatedly; null if it is queued.
   * @returns {Promise<string | null>}
   */
  async send() {
    const { fields, one, idOf, next } = this.editable;
    const former = this.#valuesOf(this.stored);
    const { wrong, ...change } = changesOf(fields, former, textsOf(this.fields));
    if (wrong.length > 0) throw new ApiError("PAYLOAD_INVALID", { details: { fields: wrong } });
    const { set, remove } = change;
    if (one !== null && Object.keys(set).length + remove.length === 0) return idOf(this.stored);
    const request = this.#requestOf(change);
    const key = this.#sent = requestKey(this.draft.seed, request);
    this.#keep({ sent: key, base: this.#base });
    const brief = Object.keys(set).some((name) => this.sensitive.has(name));
    const write = { ...request, key, page: this.path, brief, ...(next && { next }) };
    const sent = await sendOrQueue(write);
    return sent && idOf(one === null ? sent.data : this.stored);
  }

  /** Merges a change made elsewhere and continues from that revision. */
  async mergeRemote() {
    const { one, earlier } = this.editable;
    const revision = this.#base ?? 1;
    const [{ merge }, base, current] = await Promise.all([
      parts(),
      earlier?.(revision) ?? get(`${one}?revision=${revision}`),
      get(`${one}`),
    ]);
    const theirs = this.#textsOf(current);
    const { texts, ...found } = merge(this.#textsOf(base), textsOf(this.fields), theirs);
    this.stored = current;
    this.#base = current.revision;
    showTexts(this.fields, texts);
    this.keep();
    return { theirs, ...found };
  }

  /** @param {FieldChange} change */
  #requestOf(change) {
    const { one, list, creation, patch, changes } = this.editable;
    if (one === null) return { method: "POST", path: list, body: creation(change) };
    const body = { ...patch(change, this.stored), expectedRevision: this.#base };
    return { method: changes ? "POST" : "PATCH", path: changes ?? one, body };
  }

  /** @param {any} shown */
  #valuesOf(shown) {
    return shown === null ? {} : this.editable.valuesOf(shown);
  }

  /** @param {any} shown @returns {Record<string, string>} */
  #textsOf(shown) {
    const values = this.#valuesOf(shown);
    return Object.fromEntries(
      this.editable.fields.map((field) => [field.name, toText(field, values[field.name])]),
    );
  }

  #formerTexts() {
    return { ...this.#textsOf(this.stored), ...this.isNew && this.editable.first };
  }
}

/** @param {(data: any) => void} sent `data` only if this tab sent it. */
function outboxStatus(sent) {
  const element = h("div", { role: "status" });
  let key = "";
  /** Drops late results of earlier searches. */
  let turn = 0;
  let stop = () => {};
  const say = (/** @type {string | null} */ refused) =>
    fill(element, h("p.note", refused === null ? t("notSentYet") : failureText(refused)));
  const clear = () => {
    turn++;
    stop();
    fill(element);
    key = "";
  };
  return {
    element,
    /** Shows a queued write and keeps the status current. */
    show(/** @type {string} */ wanted, /** @type {string | null} */ refused = null) {
      clear();
      key = wanted;
      say(refused);
      stop = onResult(key, ({ refused, data }) => {
        if (refused !== null) return say(refused);
        clear();
        sent(data ?? null);
      });
    },
    /** Shows a write queued earlier, if it still is. */
    async find(/** @type {string | null} */ wanted) {
      if (wanted === null) return clear();
      const mine = ++turn;
      const entry = (await listQueued()).find(({ key }) => key === wanted);
      if (turn !== mine) return;
      if (entry === undefined) clear();
      else this.show(entry.key, entry.refused);
    },
    dequeue() {
      if (key !== "") void dropQueued(key);
      clear();
    },
  };
}

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

/** Loaded after the form is shown, as the page of drafts, to be there without a connection. */
const parts = () => import("./form_parts.js").catch(notLoaded);

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
 * A form whose every keystroke is stored as a draft until the service has it.
 * @param {Editable} editable
 * @param {FormPlaces} places
 */
export async function draftForm(editable, places) {
  const { page, kept, left, name, about, underWay } = places;
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
    await sendIt().catch(explain).finally(() => isSending = false);
  };
  const explain = async (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError)) throw error;
    const { explained } = await parts();
    const explanation = await explained(error.details, editor.fields);
    throw new ApiError(error.code, { ...error, details: { ...error.details, parts: explanation } });
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
  setTimeout(() => void Promise.all([parts(), import("./drafts.js")]).catch(() => {}));

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
    fields: [needed("title", "text"), optional("summary", "textarea"), ...fields],
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
    const { routing, textsFromCapture } = await import("./drafts.js");
    Object.assign(first, await textsFromCapture(code, capture));
    editable.next = routing(capture, code);
    // A draft of its own, which finds its capture again.
    places.page += `?capture=${encodeURIComponent(capture)}`;
  }
  return await draftForm(editable, places);
}
