import { h } from "../../core/dom.js";
import { sinceDayText } from "../../core/numbers.js";
import { t, timeText } from "../../core/text.js";
import { ago, veiled } from "../../fields/shown_value.js";
import { label } from "../../logic/labels.js";
import { entryControls } from "./entry_controls.js";

/**
 * @typedef {object} Place
 * @property {import("./ledger_kinds.js").LedgerName | "details"} name
 * @property {string} api In the API.
 * @property {string} page Shows the entry.
 * @property {boolean} isOpen True if the person accepts entries.
 * @property {boolean} [isNamed] True in a list of several kinds.
 */

/**
 * @param {import("../../core/session.js").Session} session
 * @param {import("./ledger_kinds.js").Ledger} ledger
 * @param {any} entry
 * @param {Place} place
 * @param {number} index In the list: buttons are named by time and index, as times may be equal.
 */
export function entryLine(session, ledger, entry, place, index) {
  const { effectivePrivacy: level = entry.privacy, state = "LIVE" } = entry;
  const at = ledger.at(entry);
  const facts = [
    place.isNamed ? ledger.one : null,
    ...ledger.facts(entry),
    level === "NORMAL" ? null : label(level),
    state === "LIVE" ? null : label(state),
  ].filter((fact) => fact !== null);
  const time = at === null ? ledger.facts(entry)[0] ?? "" : timeText(at);
  const when = `${time} (${index + 1})`;
  return h(
    "li",
    {},
    h(
      "p",
      { class: "quiet small" },
      at !== null && ago(at, sinceDayText),
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
  // A line lays out bare text as its title, so it is wrapped.
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
