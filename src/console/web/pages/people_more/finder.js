/** A box that finds people by the beginnings of their names. */

import { announceFailure, hasCode } from "../../core/base/api.js";
import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { latest } from "../../core/acts/typing.js";
import { send } from "../../core/base/sender.js";
import { PEOPLE_API } from "../people_entries/ledgers.js";

const MAX_FOUND = 100;

/**
 * The box, and the people found in place of the list while it has words. A name is sent in a body,
 * because no address may contain it.
 * @param {HTMLElement} list @param {(person: any) => Element} line
 */
export function personFinder(list, line) {
  const status = h("p.quiet", { role: "status" });
  const found = h("ul.lines");
  const input = h("input", {
    type: "search",
    "aria-label": t("findPerson"),
    placeholder: t("findPerson"),
    autocomplete: "off",
    spellcheck: "false",
  });
  const show = (/** @type {readonly any[]} */ people, text = "") => {
    fill(found, people.map(line));
    status.textContent = text;
  };
  const find = latest(
    async (/** @type {string} */ q, signal) => {
      const body = { q, limit: MAX_FOUND };
      return (await send("POST", `${PEOPLE_API}/find`, { body, signal })).data;
    },
    ({ items }) => show(items, items.length === 0 ? t("noMatches") : ""),
    () => show([], t("loading")),
  );
  input.addEventListener("input", async () => {
    const words = input.value.trim();
    list.hidden = words !== "";
    if (words === "") {
      find.cancel();
      return show([]);
    }
    try {
      await find(words);
    } catch (error) {
      // Marks alone are not words.
      show([], hasCode(error, "PAYLOAD_INVALID") ? t("noMatches") : "");
      if (!hasCode(error, "PAYLOAD_INVALID")) announceFailure(error);
    }
  });
  return h("div.finder", { role: "search" }, input, status, found);
}
