/** What someone is writing: its fields, its draft, and the request that keeps it. */

import { catalogField } from "../fields/catalog_field.js";
import { showTexts, textsOf } from "../fields/texts.js";
import { changesOf } from "../logic/form_values.js";
import { ApiError, newKey, send } from "./api.js";
import { dropDraft, keepDraft, readDraft } from "./drafts.js";
import { notLoaded } from "./not_loaded.js";
import { requestOf, shownTexts, shownValues } from "./written.js";

/** @typedef {import("./written.js").Written} Written */

/** What waits on this device, which is loaded behind every page: a form is shown without it. */
export const unsent = () => import("./unsent.js").catch(notLoaded);

export class Writing {
  /** @type {any} What the service has; null for something new. */
  stored = null;
  /** @type {import("./drafts.js").Draft} */
  draft = { base: null, seed: newKey(), sent: null, at: 0, texts: {} };
  /** @type {readonly import("../fields/field.js").Field[]} */
  fields = [];
  /** Whether the browser has what was last to be kept. */
  isKept = true;
  /** @type {number | null} The revision that is changed; the draft's own until a conflict is settled. */
  #base = null;
  /** @type {string | null} The key of what was sent last. */
  #sent = null;
  #hasEnded = false;

  /**
   * @param {Written} written
   * @param {string} path The page, which the draft belongs to.
   */
  constructor(written, path) {
    this.written = written;
    this.path = path;
    this.isNew = written.one === null;
    this.sensitive = new Set(
      written.fields.filter((field) => field.sensitive).map(({ name }) => name),
    );
  }

  /** Reads what there is, and what was written over it before. */
  async open() {
    const { one, fields } = this.written;
    if (one !== null) this.stored = (await send("GET", one)).data;
    this.draft = { ...this.draft, base: this.stored?.revision ?? null };
    this.fields = await Promise.all(fields.map(catalogField));
    this.goOn();
  }

  /** Goes on with the draft that the browser has: another tab may have changed it. */
  goOn() {
    this.draft = readDraft(this.path) ?? this.draft;
    this.#base = this.draft.base;
    showTexts(this.fields, { ...this.#formerTexts(), ...this.draft.texts });
  }

  /** Keeps what was changed in the browser, as long as there is something to keep. */
  keep() {
    if (this.#hasEnded) return;
    const former = this.#formerTexts();
    const held = Object.entries(textsOf(this.fields));
    const texts = Object.fromEntries(held.filter(([name, text]) => text !== former[name]));
    const isSent = JSON.stringify(texts) === JSON.stringify(this.draft.texts);
    this.#keep({ at: Date.now(), texts, ...(!isSent && { sent: null }) });
  }

  /** @param {Partial<import("./drafts.js").Draft>} changed */
  #keep(changed) {
    const { sent } = this.draft;
    this.draft = { ...this.draft, ...changed };
    // What waits, or was refused, was not this.
    if (sent !== null && sent !== this.draft.sent) {
      void unsent().then(({ dropUnsent }) => dropUnsent(sent));
    }
    this.isKept = keepDraft(this.path, this.draft, this.sensitive);
  }

  /** Forgets what was written, once the service has it. What another tab went on writing stays. */
  end() {
    this.#hasEnded = this.isKept = true;
    if (readDraft(this.path)?.sent === this.#sent) dropDraft(this.path);
  }

  /** Forgets what was written, and takes it back where it waits to be sent. */
  async discard() {
    this.#hasEnded = this.isKept = true;
    dropDraft(this.path);
    if (this.draft.sent !== null) await (await unsent()).dropUnsent(this.draft.sent);
  }

  /**
   * Sends what was written. However often it is called, the service keeps it once.
   *
   * @returns {Promise<string | null>} the id of what was made or changed; null where it cannot be sent
   * now, and is kept in the browser until it can.
   * @throws {ApiError}
   */
  async send() {
    const { requestKey, sendOrKeep } = await unsent();
    const { fields, one, idOf } = this.written;
    const former = shownValues(this.written, this.stored);
    const { wrong, ...change } = changesOf(fields, former, textsOf(this.fields));
    if (wrong.length > 0) throw new ApiError("PAYLOAD_INVALID", { details: { fields: wrong } });
    const { set, remove } = change;
    if (one !== null && Object.keys(set).length + remove.length === 0) return idOf(this.stored);
    const request = requestOf(this.written, change, this.stored, this.#base);
    const key = this.#sent = requestKey(this.draft.seed, request);
    this.#keep({ sent: key, base: this.#base });
    const brief = Object.keys(set).some((name) => this.sensitive.has(name));
    const sent = await sendOrKeep({ ...request, key, page: this.path, brief });
    return sent && idOf(one === null ? sent.data : this.stored);
  }

  /**
   * Puts a change that was made elsewhere and what was written here together, and begins from there.
   *
   * @returns {Promise<{ theirs: Record<string, string>, taken: string[], contested: string[] }>}
   */
  async takeOther() {
    const { one, earlier } = this.written;
    const revision = this.#base ?? 1;
    const [{ merge }, base, current] = await Promise.all([
      import("../logic/merge.js").catch(notLoaded),
      earlier?.(revision) ?? send("GET", `${one}?revision=${revision}`).then(({ data }) => data),
      send("GET", `${one}`),
    ]);
    const theirs = shownTexts(this.written, current.data);
    const { texts, ...found } = merge(shownTexts(this.written, base), textsOf(this.fields), theirs);
    this.stored = current.data;
    this.#base = current.data.revision;
    showTexts(this.fields, texts);
    this.keep();
    return { theirs, ...found };
  }

  /** What the form held before anything was written in it. */
  #formerTexts() {
    return { ...shownTexts(this.written, this.stored), ...this.isNew && this.written.first };
  }
}
