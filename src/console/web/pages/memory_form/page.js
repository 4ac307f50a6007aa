/** A memory's form, which the service stores as a draft. */

import { withSession } from "../../core/acts/password.js";
import { hasCode } from "../../core/base/api.js";
import { announce, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { may } from "../../core/base/session.js";
import { thisVisit, visit } from "../../core/base/visits.js";
import { sendNext } from "../../core/browser_outbox/sending.js";
import { MEMORIES_API, notFound, readModule } from "../../core/names.js";
import { form } from "../../fields/controls/forms.js";
import { memoryFields, titled } from "../../fields/memory_fields.js";
import { thisMinute, timeText } from "../../fields/shown/times.js";
import { routing, textsFromCapture } from "../drafts/captures.js";
import { discardDraft, findDraft } from "../drafts/queue.js";
import { askDiscard, conflictNotice } from "../form_parts.js";
import { MemoryDraftEditor } from "./editor.js";
import { saving } from "./saving.js";
import { foldTime } from "./when.js";

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

  const shown = new MemoryForm(module, id, isNew ? query.get("capture") : null);
  await shown.open(memory, draft);
  files?.takeFiles(shown.element, shown.editor.fields, "memory");
  return {
    ...memory === null
      ? { title: t("newMemory") }
      : titled(memory, t("editOf", { name: memory.title })),
    body: [
      draft !== null && h("p.note", t("draftFound", { time: timeText(draft.updatedAt) })),
      shown.element,
    ],
  };
}

/** Texts of a new memory. */
function newTexts() {
  return {
    privacyLevel: "PRIVATE",
    memoryType: "EVENT",
    timePrecision: "EXACT",
    occurredAt: thisMinute(),
  };
}

/** Fields without a box, whose names are their placeholders. */
function asPaper(/** @type {Field} */ { element, row }) {
  element.classList.add("bare");
  element.querySelector("input, textarea")?.setAttribute("placeholder", row.label);
}

class MemoryForm {
  #here = thisVisit();

  /** @param {CatalogModule} module @param {string | undefined} id @param {string | null} capture */
  constructor(module, id, capture) {
    const isNew = id === undefined;
    this.back = isNew ? LIST : `${LIST}/${id}`;
    this.capture = capture;
    const fields = memoryFields(module, isNew);
    for (const field of fields.slice(0, 2)) asPaper(field);
    this.editor = new MemoryDraftEditor(id, isNew ? foldTime(fields) : fields, newTexts());
    this.autosave = saving(() => this.editor.isUnsaved, () => this.#save());
    this.element = form(this.editor.fields, t("keep"), () => this.#submit(), {
      // With the three fields of the time.
      shown: isNew ? 7 : 5,
      beside: [
        h("button.plain", { onclick: () => this.#discard() }, t("discard")),
        this.autosave.element,
      ],
    });
    this.element.classList.add("writing");
  }

  /** @param {any} memory @param {any} draft */
  async open(memory, draft) {
    const { editor, capture } = this;
    const merged = await editor.open(memory, draft);
    if (merged !== null) this.#showMerged(merged);
    if (draft?.state === "DISCARDED") editor.startNewDraft();
    if (capture !== null && draft === null) {
      const texts = await textsFromCapture("memory", capture);
      for (const field of editor.fields) field.setText(texts[field.name] ?? field.text());
    }
    this.element.addEventListener("input", () => this.autosave.soon());
  }

  /** @param {Merged} merged */
  #showMerged(merged) {
    const { element, editor } = this;
    element.querySelector("section")?.remove();
    const notice = conflictNotice({ fields: editor.fields, ...merged });
    element.prepend(notice);
    notice.focus();
  }

  /** Keeps the text if the draft ended elsewhere. @param {unknown} error */
  #continueInNewDraft(error) {
    if (!hasCode(error, "MEMORY_STATE_CONFLICT")) throw error;
    this.editor.startNewDraft();
    announce(t("draftEnded"));
    this.autosave.soon();
    return null;
  }

  async #save() {
    const { editor, element, capture } = this;
    const merged = await editor.save().catch((error) => this.#continueInNewDraft(error));
    // The address finds the draft again, on other devices too.
    const isShown = !this.#here.aborted && element.isConnected && editor.draftId !== "";
    if (isShown) {
      const address = { draft: editor.draftId, ...(capture !== null && { capture }) };
      history.replaceState(history.state, "", `?${new URLSearchParams(address)}`);
    }
    if (merged !== null) this.#showMerged(merged);
  }

  async #submit() {
    const { editor, capture } = this;
    const commit = () => editor.commit().catch((error) => this.#continueInNewDraft(error));
    const made = await this.autosave.instead(async () => {
      const made = await withSession(commit);
      if (made !== null && typeof made !== "string") this.#showMerged(made);
      return typeof made === "string" ? made : null;
    });
    if (made === null) return;
    if (capture !== null) await sendNext(routing(capture, "memory"));
    announce(t("kept"));
    await visit(`${LIST}/${made}`, this.#here);
  }

  async #discard() {
    const { editor, autosave } = this;
    const drop = () => withSession(() => discardDraft(editor.draftId));
    const isDiscarded = await askDiscard(editor.changeCount, () => autosave.instead(drop));
    if (isDiscarded) await visit(this.back);
  }
}

/** @param {string} memoryId */
function keptElsewhere(memoryId) {
  return {
    title: t("drafts"),
    body: [h("p", t("draftCommitted")), h("p", link(`${LIST}/${memoryId}`, t("openMemory")))],
  };
}
