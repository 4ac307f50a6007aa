/** A form whose text is stored while it is written. */

import { showTexts, textsOf } from "../../core/acts/texts.js";
import { ApiError } from "../../core/base/api.js";
import { fill, h } from "../../core/base/elements.js";
import { newKey, requestKey } from "../../core/base/keys.js";
import { failureText, t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { notLoaded } from "../../core/base/visits.js";
import { dropDraft, keepDraft, readDraft } from "../../core/browser_outbox/drafts.js";
import {
  dropQueued,
  listQueued,
  onResult,
  sendOrQueue,
} from "../../core/browser_outbox/sending.js";
import { changesOf, inOrder, toText } from "../../fields/shown/texts.js";
import { catalogField, namesOf } from "./catalog_fields.js";

/** A form of a new or changed object: fields, draft, and the request that saves it. */
export class DraftEditor {
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
    const { one, fields, matters, question } = this.editable;
    if (one !== null) this.stored = this.editable.stored ?? await get(one);
    this.draft = { ...this.draft, base: this.stored?.revision ?? null };
    const ordered = inOrder(fields, matters, question);
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
export function outboxStatus(sent) {
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

/** Loaded after the form is shown, as the page of drafts, to be there without a connection. */
export const parts = () => import("../form_parts.js").catch(notLoaded);
