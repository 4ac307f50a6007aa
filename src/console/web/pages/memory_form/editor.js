/** A memory's draft on the service. */

import { showTexts, textsOf } from "../../core/acts/texts.js";
import { ApiError, hasCode } from "../../core/base/api.js";
import { get, readAll } from "../../core/base/reads.js";
import { send } from "../../core/base/sender.js";
import { MEMORIES_API } from "../../core/names.js";
import { newUlid } from "../../fields/shown/times.js";
import { DRAFTS } from "../drafts/queue.js";
import { merge } from "../form_parts.js";
import { draftContent, draftTexts, memoryTexts, removedFields } from "./texts.js";

const NOTHING = "{}";

/** @param {any} memory @param {string} time */
async function revisionAt(memory, time) {
  if (memory.updatedAt <= time) return memory;
  const revisions = await readAll(`${MEMORIES_API}/${memory.memoryId}/revisions?limit=100`);
  return revisions.find(({ updatedAt }) => updatedAt <= time) ?? revisions.at(-1);
}

export class MemoryDraftEditor {
  /** @type {any} The memory that is changed; null for a new one. */
  stored = null;
  draftId = "";
  #version = 0;
  #saved = NOTHING;
  /** As it was opened or last saved. */
  #known = NOTHING;

  /**
   * @param {string | undefined} memoryId
   * @param {readonly Field[]} fields
   * @param {Record<string, string>} initial
   */
  constructor(memoryId, fields, initial) {
    this.memoryId = memoryId;
    this.fields = fields;
    this.initial = initial;
  }

  /**
   * Returns changes made elsewhere since the draft was begun.
   * @param {any} memory
   * @param {any} draft
   */
  async open(memory, draft) {
    this.stored = memory;
    if (draft !== null) {
      this.stored = memory && await revisionAt(memory, draft.createdAt);
      this.#adoptDraft(draft);
    }
    showTexts(this.fields, draftTexts(this.#former(), draft?.content ?? {}));
    // A draft may lack the first texts of a new form.
    this.#known = JSON.stringify(this.#content());
    return this.stored === memory ? null : await this.mergeRemote();
  }

  get isUnsaved() {
    return JSON.stringify(this.#content()) !== this.#known;
  }

  get changeCount() {
    return Object.keys(this.#changes()).length;
  }

  /**
   * Returns merged changes made elsewhere.
   * @throws {ApiError} `MEMORY_STATE_CONFLICT` if the draft was committed or discarded elsewhere.
   */
  async save() {
    const content = this.#content();
    if (JSON.stringify(content) === this.#saved) return null;
    const isFirst = this.#saved === NOTHING;
    this.draftId ||= newUlid(Date.now());
    // A new version each time: a request whose response was lost may have arrived.
    const body = { draftVersion: ++this.#version, memoryId: this.memoryId, content };
    try {
      await send("PUT", `${DRAFTS}/${this.draftId}`, { body });
    } catch (error) {
      return await this.#mergeRemoteDraft(error);
    }
    this.#saved = this.#known = JSON.stringify(content);
    // A draft does not name its base revision: check that none came between.
    return isFirst && this.stored !== null ? await this.mergeRemote() : null;
  }

  /**
   * Creates a memory or a revision, once, or merges a change made elsewhere.
   * @returns {Promise<string | Merged>}
   */
  async commit() {
    try {
      return await this.#commit();
    } catch (error) {
      if (!hasCode(error, "REVISION_CONFLICT")) throw error;
      const merged = await this.mergeRemote();
      if (merged === null) throw error;
      return merged;
    }
  }

  /**
   * Creates a memory or a revision, once. Returns the memory's id, or changes made elsewhere.
   * @returns {Promise<string | Merged>}
   * @throws {ApiError} `REVISION_CONFLICT` if the memory was changed elsewhere.
   */
  async #commit() {
    const fields = removedFields(this.#former(), textsOf(this.fields));
    if (fields.length > 0) throw new ApiError("PAYLOAD_INVALID", { details: { fields } });
    const merged = await this.save();
    if (merged !== null) return merged;
    if (this.draftId === "") return this.memoryId ?? "";
    const body = this.stored === null ? {} : { expectedRevision: this.stored.revision };
    return (await send("POST", `${DRAFTS}/${this.draftId}/commit`, { body })).data.memoryId;
  }

  startNewDraft() {
    this.#adoptDraft({ draftId: "", draftVersion: 0, content: {} });
  }

  /** Merges a newer revision and continues from it; null if nothing newer is stored. */
  async mergeRemote() {
    const data = await get(`${MEMORIES_API}/${this.memoryId}`);
    if (data.revision === this.stored.revision) return null;
    const former = this.#former();
    this.stored = data;
    return this.#merge(former, memoryTexts(data));
  }

  /** @param {unknown} refusal */
  async #mergeRemoteDraft(refusal) {
    if (!hasCode(refusal, "MEMORY_STATE_CONFLICT")) throw refusal;
    const data = await get(`${DRAFTS}/${this.draftId}`);
    if (data.state !== "OPEN") throw refusal;
    const former = draftTexts(this.#former(), JSON.parse(this.#saved));
    this.#adoptDraft(data);
    return this.#merge(former, draftTexts(this.#former(), data.content));
  }

  /** @param {any} draft */
  #adoptDraft({ draftId, draftVersion, content }) {
    this.draftId = draftId;
    this.#version = draftVersion;
    this.#saved = this.#known = JSON.stringify(content);
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

  #changes() {
    return draftContent(this.#former(), textsOf(this.fields));
  }

  /** A new memory also states the first texts of its form, such as the time. */
  #content() {
    const changes = this.#changes();
    const isBegun = this.stored === null && Object.keys(changes).length > 0;
    return isBegun ? draftContent({}, textsOf(this.fields)) : changes;
  }
}
