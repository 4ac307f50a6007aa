/** A form of a new or changed object: fields, draft, and the request that saves it. */

import { catalogField } from "../fields/catalog_field.js";
import { showTexts, textsOf } from "../fields/field_texts.js";
import { changesOf, inOrder } from "../logic/form_values.js";
import { ApiError, newKey, send } from "./api.js";
import { dropDraft, keepDraft, readDraft } from "./drafts.js";
import { requestOf, shownTexts, shownValues } from "./editable.js";
import { notLoaded } from "./not_loaded.js";

/** @typedef {import("./editable.js").Editable} Editable */

/** Forms do not wait for the outbox. */
export const loadOutbox = () => import("./browser_outbox.js").catch(notLoaded);

export class DraftEditor {
  /** @type {any} The service's version; null for a new object. */
  stored = null;
  /** @type {import("./drafts.js").Draft} */
  draft = { base: null, seed: newKey(), sent: null, at: 0, texts: {} };
  /** @type {readonly import("../fields/field.js").Field[]} */
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

  /**
   * @param {Editable} editable
   * @param {string} path The page that the draft belongs to.
   */
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
    if (one !== null) this.stored = (await send("GET", one)).data;
    this.draft = { ...this.draft, base: this.stored?.revision ?? null };
    const ordered = inOrder(fields, this.editable.matters);
    this.shown = ordered.shown;
    this.fields = await Promise.all(ordered.fields.map(catalogField));
    this.reload();
  }

  /** Reads the draft again after a change of another tab. */
  reload() {
    this.draft = readDraft(this.path) ?? this.draft;
    this.#base = this.draft.base;
    showTexts(this.fields, { ...this.#formerTexts(), ...this.draft.texts });
  }

  /** Stores the draft unless the form has ended. */
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

  /** @param {Partial<import("./drafts.js").Draft>} changed */
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

  /**
   * Saves once, also if called repeatedly.
   *
   * @returns {Promise<string | null>} the id; null if the write was queued.
   * @throws {ApiError}
   */
  async send() {
    const { requestKey, sendOrQueue } = await loadOutbox();
    const { fields, one, idOf } = this.editable;
    const former = shownValues(this.editable, this.stored);
    const { wrong, ...change } = changesOf(fields, former, textsOf(this.fields));
    if (wrong.length > 0) throw new ApiError("PAYLOAD_INVALID", { details: { fields: wrong } });
    const { set, remove } = change;
    if (one !== null && Object.keys(set).length + remove.length === 0) return idOf(this.stored);
    const request = requestOf(this.editable, change, this.stored, this.#base);
    const key = this.#sent = requestKey(this.draft.seed, request);
    this.#keep({ sent: key, base: this.#base });
    const brief = Object.keys(set).some((name) => this.sensitive.has(name));
    const sent = await sendOrQueue({ ...request, key, page: this.path, brief });
    return sent && idOf(one === null ? sent.data : this.stored);
  }

  /**
   * Merges a change made elsewhere and continues from that revision.
   *
   * @returns {Promise<{ theirs: Record<string, string>, taken: string[], contested: string[] }>}
   */
  async mergeRemote() {
    const { one, earlier } = this.editable;
    const revision = this.#base ?? 1;
    const [{ merge }, base, current] = await Promise.all([
      import("../logic/merge.js").catch(notLoaded),
      earlier?.(revision) ?? send("GET", `${one}?revision=${revision}`).then(({ data }) => data),
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

  /** The texts without the draft. */
  #formerTexts() {
    return { ...shownTexts(this.editable, this.stored), ...this.isNew && this.editable.first };
  }
}
