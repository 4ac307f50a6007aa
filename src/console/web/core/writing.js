/** What someone is writing: its fields, its draft, and the request that keeps it. */

import { catalogField } from "../fields/catalog_field.js";
import { changesOf, toText } from "../logic/form_values.js";
import { merge } from "../logic/merge.js";
import { ApiError, newKey, send } from "./api.js";
import { dropDraft, keepDraft, readDraft } from "./drafts.js";

/** @typedef {import("./catalog.js").CatalogField} CatalogField */

/**
 * @typedef {object} Change What a form changes.
 * @property {Record<string, unknown>} set The fields that get a value, and those values.
 * @property {readonly string[]} remove The fields that lose theirs.
 */

/**
 * @typedef {object} Written How the API takes and shows what is written.
 * @property {readonly CatalogField[]} fields
 * @property {string} list Where a new one is made.
 * @property {string | null} one What is changed; null for something new.
 * @property {Readonly<Record<string, string>>} [first] What a new form holds before anything is written.
 * @property {(revision: number) => Promise<any>} [earlier] What it was at a revision, where its path does not
 * take `revision=N`.
 * @property {(shown: any) => Record<string, any>} valuesOf The fields that have a value.
 * @property {(shown: any) => string} idOf
 * @property {(change: Change) => Record<string, unknown>} creation The body that makes a new one.
 * @property {(change: Change) => Record<string, unknown>} patch The body of a change, but for the
 * revision that it was made on.
 * @property {string} [changes] Where a change is posted; where there is none, what is changed is patched.
 */

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
  drop() {
    dropDraft(this.path);
  }

  /**
   * Sends what was written. However often it is called, the service keeps it once.
   *
   * @returns {Promise<string>} the id of what was made or changed.
   * @throws {ApiError}
   */
  async send() {
    const { fields, list, one, idOf, creation, patch, changes } = this.written;
    const { wrong, ...change } = changesOf(fields, this.#valuesOf(this.stored), this.#texts());
    if (wrong.length > 0) throw new ApiError("PAYLOAD_INVALID", { details: { fields: wrong } });
    const { key, base } = this.draft;
    if (one === null) return idOf((await send("POST", list, { body: creation(change), key })).data);
    if (Object.keys(change.set).length + change.remove.length > 0) {
      const body = { ...patch(change), expectedRevision: base };
      await (changes === undefined
        ? send("PATCH", one, { body, key })
        : send("POST", changes, { body, key }));
    }
    return idOf(this.stored);
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
