/** What someone is writing: its fields, its draft, and the request that keeps it. */

import { catalogField } from "../fields/catalog_field.js";
import { lineField, linesField } from "../fields/text.js";
import { changesOf, toText } from "../logic/form_values.js";
import { merge } from "../logic/merge.js";
import { ApiError, newKey, send } from "./api.js";
import { dropDraft, keepDraft, readDraft } from "./drafts.js";
import { t } from "./text.js";

/** @typedef {import("./catalog.js").CatalogModule} CatalogModule */

/** A new record has nothing yet. */
const NOTHING = { title: "", summary: "", payload: /** @type {any} */ ({}), revision: null };

export class RecordWriting {
  /** @type {any} What the service has. */
  stored = NOTHING;
  /** @type {import("./drafts.js").Draft} */
  draft = { base: null, key: newKey(), at: 0, texts: {} };
  /** @type {readonly import("../fields/field.js").Field[]} */
  fields = [];

  /**
   * @param {CatalogModule} module
   * @param {string | undefined} recordId None for a new record.
   * @param {string} path The page, which the draft belongs to.
   */
  constructor(module, recordId, path) {
    this.module = module;
    this.path = path;
    this.isNew = recordId === undefined;
    this.list = `/api/v2/records/${module.code}`;
    this.record = `${this.list}/${recordId}`;
    this.sensitive = new Set(
      module.fields.filter((field) => field.sensitive).map(({ name }) => name),
    );
  }

  /** Reads what there is, and what was written over it before. */
  async open() {
    if (!this.isNew) this.stored = (await send("GET", this.record)).data;
    this.draft = readDraft(this.path) ?? { ...this.draft, base: this.stored.revision };
    this.fields = [
      lineField({ name: "title", label: t("title"), required: true, words: true }),
      linesField({ name: "summary", label: t("summary") }),
      ...this.module.fields.map(catalogField),
    ];
    this.#show({ ...this.#textsOf(this.stored), ...this.draft.texts });
  }

  /** Keeps what differs from the service's state in the browser. */
  keep() {
    const former = this.#textsOf(this.stored);
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
   * @returns {Promise<string>} the record's id.
   * @throws {ApiError}
   */
  async send() {
    const body = this.#body();
    const { key } = this.draft;
    if (this.isNew) return (await send("POST", this.list, { body, key })).data.recordId;
    if (Object.keys(body).length > 1) await send("PATCH", this.record, { body, key });
    return this.stored.recordId;
  }

  #body() {
    const texts = this.#texts();
    const { set, remove, wrong } = changesOf(this.module.fields, this.stored.payload, texts);
    if (wrong.length > 0) throw new ApiError("PAYLOAD_INVALID", { details: { fields: wrong } });
    return {
      ...(texts.title !== this.stored.title && { title: texts.title }),
      ...(texts.summary !== this.stored.summary && { summary: texts.summary }),
      ...((this.isNew || Object.keys(set).length > 0) && { payload: set }),
      ...(remove.length > 0 && { payloadRemove: remove }),
      ...(!this.isNew && { expectedRevision: this.draft.base }),
    };
  }

  /**
   * Puts a change that was made elsewhere and what was written here together, and begins from there.
   *
   * @returns {Promise<{ theirs: Record<string, string>, taken: string[], contested: string[] }>}
   */
  async takeOther() {
    const [base, current] = await Promise.all([
      send("GET", `${this.record}?revision=${this.draft.base}`),
      send("GET", this.record),
    ]);
    const theirs = this.#textsOf(current.data);
    const { texts, ...found } = merge(this.#textsOf(base.data), this.#texts(), theirs);
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

  /**
   * @param {any} record
   * @returns {Record<string, string>}
   */
  #textsOf({ title, summary, payload }) {
    const texts = this.module.fields.map((
      field,
    ) => [field.name, toText(field, payload[field.name])]);
    return { ...Object.fromEntries(texts), title, summary };
  }

  /** @param {Readonly<Record<string, string>>} texts */
  #show(texts) {
    for (const { name, setText } of this.fields) setText(texts[name] ?? "");
  }
}
