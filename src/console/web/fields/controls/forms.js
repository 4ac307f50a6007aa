/** Forms and the lines of lists. */

import { ApiError, refusalWords } from "../../core/base/api.js";
import { announce, fill, h, nodes, showDialog } from "../../core/base/elements.js";
import { failureText, t } from "../../core/base/language.js";
import { field, newId } from "./rows.js";

/** @param {Children[0]} name @param {readonly Child[]} facts @param {...Child} more */
export function line(name, facts, ...more) {
  return row({ name, facts, more });
}

/**
 * A line of a list: an anchor, the name, facts and time, and at most two acts.
 * @param {Row} row
 */
export function row({ anchor, name, facts, more = [], acts = [] }) {
  const parts = nodes(facts).flatMap((fact, index) => index === 0 ? [fact] : [" · ", fact]);
  const shown = nodes(acts);
  return h(
    "li",
    anchor,
    h("div", name, h("div.quiet.small", parts)),
    ...more,
    shown.length > 0 && h("span.acts", shown),
  );
}

/**
 * A part of a page that is requested after the page is shown.
 * @param {() => Promise<readonly Child[]>} make An empty part hides its section.
 */
export function loaded(make) {
  const place = h("div", h("p.quiet", t("loading")));
  const show = async () => {
    const children = await make().catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      return [h("p.quiet", failureText(error.code))];
    });
    fill(place, children);
    if (children.length === 0) place.closest("section")?.remove();
  };
  void show();
  return place;
}

/**
 * @param {readonly Field[]} fields
 * @param {string} action
 * @param {() => Promise<unknown>} submit Throws an `ApiError` whose details name fields.
 * @param {FormParts} [parts]
 */
export function form(fields, action, submit, parts = {}) {
  const { before, beside, staysOpen, shown, isFolded = false, isQuiet = false } = parts;
  const summary = h("div.summary", { role: "alert", tabindex: -1, hidden: true });
  const button = h("button", { class: !isQuiet && "main", type: "submit" }, action);
  const waiting = h("span.hint", { role: "status" });
  const running = () => fields.flatMap(({ pending }) => pending?.() ?? []);
  const send = async () => {
    if (button.disabled || waiting.textContent !== "") return;
    summary.hidden = true;
    while (running().length > 0) {
      waiting.textContent = t("uploadRunning");
      await Promise.all(running());
    }
    waiting.textContent = "";
    for (const field of fields) field.refuse(field.problem());
    const wrong = fields.find((field) => field.problem() !== "");
    if (wrong !== undefined) return wrong.focus();
    const unlock = lock(staysOpen ? [button] : [...element.elements]);
    try {
      await submit();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (element.isConnected) await showRefusal(error, fields, summary);
      else announce(failureText(error.code));
    } finally {
      unlock();
    }
  };
  const element = h(
    "form",
    { novalidate: true },
    summary,
    h("div", { class: shown && "columns" }, fields.slice(0, shown).map(({ element }) => element)),
    shown !== undefined && shown < fields.length && more(fields.slice(shown), isFolded),
    before,
    h("div.bar", button, beside, waiting),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
  });
  return element;
}

/**
 * Folded, unless one of the fields holds something.
 * @param {readonly Field[]} fields @param {boolean} isFolded
 */
function more(fields, isFolded) {
  const open = !isFolded && fields.some((field) => field.text() !== "");
  const columns = h("div.columns", fields.map((field) => field.element));
  return h("details.more", { open }, h("summary", t("more")), columns);
}

/** Returns a function that unlocks them. @param {readonly Element[]} controls */
function lock(controls) {
  const focused = document.activeElement;
  const texts = "textarea, input:not([type=checkbox], [type=radio], [type=file])";
  const locked = controls.filter((control) => control.matches(":enabled:not(fieldset)"));
  const set = (/** @type {boolean} */ isLocked) => {
    for (const control of locked) {
      // A read-only control keeps the focus; a disabled one loses it.
      control.toggleAttribute(control.matches(texts) ? "readonly" : "disabled", isLocked);
    }
  };
  set(true);
  return () => {
    set(false);
    if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus();
  };
}

/**
 * Only a refusal that names fields or rules loads their sentences.
 * @param {ApiError} error @param {readonly Field[]} fields @param {HTMLElement} summary
 */
async function showRefusal(error, fields, summary) {
  const { details } = error;
  const parts = details.fields || details.rules
    ? await import("../refusals.js").then(({ explain }) => explain(details, fields)).catch(() => [])
    : [];
  fill(summary, h("p", refusalWords(error)), parts);
  summary.hidden = false;
  summary.focus();
}

/**
 * A dialog that stays open until the service has done the action.
 * @param {Question} question
 * @param {() => Promise<unknown>} work Its failure is shown in the dialog.
 * @returns {Promise<boolean>}
 * @throws {ApiError} a conflict (409).
 */
export function ask({ title, text, action, fields = [] }, work) {
  const { promise, resolve, reject } = Promise.withResolvers();
  let isWorking = false;
  const submit = async () => {
    isWorking = true;
    try {
      await work();
      resolve(true);
    } catch (error) {
      const isOver = !dialog.open || (error instanceof ApiError && error.status === 409);
      if (!isOver) throw error;
      reject(error);
    } finally {
      isWorking = false;
    }
    dialog.close();
  };
  const cancelled = (/** @type {Event} */ event) => {
    if (isWorking) event.preventDefault();
  };
  // A running request shows its result even after the page was left.
  const closed = () => isWorking || resolve(false);
  const cancel = h("button", { onclick: () => dialog.close() }, t("cancel"));
  const id = newId();
  /** @type {HTMLDialogElement} */
  const dialog = showDialog(
    { "aria-labelledby": id, onclose: closed, oncancel: cancelled },
    h("h2", { id }, title),
    text !== undefined && h("p", text),
    form(fields, action, submit, { beside: [cancel] }),
  );
  return promise;
}

/** Its value is a JSON array; empty for none. @param {FieldRow} row @param {Choices} choices */
export function severalField(row, choices) {
  const boxes = choices.map(({ value }) => h("input", { type: "checkbox", value }));
  const labels = choices.map(({ label }, index) => h("label.choice", boxes[index], label));
  const group = h("fieldset.field", { id: newId() }, h("div.groups", labels));
  return field(row, {
    target: group,
    text() {
      const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
      return chosen.length === 0 ? "" : JSON.stringify(chosen);
    },
    setText(text) {
      const chosen = text === "" ? [] : JSON.parse(text);
      for (const box of boxes) box.checked = chosen.includes(box.value);
    },
  });
}
