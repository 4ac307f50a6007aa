/** Forms whose text is kept as a draft. */

import { showTexts, textsOf, watchForm } from "../core/acts.js";
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
  send,
  t,
  thisVisit,
  timeText,
  visit,
} from "../core/base.js";
import { delayed, dropDraft, isOfDraft, keepDraft, readDraft } from "../core/browser_outbox.js";
import {
  choiceField,
  choicesOf,
  field,
  form,
  lineField,
  linesField,
  newId,
  tagsField,
} from "../fields/controls.js";
import { changesOf, firstTexts, inOrder, localTime, toInstant } from "../fields/shown.js";
import { label, labelled, labelOfOne, notFound, readModule } from "../core/names.js";
import { editableRecord, requestOf, shownTexts, shownValues } from "./parts.js";

/** Makes the form field for a catalog field's edit type. */

/** @param {CatalogField} described */
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
      return timeField(row);
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

/** @param {FieldRow} row */
function timeField(row) {
  const input = h("input", { id: newId(), name: row.name, type: "datetime-local", step: "any" });
  /** Keeps the value while a time is being typed. */
  let whole = "";
  const show = () => {
    if (!input.validity.badInput) whole = toInstant(input.value);
  };
  input.addEventListener("input", show);
  return field(row, {
    element: input,
    target: input,
    text: () => input.validity.badInput ? whole : toInstant(input.value),
    setText(text) {
      input.value = text === "" ? "" : localTime(new Date(text));
      show();
    },
    problem: () => input.validity.badInput ? t("timeUnfinished") : "",
  });
}

/** A form of a new or changed object: fields, draft, and the request that saves it. */

/** Forms do not wait for the outbox. */
const loadOutbox = () => import("../core/browser_outbox.js").catch(notLoaded);

class DraftEditor {
  /** @type {any} The service's version; null for a new object. */
  stored = null;
  /** @type {Draft} */
  draft = { base: null, seed: newKey(), sent: null, at: 0, texts: {} };
  /** @type {readonly Field[]} */
  fields = [];
  /** How many of the fields are shown at first. */
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
    this.#opened = new Set(
      editable.fields.filter(({ name, edit }) => edit === "datetime" && editable.first?.[name])
        .map(({ name }) => name),
    );
    this.sensitive = new Set(
      editable.fields.filter((field) => field.sensitive).map(({ name }) => name),
    );
  }

  async open() {
    const { one, fields } = this.editable;
    if (one !== null) this.stored = await get(one);
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
    if (sent !== null && sent !== this.draft.sent) {
      void loadOutbox().then(({ dropQueued }) => dropQueued(sent));
    }
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
    if (this.draft.sent !== null) await (await loadOutbox()).dropQueued(this.draft.sent);
  }

  /** Saves once, also if called repeatedly. @returns {Promise<string | null>} @throws {ApiError} */
  async send() {
    const { requestKey, sendOrQueue } = await loadOutbox();
    const { fields, one, idOf, next } = this.editable;
    const former = shownValues(this.editable, this.stored);
    const { wrong, ...change } = changesOf(fields, former, textsOf(this.fields));
    if (wrong.length > 0) throw new ApiError("PAYLOAD_INVALID", { details: { fields: wrong } });
    const { set, remove } = change;
    if (one !== null && Object.keys(set).length + remove.length === 0) return idOf(this.stored);
    const request = requestOf(this.editable, change, this.stored, this.#base);
    const key = this.#sent = requestKey(this.draft.seed, request);
    this.#keep({ sent: key, base: this.#base });
    const brief = Object.keys(set).some((name) => this.sensitive.has(name));
    const write = { ...request, key, page: this.path, brief };
    const sent = await sendOrQueue(next === undefined ? write : { ...write, next });
    return sent && idOf(one === null ? sent.data : this.stored);
  }

  /**
   * Merges a change made elsewhere and continues from that revision.
   * @returns {Promise<{ theirs: Record<string, string>, taken: string[], contested: string[] }>}
   */
  async mergeRemote() {
    const { one, earlier } = this.editable;
    const revision = this.#base ?? 1;
    const [{ merge }, base, current] = await Promise.all([
      import("../logic/merge.js").catch(notLoaded),
      earlier?.(revision) ?? get(`${one}?revision=${revision}`),
      send("GET", `${one}`),
    ]);
    const theirs = shownTexts(this.editable, current.data);
    const { texts, ...found } = merge(
      shownTexts(this.editable, base),
      textsOf(this.fields),
      theirs,
    );
    this.stored = current.data;
    this.#base = current.data.revision;
    showTexts(this.fields, texts);
    this.keep();
    return { theirs, ...found };
  }

  #formerTexts() {
    return { ...shownTexts(this.editable, this.stored), ...this.isNew && this.editable.first };
  }
}

/** @param {(data: any) => void} sent `data` only if this tab sent it. */
function outboxStatus(sent) {
  const element = h("div", { role: "status" });
  let key = "";
  /** Drops late results of earlier writes. */
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
    async show(/** @type {string} */ wanted, /** @type {string | null} */ refused = null) {
      const mine = ++turn;
      stop();
      key = wanted;
      say(refused);
      const { onResult } = await loadOutbox();
      if (turn !== mine) return;
      stop = onResult(key, ({ refused, data }) => {
        if (refused !== null) return say(refused);
        clear();
        sent(data ?? null);
      });
    },
    /** For a write queued earlier; does nothing if it is not queued. */
    async find(/** @type {string | null} */ wanted) {
      if (wanted === null) return clear();
      const mine = ++turn;
      const { listQueued } = await loadOutbox();
      const entry = (await listQueued()).find(({ key }) => key === wanted);
      if (turn !== mine) return;
      if (entry === undefined) clear();
      else await this.show(entry.key, entry.refused);
    },
    dequeue() {
      const queued = key;
      if (queued !== "") void loadOutbox().then(({ dropQueued }) => dropQueued(queued));
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

/** A form whose every keystroke is stored as a draft until the service has it. */

/** Loaded after the form is shown, because it may be needed without a connection. */
const parts = () => import("./form_parts.js").catch(notLoaded);

/**
 * @param {Editable} editable
 * @param {FormPlaces} places The paths of the form, and of the pages after saving and discarding; the object's name. `about`
 *   is above the form; `underWay` is shown while it is sent.
 * @returns {Promise<Content>}
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
    const said = await explained(error.details, editor.fields);
    throw new ApiError(error.code, { ...error, details: { ...error.details, parts: said } });
  };
  const sendIt = async () => {
    const here = thisVisit();
    draft.now();
    // Show another tab's change before sending.
    if (await merging) return element.querySelector("section")?.focus();
    if (underWay !== undefined) announce(underWay);
    try {
      const { withSession } = await parts();
      const id = await withSession(() => editor.send());
      if (id !== null) return await finish(id, here);
      if (here.aborted) announce(t("notSentYet"));
      else await note.show(editor.draft.sent ?? "");
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
  const follow = (/** @type {StorageEvent} */ event) => {
    if (draft.isDue() || !isOfDraft(event, page)) return;
    editor.reload();
    void note.find(editor.draft.sent);
  };
  addEventListener("storage", follow, { signal: thisVisit() });

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
  const shown = thisVisit();
  const listen = async () => {
    const { onChange } = await parts();
    if (editable.one !== null) onChange(editable.one, onRemoteChange, shown);
  };
  setTimeout(() => void listen().catch(() => {}));

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

/** @type {Page} */
export async function recordForm({ params, query }) {
  const module = await readModule(params.module);
  if (module === null || module.entry !== "GENERIC") {
    return notFound();
  }
  const list = `/console/records/${module.code}`;
  const isNew = params.id === undefined;
  const capture = query.get("capture");
  const now = toInstant(localTime(new Date()).slice(0, 16));
  const first = isNew ? firstTexts(module.fields, now) : {};
  let page = isNew ? `${list}/new` : `${list}/${params.id}/edit`;
  /** @type {Write | undefined} */
  let next;
  if (isNew && capture !== null) {
    const { routing, textsFromCapture } = await import("./drafts.js");
    Object.assign(first, await textsFromCapture(module.code, capture));
    next = routing(capture, module.code);
    // A draft of its own, which finds its capture again.
    page += `?capture=${encodeURIComponent(capture)}`;
  }
  const editable = editableRecord(module, params.id, first);
  return await draftForm(next === undefined ? editable : { ...editable, next }, {
    page,
    kept: (id) => `${list}/${id}`,
    left: isNew ? list : `${list}/${params.id}`,
    name: (stored) => stored?.title ?? labelOfOne(module.code),
  });
}
