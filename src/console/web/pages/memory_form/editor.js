/** A memory's form, which the service stores as a draft. */

import { withSession } from "../../core/acts/password.js";
import { showTexts, textsOf } from "../../core/acts/texts.js";
import { ApiError, hasCode } from "../../core/base/api.js";
import { announce, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get, readAll } from "../../core/base/reads.js";
import { send } from "../../core/base/sender.js";
import { may } from "../../core/base/session.js";
import { thisVisit, visit } from "../../core/base/visits.js";
import { sendNext } from "../../core/browser_outbox/sending.js";
import { MEMORIES_API, notFound, readModule } from "../../core/names.js";
import { form } from "../../fields/controls/forms.js";
import { memoryFields, titled } from "../../fields/memory_fields.js";
import { newUlid, timeText } from "../../fields/shown/times.js";
import { routing, textsFromCapture } from "../drafts/captures.js";
import { discardDraft, DRAFTS, findDraft } from "../drafts/queue.js";
import { askDiscard, conflictNotice, merge } from "../form_parts.js";
import { saving } from "./saving.js";
import { draftContent, draftTexts, memoryTexts, removedFields } from "./texts.js";

const NOTHING = "{}";

/** @param {any} memory @param {string} time */
async function revisionAt(memory, time) {
  if (memory.updatedAt <= time) return memory;
  const revisions = await readAll(`${MEMORIES_API}/${memory.memoryId}/revisions?limit=100`);
  return revisions.find(({ updatedAt }) => updatedAt <= time) ?? revisions.at(-1);
}

class MemoryDraftEditor {
  /** @type {any} The memory that is changed; null for a new one. */
  stored = null;
  draftId = "";
  #version = 0;
  #saved = NOTHING;

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
    return this.stored === memory ? null : await this.mergeRemote();
  }

  get isUnsaved() {
    return JSON.stringify(this.#content()) !== this.#saved;
  }

  get changeCount() {
    return Object.keys(this.#content()).length;
  }

  /**
   * Returns merged changes made elsewhere.
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
   * Creates a memory or a revision, once. Returns the memory's id, or changes made elsewhere.
   * @returns {Promise<string | Merged>}
   * @throws {ApiError} `REVISION_CONFLICT` if the memory was changed elsewhere.
   */
  async commit() {
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

const LIST = "/console/memories";

/** @type {Page} */
export async function memoryForm({ params: { id }, query }) {
  const isNew = id === undefined;
  const [module, memory, draft, files] = await Promise.all([
    readModule("memory"),
    isNew ? null : get(`${MEMORIES_API}/${id}`),
    findDraft(query.get("draft"), id),
    // Without a connection the form accepts no files.
    may("attachment.write") ? import("../../fields/files/fields.js").catch(() => null) : null,
  ]);
  if (module === null || (draft !== null && draft.memoryId !== (id ?? null))) return notFound();
  if (memory?.redacted || draft?.redacted) {
    return { title: t("hidden"), body: [h("p", t("hiddenText"))] };
  }
  if (draft?.state === "COMMITTED") return keptElsewhere(draft.committedMemoryId);

  const here = thisVisit();
  const capture = isNew ? query.get("capture") : null;
  const editor = new MemoryDraftEditor(id, memoryFields(module, isNew), {
    privacyLevel: "PRIVATE",
  });
  const back = isNew ? LIST : `${LIST}/${id}`;
  const showMerged = (/** @type {Merged} */ merged) => {
    element.querySelector("section")?.remove();
    const notice = conflictNotice({ fields: editor.fields, ...merged });
    element.prepend(notice);
    notice.focus();
  };
  // Keep the text if the draft ended elsewhere.
  const continueInNewDraft = (/** @type {unknown} */ error) => {
    if (!hasCode(error, "MEMORY_STATE_CONFLICT")) throw error;
    editor.startNewDraft();
    announce(t("draftEnded"));
    autosave.soon();
    return null;
  };
  const autosave = saving(() => editor.isUnsaved, async () => {
    const merged = await editor.save().catch(continueInNewDraft);
    // The address finds the draft again, on other devices too.
    const isShown = !here.aborted && element.isConnected && editor.draftId !== "";
    if (isShown) {
      const address = { draft: editor.draftId, ...(capture !== null && { capture }) };
      history.replaceState(history.state, "", `?${new URLSearchParams(address)}`);
    }
    if (merged !== null) showMerged(merged);
  });
  const submit = async () => {
    const made = await autosave.instead(async () => {
      const made = await withSession(() => commit(editor).catch(continueInNewDraft));
      if (made !== null && typeof made !== "string") showMerged(made);
      return typeof made === "string" ? made : null;
    });
    if (made === null) return;
    if (capture !== null) await sendNext(routing(capture, "memory"));
    announce(t("kept"));
    await visit(`${LIST}/${made}`, here);
  };
  const discard = async () => {
    const drop = () => withSession(() => discardDraft(editor.draftId));
    const isDiscarded = await askDiscard(editor.changeCount, () => autosave.instead(drop));
    if (isDiscarded) await visit(back);
  };
  const element = form(editor.fields, t("keep"), submit, {
    before: [autosave.element],
    shown: isNew ? 6 : 5,
    beside: [h("button.plain", { onclick: discard }, t("discard"))],
  });
  const merged = await editor.open(memory, draft);
  if (merged !== null) showMerged(merged);
  if (draft?.state === "DISCARDED") editor.startNewDraft();
  if (capture !== null && draft === null) {
    const texts = await textsFromCapture("memory", capture);
    for (const field of editor.fields) field.setText(texts[field.name] ?? field.text());
  }
  files?.takeFiles(element, editor.fields, "memory");
  element.addEventListener("input", () => autosave.soon());
  return {
    ...memory === null
      ? { title: t("newMemory") }
      : titled(memory, t("editOf", { name: memory.title })),
    body: [
      draft !== null && h("p.note", t("draftFound", { time: timeText(draft.updatedAt) })),
      element,
    ],
  };
}

/** @param {MemoryDraftEditor} editor */
async function commit(editor) {
  try {
    return await editor.commit();
  } catch (error) {
    if (!hasCode(error, "REVISION_CONFLICT")) throw error;
    const merged = await editor.mergeRemote();
    if (merged === null) throw error;
    return merged;
  }
}

/** @param {string} memoryId */
function keptElsewhere(memoryId) {
  return {
    title: t("drafts"),
    body: [h("p", t("draftCommitted")), h("p", link(`${LIST}/${memoryId}`, t("openMemory")))],
  };
}
