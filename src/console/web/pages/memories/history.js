import { send, t } from "../../core/base.js";
import { TEXTS } from "../drafts.js";
import { memoryComparedFields } from "../../fields/memory_compared.js";
import { statedMoment } from "../../fields/memory_fields.js";
import { changeName, historyPage } from "../root_parts.js";

/** @type {Page} */
export default async function memoryHistory(visit) {
  const { params: { id }, session } = visit;
  const api = `${TEXTS}/${id}`;
  const { data: memory } = await send("GET", api);
  return await historyPage(visit, {
    page: `/console/memories/${id}`,
    api,
    earlier: (revision) => `${api}/revisions/${revision}`,
    fields: memoryComparedFields(memory),
    changeName: memoryChange,
    undo: (name, former) =>
      session.permissions.includes("memory.write") ? undo(api, name, former) : null,
  });
}

/**
 * Not restorable: the original text, privacy (has its own page), a model's text, and the removal of a stated
 * value.
 * @param {string} api
 * @param {string} name
 * @param {any} former
 * @returns {Undo | null}
 */
function undo(api, name, former) {
  const revising = ["title", "summary", "currentContent", "memoryType", "importance"];
  if (revising.includes(name) && former[name] !== null) {
    return { method: "POST", path: `${api}/revisions`, body: { [name]: former[name] } };
  }
  if (name !== "time" || former.timePrecision === null) return null;
  const { timePrecision, timeText } = former;
  const occurredAt = statedMoment(former);
  const body = {
    timePrecision,
    ...(occurredAt !== "" && { occurredAt }),
    ...(timeText !== null && { timeText }),
  };
  return { method: "POST", path: `${api}/time`, body };
}

/** @param {string} change */
function memoryChange(change) {
  const names = /** @type {const} */ ({
    RECOVERED: "recoveredChange",
    AI_DRAFTED: "modelDrafted",
    AI_DRAFT_ADOPTED: "modelAdopted",
    AI_DRAFT_REJECTED: "modelRejected",
    TIME_CHANGED: "timeChanged",
    PRIVACY_CHANGED: "privacyChanged",
  });
  const name = names[/** @type {keyof typeof names} */ (change)];
  return name === undefined ? changeName(change) : t(name);
}
