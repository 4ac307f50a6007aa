/** Figures that read their own data, and the choices above them. */

import { latest } from "../acts/typing.js";
import { ApiError } from "../base/api.js";
import { fill, h } from "../base/elements.js";
import { failureText, t } from "../base/language.js";
import { toneOf } from "../names.js";

/**
 * A figure with the content of its last answer: "Loading…" before it, and a refusal with
 * "Try again".
 *
 * - `kind` is the module whose colour it has.
 * - `controls` stand between the caption and the content.
 * - `show(asked)` reads and shows; later calls replace earlier ones.
 * - `rename(title)` changes the caption.
 * - `focus()` focuses the figure, for a button that goes when it is pressed.
 * @template Asked, Answer
 * @param {FigureParts<Asked, Answer>} parts
 */
export function readFigure({ title, kind, read, content, controls = [] }) {
  const caption = h("figcaption");
  const place = h("div");
  const element = h("figure", { class: `tone-${toneOf(kind)}` }, caption, ...controls, place);
  const rename = (/** @type {string} */ text) => {
    element.setAttribute("aria-label", text);
    fill(caption, text);
  };
  const focus = () => {
    element.tabIndex = -1;
    element.focus();
  };
  const asking = latest(
    read,
    (answer, asked) => fill(place, content(answer, asked)),
    (isWaiting) => isWaiting && fill(place, h("p", t("loading"))),
  );
  const show = async (/** @type {Asked} */ asked) => {
    await asking(asked).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      const again = () => {
        focus();
        void show(asked);
      };
      fill(place, h("p", failureText(error.code)), h("button", { onclick: again }, t("again")));
    });
  };
  rename(title);
  return { element, show, rename, focus };
}

/**
 * A few choices in one control, one of them pressed.
 * @template Choice
 * @param {string} name
 * @param {readonly (readonly [choice: Choice, text: string])[]} choices
 * @param {(choice: Choice) => void} choose
 */
export function choiceBar(name, choices, choose) {
  const buttons = choices.map(([choice, text]) =>
    h("button", { onclick: () => choose(choice) }, text)
  );
  const press = (/** @type {Choice} */ chosen) => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute("aria-pressed", String(choices[index]?.[0] === chosen));
    }
  };
  return { element: h("div.choices", { role: "group", "aria-label": name }, buttons), press };
}
