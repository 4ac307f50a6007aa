import { send, timeText } from "../../core/base.js";
import { detailText } from "../../logic/detail_texts.js";
import { label } from "../../core/names.js";

const MAX_NAME_LENGTH = 60;

/**
 * Possible replacements: the newest hundred of the same kind that have not ended.
 * @param {string} api
 * @param {string} id
 * @param {string | undefined} kind Undefined for evidence.
 */
export async function otherEntries(api, id, kind) {
  const { data } = await send("GET", `${api}?limit=100`);
  const others = data.items.filter((/** @type {any} */ entry) =>
    entry.state === "LIVE" && entry.kind === kind && idOf(entry) !== id
  );
  return others.map((/** @type {any} */ entry) => {
    const { effectivePrivacy, content = "", recordedAt } = entry;
    // Keeps hidden text hidden.
    const isShown = kind === undefined ? effectivePrivacy === "NORMAL" : !entry.redacted;
    const words = kind === undefined || entry.redacted ? content : detailText(entry);
    return {
      value: idOf(entry),
      label: isShown && effectivePrivacy !== "SECRET"
        ? [...words].slice(0, MAX_NAME_LENGTH).join("")
        : `${label(effectivePrivacy)}, ${timeText(recordedAt)}`,
    };
  });
}

/** @param {any} entry */
function idOf({ evidenceId, detailId }) {
  return evidenceId ?? detailId;
}
