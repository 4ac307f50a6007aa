/** One entry about a person, with its actions. */

import { h } from "../../core/dom.js";
import { t, timeText } from "../../core/text.js";
import { veiled } from "../../fields/shown_value.js";
import { label } from "../../logic/labels.js";
import { entryControls } from "./entry_controls.js";

/**
 * @typedef {object} Place
 * @property {import("./ledger_kinds.js").LedgerName} name
 * @property {string} api The ledger's path in the API.
 * @property {string} page The page that shows the entry.
 * @property {boolean} isOpen True if the person accepts entries.
 */

/**
 * @param {import("../../core/session.js").Session} session
 * @param {import("./ledger_kinds.js").Ledger} ledger
 * @param {any} entry
 * @param {Place} place
 * @param {number} index Its place in the list: buttons are named by time and place, as two entries may be
 * of the same minute.
 */
export function entryLine(session, ledger, entry, place, index) {
  const { effectivePrivacy: level = entry.privacy, state = "LIVE" } = entry;
  const at = ledger.at(entry);
  const facts = [
    ...ledger.facts(entry),
    level === "NORMAL" ? null : label(level),
    state === "LIVE" ? null : label(state),
  ].filter((fact) => fact !== null);
  const time = at === null ? facts[0] ?? "" : timeText(at);
  const when = `${time} (${index + 1})`;
  return h(
    "li",
    {},
    h(
      "p",
      { class: "quiet small" },
      at !== null && h("time", { datetime: at }, time),
      at !== null && " · ",
      facts.join(" · "),
    ),
    shownWords(ledger, entry, level !== "NORMAL", `${ledger.one}, ${when}`),
    place.isOpen && entryControls(session, entry, { ...place, id: entry[ledger.idName], when }),
  );
}

/**
 * @param {import("./ledger_kinds.js").Ledger} ledger
 * @param {any} entry
 * @param {boolean} isVeiled
 * @param {string} what
 */
function shownWords(ledger, entry, isVeiled, what) {
  if (entry.redacted) return h("p", { class: "quiet" }, t("hidden"));
  const [heading, words] = [ledger.heading(entry), ledger.words(entry)];
  if (heading === "" && words === null) return null;
  // Words directly below a line are laid out as its title: a text needs an element around it.
  const show = () =>
    h(
      "div",
      {},
      h(
        "div",
        { class: "words" },
        heading !== "" && h("p", {}, h("strong", {}, heading)),
        words,
      ),
    );
  return isVeiled ? veiled(what, show) : show();
}
