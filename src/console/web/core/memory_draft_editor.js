/** A form of a memory; its draft is on the service, for every device. */

import { showTexts, textsOf } from "./acts.js";
import { draftContent, draftTexts, memoryTexts, unsaid } from "../logic/memory_content.js";
import { merge } from "../logic/merge.js";
import { newUlid } from "../logic/ulid.js";
import { ApiError, send } from "./base.js";
import { DRAFTS, revisionAt, TEXTS } from "../pages/drafts.js";

const NOTHING = "{}";

export class MemoryDraftEditor {
  /** @type {any} The memory that is changed; null for a new one. */
  stored = null;
  /** Empty until something is saved. */
  draftId = "";
  #version = 0;
  /** The last saved texts, as JSON. */
  #saved = NOTHING;

  /**
   * @param {string | undefined} memoryId Undefined for a new memory.
   * @param {readonly Field[]} fields
   * @param {Record<string, string>} initial
   */
  constructor(memoryId, fields, initial) {
    this.memoryId = memoryId;
    this.fields = fields;
    this.initial = initial;
  }

  /**
   * @param {any} memory Null for a new one.
   * @param {any} draft
   * @returns {Promise<Merged | null>} changes made elsewhere since the draft was begun.
   */
  async open(memory, draft) {
    this.stored = memory;
    if (draft !== null) {
      this.stored = memory && await revisionAt(memory, draft.createdAt);
      this.#adoptDraft(draft);
    }
    showTexts(this.fields, draftTexts(this.#former(), draft?.content ?? {}));
    return this.stored === memory ? null : await this.mergeRemote();
  }

  /** True if the service lacks some text. */
  get isUnsaved() {
    return JSON.stringify(this.#content()) !== this.#saved;
  }

  get changeCount() {
    return Object.keys(this.#content()).length;
  }

  /**
   * Saves the text if it has changed.
   * @returns {Promise<Merged | null>} merged changes made elsewhere.
   * @throws {ApiError} `MEMORY_STATE_CONFLICT` if the draft was committed or discarded elsewhere.
   */
  async save() {
    if (!this.isUnsaved) return null;
    const content = this.#content();
    const isFirst = this.#saved === NOTHING;
    this.draftId ||= newUlid(Date.now());
    // A new version each time: a request whose response was lost may have arrived.
    const body = { draftVersion: ++this.#version, memoryId: this.memoryId, content };
    try {
      await send("PUT", `${DRAFTS}/${this.draftId}`, { body });
    } catch (error) {
      return await this.#mergeRemoteDraft(error);
    }
    this.#saved = JSON.stringify(content);
    // A draft does not name its base revision: check that none came between.
    return isFirst && this.stored !== null ? await this.mergeRemote() : null;
  }

  /**
   * Creates a memory or a revision, once.
   * @returns {Promise<string | Merged>} the memory's id, or changes made elsewhere.
   * @throws {ApiError} `REVISION_CONFLICT` if the memory was changed elsewhere.
   */
  async commit() {
    const fields = unsaid(this.#former(), textsOf(this.fields));
    if (fields.length > 0) throw new ApiError("PAYLOAD_INVALID", { details: { fields } });
    const merged = await this.save();
    if (merged !== null) return merged;
    if (this.draftId === "") return this.memoryId ?? "";
    const body = this.stored === null ? {} : { expectedRevision: this.stored.revision };
    return (await send("POST", `${DRAFTS}/${this.draftId}/commit`, { body })).data.memoryId;
  }

  /** Continues after the former draft has ended. */
  startNewDraft() {
    this.#adoptDraft({ draftId: "", draftVersion: 0, content: {} });
  }

  /**
   * Merges a newer revision and continues from it.
   * @returns {Promise<Merged | null>} null if there is no newer one.
   */
  async mergeRemote() {
    const { data } = await send("GET", `${TEXTS}/${this.memoryId}`);
    if (data.revision === this.stored.revision) return null;
    const former = this.#former();
    this.stored = data;
    return this.#merge(former, memoryTexts(data));
  }

  /** @param {unknown} refusal */
  async #mergeRemoteDraft(refusal) {
    if (!(refusal instanceof ApiError && refusal.code === "MEMORY_STATE_CONFLICT")) throw refusal;
    const { data } = await send("GET", `${DRAFTS}/${this.draftId}`);
    if (data.state !== "OPEN") throw refusal;
    const former = draftTexts(this.#former(), JSON.parse(this.#saved));
    this.#adoptDraft(data);
    return this.#merge(former, draftTexts(this.#former(), data.content));
  }

  /** @param {any} draft */
  #adoptDraft({ draftId, draftVersion, content }) {
    this.draftId = draftId;
    this.#version = draftVersion;
    this.#saved = JSON.stringify(content);
  }

  /** @param {Record<string, string>} former @param {Record<string, string>} theirs */
  #merge(former, theirs) {
    const { texts, ...found } = merge(former, textsOf(this.fields), theirs);
    showTexts(this.fields, texts);
    return { theirs, ...found };
  }

  #former() {
    return this.stored === null ? this.initial : memoryTexts(this.stored);
  }

  #content() {
    return draftContent(this.#former(), textsOf(this.fields));
  }
}
