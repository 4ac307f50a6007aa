/** Each part is checked and offered before the next is requested. */

import { fill, h, t } from "../core/base.js";
import { counted } from "../fields/shown.js";
import { form } from "../fields/controls.js";
import { checkedFile } from "../fields/saved_file.js";

/**
 * @param {string} action
 * @param {readonly Field[]} fields
 * @param {() => (cursor: string | null) => Promise<ExportPart | null>} begin Reads the options; returns a function
 *   that requests each part, null if the person cancels.
 * @param {readonly Element[]} [before]
 */
export function partExport(action, fields, begin, before = []) {
  const parts = h("ol.lines", { hidden: true });
  const state = h("div");
  const take = async (
    /** @type {ReturnType<typeof begin>} */ read,
    /** @type {string | null} */ cursor,
  ) => {
    const part = await read(cursor);
    if (part === null) return;
    const { count, nextCursor } = part;
    const number = parts.children.length + 1;
    if (count === 0 && nextCursor === null) {
      return fill(state, h("p", t(number === 1 ? "noneYet" : "lastPart")));
    }
    const line = await partLine(part, number);
    parts.hidden = false;
    parts.append(line);
    fill(
      state,
      nextCursor === null
        ? h("p", t("lastPart"))
        : form([], t("nextPart"), () => take(read, nextCursor)),
    );
    line.querySelector("a")?.focus();
  };
  const submit = async () => {
    fill(parts);
    fill(state);
    parts.hidden = true;
    await take(begin(), null);
  };
  return h("div", form(fields, action, submit, { before }), parts, state);
}

/** @param {ExportPart} part @param {number} number */
async function partLine({ filename, mediaType, content, sha256, count, note }, number) {
  const name = number === 1 ? filename : filename.replace(/\.\w+$/, `-${number}$&`);
  const blob = new Blob([content], { type: mediaType });
  const text = count === undefined
    ? note
    : t("part", { number, entries: counted(count, "oneEntry", "manyEntries") });
  return h(
    "li",
    text !== undefined && h("p", text),
    await checkedFile(blob, { filename: name, sha256 }),
  );
}
