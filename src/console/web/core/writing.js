/** What someone is writing: its fields, its draft, and the request that keeps it. */

import { catalogField } from "../fields/catalog_field.js";
import { changesOf, toText } from "../logic/form_values.js";
import { merge } from "../logic/merge.js";
import { ApiError, newKey, send } from "./api.js";
import { dropDraft, keepDraft, readDraft } from "./drafts.js";
import { dropUnsent, sendOrKeep } from "./unsent.js";

/** @typedef {import("./written.js").Written} Written */

export class Writing {
  /** @type {any} What the service has; null for something new. */
  stored = null;
  /** @type {import("./drafts.js").Draft} */
  draft = { base: null, key: newKey(), at: 0, texts: {} };
  /** @type {readonly import("../fields/field.js").Field[]} */
  fields = [];

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
    this.draft = readDraft(this.path) ?? { ...this.draft, base: this.stored?.revision ?? null };
    this.fields = fields.map(catalogField);
    this.#show({ ...this.#formerTexts(), ...this.draft.texts });
  }

  /** Keeps what was changed in the browser. */
  keep() {
    const former = this.#formerTexts();
    const changed = Object.entries(this.#texts()).filter(([name, text]) => text !== former[name]);
    this.draft = { ...this.draft, at: Date.now(), texts: Object.fromEntries(changed) };
    keepDraft(this.path, this.draft, this.sensitive);
  }

  /** Forgets what was written. */
  async drop() {
    dropDraft(this.path);
    await dropUnsent(this.draft.key);
  }

  /**
   * Sends what was written. However often it is called, the service keeps it once.
   *
   * @returns {Promise<string | null>} the id of what was made or changed; null where it cannot be sent
   * now, and is kept in the browser until it can.
   * @throws {ApiError}
   */
  async send() {
    const { fields, list, one, idOf, creation, patch, changes } = this.written;
    const { wrong, ...change } = changesOf(fields, this.#valuesOf(this.stored), this.#texts());
    if (wrong.length > 0) throw new ApiError("PAYLOAD_INVALID", { details: { fields: wrong } });
    const { set, remove } = change;
    if (one !== null && Object.keys(set).length + remove.length === 0) return idOf(this.stored);
    const sent = await this.#sendOrKeep({
      ...one === null ? { method: "POST", path: list, body: creation(change) } : {
        method: changes === undefined ? "PATCH" : "POST",
        path: changes ?? one,
        body: { ...patch(change, this.stored), expectedRevision: this.draft.base },
      },
      ...{ key: this.draft.key, page: this.path },
      brief: Object.keys(set).some((name) => this.sensitive.has(name)),
    });
    return sent && idOf(one === null ? sent.data : this.stored);
  }

  /** @param {import("./outbox.js").Write} write */
  async #sendOrKeep(write) {
    try {
      return await sendOrKeep(write);
    } catch (error) {
      if (error instanceof ApiError && error.code === "IDEMPOTENCY_KEY_REUSED") {
        // An earlier text was kept under it: this one is another write, if the person still wants it.
        this.draft = { ...this.draft, key: newKey() };
        this.keep();
      }
      throw error;
    }
  }

  /**
   * Puts a change that was made elsewhere and what was written here together, and begins from there.
   *
   * @returns {Promise<{ theirs: Record<string, string>, taken: string[], contested: string[] }>}
   */
  async takeOther() {
    const { one, earlier } = this.written;
    const revision = this.draft.base ?? 1;
    const [base, current] = await Promise.all([
      earlier?.(revision) ?? send("GET", `${one}?revision=${revision}`).then(({ data }) => data),
      send("GET", `${one}`),
    ]);
    const theirs = this.#textsOf(current.data);
    const { texts, ...found } = merge(this.#textsOf(base), this.#texts(), theirs);
    this.stored = current.data;
    this.draft = { ...this.draft, base: current.data.revision };
    this.#show(texts);
    this.keep();
    return { theirs, ...found };
  }

  /** @returns {Record<string, string>} */
  #texts() {
    return Object.fromEntries(this.fields.map(({ name, text }) => [name, text()]));
  }

  /** What the form held before anything was written in it. */
  #formerTexts() {
    return { ...this.#textsOf(this.stored), ...this.isNew && this.written.first };
  }

  /** @param {any} shown */
  #valuesOf(shown) {
    return shown === null ? {} : this.written.valuesOf(shown);
  }

  /**
   * @param {any} shown
   * @returns {Record<string, string>}
   */
  #textsOf(shown) {
    const values = this.#valuesOf(shown);
    return Object.fromEntries(
      this.written.fields.map((field) => [field.name, toText(field, values[field.name])]),
    );
  }

  /** @param {Readonly<Record<string, string>>} texts */
  #show(texts) {
    for (const { name, setText } of this.fields) setText(texts[name] ?? "");
  }
}
