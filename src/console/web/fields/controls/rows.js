/** A row of a form: label, control, hint and refusal. */

import { h, nodes } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";

/** Keeps sensitive text from spelling and translation services. */
export const KEPT_HERE = {
  autocomplete: "off",
  spellcheck: "false",
  writingsuggestions: "false",
  translate: "no",
};

let count = 0;

export function newId() {
  return `field-${++count}`;
}

/** A row: label, hint, control, error. Its value is one text, as in drafts. @type {MakeRow} */
export function field(row, control) {
  const { name, label, hint, required = false, initial } = row;
  const { target, element = target, note, problem = () => "" } = control;
  const { text, setText } = untouched(control);
  if (initial !== undefined) setText(initial);
  const id = target.id;
  const isGroup = target instanceof HTMLFieldSetElement;
  const refusal = h("p.refusal", { id: `${id}-refusal` });
  const hinted = hint === undefined ? null : h("p.hint", { id: `${id}-hint` }, hint);
  target.setAttribute(
    "aria-describedby",
    [hinted?.id, note?.id, refusal.id].filter(Boolean).join(" "),
  );
  // Only radiogroup supports `required`, of the group roles.
  if (required && (!isGroup || target.getAttribute("role") === "radiogroup")) {
    target.setAttribute("aria-required", "true");
  }
  const named = [label, !required && h("span.quiet", ` ${t("optional")}`)];
  if (isGroup) {
    target.prepend(...nodes([h("legend", named), hinted]));
    target.append(refusal);
  }
  const unfold = () => {
    const folded = target.closest("details");
    if (folded !== null) folded.open = true;
  };
  return {
    name,
    row,
    element: isGroup
      ? target
      : h("div.field", h("label", { for: id }, named), element, hinted, note?.element, refusal),
    text,
    setText(text) {
      setText(text);
      if (text !== "") unfold();
    },
    required,
    problem: () => problem() || (required && text().trim() === "" ? t("required") : ""),
    refuse(problem) {
      refusal.textContent = problem;
      if (problem === "") target.removeAttribute("aria-invalid");
      else target.setAttribute("aria-invalid", "true");
    },
    focus() {
      unfold();
      (isGroup ? target.querySelector("input") : target)?.focus();
    },
  };
}

/**
 * Controls change line ends, seconds and removed options. Returns the original text until the
 * control's own version of it changes.
 * @type {(control: TextHolder) => TextHolder}
 */
export function untouched({ text, setText }) {
  let shown = text();
  let given = shown;
  return {
    text() {
      const now = text();
      return now === shown ? given : now;
    },
    setText(next) {
      setText(next);
      given = next;
      shown = text();
    },
  };
}
